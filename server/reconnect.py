"""A page whose server went away finds another one that has never heard of it: the first run there is a whole one, and comes at once.

The browser believes that its session was kept. It asks for nothing when it is connected again, and its next move asks for a part of a page
(a fragment) that only the lost session knew; Streamlit then runs nothing, and the page is dead.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.AutoRerun_pb2 import AutoRerun
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

SOON = 0.3  # seconds
ALL = "rope-lab-all"  # the browser can only be asked for a part: this one stands for all of a page


class ResumeRuns:
    """Ask a browser that comes back for a run, and make the first run of every stream a whole one."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but the first request for a run."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        returns = len(scope.get("subprotocols", [])) > 2  # the third names the session that was
        first = True

        async def receive_whole() -> Message:
            nonlocal first
            message = await receive()
            data = message.get("bytes")
            if data and (first or ALL.encode() in data):
                message["bytes"], is_run = whole(data)
                first = first and not is_run
            return message

        async def send_request(message: Message) -> None:
            await send(message)
            if returns and message["type"] == "websocket.accept":
                await send({"type": "websocket.send", "bytes": request_for_a_run()})

        await self.app(scope, receive_whole, send_request)


def whole(data: bytes) -> tuple[bytes, bool]:
    """Make a request for a part of a page one for all of it, and say whether it was a request for a run."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except Exception:  # Streamlit closes the stream
        return data, False
    if message.WhichOneof("type") != "rerun_script":
        return data, False
    if not message.rerun_script.fragment_id:
        return data, True
    message.rerun_script.ClearField("fragment_id")
    message.rerun_script.is_auto_rerun = False
    return message.SerializeToString(), True


def request_for_a_run() -> bytes:
    """Tell the browser to ask for a run; a whole run ends that."""
    message = ForwardMsg(auto_rerun=AutoRerun(interval=SOON, fragment_id=ALL))
    message.metadata.cacheable = False
    return bytes(message.SerializeToString())
