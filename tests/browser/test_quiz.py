"""Questions in a browser: an answer is committed by button or key, and the figure moves to it and shows where it came from."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from lessons.quiz import Step, steps_of
from lessons.registry import PAGES
from tests.browser.conftest import Enter
from tests.browser.stage import Visitor

BASE = 4
"""The question of Start whose answer raises the base: every pair but the first slows down."""
WATCH = "(window.seen = [], document.addEventListener('rope-drawn', () => seen.push([stage.alt(), ghosts().length])))"
GHOSTS = "window.ghosts = () => document.querySelector('.rope-figure').data.filter(({ meta }) => meta === 'ghost')"


def step(number: int) -> Step:
    return steps_of("start")[number - 1]


def choose(reader: Visitor, index: int) -> None:
    reader.page.locator(".st-key-question label:has(input[type=radio])").nth(index).click()


def open_question(reader: Visitor, number: int, *, more: str = "") -> str:
    figure = reader.open(f"/?lang=en&step={number}{more}")
    reader.measure(f"({GHOSTS}, {WATCH}, true)")
    return figure


def answer(reader: Visitor, number: int) -> None:
    choose(reader, step(number).right)
    reader.button("step.commit").click()
    reader.until("stage.says(arg)", {"step": f"{number}-answer"})


def ghosts(reader: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reader.measure(
        "ghosts().map(({ x, y, opacity, showlegend, name, zorder }) => ({ x: [...x], y: [...y], opacity, showlegend, name, zorder }))"
    )
    return found


def shown(reader: Visitor) -> list[list[float | None]]:
    """Return the ends of all hands."""
    ends: list[list[float | None]] = reader.measure(
        "document.querySelector('.rope-figure').data.filter(({ meta }) => meta !== 'ghost').map(({ x, y }) => [...x, ...y])"
    )
    return ends


def test_the_figure_moves_to_the_answer_and_leaves_a_faint_copy_of_where_it_came_from(ada: Visitor, bob: Visitor) -> None:
    open_question(ada, BASE)
    before = shown(ada)
    answer(ada, BASE)
    figure = ada.settled()
    seen = ada.measure("seen")
    final = ada.measure("stage.alt()")
    assert seen[-1][0] == final
    between = {alt for alt, _ghosts in seen} - {final}
    assert len(between) > 2  # the base before, and some on the way
    left = ghosts(ada)
    assert [[*each["x"], *each["y"]] for each in left] == before
    assert all(each["opacity"] <= 0.3 and each["showlegend"] is False and each["name"] is None and each["zorder"] < 0 for each in left)
    assert bob.open(ada.url()) == figure  # an address knows of no copy
    drawn = ada.measure("seen.length")
    ada.drag("position", 0.1, 0.3)
    ada.until("seen.length > arg", drawn)
    assert not ghosts(ada)
    ada.page.mouse.up()
    ada.changed(figure)
    assert not ghosts(ada)


def test_what_is_between_is_drawn_on_the_way_from_one_base_to_the_other(ada: Visitor) -> None:
    asked: list[float] = []
    open_question(ada, BASE)
    ada.page.on("request", lambda request: asked.extend(float(part[5:]) for part in request.url.split("&") if part.startswith("base=")))
    answer(ada, BASE)
    ada.settled()
    assert asked == sorted(asked)
    assert all(10_000 <= base <= 500_000 for base in asked)


def test_who_wants_no_motion_sees_the_answer_at_once_and_where_it_came_from(visitor: Enter) -> None:
    reader = visitor(reduced_motion="reduce")
    open_question(reader, BASE)
    before, asked = shown(reader), reader.measure("stage.alt()")
    answer(reader, BASE)
    reader.settled()
    # The question may be drawn once more, in the room that its verdict leaves.
    assert {alt for alt, _ghosts in reader.measure("seen")} - {asked} == {reader.measure("stage.alt()")}
    assert [[*each["x"], *each["y"]] for each in ghosts(reader)] == before


@pytest.mark.parametrize("kind", ["pointerdown", "keydown"])
def test_a_click_or_a_key_ends_the_motion_at_the_answer(ada: Visitor, bob: Visitor, kind: str) -> None:
    open_question(ada, BASE)
    ada.measure(
        """document.addEventListener("rope-drawn", () => {
            const { ropeView } = document.querySelector(".rope-live");
            if (window.ended || !ropeView.motion) return;
            document.body.dispatchEvent(new Event(arg, { bubbles: true }));
            window.ended = ropeView.motion === null;
        })""",
        kind,
    )
    answer(ada, BASE)
    figure = ada.settled()
    assert ada.measure("window.ended") is True
    assert figure == bob.open(ada.url())


def test_a_slider_that_is_moved_during_the_motion_goes_on_from_the_answer(ada: Visitor, bob: Visitor) -> None:
    open_question(ada, BASE)
    answer(ada, BASE)
    ada.until("seen.length > 2")
    ada.press("position", "ArrowRight")
    ada.wait_for_address(position="13", base="500000")
    assert ada.settled() == bob.open(ada.url())
    assert not ghosts(ada)


def test_the_slider_under_the_figure_travels_with_it_to_the_answer(ada: Visitor) -> None:
    ada.open("/decay?lang=en&step=5")
    ada.settled()
    values = steps_of("decay")[4]
    before = ada.measure("document.querySelector('.rope-live .rope-value').value")
    ada.measure(
        """(window.passed = [], document.addEventListener("rope-drawn", () =>
            window.passed.push(document.querySelector(".rope-live .rope-value").value)))"""
    )
    choose(ada, values.right)
    ada.button("step.commit").click()
    ada.wait_for_address(step="5-answer")
    ada.settled()
    after = ada.measure("document.querySelector('.rope-live .rope-value').value")
    assert after == f"{values.answer['base']:,}" != before
    assert len(set(ada.measure("window.passed")) - {before, after}) > 2


def test_a_figure_of_other_axes_comes_without_a_copy(ada: Visitor) -> None:
    ada.open("/bases?lang=en&step=1")
    ada.measure(f"({GHOSTS}, true)")
    choose(ada, steps_of("bases")[0].right)
    ada.button("step.commit").click()
    ada.wait_for_address(step="1-answer")
    ada.settled()
    assert not ghosts(ada)


def test_enter_commits_to_the_option_that_is_chosen(ada: Visitor) -> None:
    open_question(ada, BASE)
    choose(ada, step(BASE).right)
    ada.page.keyboard.press("Enter")
    ada.wait_for_address(step=f"{BASE}-answer", done=f"start-{BASE}")
    ada.settled()
    expect(ada.page.get_by_test_id("stAlertContentSuccess")).to_contain_text("Right: It turns as far as before.")


def test_enter_commits_to_the_number_that_was_typed_and_a_wrong_one_looks_so(ada: Visitor) -> None:
    open_question(ada, 2)
    ada.page.get_by_role("spinbutton", name="Tokens for one turn").fill("9")
    ada.page.keyboard.press("Enter")
    ada.wait_for_address(step="2-answer", done="start-2x")
    ada.settled()
    expect(ada.page.get_by_test_id("stAlertContentError")).to_contain_text("Wrong: 9. That is too high. The answer is: 6.28.")
    assert ada.option("step", 2).inner_text().split() == ["2", "close"]


def test_enter_without_an_answer_asks_for_one(ada: Visitor) -> None:
    open_question(ada, BASE)
    ada.page.locator(".st-key-question input[type=radio]").first.focus()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_text("Choose one, then commit to it.").locator("visible=true").wait_for()
    assert ada.address()["step"] == f"{BASE}-question"


def test_while_a_question_is_open_a_drag_says_nothing_that_it_hides(ada: Visitor) -> None:
    open_question(ada, 1)
    assert not ada.shown(".rope-sentences li")
    ada.drag("position", 0.1, 0.3)
    ada.until("seen.length > 1")
    assert not ada.shown(".rope-sentences li")
    labels = ada.measure("[...document.querySelectorAll('.rope-figure .annotation-text')].map((label) => label.textContent)")
    assert [label.split()[0] for label in labels] == ["pair"] * 8 + ["m"]
    assert not any("θ" in label for label in labels)
    ada.page.mouse.up()
    ada.settled()
    assert not ada.shown(".rope-sentences li")


def test_the_last_answer_leads_to_the_next_page(ada: Visitor) -> None:
    ada.open("/?lang=en&step=5-answer&base=500")
    ada.page.get_by_role("link", name="Next page: Rotate a pair").click()
    ada.until("stage.settled() && location.pathname.endsWith('pair')")
    assert ada.address()["base"] == "500"


def test_a_clicker_goes_on_to_the_next_page(ada: Visitor) -> None:
    ada.open("/?lang=en&present=1&step=5-answer")
    ada.page.keyboard.press("PageDown")
    ada.wait_for_address(step="end")
    ada.page.get_by_role("link", name="Next page: Rotate a pair").wait_for()
    ada.settled()
    ada.page.keyboard.press("PageDown")
    ada.until("stage.settled() && location.pathname.endsWith('pair')")
    assert ada.address()["present"] == "1"
    assert ada.shown("h1") == [PAGES["pair"].question]
