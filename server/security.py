"""Which names this server answers to, and what a browser may do with its pages."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FRAMES = "ROPE_LAB_FRAME_ANCESTORS"
INDEX = Path(st.__file__).parent / "static/index.html"
HEALTH = "/_stcore/health"
# A quoted word, or scheme and host as Content-Security-Policy writes them. Nothing that could begin another directive or header.
ANCESTOR = re.compile(r"'self'|'none'|\*|https?:|https?://(\*\.)?[\w.-]+(:(\d+|\*))?/?", re.ASCII | re.IGNORECASE)


class KnownHosts:
    """Refuse a request whose ``Host`` is not ours: a foreign name that points to this machine (DNS rebinding) gets nothing."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what asks for a known host."""
        if scope["type"] not in ("http", "websocket") or is_known(Headers(scope=scope).getlist("host"), scope["path"]):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = "This server does not answer to that host name. Whoever runs it can add the name to server.allowedHosts.\n"
            await PlainTextResponse(refusal, status_code=400)(scope, receive, send)


def is_known(hosts: list[str], path: str) -> bool:
    """Return whether ``server.allowedHosts`` names the host; the empty list stands for local names. A health check may also use an address."""
    allowed = st.get_option("server.allowedHosts")
    name = _name(hosts[0]) if len(hosts) == 1 else None
    if name is None:
        return False
    if (not allowed or path.endswith(HEALTH)) and _is_local(name):
        return True
    return any(_fits(name, pattern.strip().lower().rstrip(".")) for pattern in allowed)


def _name(host: str) -> str | None:
    """Read the name out of ``name:port``; None if it says anything else."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    plain = parts.hostname and parts.netloc == host and not parts.username and "@" not in host
    return parts.hostname.lower().rstrip(".") if plain and parts.hostname else None


def _is_local(name: str) -> bool:
    """Whether no stranger can own the name: an address, a word without dots, or what is reserved for local use."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return re.fullmatch(r"[\w-]+|[\w.-]+\.(localhost|local|internal)", name, re.ASCII) is not None
    return True


def _fits(name: str, pattern: str) -> bool:
    return pattern == "*" or name == pattern or (pattern.startswith("*.") and name.endswith(pattern[1:]))


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
