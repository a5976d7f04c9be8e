"""The live route: ``GET /view/<page>?<address>`` answers with what the page shows there.

It takes what a link takes, checks it as a link is checked, and answers 400 with one sentence for what is not allowed. It reads and never
writes. A config that is too long for an address comes as the body of a POST.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b

import anyio
import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lessons.compare import read_pin
from lessons.registry import PAGES
from locales import _, negotiate, speaking
from parameters import parameters_of
from parameters.problems import Problem, quoted
from parameters.settings import Settings
from rope_core import RopeConfigError
from server.answers import Question, answer

LONGEST = 16_384
"""Characters of an address that are read."""
LARGEST = 1_000_000
"""Bytes of a config in a body."""
EXTRAS = {"lang", "pin"}
AT_ONCE = 8
"""Answers that are computed at the same time; who asks for more waits, and is dropped without an answer if he goes away."""


def view_path() -> str:
    """Return where the browser finds the route, under the base path of the server."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{'/' + base if base else ''}/view"


def view_route() -> Route:
    """Serve the views of all pages."""
    return Route(view_path() + "/{page}", _view, methods=["GET", "POST"])


async def _view(request: Request) -> Response:
    page = request.path_params["page"]
    if page not in PAGES:
        return PlainTextResponse("There is no such page.\n", status_code=404)
    if len(request.url.query) > LONGEST:
        return PlainTextResponse(f"An address may have {LONGEST} characters.\n", status_code=400)
    address = dict(request.query_params)
    if request.method == "POST":
        body = await _body(request)
        if body is None:
            return PlainTextResponse(f"A config may have {LARGEST} bytes of UTF-8 text.\n", status_code=400)
        address["models_config"] = body
    language = negotiate(address.pop("lang", None)) or "en"
    with speaking(language):
        question = read_question(page, address, language)
    if isinstance(question, str):
        return PlainTextResponse(question + "\n", status_code=400)
    async with _limiter():
        if await request.is_disconnected():
            return Response(status_code=499)
        try:
            data = await anyio.to_thread.run_sync(answer, question)
        except RopeConfigError as error:
            with speaking(language):
                return PlainTextResponse(_(error.template).format(**error.values) + "\n", status_code=400)
    tag = f'"{blake2b(data, digest_size=16).hexdigest()}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="application/octet-stream", headers=headers)


def read_question(page: str, address: Mapping[str, str], language: str) -> Question | str:
    """Read and check an address; where something is not allowed, return the sentence that says so."""
    unknown = [name for name in address if name not in parameters_of(page) and name not in EXTRAS]
    if unknown:
        return _("The link sets {names}, which this page does not know; look for a misspelt name, or leave it out.").format(
            names=", ".join(map(quoted, unknown[:5]))
        )
    settings, problems = Settings.read(page, address)
    if problems:
        return problems[0].sentence
    pinned = read_pin(address.get("pin", ""), page)
    if isinstance(pinned, Problem):
        return pinned.sentence
    return Question(settings, pinned, language, coarse=True)


async def _body(request: Request) -> str | None:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return None
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


@cache
def _limiter() -> anyio.CapacityLimiter:
    """Return the one limiter of this server, made while its event loop runs."""
    return anyio.CapacityLimiter(AT_ONCE)
