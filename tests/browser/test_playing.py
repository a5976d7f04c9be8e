"""Figures that move play, pause and scrub, and what is drawn is the frame whose number is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.stage import Visitor

MOVING = ["/", "/?start_view=two", "/pair?pair_view=shift"]
# The frame that the slider under the figure names, and whether the traces hold its numbers.
FRAME = """() => {
    const gd = document.querySelector('.js-plotly-plot');
    const {active} = gd._fullLayout.sliders[0], frame = gd._transitionData._frames[active];
    const same = frame.data.every((part, index) => {
        const trace = gd.data[frame.traces[index]];
        return ['x', 'y'].every(axis => JSON.stringify(Array.from(trace[axis])) === JSON.stringify(Array.from(part[axis])));
    });
    return {active, same, name: frame.name, frames: gd._transitionData._frames.length,
            shown: gd.querySelector('.slider-group > text.slider-label').textContent};
}"""


def _click(visitor: Visitor, button: int) -> None:
    visitor.page.locator(".js-plotly-plot .updatemenu-button").nth(button).click()


def _paths(visitor: Visitor) -> list[str]:
    return visitor.measure("() => [...document.querySelectorAll('.js-plotly-plot .scatterlayer path')].map(path => path.outerHTML)")


def _frame(visitor: Visitor) -> dict[str, Any]:
    return visitor.measure(FRAME)


@pytest.mark.parametrize("link", MOVING)
def test_play_moves_what_is_drawn_and_pause_stops_it_at_the_frame_that_is_named(ada: Visitor, link: str) -> None:
    ada.open(link)
    still = _paths(ada)
    assert _frame(ada)["active"] == 0
    _click(ada, 0)
    ada.page.wait_for_function("() => document.querySelector('.js-plotly-plot')._fullLayout.sliders[0].active >= 3")
    _click(ada, 1)
    ada.page.wait_for_function("() => !document.querySelector('.js-plotly-plot')._transitioning")
    paused, frame = _paths(ada), _frame(ada)
    assert paused != still
    assert frame["same"]
    assert frame["shown"].endswith(" " + frame["name"])
    ada.page.wait_for_timeout(500)  # four frames' time: nothing may move
    assert _paths(ada) == paused
    _click(ada, 0)
    ada.page.wait_for_function(
        "then => document.querySelector('.js-plotly-plot')._fullLayout.sliders[0].active > then", arg=frame["active"]
    )


@pytest.mark.parametrize("link", MOVING)
def test_scrubbing_shows_the_frame_under_the_hand(ada: Visitor, link: str) -> None:
    ada.open(link)
    rail = ada.page.locator(".js-plotly-plot .slider-rail-touch-rect")
    box = rail.bounding_box()
    for share in (0.5, 0.9, 0.0):
        rail.click(position={"x": max(12, share * box["width"]), "y": box["height"] / 2}, force=True)
        frames = _frame(ada)["frames"]
        ada.page.wait_for_function(
            "expected => Math.abs(document.querySelector('.js-plotly-plot')._fullLayout.sliders[0].active - expected) <= 3",
            arg=share * (frames - 1),
        )
        for _ in range(50):  # the label is written before the hands are drawn
            frame = _frame(ada)
            if frame["same"] and frame["shown"].endswith(" " + frame["name"]):
                break
            ada.page.wait_for_timeout(100)
        assert frame["same"]
        assert frame["shown"].endswith(" " + frame["name"])


def test_nothing_moves_before_someone_asks(ada: Visitor) -> None:
    ada.open("/")
    still = _paths(ada)
    ada.page.wait_for_timeout(500)
    assert _paths(ada) == still


def test_a_frame_beyond_the_first_is_the_figure_of_that_position(ada: Visitor) -> None:
    """Play and the slider tell one story: frame 5 from position 12 is what position 17 shows."""
    later = json.loads(ada.open("/?position=12"))[2][5]
    now = json.loads(ada.open("/?position=17"))[0]
    assert [[part["x"], part["y"]] for part in later] == [[trace["x"], trace["y"]] for trace in now[1:]]


@pytest.mark.parametrize("link", MOVING)
def test_a_figure_that_is_built_anew_has_its_frames_without_asking(ada: Visitor, link: str) -> None:
    """At another place, as when a question is closed, and in another language; asking, it would send what controls held before."""
    sent: list[int] = []
    ada.page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(len(data))))
    ada.open(f"{link}{'&' if '?' in link else '?'}step=1-answer")
    frames = _frame(ada)["frames"]
    assert frames > 1
    for act in (lambda: ada.page.get_by_role("button", name="Explore from here").click(), lambda: ada.choose_language("中文")):
        sent.clear()
        act()
        ada.page.wait_for_timeout(1500)  # it would ask after a sixth of that
        ada.settled()
        assert _frame(ada)["frames"] == frames
        assert len(sent) == 1


def test_frames_that_were_lost_are_asked_for(ada: Visitor) -> None:
    figure = ada.open("/?position=12")
    ada.measure("ropeFrames.clear()")
    ada.go("Rotate a pair")
    ada.changed(figure)
    ada.go("Start")
    ada.page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData?._frames.length > 1")
    assert ada.settled() == figure
