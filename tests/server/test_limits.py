"""Work for visitors takes turns: two at once, in the order in which they ask, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from server import limits
from server.limits import AT_ONCE, RunLimiter, Turn, asks_for_run, ends_run

RUN = BackMsg(rerun_script={"query_string": "m=3"}).SerializeToString()
OTHER = BackMsg(clear_cache=True).SerializeToString()
END = ForwardMsg(script_finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY).SerializeToString()
AGAIN = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN).SerializeToString()


class Browser:
    """A stream through the middleware: ``got`` is what the app received; ``answer`` makes it answer."""

    def __init__(self) -> None:
        self.inward: asyncio.Queue[Message] = asyncio.Queue()
        self.outward: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.got: list[bytes] = []

    async def app(self, _: Scope, receive: Receive, send: Send) -> None:
        async def listen() -> None:
            while True:
                self.got.append((await receive())["bytes"])

        listening = asyncio.create_task(listen())
        while (data := await self.outward.get()) is not None:
            await send({"type": "websocket.send", "bytes": data})
        listening.cancel()

    def ask(self, data: bytes = RUN) -> None:
        self.inward.put_nowait({"type": "websocket.receive", "bytes": data})

    def answer(self, data: bytes | None) -> None:
        self.outward.put_nowait(data)


def play(count: int, plot: Callable[[list[Browser]], Awaitable[None]]) -> None:
    """Connect some browsers to one limiter, and play what they do."""

    async def show() -> None:
        limiter = RunLimiter(lambda scope, receive, send: scope["browser"].app(scope, receive, send))
        browsers = [Browser() for _ in range(count)]

        async def drop(_: Message) -> None:
            """Do nothing: what a browser does with an answer is no matter here."""

        tasks = [asyncio.create_task(limiter({"type": "websocket", "browser": each}, each.inward.get, drop)) for each in browsers]
        await plot(browsers)
        for task in tasks:
            task.cancel()

    asyncio.run(show())


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def asked(browsers: list[Browser]) -> list[int]:
    return [len(browser.got) for browser in browsers]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody loses a turn while a test looks on, but where it wants that."""
    monkeypatch.setattr(limits, "LONGEST", 60)


def test_some_run_at_once_and_others_follow_in_order_as_runs_end() -> None:
    async def plot(browsers: list[Browser]) -> None:
        for browser in browsers:
            browser.ask()
        await settle()
        assert asked(browsers) == [1] * AT_ONCE + [0, 0]
        browsers[0].answer(END)
        await settle()
        assert asked(browsers) == [1] * AT_ONCE + [1, 0]
        browsers[1].answer(END)
        await settle()
        assert asked(browsers) == [1] * AT_ONCE + [1, 1]

    play(AT_ONCE + 2, plot)


def test_whoever_has_a_turn_may_ask_again_and_what_is_no_run_never_waits() -> None:
    async def plot(browsers: list[Browser]) -> None:
        for browser in browsers:
            browser.ask()
        await settle()
        browsers[0].ask()
        await settle()
        assert asked(browsers) == [2] + [1] * (AT_ONCE - 1) + [0]

    play(AT_ONCE + 1, plot)
    play(1, _asks_for_nothing)


async def _asks_for_nothing(browsers: list[Browser]) -> None:
    for _ in range(3 * AT_ONCE):
        browsers[0].ask(OTHER)
    await settle()
    assert asked(browsers) == [3 * AT_ONCE]


def test_a_run_that_another_follows_at_once_keeps_its_turn() -> None:
    async def plot(browsers: list[Browser]) -> None:
        for browser in browsers:
            browser.ask()
        await settle()
        browsers[0].answer(AGAIN)
        await settle()
        assert asked(browsers)[-1] == 0
        browsers[0].answer(END)
        await settle()
        assert asked(browsers)[-1] == 1

    play(AT_ONCE + 1, plot)


def test_who_leaves_gives_the_turn_back_and_once_only() -> None:
    async def plot(browsers: list[Browser]) -> None:
        for browser in browsers:
            browser.ask()
        await settle()
        browsers[0].answer(END)
        browsers[0].answer(END)
        browsers[0].answer(None)
        await settle()
        assert asked(browsers) == [1] * AT_ONCE + [1, 0]

    play(AT_ONCE + 2, plot)


def test_nobody_waits_for_a_run_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LONGEST", 0.01)

    async def plot(browsers: list[Browser]) -> None:
        for browser in browsers:
            browser.ask()
        await asyncio.sleep(0.3)
        assert asked(browsers) == [1] * len(browsers)

    play(3 * AT_ONCE, plot)


def test_a_turn_that_is_left_by_an_error_is_free_again() -> None:
    async def fail() -> None:
        free = asyncio.Semaphore(1)
        with suppress(ValueError):
            async with Turn(free):
                assert free.locked()
                raise ValueError
        assert not free.locked()

    asyncio.run(fail())


def test_a_turn_that_ran_out_is_not_given_back_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LONGEST", 0.01)

    async def overrun() -> None:
        free = asyncio.Semaphore(1)
        async with Turn(free):
            await asyncio.wait_for(free.acquire(), 30)  # the next one begins while this one goes on
        assert free.locked()

    asyncio.run(overrun())


@pytest.mark.parametrize("data", [None, b"", b"\xff\xff", OTHER])
def test_what_asks_for_no_run(data: bytes | None) -> None:
    assert not asks_for_run(data)


def test_what_ends_a_run_is_short_and_says_so() -> None:
    assert asks_for_run(RUN)
    assert [ends_run(data) for data in (END, AGAIN, None, ForwardMsg(session_event={}).SerializeToString())] == [True, False, False, False]
    assert len(END) < limits.SHORT
