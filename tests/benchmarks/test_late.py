"""A browser on a slow line, by the protocol: what it says before it has heard of the last answer undoes nothing.

Pages and scenes run alone here, as they do in a browser; tests/pages/test_late.py runs everything.
"""

import asyncio
from collections.abc import Iterator

import pytest

from benchmarks.client import Visitor, visit
from benchmarks.servers import Server, served


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as running:
        yield running


def played(server: Server, play) -> None:
    async def session() -> None:
        async with visit(server.stream) as visitor:
            await play(visitor)

    asyncio.run(session())


def held(visitor: Visitor):
    return dict(visitor.states), dict(visitor.query)


def unheard(visitor: Visitor, early) -> None:
    """Forget what came since: the browser holds what it held, and the address is as it was."""
    states, query = early
    visitor.states, visitor.query = dict(states), dict(query)


async def choose_late(visitor: Visitor, early, key: str, value) -> None:
    """Move a control before the last answer is heard of; both answers are heard of then."""
    later, _query = held(visitor)
    unheard(visitor, early)
    sent = dict(visitor.states)
    await visitor.set(key, value)
    visitor.states = later | {widget: state for widget, state in visitor.states.items() if state != sent.get(widget)}


def test_what_a_button_sets_in_the_frame_stays_and_what_is_typed_there_later_counts(server):
    async def play(visitor: Visitor) -> None:
        await visitor.open("frequencies")
        early = held(visitor)
        await visitor.press("frequencies.try2")
        assert (visitor.held("base"), visitor.held("context")) == (500000, 8192)
        await choose_late(visitor, early, "freq_view.buttons", visitor.controls["freq_view.buttons"].values[-1])
        assert (visitor.held("base"), visitor.held("base.slider")) == (500000, ["500,000"])
        await visitor.set("base", 20000.0)
        await visitor.again()
        assert (visitor.held("base"), visitor.held("context")) == (20000, 8192)

    played(server, play)


def test_the_language_that_was_chosen_stays_whatever_a_late_address_says(server):
    async def play(visitor: Visitor) -> None:
        await visitor.open("decay", "lang=en")
        early = held(visitor)
        await visitor.set("lang.choice", "中文")
        assert visitor.held("lang") == "zh-CN"
        chosen = visitor.states[visitor.controls["lang.choice"].id]
        unheard(visitor, early)
        visitor.states[chosen.id] = chosen
        await visitor.again()
        assert visitor.held("lang") == "zh-CN"

    played(server, play)


def test_a_box_beside_the_hand_overrules_it(server):
    async def play(visitor: Visitor) -> None:
        await visitor.open()
        await visitor.drag("position.live", 15)
        await visitor.set("position", 20.0)
        await visitor.drag("position.live", 15, rest=True)
        assert visitor.held("position") == 20
        await visitor.drag("position.live", 16, rest=True)
        assert visitor.held("position") == 16

    played(server, play)


def test_a_hand_that_another_control_has_brought_to_rest_costs_a_step_again(server):
    async def play(visitor: Visitor) -> None:
        await visitor.open("decay")
        first = await visitor.drag("base.live", 20000)
        whole = await visitor.set("head_dim", 64.0)
        assert visitor.held("base") == 20000
        step = await visitor.drag("base.live", 50000)
        assert step.elements <= first.elements < whole.elements / 2
        await visitor.drag("base.live", 50000, rest=True)
        assert visitor.held("base") == 50000
        assert (await visitor.drag("base.live", 100000)).elements <= first.elements

    played(server, play)
