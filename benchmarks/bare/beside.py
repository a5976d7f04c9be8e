"""The app, and beside it a route that returns the bytes that were posted to it last: what the live route is measured against."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app import app as served
from benchmarks.servers import BARE_PATH

_POSTED = {"bytes": b""}


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer for the bare route, and pass everything else on."""
    if scope["type"] != "http" or scope["path"] != BARE_PATH:
        await served(scope, receive, send)
        return
    if scope["method"] == "POST":
        _POSTED["bytes"] = await Request(scope, receive).body()
    await Response(_POSTED["bytes"])(scope, receive, send)
