"""Addresses below those of pages: there are none, and Streamlit would answer them with a page whose files are looked for beside it."""

from __future__ import annotations

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from lessons.registry import PAGES
from locales import _, negotiate, speaking


def lost_routes() -> list[Route]:
    """Return the routes of all that seems to lie below a page."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return [Route(f"{'/' + base if base else ''}/{page}/{{lost:path}}", _lost, methods=["GET", "HEAD"]) for page in PAGES]


async def _lost(request: Request) -> Response:
    if not request.path_params["lost"]:
        return RedirectResponse(request.url.replace(path=request.url.path.rstrip("/")))
    with speaking(negotiate(request.query_params.get("lang")) or "en"):
        return PlainTextResponse(_("There is no such page.") + "\n", status_code=404)
