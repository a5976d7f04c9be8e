"""Pages run alone, find their frames and their state again, and do without the live chart where they must."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.stage import Visitor, served

SIDEBAR = 1  # where a delta path begins that leads there


def _play(visitor: Visitor) -> None:
    """Play the figure; its frames are those from the position in the box."""
    page, position = visitor.page, visitor.box("position").input_value()
    page.wait_for_function("() => document.querySelector('.rope-chart')._transitionData._frames.length > 1")
    assert visitor.measure("document.querySelector('.rope-chart')._transitionData._frames[0].name").replace(",", "") == position
    buttons = page.locator(".rope-chart .updatemenu-button")
    buttons.nth(0).click()
    page.wait_for_function("() => document.querySelector('.rope-chart')._fullLayout.sliders[0].active >= 2")
    buttons.nth(1).click()
    page.wait_for_function("() => !document.querySelector('.rope-chart')._transitioning")


def test_frames_play_after_a_step_and_after_another_page(ada: Visitor) -> None:
    figure = ada.open("/?position=12")
    ada.step(figure)
    _play(ada)
    figure = ada.figure()
    ada.go("Rotate a pair")
    figure = ada.changed(figure)
    ada.go("Start")
    ada.changed(figure)
    _play(ada)


@pytest.mark.parametrize(("link", "name", "answer"), [("/", "position", "refusal"), ("/frequencies", "base", "silence")])
def test_a_browser_without_plotly_gets_the_standard_chart_and_slider(ada: Visitor, link: str, name: str, answer: str) -> None:
    ada.page.route("**/plotly-*.min.js", lambda route: route.abort() if answer == "refusal" else None)
    ada.page.goto(ada.server + link)
    ada.page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
    figure = ada.settled()
    assert ada.page.locator(".rope-chart, .rope-slider").count() == 0
    before = ada.box(name).input_value()
    ada.page.locator(f".st-key-{name}-slider input[type=range]").focus()
    ada.page.keyboard.press("ArrowRight")
    ada.changed(figure)
    assert float(ada.wait_for_another(name, before)) > float(before)
    assert ada.page.locator("[data-testid=stException], [data-testid=stAlert]").filter(has_text="Duplicate").count() == 0
    assert bool(ada.noise) == (answer == "refusal")
    assert all("plotly-" in sound for sound in ada.noise), ada.noise
    ada.noise.clear()


# A hand that does not rest: it moves every 50 ms until ``held`` is cleared.
HOLD = """() => {
    const hand = document.querySelector('.rope-slider input');
    window.held = setInterval(() => {
        hand.value = Number(hand.value) === 12 ? 13 : 12;
        hand.dispatchEvent(new Event('input', {bubbles: true}));
    }, 50);
}"""


def test_a_hand_and_a_view_leave_the_frame_alone_while_a_shared_box_follows_when_the_hand_rests(ada: Visitor) -> None:
    frame: list[str] = []

    def read(data: bytes | str) -> None:
        message = ForwardMsg.FromString(data) if isinstance(data, bytes) else ForwardMsg()
        if message.WhichOneof("type") == "delta" and message.metadata.delta_path[0] == SIDEBAR:
            frame.append(str(message)[:200])

    ada.page.on("websocket", lambda socket: socket.on("framereceived", read))
    figure = ada.open("/?position=20")
    assert frame
    frame.clear()
    ada.measure(HOLD)
    for _ in range(3):
        ada.page.wait_for_function("before => (shown => shown && shown !== before)(readFigure())", arg=figure)
        figure = ada.figure()
    assert frame == []
    ada.measure("clearInterval(held)")
    ada.wait_for_rest()
    figure = ada.settled()
    assert frame == []
    ada.view("start_view", 1).click()
    figure = ada.changed(figure)
    assert frame == []
    ada.go("Distance decay")
    figure = ada.changed(figure)
    frame.clear()
    ada.step(figure)
    expect(ada.box("base")).to_have_value("20000")
    ada.wait_for_address(base="20000")
    assert frame


def test_the_frame_follows_what_a_page_does(ada: Visitor) -> None:
    """A bad number typed on the page is named above it, and a view that ignores a shared parameter greys it out."""
    ada.open("/?position=12")
    notice = ada.page.get_by_test_id("stAlertContentWarning")
    ada.set_box("position", "-5")
    expect(notice).to_have_text(re.compile(r"Position m must be .* got -5; using 12\."))
    ada.set_box("position", "4")
    expect(notice).to_have_count(0)
    figure = ada.open("/frequencies")
    expect(ada.box("context")).to_be_enabled()
    ada.view("freq_view", 3).click()
    ada.changed(figure)
    expect(ada.box("context")).to_be_disabled()
    ada.view("freq_view", 0).click()
    expect(ada.box("context")).to_be_enabled()


def test_a_server_that_starts_again_finds_the_lesson_where_it_was(visitor: Callable[..., Visitor], tmp_path: Path) -> None:
    state = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState"
    with served(tmp_path / "first.txt") as server:
        reader = visitor(url=server.url)
        figure = reader.open("/decay?lang=zh-CN&base=50000")
        reader.set_box("reach", "3000")
        figure = reader.step(reader.changed(figure))
        reader.wait_for_address(reach="3000", base="100000")
    reader.page.wait_for_function(f"{state} !== 'CONNECTED'")
    with served(tmp_path / "second.txt", port=urlsplit(server.url).port or 0):
        reader.page.wait_for_function(f"{state} === 'CONNECTED'", timeout=60_000)
        assert reader.settled() == figure
        figure = reader.step(figure)
        reader.wait_for_address(reach="3000", base="200000", lang="zh-CN")
        reader.wait_for_boxes(reach="3000", base="200000")
        reader.context.close()
    reader.noise.clear()  # a browser complains of every knock at a closed door
