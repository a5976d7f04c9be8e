"""Uploaded files are kept within bounds: a page reads its file at once, so it need not be kept for longer than that.

Streamlit bounds the size of one file (``server.maxUploadSize``), but not their number, and keeps those of a session that has gone until a
later visitor comes.
"""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

PATH = "/_stcore/upload_file/"
FILES, MOST = 2, 32
"""Files that are kept for one session, and for all of them."""
AT_ONCE = 16
"""Files that are on their way at the same time."""


class UploadLimiter:
    """Forget the oldest files when there are too many, and all files of a session when its stream is closed."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app
        self.coming = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but an upload while too many are on their way."""
        is_upload = scope["type"] == "http" and scope["method"] == "PUT" and PATH in scope["path"]
        if is_upload and self.coming >= AT_ONCE:
            await PlainTextResponse("Too many uploads at once; try again.\n", 503, {"retry-after": "5"})(scope, receive, send)
            return
        self.coming += is_upload
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming -= is_upload
            if is_upload or scope["type"] == "websocket":
                forget()


def forget() -> None:
    """Forget files of sessions that have gone, and the oldest ones of which there are too many."""
    if not runtime.exists():
        return
    server = runtime.get_instance()
    files = server.uploaded_file_mgr
    assert isinstance(files, MemoryUploadedFileManager)
    for session, kept in [*files.file_storage.items()]:
        if not server.is_active_session(session):
            files.remove_session_files(session)
        for old in [*kept][:-FILES]:
            files.remove_file(session, old)
    while sum(map(len, files.file_storage.values())) > MOST:
        files.remove_session_files(next(iter(files.file_storage)))
