"""A page whose server went away finds another one, which has never heard of its session, and is drawn there as its address says.

By itself a browser that is connected again asks for nothing, and what its reader sets next is lost: a new session knows no control before
it has drawn one. But where a part of the page reruns on a timer, it asks for a run. So each run ends with such a timer, which never fires.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.AutoRerun_pb2 import AutoRerun
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from server.limits import ends_run

NEVER = 2_000_000.0
"""Seconds, three weeks; more than a browser's timers can count would fire at once."""
TIMER = ForwardMsg(auto_rerun=AutoRerun(interval=NEVER, fragment_id="rope-lab-reconnect")).SerializeToString()


class ResumeRuns:
    """Have a browser ask for a run whenever its stream is opened again."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and set the timer behind each run."""

        async def send_with_timer(message: Message) -> None:
            await send(message)
            if ends_run(message.get("bytes")):
                await send({"type": "websocket.send", "bytes": TIMER})

        await self.app(scope, receive, send_with_timer if scope["type"] == "websocket" else send)
