"""With a keyboard alone, with a finger, and without movement: everything can be reached, seen and used."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.stage import Visitor

# What could show where the keyboard is: rings, frames and grounds of an element and of what is around it.
LOOK = """part => {
    const around = [part, part.parentElement, part.parentElement?.parentElement, part.parentElement?.parentElement?.parentElement];
    return JSON.stringify(around.filter(Boolean).map(each => {
        const {outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor} = getComputedStyle(each);
        return [outlineStyle !== 'none' && [outlineStyle, outlineWidth, outlineColor], boxShadow, borderColor, backgroundColor];
    }));
}"""
NAME = "part => part.ariaLabel || part.getAttribute('aria-label') || part.textContent.trim().slice(0, 40) || part.tagName"
ACTIVE = "document.querySelector('.js-plotly-plot')._fullLayout.sliders[0].active"
OPEN = "document.querySelector('#rope-slider-help').matches(':popover-open')"
RANGE = "() => [...document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range]"
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def hint(reader: Visitor) -> Locator:
    return reader.page.locator(".rope-ask")


def figure_button(reader: Visitor, title: str) -> Locator:
    return reader.page.locator(f'.modebar-btn[data-title="{title}"]')


@pytest.fixture
def phone(visitor: Callable[..., Visitor]) -> Visitor:
    return visitor(width=375, height=667, has_touch=True, is_mobile=True, device_scale_factor=2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_stop_of_the_keyboard_shows_itself(visitor: Callable[..., Visitor], scheme: str) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    reader.open("/?start_view=two&gap=5")
    stops, last, shown = [], None, ""
    for _ in range(90):
        reader.page.keyboard.press("Tab")
        if last is not None:
            assert last.evaluate(LOOK) != shown, f"nothing shows that the keyboard is at {stops[-1]}"
        last = reader.page.evaluate_handle("document.activeElement").as_element()
        if last.evaluate("part => part === document.body") or (stops and last.evaluate(NAME) == stops[0]):
            break
        stops.append(last.evaluate(NAME))
        shown = last.evaluate(LOOK)
    else:
        raise AssertionError(f"the keyboard never comes back: {stops}")
    assert stops[0] == "Skip to main content"
    assert {"Help for Position m", "Position m", "Download the figure as PNG", "Full screen", "Play", "Pause"} <= set(stops)
    assert any("Data as a table" in stop for stop in stops)


@pytest.mark.parametrize("link", ["/", "/pair?pair_view=shift"])
def test_play_and_pause_answer_to_keys(ada: Visitor, link: str) -> None:
    ada.open(link)
    play, pause = (ada.page.locator(".updatemenu-button").nth(index) for index in (0, 1))
    play.focus()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function(f"() => {ACTIVE} >= 2")
    ada.page.keyboard.press("Tab")
    expect(pause).to_be_focused()
    ada.page.keyboard.press("Space")
    ada.page.wait_for_function("() => !document.querySelector('.js-plotly-plot')._transitioning")
    at = ada.measure(ACTIVE)
    ada.page.wait_for_timeout(400)
    assert ada.measure(ACTIVE) == at


def test_zoom_is_changed_and_given_back_by_keys(ada: Visitor) -> None:
    ada.open("/decay")
    whole = ada.measure(RANGE)
    figure_button(ada, "Zoom in").focus()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function(f"whole => ({RANGE})()[1] < whole[1]", arg=whole)
    figure_button(ada, "Reset axes").focus()
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function(f"whole => String(({RANGE})()) === String(whole)", arg=whole)


def test_buttons_of_the_figure_speak_the_language_of_the_page(ada: Visitor) -> None:
    ada.open("/decay?lang=zh-CN")
    titles = ada.measure("[...document.querySelectorAll('.modebar-btn')].map(button => button.ariaLabel)")
    assert titles == ["框选缩放", "平移", "放大", "缩小", "自动缩放", "还原坐标轴", "下载 PNG 图片", "下载 SVG 图片", "全屏"]


def test_the_hint_of_the_live_slider_opens_by_key_and_by_mouse(ada: Visitor) -> None:
    ada.open("/")
    assert not ada.measure(OPEN)
    hint(ada).focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("#rope-slider-help")).to_be_visible()
    ada.page.keyboard.press("Escape")
    assert not ada.measure(OPEN)
    expect(hint(ada)).to_be_focused()
    hint(ada).hover()
    expect(ada.page.locator("#rope-slider-help")).to_have_text("Where the token stands in the text, counted from 0.")
    hint(ada).click()
    assert ada.measure(OPEN)
    ada.page.mouse.move(5, 400)
    ada.page.wait_for_function(f"() => !{OPEN}")


def test_a_finger_opens_the_hint_and_has_room_on_the_slider(phone: Visitor) -> None:
    phone.open("/")
    size = phone.hand().bounding_box()
    assert size["height"] >= 40
    box = hint(phone).bounding_box()
    reach = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.rope-ask'))"
    middle, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert phone.page.evaluate(reach, [middle, down - 19])
    assert phone.page.evaluate(reach, [middle + 19, down])
    hint(phone).tap()
    assert phone.measure(OPEN)
    shown = phone.page.locator("#rope-slider-help").bounding_box()
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= 375
    hint(phone).tap()
    assert not phone.measure(OPEN)


@pytest.mark.parametrize("link", ["/", "/decay", "/attention", "/pair"])
def test_a_scroll_that_begins_on_a_figure_moves_the_page_and_nothing_in_the_figure(phone: Visitor, link: str) -> None:
    figure = phone.open(link)
    phone.page.locator(".rope-chart").scroll_into_view_if_needed()
    box, before = phone.page.locator(".rope-chart").bounding_box(), phone.measure(SCROLLED)
    y = min(box["y"] + box["height"] / 2, 500)
    assert box["y"] < y < box["y"] + box["height"]
    finger, x = phone.context.new_cdp_session(phone.page), box["x"] + box["width"] / 2
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(10, 210, 10):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - moved}]})
        phone.page.wait_for_timeout(16)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.page.wait_for_function(f"before => {SCROLLED} > before + 100", arg=before)
    assert phone.figure() == figure


def test_who_wants_no_movement_sees_none_that_nobody_asked_for(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(reduced_motion="reduce")
    reader.open("/?start_view=two")
    slow = reader.measure("""[...document.querySelectorAll('.stApp *')].filter(part => {
        const {transitionDuration, animationDuration} = getComputedStyle(part);
        return Math.max(...`${transitionDuration},${animationDuration}`.split(',').map(parseFloat)) > 0.001;
    }).map(part => part.className)""")
    assert not slow
    assert reader.measure(ACTIVE) == 0
    reader.page.wait_for_timeout(400)
    assert reader.measure(ACTIVE) == 0
    transitions = reader.measure(
        "document.querySelector('.js-plotly-plot')._fullLayout.updatemenus[0].buttons.map(b => b.args[1].transition)"
    )
    assert transitions == [{"duration": 0}, {"duration": 0}]


def test_the_keyboard_hides_a_trace_in_the_legend_and_it_stays_hidden(ada: Visitor) -> None:
    ada.open("/decay")
    entry = ada.page.get_by_role("button", name="lowest score in the bin", exact=True)
    expect(entry).to_have_attribute("aria-pressed", "true")
    for key, pressed in (("Enter", "false"), (" ", "true"), ("Enter", "false")):
        entry.focus()
        ada.page.keyboard.press(key)
        expect(entry).to_have_attribute("aria-pressed", pressed)
        expect(entry).to_be_focused()
        assert entry.evaluate("part => getComputedStyle(part).outlineStyle") == "solid"
    ada.step(ada.figure())
    expect(entry).to_have_attribute("aria-pressed", "false")


def test_the_keyboard_moves_the_slider_of_frames(ada: Visitor) -> None:
    ada.open("/")
    slider = ada.page.locator(".rope-chart [role=slider]")
    slider.focus()
    last = slider.get_attribute("aria-valuemax")
    for key, frame in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", last), ("Home", "0")):
        ada.page.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuenow", frame)
        assert f"{ada.measure(ACTIVE)}" == frame
        shown = ada.page.locator(".rope-chart .slider-group > text.slider-label").text_content()
        expect(slider).to_have_attribute("aria-valuetext", shown)
    assert slider.evaluate("part => part === document.activeElement && getComputedStyle(part).outlineStyle") == "solid"
