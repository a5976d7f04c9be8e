"""The client of the benchmarks against the served app: it sees what a browser sees, and the server does not grow under it.

Work is counted, not timed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pytest
from streamlit.proto.Delta_pb2 import Delta

from benchmarks.client import Answer, Visitor, fetcher, visit
from benchmarks.memory import growth
from benchmarks.moves import MOST_ELEMENTS
from benchmarks.servers import Server, served
from lessons.registry import PAGES
from tests.visit import read

Result = TypeVar("Result")
MARKS = {"uirevision"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def played(server: Server, play: Callable[[Visitor], Awaitable[Result]]) -> Result:
    async def session() -> Result:
        async with visit(server.stream) as visitor:
            return await play(visitor)

    return asyncio.run(session())


def plain(message: dict[str, Any]) -> Any:
    """Return a message as JSON would bring it, to compare."""
    return json.loads(json.dumps(message, default=np.ndarray.tolist))


def view(answer: Answer) -> Any:
    """Return what an answer shows of the view: figures, sentences, verdict."""
    return plain(read(read(answer.figure)["view"].tobytes()))


@pytest.mark.parametrize("page", PAGES)
def test_a_whole_move_draws_another_figure_and_at_most_twenty_five_elements(server: Server, page: str) -> None:
    async def play(visitor: Visitor) -> tuple[Answer, Answer]:
        await visitor.open(page)
        values = visitor.controls[visitor.live].values
        return await visitor.set(visitor.live, values[1]), await visitor.set(visitor.live, values[len(values) // 2])

    one, other = played(server, play)
    assert not one.errors + other.errors
    assert view(one) != view(other)
    assert 0 < other.elements <= MOST_ELEMENTS


@pytest.mark.parametrize("page", PAGES)
def test_a_step_of_a_drag_shows_what_its_release_shows(server: Server, page: str) -> None:
    async def play(visitor: Visitor) -> tuple[Any, Answer]:
        await visitor.open(page)
        value = visitor.controls[visitor.live].values[3]
        async with fetcher(server.url) as fetch:
            _, step = await fetch.get(visitor.step(value))
        return plain(read(step)), await visitor.set(visitor.live, value)

    step, released = played(server, play)
    assert step["sentences"] == view(released)["sentences"]
    assert step["figures"][0]["alt"] == view(released)["figures"][0]["alt"]


def test_a_released_value_is_kept_by_the_next_run_and_stands_in_the_address(server: Server) -> None:
    async def play(visitor: Visitor) -> tuple[Answer, Answer, str]:
        await visitor.open("pair")
        released = await visitor.set("number.m", 321)
        return released, await visitor.again(), visitor.query["m"]

    released, again, text = played(server, play)
    assert view(released) == view(again)
    assert text == "321"


def test_a_link_opens_what_it_says(server: Server) -> None:
    default = played(server, lambda visitor: visitor.open("pair"))
    linked = played(server, lambda visitor: visitor.open("pair", "m=123"))
    assert view(default) != view(linked)


def test_the_navigation_leads_to_every_page(server: Server) -> None:
    async def play(visitor: Visitor) -> set[str]:
        await visitor.open()
        return set(visitor.pages)

    assert {name or "start" for name in played(server, play)} == set(PAGES)


@pytest.mark.parametrize(("page", "key", "kind"), [("decay", "w.vectors", "list"), ("decay", "w.decay_view", "buttons")])
def test_a_control_of_streamlit_is_moved_as_its_widget_would(server: Server, page: str, key: str, kind: str) -> None:
    async def play(visitor: Visitor) -> tuple[Answer, Answer]:
        first = await visitor.open(page)
        control = visitor.controls[key]
        assert (control.kind, len(control.values) > 1) == (kind, True)
        return first, await visitor.set(key, control.values[-1])

    first, other = played(server, play)
    assert not other.errors
    assert view(first) != view(other)


def test_exceptions_are_noted() -> None:
    answer, delta = Answer(), Delta()
    delta.new_element.exception.message = "It broke."
    Visitor(None)._see(delta, answer, {})  # type: ignore[arg-type]
    assert answer.errors == ["It broke."]


def test_what_the_live_route_refuses_is_an_error(server: Server) -> None:
    async def ask() -> None:
        async with fetcher(server.url) as fetch:
            await fetch.get("/view/pair?m=-1")

    with pytest.raises(OSError, match="400"):
        asyncio.run(ask())


def test_the_server_does_not_grow(server: Server) -> None:
    """The benchmark walks eight times as far."""
    before, after, errors = asyncio.run(growth(server, moves=60, clients=9, warm_up=120))
    assert not errors
    assert after - before < 60
