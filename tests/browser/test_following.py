"""The figure follows the hand and stays itself: drag, keyboard, zoom, theme, full screen, telephone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from ui.parameters import PARAMETERS

from tests.browser.stage import VIEWS, Visitor

REST = 350  # milliseconds, as docs/decisions/0007-live-chart.md promises

# From now on: where the hand was when, where the address says that it is, and what figure and sentence agree on before it does.
RECORD = """() => {
    const range = document.querySelector('.rope-slider input'), main = document.querySelector('[data-testid=stMain]');
    window.seen = {moves: [], linked: [], live: []};
    range.addEventListener('input', () => {
        seen.moves.push([performance.now(), range.getAttribute('aria-valuetext').replaceAll(',', '')]);
    });
    for (const name of ['pushState', 'replaceState']) {
        const own = history[name];
        history[name] = (...given) => {
            const before = location.href;
            own.apply(history, given);
            if (location.href !== before) seen.linked.push(new URLSearchParams(location.search).get('position'));
        };
    }
    const number = (text, rule) => text?.match(rule)?.[1];
    new MutationObserver(() => {
        const figure = number(document.querySelector('.rope-chart')?.ariaLabel, /at position ([\\d,]+);/)?.replaceAll(',', '');
        const said = number(main.querySelectorAll('li')[1]?.textContent, /At position ([\\d,]+) /)?.replaceAll(',', '');
        const linked = new URLSearchParams(location.search).get('position');
        if (figure && figure === said && said !== linked) seen.live.push(figure);
    }).observe(main, {subtree: true, childList: true, characterData: true, attributes: true});
}"""
RANGES = """() => Object.fromEntries(Object.entries(document.querySelector('.rope-chart')._fullLayout)
    .filter(([name]) => /^[xy]axis\\d*$/.test(name)).map(([name, axis]) => [name, [...axis.range]]))"""
HIDDEN = "() => document.querySelector('.rope-chart')._fullData.map(trace => trace.visible === 'legendonly')"
INK = """() => ['.xtick text', '.ygrid'].map(name => getComputedStyle(document.querySelector(`.rope-chart ${name}`)))
    .map((style, index) => index ? style.stroke : style.fill)"""
LISTENERS = """
window.listeners = new Set();
for (const [name, note] of [['addEventListener', 'add'], ['removeEventListener', 'delete']]) {
    const own = document[name];
    document[name] = (type, listener, ...rest) => {
        if (['rope-drawn', 'fullscreenchange'].includes(type)) listeners[note](listener);
        return own.call(document, type, listener, ...rest);
    };
}"""


def _zoom(visitor: Visitor) -> dict[str, list[float]]:
    before = visitor.measure(RANGES)
    box = visitor.page.locator(".rope-chart .nsewdrag").first.bounding_box()
    visitor.page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.2)
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.7, steps=4)
    visitor.page.mouse.up()
    visitor.page.wait_for_function(f"before => JSON.stringify(({RANGES})()) !== JSON.stringify(before)", arg=before)
    return visitor.measure(RANGES)


def test_figure_sentences_and_numbers_follow_a_dragging_hand_and_the_address_waits_until_it_rests(ada: Visitor) -> None:
    ada.open("/?position=12")
    ada.measure(RECORD)
    box, mouse = ada.hand().bounding_box(), ada.page.mouse
    mouse.move(box["x"] + box["width"] * 0.12, box["y"] + box["height"] / 2)
    mouse.down()
    for step in range(300):
        mouse.move(box["x"] + box["width"] * (0.12 + 0.002 * step), box["y"] + box["height"] / 2)
        ada.page.wait_for_timeout(20)
        if step > 20 and ada.measure("new Set(seen.live).size") >= 2:
            break
    assert ada.measure("new Set(seen.live).size") >= 2, "nothing was drawn before the hand let go"
    mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
    mouse.up()
    released = ada.hand().get_attribute("aria-valuetext")
    ada.wait_for_address(position=released.replace(",", ""))
    ada.settled()
    ada.wait_for_boxes(position=released.replace(",", ""))
    assert f"at position {released};" in ada.page.locator(".rope-chart").get_attribute("aria-label")
    assert f"At position {released} " in ada.shown("[data-testid=stMain] li")[1]
    assert f"tensor([{released.replace(',', '')}])" in ada.shown("[data-testid=stCode]")[0]
    moves = ada.measure("seen.moves")
    gaps = zip(moves, [*moves[1:], [float("inf"), ""]], strict=True)
    rested = {value for (now, value), (later, _) in gaps if later - now >= REST}
    linked = {value or f"{PARAMETERS['position'].default}" for value in ada.measure("seen.linked")}  # an address leaves defaults out
    assert linked <= rested
    assert len(moves) > 1


HASTY = """
([choice, other]) => new Promise(resolve => {
    const hand = document.querySelector('.rope-slider input');
    hand.value = hand.max;
    hand.dispatchEvent(new Event('input', {bubbles: true}));
    const watch = setInterval(() => {
        if (hand.ropeState.touched) return;
        clearInterval(watch);
        // Looked up now: React may have made another one since.
        document.querySelectorAll(`.st-key-${choice}-buttons [role=radio]`)[other].click();
        resolve(hand.getAttribute('aria-valuetext'));
    }, 1);
})
"""


@pytest.mark.parametrize("wait", [0, 150, REST - 10, REST + 20])
@pytest.mark.parametrize(
    ("number", "expected"), [(0, {"start_view": "two", "position": "15"}), (1, {"start_view": None, "position": "1000000"})]
)
def test_a_button_pressed_around_the_moment_at_which_a_hand_rests_has_the_last_word(
    ada: Visitor, number: int, expected: dict[str, str | None], wait: int
) -> None:
    """The first sets another number, and the hand counts; the second sets the one that the hand has just held."""
    ada.open("/?position=12")
    button = ada.page.locator("[class*=st-key-start-try] button").nth(number)
    ada.hand().focus()
    for _ in range(3):
        ada.page.keyboard.press("ArrowRight")
    ada.page.wait_for_function("(hand => hand.ropeState.sent === hand.value)(document.querySelector('.rope-slider input'))")
    ada.page.wait_for_timeout(wait)
    button.click()
    ada.wait_for_address(**expected)
    ada.page.wait_for_timeout(2 * REST)
    ada.settled()
    ada.wait_for_address(**expected)
    ada.wait_for_boxes(position=expected["position"])
    assert ada.hand().get_attribute("aria-valuetext").replace(",", "") == expected["position"]


@pytest.mark.parametrize(("page", "name", "other"), [("head", "head_position", 1), ("decay", "base", 1)])
def test_another_control_moved_the_moment_the_hand_rests_does_not_undo_it(ada: Visitor, page: str, name: str, other: int) -> None:
    figure = ada.open(f"/{page}?{name}=500")
    choice, codes = VIEWS[page]
    # The browser sends what all boxes hold, before it has heard from the server of the value in this one.
    ada.view(choice, other).wait_for()
    rested = ada.page.evaluate(HASTY, [choice, other]).replace(",", "")
    ada.changed(figure)
    ada.wait_for_address(**{choice: codes[other], name: rested})
    ada.wait_for_boxes(**{name: rested})


def test_plot_zoom_and_hidden_traces_survive_steps_until_the_axes_mean_something_else(ada: Visitor) -> None:
    ada.context.add_init_script(LISTENERS)
    figure = ada.open("/decay")
    ada.measure("() => { window.first = document.querySelector('.rope-chart'); window.before = listeners.size }")
    drawn = ada.measure(RANGES)
    zoomed = _zoom(ada)
    ada.page.locator(".rope-chart .legendtoggle").last.click()
    ada.page.wait_for_function(f"() => ({HIDDEN})().includes(true)")
    hidden, figure = ada.measure(HIDDEN), ada.figure()
    for _ in range(3):
        figure = ada.step(figure)
        assert (ada.measure(RANGES), ada.measure(HIDDEN)) == (zoomed, hidden)
    assert ada.measure("[first === document.querySelector('.js-plotly-plot'), listeners.size === before]") == [True, True]

    ada.page.locator(".rope-chart .nsewdrag").first.dblclick()
    ada.page.wait_for_function(f"zoomed => JSON.stringify(({RANGES})()) !== JSON.stringify(zoomed)", arg=zoomed)
    back = ada.measure(RANGES)
    assert back != drawn, "the steps must have changed the range for this test to say anything"
    found = {ada.page.url: back}
    figure = ada.step(ada.figure(), "ArrowLeft")
    ada.wait_for_address(base="50000")
    found[ada.page.url] = ada.measure(RANGES)
    assert ada.measure(HIDDEN) == hidden

    ada.view("decay_view", 1).click()
    figure = ada.changed(figure)
    assert not any(ada.measure(HIDDEN)), "other traces stand in the places of those that were hidden"
    _zoom(ada)
    ada.view("decay_view", 3).click()
    ada.changed(figure)
    ada.wait_for_address(decay_view="spectrum")
    found[ada.page.url] = ada.measure(RANGES)
    assert ada.measure("first === document.querySelector('.js-plotly-plot')")
    assert len(found) == 3
    for link, ranges in found.items():
        ada.open(link)
        assert ada.measure(RANGES) == ranges


def test_the_keyboard_moves_the_slider_and_a_reader_is_told_what_it_is(ada: Visitor) -> None:
    figure = ada.open("/?position=12")
    hand = ada.page.get_by_role("slider", name="Position m", exact=True)
    expect(hand).to_have_accessible_description("Where the token stands in the text, counted from 0.")
    for key, value in (("ArrowRight", "13"), ("ArrowUp", "14"), ("ArrowLeft", "13"), ("End", "10,000,000")):
        figure = ada.step(figure, key)
        assert hand.get_attribute("aria-valuetext") == ada.page.locator(".rope-slider output").inner_text() == value
        assert hand.evaluate("hand => hand === document.activeElement && hand.matches(':focus-visible')")
        assert hand.evaluate("hand => [getComputedStyle(hand).outlineStyle, getComputedStyle(hand).outlineWidth]") == ["solid", "2px"]


def test_a_change_of_theme_recolours_text_and_grid_without_a_run(ada: Visitor) -> None:
    sent: list[Any] = []
    ada.page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(data)))
    ada.page.emulate_media(color_scheme="light")
    figure = ada.open("/decay")
    light, runs = ada.measure(INK), len(sent)
    ada.page.emulate_media(color_scheme="dark")
    ada.page.wait_for_function(f"light => ({INK})().every((ink, index) => ink !== light[index])", arg=light)
    assert ada.measure(INK)[0] == ada.measure("getComputedStyle(document.querySelector('[data-testid=stMain]')).color")
    assert ada.settled() == figure
    ada.page.emulate_media(color_scheme="light")
    ada.page.wait_for_function(f"light => JSON.stringify(({INK})()) === JSON.stringify(light)", arg=light)
    assert len(sent) == runs > 0


def test_the_buttons_of_the_figure_fill_the_screen_and_save_a_picture_and_none_sends_it_away(ada: Visitor) -> None:
    ada.open("/decay")
    chart = ada.page.locator(".rope-chart")
    chart.hover()
    with ada.page.expect_download() as picture:
        chart.get_by_role("button", name="Download the figure as PNG").click()
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    assert chart.get_by_role("button", name="Share").count() == 0
    height = chart.bounding_box()["height"]
    chart.get_by_role("button", name="Full screen").click()
    tall = "() => document.fullscreenElement === document.querySelector('.rope-chart') && document.fullscreenElement._fullLayout.height"
    ada.page.wait_for_function(f"() => ({tall})() === innerHeight")
    ada.page.evaluate("document.exitFullscreen()")
    ada.page.wait_for_function("height => document.querySelector('.rope-chart')._fullLayout.height === height", arg=height)


def test_without_a_full_screen_the_figure_covers_the_page(ada: Visitor) -> None:
    ada.context.add_init_script("delete Element.prototype.requestFullscreen")
    ada.open("/decay")
    chart = ada.page.locator(".rope-chart")
    chart.scroll_into_view_if_needed()
    before = chart.bounding_box()
    for expected in ({"x": 0, "y": 0, **ada.measure("({width: innerWidth, height: innerHeight})")}, before):
        chart.hover()
        chart.get_by_role("button", name="Full screen").click()
        ada.page.wait_for_function(
            "([width, height]) => { const now = document.querySelector('.rope-chart')._fullLayout; "
            "return now.width === width && now.height === height }",
            arg=[expected["width"], expected["height"]],
        )
        assert chart.bounding_box() == expected


def test_on_a_telephone_a_finger_on_the_figure_scrolls_the_page(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(width=375, height=667, has_touch=True, is_mobile=True)
    reader.open("/decay")
    reader.page.locator(".rope-chart").scroll_into_view_if_needed()
    main = "document.querySelector('[data-testid=stMain]')"
    before, ranges = reader.measure(f"{main}.scrollTop"), reader.measure(RANGES)
    box = reader.page.locator(".rope-chart .nsewdrag").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, min(box["y"] + box["height"] / 2, 600)
    devtools = reader.context.new_cdp_session(reader.page)
    for part in range(11):
        kind = "touchMove" if part else "touchStart"
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - 15 * part}]})
        reader.page.wait_for_timeout(16)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    reader.page.wait_for_function(f"before => {main}.scrollTop > before + 80", arg=before)
    assert reader.measure(RANGES) == ranges
    assert reader.measure(f"[document.documentElement.scrollWidth, {main}.scrollWidth]") == [375, 375]
