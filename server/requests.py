"""Requests that Streamlit would read otherwise than they are meant, or answer to anybody."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

METRICS = "ROPE_LAB_METRICS"
METRICS_PATH = "/_stcore/metrics"
REFUSED = re.compile(rb";\s*q\s*=\s*0(\.0*)?\s*$", re.IGNORECASE)
"""The end of an encoding that a browser does not want."""


class RequestRules:
    """Close the metrics of the server, and take encodings out of ``Accept-Encoding`` that it refuses: Streamlit looks for names alone."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app
        self.is_open = metrics_are_open(os.environ)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests on as they are meant."""
        if scope["type"] == "http":
            if scope["path"].rstrip("/").endswith(METRICS_PATH) and not self.is_open:
                await PlainTextResponse("Not Found", 404)(scope, receive, send)
                return
            headers = [(name, accepted(value) if name == b"accept-encoding" else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await self.app(scope, receive, send)


def accepted(encodings: bytes) -> bytes:
    """Return the encodings that are not refused by a weight of 0."""
    return b",".join(each for each in encodings.split(b",") if not REFUSED.search(each))


def metrics_are_open(environment: Mapping[str, str]) -> bool:
    """Read whether anybody may see the metrics: ``ROPE_LAB_METRICS=open``, closed if unset."""
    value = environment.get(METRICS, "")
    if value not in ("", "open"):
        raise ValueError(f"{METRICS} must be open or unset, got {value!r}")
    return value == "open"
