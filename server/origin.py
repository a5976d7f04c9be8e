"""Only pages of this server may open its stream."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


class SameOrigin:
    """Refuse a websocket that a page of another site opens.

    Streamlit refuses it too, but asks an outside host for this machine's address first. A proxy must pass ``Host`` on,
    or its origin stands in ``server.corsAllowedOrigins``.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but foreign websockets."""
        if scope["type"] == "websocket" and not is_own(Headers(scope=scope)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, send)


def is_own(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    if "origin" not in headers:
        return True
    try:
        origin = urlsplit(headers["origin"])
        host, _ = origin.hostname, origin.port
    except ValueError:  # "http://[" or "http://localhost:8501.elsewhere.example", say
        return False
    named = [urlsplit(allowed).hostname for allowed in st.get_option("server.corsAllowedOrigins")]
    own_names = ("localhost", "127.0.0.1", st.get_option("browser.serverAddress"), *named)
    return bool(host) and (origin.netloc == headers.get("host") or host in own_names)
