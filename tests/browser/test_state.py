"""The visit owns its settings: steps in quick turn lose nothing, Back undoes one change, and every address shows what it says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from tests.browser.stage import Visitor

Step = Callable[[Visitor], None]


def slide(reader: Visitor) -> None:
    reader.drag("m", 0.1, 0.2)
    reader.page.mouse.up()


def type_number(reader: Visitor) -> None:
    reader.type("n", "33")


def choose(reader: Visitor) -> None:
    reader.option("pair_view", 2).click()


def press_button(reader: Visitor) -> None:
    reader.option("try", 0).click()


def speak(reader: Visitor) -> None:
    reader.pick("lang", "日本語")


STEPS: dict[str, tuple[Step, dict[str, str]]] = {
    "slider": (slide, {}),
    "number": (type_number, {"n": "33"}),
    "choice": (choose, {"pair_view": "shift"}),
    "language": (speak, {"lang": "ja"}),
}
"""Steps on Rotate a pair, each with what the address says after it. The view that is chosen has another slider."""


@pytest.mark.parametrize("wait", [60, pytest.param(200, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("pair", [pair for pair in permutations(STEPS, 2) if pair != ("choice", "slider")], ids="-".join)
def test_two_steps_in_quick_turn_lose_nothing(ada: Visitor, bob: Visitor, pair: tuple[str, str], wait: int) -> None:
    ada.turn("/pair?lang=en")
    for name in pair:
        STEPS[name][0](ada)
        ada.page.wait_for_timeout(wait)
    ada.settled()
    expected = STEPS[pair[0]][1] | STEPS[pair[1]][1]
    assert ada.address() | expected == ada.address()
    assert ("slider" in pair) == ("m" in ada.address())
    bob.turn(ada.link())
    assert bob.look() == ada.look()


def test_a_button_after_a_drag_and_a_drag_after_a_button_both_count(ada: Visitor, bob: Visitor) -> None:
    for steps in ((slide, press_button), (press_button, slide)):
        ada.turn("/pair?lang=en&n=4")
        for step in steps:
            step(ada)
            ada.page.wait_for_timeout(100)
        ada.settled()
        assert ada.address()["speed"] == "own"
        bob.turn(ada.link())
        assert bob.look() == ada.look()


def test_each_press_of_back_undoes_one_change_and_forward_makes_it_again(ada: Visitor) -> None:
    ada.open("/decay?lang=en")
    looks = [(ada.link(), ada.look())]
    for change in (
        lambda: ada.type("base", "500,000"),
        lambda: ada.option("decay_view", 2).click(),
        lambda: ada.option("try", 0).click(),
        lambda: ada.pick("model", "Llama 3.1 8B"),
        lambda: ada.type("reach", "1e6"),
    ):
        runs = ada.measure("stage.runs()")
        change()
        ada.ran(runs)
        looks.append((ada.link(), ada.look()))
    assert len({link for link, _ in looks}) == len(looks)
    for link, look in reversed(looks[:-1]):
        ada.back()
        assert (ada.link(), ada.look()) == (link, look)
    for link, look in looks[1:]:
        ada.forward()
        assert (ada.link(), ada.look()) == (link, look)


@pytest.mark.parametrize("wait", [400, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_back_soon_after_a_key_leaves_address_and_figure_of_one_mind(ada: Visitor, bob: Visitor, wait: int) -> None:
    ada.open("/pair?lang=en")
    runs = ada.measure("stage.runs()")
    ada.type("n", "4")
    ada.ran(runs)
    ada.press("m", "ArrowRight", "ArrowRight")
    ada.page.wait_for_timeout(wait)
    ada.measure("history.back()")
    ada.page.wait_for_timeout(200)
    ada.settled()
    bob.turn(ada.link())
    assert bob.look() == ada.look()


def test_a_page_that_the_navigation_opens_is_left_by_one_press_of_back(ada: Visitor) -> None:
    ada.open("/decay?lang=en&base=500000&reach=1000")
    before = ada.look()
    ada.go("Frequencies")
    assert ada.address() == {"lang": "en", "base": "500000"}, "shared values go along, and the address says them"
    ada.back()
    assert ada.look() == before


def test_a_page_is_as_it_was_left_and_shared_values_are_those_of_the_page_before(ada: Visitor) -> None:
    ada.open("/decay?lang=en&reach=1000&base=500000")
    ada.go("Frequencies")
    ada.type("base", "200")
    ada.settled()
    ada.go("Distance decay")
    assert ada.address() == {"lang": "en", "reach": "1000", "base": "200"}


def test_reload_and_a_fresh_visit_show_what_the_address_says(ada: Visitor, bob: Visitor) -> None:
    ada.open("/pair?lang=zh-CN&pair_view=shift&shift=12&m=50")
    look = ada.look()
    ada.page.reload(wait_until="commit")
    ada.settled()
    assert ada.look() == look
    bob.open(ada.link())
    assert bob.look() == look


def test_a_refused_value_stands_in_its_field_and_in_the_address_and_one_notice_names_it(ada: Visitor, bob: Visitor) -> None:
    ada.open("/decay?lang=en")
    ada.type("base", "0")
    ada.settled()
    assert ada.address()["base"] == "0"
    assert ada.field("base").input_value() == "0"
    assert ada.look()["notices"] == ["Base b must be a number from 1.01 to 1,000,000,000, got 0; using 10,000."]
    bob.open(ada.link())
    assert bob.look() == ada.look()
    ada.back()
    assert ada.look()["notices"] == []


def test_language_then_back_keeps_all_settings(ada: Visitor) -> None:
    ada.open("/frequencies?lang=en&freq_view=equal&equal_speed=one")
    before = ada.look()
    runs = ada.measure("stage.runs()")
    speak(ada)
    ada.ran(runs)
    ada.back()
    assert ada.look() == before
    runs = ada.measure("stage.runs()")
    speak(ada)
    ada.ran(runs)
    assert ada.address() == {"lang": "ja", "freq_view": "equal", "equal_speed": "one"}


def test_the_address_follows_the_page_where_no_run_is_seen_to_begin(ada: Visitor) -> None:
    ada.open("/decay?lang=en&base=500000")
    ada.measure("history.replaceState(history.state, '', '/decay?lang=en&base=1')")
    ada.page.emulate_media(color_scheme="dark")  # shows the page again, as a run does that begins and ends between two looks
    ada.wait_for_address(base="500000")
    ada.page.emulate_media(color_scheme="light")
    ada.settled()
