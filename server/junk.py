"""What no browser sends ends its stream, and a complaint that comes again and again is one line of the log a minute."""

from __future__ import annotations

import json
import logging
import math
import time
import traceback
from collections.abc import Hashable

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

INVALID = 1007
"""Code with which a stream is closed: its data is not what its type says."""
INTERVAL = 60.0
"""Seconds in which the same complaint is logged once."""
LOGGERS = ("streamlit", "uvicorn", "asyncio", "websockets", "server")
"""Beginnings of the names of loggers that a visitor can make speak."""
LOG = logging.getLogger("uvicorn.error")


class JunkFilter:
    """Close a stream on which something comes that is no message of a browser; Streamlit would log a traceback each time."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but junk."""

        async def receive_message() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and (wrong := junk(message)):
                LOG.warning("A stream was closed: %s", wrong)
                await send({"type": "websocket.close", "code": INVALID})
                return {"type": "websocket.disconnect", "code": INVALID}
            return message

        await self.app(scope, receive_message if scope["type"] == "websocket" else receive, send)


def junk(message: Message) -> str:
    """Return what is wrong with a message of a browser; nothing if it can be read."""
    if (data := message.get("bytes")) is None:
        return "it sent text, where messages are binary"
    try:
        widgets = BackMsg.FromString(data).rerun_script.widget_states.widgets
    except Exception:  # of google.protobuf, whose errors have no common name in its two implementations
        return "it sent bytes that are no message"
    try:
        for widget in widgets:
            if (kind := widget.WhichOneof("value")) in ("json_value", "json_trigger_value"):
                json.loads(getattr(widget, kind))
    except (ValueError, RecursionError):
        return "the value of a component was no JSON"
    return ""


class OnceAMinute(logging.Filter):
    """Let a complaint of one place in the code through once a minute, and say with the next one how many were held back."""

    def __init__(self) -> None:
        """Begin with nothing held back."""
        super().__init__()
        self.seen: dict[Hashable, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if record.levelno < logging.WARNING:
            return True
        place, now = _place(record), time.monotonic()
        last, held = self.seen.get(place, (-math.inf, 0))
        if now - last < INTERVAL:
            self.seen[place] = (last, held + 1)
            return False
        self.seen[place] = (now, 0)
        if held:
            record.msg = f"{record.msg} (and {held} more like this)"
        return True


def _place(record: logging.LogRecord) -> Hashable:
    """Name where a complaint comes from, in terms of the code alone: there are no more names than lines."""
    error = record.exc_info[1] if record.exc_info else None
    [*_, last] = traceback.walk_tb(error.__traceback__) if error and error.__traceback__ else [(None, 0)]
    frame, line = last
    return record.pathname, record.lineno, type(error), frame and frame.f_code.co_filename, line


def limit_log() -> None:
    """Hold back repeated complaints of every logger that there is by now; a child does not ask the filters of its parent."""
    once = OnceAMinute()
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in LOGGERS:
            logging.getLogger(name).addFilter(once)
