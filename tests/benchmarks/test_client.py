"""The client of the benchmarks against the served app: it sees what a browser sees, and the server does not grow under it.

Work is counted, not timed.
"""

import asyncio
import json
from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.proto.Delta_pb2 import Delta

from benchmarks.client import Answer, Visitor, visit
from benchmarks.memory import growth
from benchmarks.servers import Server, served
from tests.visit import read
from lessons.registry import LESSONS


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def played(server: Server, play) -> Answer:
    async def session() -> Answer:
        async with visit(server.stream) as visitor:
            return await play(visitor)

    return asyncio.run(session())


def figure(answer: Answer) -> dict:
    (message,) = answer.charts.values()
    return json.loads(json.dumps(read(message)["figure"], default=np.ndarray.tolist))


@pytest.mark.parametrize("page", LESSONS)
def test_a_live_step_runs_the_page_alone_and_draws_another_figure(server, page):
    async def play(visitor: Visitor) -> tuple[Answer, Answer, Answer]:
        first = await visitor.open(page)
        hero = visitor.hero()
        values = visitor.controls[hero].values
        return first, await visitor.drag(hero, values[1]), await visitor.drag(hero, values[len(values) // 2])

    first, step, other = played(server, play)
    assert not first.errors + step.errors + other.errors
    assert step.elements < first.elements  # the frame rests
    assert figure(step) != figure(other)
    assert step.frames() <= 1000  # frames rest while a hand moves


def test_a_value_at_rest_is_kept_by_the_next_run_and_stands_in_the_address(server):
    async def play(visitor: Visitor) -> tuple[Answer, Answer, dict]:
        await visitor.open("pair")
        values = visitor.controls["m.live"].values
        await visitor.drag("m.live", values[-3])
        rested = await visitor.drag("m.live", values[-3], rest=True)
        return rested, await visitor.again(), visitor.query | {"expected": values[-3]}

    rested, again, query = played(server, play)
    assert figure(rested)["data"] == figure(again)["data"]
    assert float(query["m"]) == query["expected"]


def test_a_link_opens_what_it_says(server):
    plain = played(server, lambda visitor: visitor.open("pair"))
    linked = played(server, lambda visitor: visitor.open("pair", "m=123"))
    assert figure(plain)["data"] != figure(linked)["data"]


def test_the_navigation_leads_to_every_page(server):
    async def play(visitor: Visitor) -> set[str]:
        await visitor.open()
        return set(visitor.pages)

    assert {name or "start" for name in played(server, play)} == set(LESSONS)


def test_a_control_of_streamlit_is_moved_as_its_widget_would(server):
    async def play(visitor: Visitor) -> tuple[Answer, Answer, list[str]]:
        first = await visitor.open("decay")
        codes = list(visitor.controls["vectors.buttons"].values)
        return first, await visitor.set("vectors.buttons", [codes[-1]]), codes

    first, other, codes = played(server, play)
    assert len(codes) > 1
    assert not other.errors
    assert figure(first) != figure(other)


def test_exceptions_are_noted():
    answer, delta = Answer(), Delta()
    delta.new_element.exception.message = "It broke."
    Visitor(socket=None)._see(delta, answer)
    assert answer.errors == ["It broke."]


def test_the_server_does_not_grow(server):
    """The benchmark walks eight times as far."""
    before, after, errors = asyncio.run(growth(server, moves=60, clients=9, warm_up=120))
    assert not errors
    assert after - before < 60
