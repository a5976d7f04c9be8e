"""Every number is live: figure and sentences follow a drag, and at its end control, address and figure say the same."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Route, expect

from lessons.registry import PAGES
from locales import speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Number
from server.answers import Question, answer
from tests.browser.conftest import Enter
from tests.browser.stage import PATHS, Visitor
from tests.views import views
from tests.visit import read


def link(settings: Settings, **more: str) -> str:
    return f"{PATHS[settings.page]}?{urlencode({'lang': 'en'} | settings.write() | more)}"


def sliders(page: str) -> Iterator[tuple[Settings, list[str]]]:
    """Yield views of a page, the usual one first, each with the numbers that no view before had a slider for."""
    known: set[str] = set()
    for settings in (Settings(page), *views(page)):
        names = [name for name in PAGES[page].controls(settings) if isinstance(parameters_of(page)[name], Number)]
        if new := [name for name in names if name not in known and settings.high(name) > parameters_of(page)[name].low]:
            known.update(new)
            yield settings, new


def settings_at(reader: Visitor, page: str) -> Settings:
    """Return what the address says."""
    settings, problems = Settings.read(page, {name: text for name, text in reader.address().items() if name != "lang"})
    assert not problems
    return settings


def said(settings: Settings) -> list[object]:
    """Return the message of the figure and the sentences of settings, computed here."""
    with speaking("en"):
        view = read(answer(Question(settings, None, "en", coarse=False)))
    return [view["figures"][0]["alt"], [html.unescape(re.sub("<[^>]*>", "", sentence)) for sentence in view["sentences"]]]


@pytest.mark.parametrize("page", PAGES)
def test_each_slider_moves_figure_or_sentences_before_it_is_released(ada: Visitor, bob: Visitor, page: str) -> None:
    for settings, names in sliders(page):
        ada.turn(link(settings))
        for name in names:
            if name not in PAGES[page].controls(settings_at(ada, page)):  # another number decided it
                ada.turn(link(settings))
            before, address = ada.measure("[stage.shown(), stage.share(arg), stage.drawn()]", name), ada.address()
            ada.drag(name, before[1], *((0.6, 0.7) if before[1] < 0.5 else (0.4, 0.3)))
            ada.until("stage.drawn() > arg[2] && stage.shown() !== arg[0]", before)
            assert ada.address() == address, "the address waits for the release"
            ada.page.mouse.up()
            ada.settled()
            shown, now = ada.look(), settings_at(ada, page)
            assert ada.address()[name] != address.get(name)
            assert now[name] == ada.measure("stage.control(arg).value", name)
            assert ada.measure("[stage.alt(), stage.text('.rope-sentences li')]") == said(now), name
    bob.turn(ada.link())
    assert bob.look() == shown


def test_zoom_and_hidden_traces_stay_over_a_drag_and_a_double_click_returns_to_the_newest_figure(ada: Visitor) -> None:
    ada.turn("/decay?lang=en")
    drawn = ada.measure("stage.ranges()")
    plot = ada.page.locator(".rope-figure .nsewdrag").first.bounding_box()
    assert plot is not None
    corners = [(plot["x"] + part * plot["width"], plot["y"] + part * plot["height"]) for part in (0.2, 0.4, 0.7)]
    ada.page.mouse.move(*corners[0])
    ada.page.mouse.down()
    for corner in corners[1:]:
        ada.page.mouse.move(*corner)
    ada.page.mouse.up()
    ada.until("JSON.stringify(stage.ranges()) !== JSON.stringify(arg)", drawn)
    zoomed = ada.measure("stage.ranges()")
    ada.page.locator(".rope-figure .legendtoggle").last.click()
    ada.until("stage.hidden().length === 1")
    hidden = ada.measure("stage.hidden()")

    before = [ada.measure("stage.shown()"), ada.measure("stage.drawn()")]
    ada.drag("base", ada.measure("stage.share('base')"), 0.6)
    ada.until("stage.drawn() > arg[1] && stage.shown() !== arg[0]", before)
    assert ada.measure("[stage.ranges(), stage.hidden()]") == [zoomed, hidden]
    ada.page.mouse.up()
    ada.settled()
    assert ada.measure("[stage.ranges(), stage.hidden()]") == [zoomed, hidden]

    ada.page.locator(".rope-figure .nsewdrag").first.dblclick()
    ada.until("JSON.stringify(stage.ranges()) !== JSON.stringify(arg)", zoomed)
    whole = ada.measure("stage.ranges()")
    assert whole != drawn, "the drag must have changed the range for this test to say anything"
    ada.option("decay_view", 1).click()
    ada.settled()
    assert ada.measure("stage.hidden()") == [], "other traces stand in the places of those that were hidden"
    ada.back()
    ada.open(ada.url())
    assert ada.measure("stage.ranges()") == whole


def test_an_answer_that_comes_after_the_release_is_not_drawn(ada: Visitor) -> None:
    waiting: list[Route] = []
    ada.turn("/?lang=en")
    ada.page.route("**/view/**", lambda route: waiting.append(route))
    ada.drag("position", 0.1, 0.5)
    ada.until("document.querySelector('.rope-live').ropeView.fetching")
    ada.drag("position", 0.6)
    ada.page.mouse.up()
    ada.until("stage.settled(true)")
    figure, drawn = ada.figure(), ada.measure("stage.drawn()")
    assert len(waiting) == 1
    waiting[0].continue_()
    ada.settled()
    assert (ada.figure(), ada.measure("stage.drawn()")) == (figure, drawn)
    ada.page.unroute("**/view/**")
    assert ada.measure("stage.alt()") == said(settings_at(ada, "start"))[0]


def test_numbers_can_be_typed_as_people_write_them_and_what_is_refused_is_named(ada: Visitor) -> None:
    ada.turn("/decay?lang=en")
    for typed, value in (("500,000", "500000"), ("1e6", "1000000"), (" 2500.5 ", "2500.5")):
        ada.type("base", typed)
        ada.wait_for_address(base=value)
        ada.settled()
        expect(ada.field("base")).to_have_value(f"{float(value):,.15g}")
    for refused in ("1", "many", "1e400"):
        ada.type("base", refused)
        ada.wait_for_address(base=refused)
        ada.settled()
        assert ada.shown("[data-testid=stAlert]") == [f"Base b must be a number from 1.01 to 1,000,000,000, got {refused}; using 10,000."]
        expect(ada.field("base")).to_have_value(refused)
        expect(ada.field("base")).to_have_attribute("aria-invalid", "true")
    ada.field("base").fill("77")
    ada.page.keyboard.press("Escape")
    expect(ada.field("base")).to_have_value("10,000")
    ada.press("base", "ArrowRight")
    ada.changed("")
    assert ada.shown("[data-testid=stAlert]") == []


def test_keys_move_a_slider_by_one_stop_or_ten_and_to_its_ends(ada: Visitor) -> None:
    ada.turn("/?lang=en&position=12")
    slider = ada.page.get_by_role("slider", name="Position m", exact=True)
    expect(slider).to_have_accessible_description("Where the token stands in the text, counted from 0.")
    slider.focus()
    keys = ("ArrowRight", "ArrowUp", "PageUp", "ArrowLeft", "PageDown", "Home", "ArrowDown", "End", "PageUp")
    for key, value in zip(keys, (13, 14, 24, 23, 13, 0, 0, 10_000_000, 10_000_000), strict=True):
        ada.page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuetext", f"{value:,}")
        expect(ada.field("position")).to_have_value(f"{value:,}")
    ada.settled()
    ada.wait_for_address(position="10000000")
    assert slider.evaluate("part => part === document.activeElement && part.matches(':focus-visible')")
    assert slider.evaluate("part => [getComputedStyle(part).outlineStyle, getComputedStyle(part).outlineWidth]") == ["solid", "2px"]


def test_a_locked_number_does_not_move(ada: Visitor) -> None:
    figure = ada.open("/?lang=en&position=33&lock=position")
    expect(ada.slider("position")).to_be_disabled()
    expect(ada.field("position")).to_be_disabled()
    expect(ada.number("position").locator(".rope-play")).to_be_disabled()
    ada.drag("position", 0.2, 0.6)
    ada.page.mouse.up()
    ada.step(figure, "base")
    assert settings_at(ada, "start")["position"] == 33
    expect(ada.field("position")).to_have_value("33")
    ada.open("/?lang=en")


def test_the_help_of_a_number_opens_by_mouse_and_by_key(ada: Visitor) -> None:
    ada.turn("/?lang=en")
    ask, help = (ada.number("position").locator(part) for part in (".rope-ask", ".rope-help"))
    expect(ask).to_have_accessible_name("Help for Position m")
    expect(help).to_be_hidden()
    ask.focus()
    ada.page.keyboard.press("Enter")
    expect(help).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(help).to_be_hidden()
    expect(ask).to_be_focused()
    ask.hover()
    expect(help).to_have_text("Where the token stands in the text, counted from 0.")
    ask.click()
    expect(help).to_be_visible()
    ada.page.mouse.move(700, 10)
    expect(help).to_be_hidden()


@pytest.mark.parametrize(("page", "name", "near"), [("start", "position", "8000000"), ("pair", "shift", "97")])
def test_play_goes_from_stop_to_stop_and_the_address_says_where_it_ended(ada: Visitor, page: str, name: str, near: str) -> None:
    view = {"pair_view": "shift"} if page == "pair" else {}
    ada.turn(link(Settings.read(page, view | {name: near})[0]))
    play = ada.number(name).locator(".rope-play")
    start = ada.measure("stage.drawn()")
    play.focus()
    ada.page.keyboard.press("Enter")
    ada.until("stage.settled() && stage.control(arg).value === stage.control(arg).data.stops.at(-1)", name)
    ada.wait_for_address(**{name: f"{ada.measure('stage.control(arg).value', name)}"})
    assert ada.measure("stage.drawn()") >= start + 3

    label = play.get_attribute("aria-label")
    play.click()  # from the end it begins anew
    expect(play).to_have_accessible_name("Pause")
    ada.until("stage.control(arg).value >= 3 && stage.control(arg).value < 100", name)
    ada.page.keyboard.press("Space")
    ada.settled()
    paused = ada.measure("stage.control(arg).value", name)
    assert ada.measure("stage.alt()") == said(settings_at(ada, page))[0]
    assert settings_at(ada, page)[name] == paused
    expect(play).to_have_accessible_name(label or "")
    figure = ada.figure()
    ada.page.wait_for_timeout(300)  # four of its frames: nothing may move
    assert ada.figure() == figure
    ada.step(figure, name)
    ada.wait_for_address(**{name: f"{paused + 1}"})


def test_nothing_plays_by_itself_and_no_movement_is_shown_to_who_wants_none(visitor: Enter) -> None:
    reader = visitor(reduced_motion="reduce")
    reader.open("/?lang=en&position=12")
    slow = reader.measure("""[...document.querySelectorAll('.stApp *')].filter(part => {
        const {transitionDuration, animationDuration} = getComputedStyle(part);
        return Math.max(...`${transitionDuration},${animationDuration}`.split(',').map(parseFloat)) > 0.001;
    }).map(part => part.className)""")
    assert slow == []
    drawn = reader.measure("stage.drawn()")
    reader.page.wait_for_timeout(300)
    assert reader.measure("[stage.drawn(), stage.control('position').value]") == [drawn, 12]
    reader.number("position").locator(".rope-play").click()  # who asks gets it
    reader.until("stage.control('position').value > 12")


@pytest.mark.parametrize("way", ["share", "page"])
def test_what_is_pressed_while_a_number_plays_means_the_value_that_is_shown(ada: Visitor, way: str) -> None:
    ada.open("/?lang=en&position=12")
    ada.page.locator(".rope-play:visible").click()
    ada.until("stage.control('position').value > 15")
    if way == "share":
        ada.button("share").click()
        ada.until("new URLSearchParams(location.search).get('position') > 15")
        ada.settled()
        assert ada.address()["position"] == str(ada.measure("stage.control('position').value"))
        ada.page.keyboard.press("Escape")
    else:
        ada.page.get_by_test_id("stSidebarNavLink").filter(has_text="Rotate a pair").click(delay=150)  # as long as a press takes
        ada.until("location.pathname === '/pair' && stage.settled()")
        ada.go("Start")
        assert int(ada.address()["position"]) > 15
