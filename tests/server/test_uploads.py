"""Uploads: few files a session and a server, and none of a session that has gone."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from server.uploads import AT_ONCE, FILES, MOST, UploadLimiter, forget


class Server:
    """A runtime that knows some sessions."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = MemoryUploadedFileManager("")
        self.sessions: set[str] = set()

    def is_active_session(self, session: str) -> bool:
        return session in self.sessions

    def upload(self, session: str, file: str) -> None:
        self.uploaded_file_mgr.add_file(session, UploadedFileRec(file, "x.json", "application/json", b"{}"))

    def kept(self, session: str) -> list[str]:
        return [*self.uploaded_file_mgr.file_storage.get(session, {})]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        if scope["type"] == "http":
            self.upload(*scope["path"].split("/")[-2:])
        else:
            self.sessions.remove(scope["session"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    server = Server()
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    return server


def put(session: str, file: str) -> Scope:
    return {"type": "http", "method": "PUT", "path": f"/rope/_stcore/upload_file/{session}/{file}"}


def serve(server: Server, *scopes: Scope) -> list[int]:
    """Ask for all at the same time; return the status of those that got no further than the limiter."""
    refused: list[int] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            refused.append(message["status"])

    async def all_at_once() -> None:
        limiter = UploadLimiter(server)
        await asyncio.gather(*(limiter(scope, receive, send) for scope in scopes))

    asyncio.run(all_at_once())
    return refused


def test_a_session_keeps_its_newest_files(server: Server) -> None:
    server.sessions = {"a", "b"}
    for number in range(60):
        assert serve(server, put("a", str(number))) == []
    assert serve(server, put("b", "other")) == []
    assert (server.kept("a"), server.kept("b")) == (["58", "59"], ["other"])
    assert FILES == 2


def test_a_server_keeps_a_number_of_files_and_the_newest_among_them(server: Server) -> None:
    server.sessions = {str(number) for number in range(2 * MOST)}
    for session in range(2 * MOST):
        serve(server, put(str(session), "file"))
    assert [session for session in range(2 * MOST) if server.kept(str(session))] == [*range(MOST, 2 * MOST)]


def test_files_go_with_the_stream_of_their_session(server: Server) -> None:
    server.sessions = {"a", "b"}
    serve(server, put("a", "file"), put("b", "file"))
    serve(server, {"type": "websocket", "session": "a"})
    assert (server.kept("a"), server.kept("b")) == ([], ["file"])


def test_a_file_that_comes_after_its_session_has_gone_is_not_kept(server: Server) -> None:
    serve(server, put("gone", "file"))
    assert "gone" not in server.uploaded_file_mgr.file_storage


def test_too_many_uploads_at_once_are_refused_and_later_ones_are_not(server: Server) -> None:
    server.sessions = {"a"}
    assert serve(server, *(put("a", str(number)) for number in range(AT_ONCE + 3))) == [503] * 3
    assert serve(server, put("a", "later")) == []


def test_without_a_server_there_is_nothing_to_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "exists", lambda: False)
    forget()
