"""A browser that is connected again asks for a run, so that what its reader sets next is not lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from server.reconnect import TIMER, ResumeRuns
from tests.browser.stage import Visitor, chromium, served

END = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()
AGAIN = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN).SerializeToString()
OTHER = ForwardMsg(session_event={}).SerializeToString()
CONNECTION = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState"


def sent(*answers: bytes) -> list[bytes]:
    """Return what a browser gets when the app sends these messages."""
    outward: list[bytes] = []

    async def app(_: Scope, _receive: Receive, send: Send) -> None:
        for data in answers:
            await send({"type": "websocket.send", "bytes": data})

    async def receive() -> Message:
        raise AssertionError("nothing is read here")

    async def send(message: Message) -> None:
        outward.append(message["bytes"])

    asyncio.run(ResumeRuns(app)({"type": "websocket"}, receive, send))
    return outward


def test_each_run_that_ends_sets_a_timer_and_nothing_else_does() -> None:
    assert sent(OTHER, END, AGAIN, END) == [OTHER, END, TIMER, AGAIN, END, TIMER]


def test_the_timer_is_one_that_a_browser_can_count_and_no_visit_sees() -> None:
    timer = ForwardMsg.FromString(TIMER).auto_rerun
    assert timer.fragment_id
    assert 7 * 86_400 < timer.interval < 2**31 / 1000


@pytest.mark.parametrize("kind", ["http", "lifespan"])
def test_nothing_but_streams_is_looked_at(kind: str) -> None:
    async def app(_: Scope, receive: object, send: object) -> None:
        assert (receive, send) == (1, 2)

    asyncio.run(ResumeRuns(app)({"type": kind}, 1, 2))  # type: ignore[arg-type]


def test_a_page_whose_server_was_lost_goes_on_at_another_one(tmp_path: Path) -> None:
    with chromium() as browser:
        with served(tmp_path / "first.txt") as server:
            reader = Visitor(browser.new_context(viewport={"width": 1280, "height": 800}), server.url)
            figure = reader.step(reader.open("/decay?lang=zh-CN&base=50000&reach=3000"), "base")
            reader.wait_for_address(base="52000")
        reader.until(f"{CONNECTION} !== 'CONNECTED'")
        reader.press("reach", "ArrowRight")  # nobody hears that now
        with served(tmp_path / "second.txt", port=urlsplit(server.url).port or 0):
            reader.until(f"{CONNECTION} === 'CONNECTED'")
            # What was set meanwhile is not lost.
            figure = reader.changed(figure)
            moved = reader.address()
            assert moved.keys() == {"lang", "base", "reach"}
            assert (moved["lang"], moved["base"]) == ("zh-CN", "52000")
            assert float(moved["reach"]) > 3000
            # Nor is what is set next, and the controls follow what is set elsewhere.
            figure = reader.step(figure, "base")
            reader.wait_for_address(base="55000", reach=moved["reach"], lang="zh-CN")
            reader.back()
            reader.wait_for_address(base="52000")
            assert reader.measure("stage.control(arg).value", "base") == 52_000
            fresh = reader.look()
            reader.open(reader.url())
            assert reader.look() == fresh
            reader.context.close()
