"""The live route: ``GET /view/<page>?<address>`` answers with what the page shows there.

It takes what a link takes, checks it as a link is checked, and answers 400 with one sentence for what is not allowed. It reads and never
writes. A config that is too long for an address comes as the body of a POST.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from threading import Event

import streamlit as st
from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from compute.turns import ASKER, Asker, Dropped
from lessons.compare import read_pin
from lessons.quiz import read_spot, steps_of, wrong_spot
from lessons.registry import PAGES
from locales import N_, NAMES, _, negotiate, speaking
from parameters import PARAMETERS, locks
from parameters.problems import Problem, quoted
from parameters.settings import Settings
from rope_core import RopeConfigError
from server.answers import Question, answer, kept
from server.limits import AT_ONCE, Turn

LONGEST = 16_384
"""Characters of an address that are read."""
LARGEST = 1_000_000
"""Bytes of a config in a body."""
KNOWN = {*PARAMETERS, *locks.NAMES, "lang", "pin", "step", "done", "present", "ask", "embed", "embed_options"}
"""What a link may say. Links carry parameters of other pages, and what only a run asks for; besides its own parameters the view depends on
``lang``, ``pin`` and ``step``.
"""
THREADS = CapacityLimiter(100)
"""Answers that have begun: a large count waits in its thread until those before it are made, while small ones pass."""
WAITING = 60
"""Answers that may have begun when another large count is to wait; the other threads are for small ones."""
GONE = 499
"""Status of what nobody waits for any more."""


class Refused(ValueError):
    """What is asked for is not allowed: the sentence that says so, in the language of the request."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def view_path() -> str:
    """Return where the browser finds the route, under the base path of the server."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"{'/' + base if base else ''}/view"


def view_route() -> Route:
    """Return the route of the views of all pages."""
    return Route(view_path() + "/{page}", partial(_view, asyncio.Semaphore(AT_ONCE)), methods=["GET", "POST"])


async def _view(free: asyncio.Semaphore, request: Request) -> Response:
    language = negotiate(request.query_params.get("lang")) or "en"
    gone = Event()
    ASKER.set(Asker(request.cookies.get(XSRF_COOKIE_NAME), lambda: not gone.is_set() and THREADS.borrowed_tokens <= WAITING))
    with speaking(language):
        try:
            question = await _question(request, language)
            data = kept(question)
            if data is None:
                async with Turn(free):
                    if await request.is_disconnected():
                        return Response(status_code=GONE)
                    data = await _watched(request, question, gone)
        except Refused as refusal:
            return PlainTextResponse(f"{refusal}\n", status_code=refusal.status)
        except RopeConfigError as error:
            return PlainTextResponse(_(error.template).format(**error.values) + "\n", status_code=400)
        except Dropped:
            return PlainTextResponse(_("Too many long counts are waiting; try again in a minute.") + "\n", status_code=503)
        except ClientDisconnect:
            return Response(status_code=GONE)
    return _response(data, request.headers.get("if-none-match", ""))


async def _watched(request: Request, question: Question, gone: Event) -> bytes:
    """Answer, and note when the browser waits no longer."""

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    watching = asyncio.create_task(watch())
    try:
        return await to_thread.run_sync(answer, question, limiter=THREADS)
    finally:
        watching.cancel()


def _response(data: bytes, known: str) -> Response:
    """Return an answer, or that the browser has it."""
    tag = f'"{blake2b(data, digest_size=16).hexdigest()}"'
    headers = {"etag": f"W/{tag}", "cache-control": "private, no-cache"}  # weak: it may be compressed on its way
    if tag in known:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="application/octet-stream", headers=headers)


async def _question(request: Request, language: str) -> Question:
    """Read what a request asks for.

    Raises:
        Refused: If something is not allowed.
        ClientDisconnect: If nobody waits for the rest of a body.
    """
    page = request.path_params["page"]
    if page not in PAGES:
        raise Refused(_("There is no such page."), 404)
    if len(request.url.query) > LONGEST:
        raise Refused(_("An address may have at most {most} characters.").format(most=f"{LONGEST:,}"))
    address = dict(request.query_params)
    if request.method != "POST":
        return read_question(page, address, language)
    address["models_config"] = await _body(request)
    return await to_thread.run_sync(read_question, page, address, language, limiter=THREADS)  # it may take long


async def _body(request: Request) -> str:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            break
    with suppress(UnicodeDecodeError):
        if len(body) <= LARGEST:
            return body.decode()
    raise Refused(_("A config may have at most {most} bytes of UTF-8 text.").format(most=f"{LARGEST:,}"))


def read_question(page: str, address: Mapping[str, str], language: str) -> Question:
    """Read and check an address.

    Raises:
        Refused: If something is not allowed.
    """
    if unknown := [name for name in address if name not in KNOWN]:
        names = ", ".join(map(quoted, unknown[:5]))
        raise Refused(
            _("The link sets {names}, which this page does not know; look for a misspelt name, or leave it out.").format(names=names)
        )
    settings, refused = Settings.read(page, address)
    problems = [problem for problem in refused if not problem.is_lowered]  # a drag of one number may leave another no room
    pinned = read_pin(address.get("pin", ""), page)
    step, count = address.get("step", ""), len(steps_of(page))
    spot = read_spot(step, count)
    wrong = [*problems, *([pinned] if isinstance(pinned, Problem) else []), *([wrong_spot(step, count)] if spot is None else [])]
    if not negotiate(address.get("lang", language)):
        wrong.append(Problem(N_("Language"), address["lang"], language, _("one of {options}").format(options=", ".join(NAMES))))
    if wrong or isinstance(pinned, Problem) or spot is None:
        raise Refused(wrong[0].sentence)
    if spot.is_open:  # A may show the answer
        return Question(settings, None, language, coarse=True, step=spot.number)
    return Question(settings, pinned, language, coarse=True)
