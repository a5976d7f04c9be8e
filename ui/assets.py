"""plotly.js for the live chart, out of the installed package: nothing is vendored and no other host is asked."""

from __future__ import annotations

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.live import SCRIPT, script_path

FOR_EVER = "public, max-age=31536000, immutable"  # the version stands in the name


def plotly_route() -> Route:
    """Serve the script where ``ui.live`` says that it is."""
    return Route(script_path(), _script, methods=["GET", "HEAD"])


async def _script(request: Request) -> Response:
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if compressed else {})
    return Response(packed() if compressed else SCRIPT.read_bytes(), media_type="text/javascript", headers=headers)


@cache
def packed() -> bytes:
    """Compress the script, once; a third of its size travels."""
    return gzip.compress(SCRIPT.read_bytes(), 6)
