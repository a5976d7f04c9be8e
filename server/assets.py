"""plotly.js for the live chart, out of the installed package: nothing is vendored and no other host is asked."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

VERSION = version("plotly")
SCRIPT = Path(str(files("plotly"))) / "package_data/plotly.min.js"
FOR_EVER = "public, max-age=31536000, immutable"  # the version stands in the name


def script_path() -> str:
    """Return where the browser finds plotly.js: under the base path of the server, with its version, so that it may be kept for ever."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{'/' + base if base else ''}/plotly-{VERSION}.min.js"


def plotly_route() -> Route:
    """Return the route of the script."""
    return Route(script_path(), _script, methods=["GET", "HEAD"])


async def _script(request: Request) -> Response:
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if compressed else {})
    return Response(packed() if compressed else SCRIPT.read_bytes(), media_type="text/javascript", headers=headers)


@cache
def packed() -> bytes:
    """Compress the script, once: a third of it is left."""
    return gzip.compress(SCRIPT.read_bytes(), 6)
