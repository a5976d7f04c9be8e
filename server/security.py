"""Which names this server answers to, and what a browser may do with its pages."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FRAMES = "ROPE_LAB_FRAME_ANCESTORS"
INDEX = Path(st.__file__).parent / "static/index.html"
LOCAL = ("localhost", "*.localhost", "127.0.0.1", "::1")
"""Names and addresses that no other machine can have."""
# A quoted word, or scheme and host as Content-Security-Policy writes them. Nothing that could begin another directive or header.
ANCESTOR = re.compile(r"'self'|'none'|\*|https?:|https?://(\*\.)?[\w.-]+(:(\d+|\*))?/?", re.ASCII | re.IGNORECASE)


def trusted_hosts() -> list[str]:
    """Return the names that this server answers to, as ``TrustedHostMiddleware`` takes them; without ``server.allowedHosts`` local ones."""
    return [f"[{name}]" if ":" in name else name for name in st.get_option("server.allowedHosts") or LOCAL]


class SecurityHeaders:
    """Tell the browser what these pages may load, who may frame them, and to guess nothing."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application; a frame policy that cannot be read stops the server here."""
        self.app = app
        self.headers = security_headers(ancestors(os.environ), INDEX.read_text(encoding="utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every answer."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def security_headers(frames: str, index: str) -> dict[str, str]:
    """Return the headers; ``index`` is the page that carries Streamlit, whose inline scripts are allowed by their content."""
    policy = {
        "default-src": ["'none'"],
        "script-src": ["'self'", "blob:", *map(script_source, inline_scripts(index))],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "object-src": ["'none'"],
        "frame-ancestors": [frames],
    }
    return {
        "content-security-policy": "; ".join(" ".join([name, *sources]) for name, sources in policy.items()),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


def inline_scripts(page: str) -> Iterable[str]:
    """Return the text of every script that stands in the page itself."""
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


def script_source(script: str) -> str:
    """Name a script by its content."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def ancestors(environment: Mapping[str, str]) -> str:
    """Read who may show the app in a frame: ``ROPE_LAB_FRAME_ANCESTORS``, sources with spaces between, this site alone if unset."""
    sources = environment.get(FRAMES, "").split() or ["'self'"]
    for source in sources:
        if not ANCESTOR.fullmatch(source):
            raise ValueError(f"{FRAMES} must be origins such as https://school.example with spaces between, got {source!r}")
    return " ".join(sources)
