"""A teacher shares a page, a class opens it: link, QR code, frame, and exercises with one knob."""

from __future__ import annotations

import io
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser.stage import Server, Visitor


def share(visitor: Visitor) -> str:
    """Open the dialog, and give the link."""
    visitor.page.locator(".st-key-share button").locator("visible=true").click()  # with help it is there twice
    expect(dialog(visitor).locator("img")).to_be_visible()
    return link(visitor)


def dialog(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("dialog")


def link(visitor: Visitor) -> str:
    return dialog(visitor).locator("[data-testid=stCode] code").first.inner_text()


def scanned(picture: Locator) -> str:
    """Read a QR code off the screen."""
    return str(zxingcpp.read_barcodes(Image.open(io.BytesIO(picture.screenshot())))[0].text)


def choose(visitor: Visitor, name: str, label: str) -> None:
    """Choose a control to lock or to hide, by its label."""
    visitor.page.locator(f".st-key-share-{name} input").click()
    visitor.page.get_by_role("option", name=label, exact=True).click()
    visitor.page.keyboard.press("Tab")


def settings(address: str) -> dict[str, str]:
    return {name: value.removesuffix(".0") for name, value in parse_qsl(urlsplit(address).query, keep_blank_values=True)}


def drag(visitor: Visitor) -> None:
    """Drag the live slider to its middle and let go."""
    box = visitor.hand().bounding_box()
    y = box["y"] + box["height"] / 2
    visitor.page.mouse.move(box["x"] + 10, y)
    visitor.page.mouse.down()
    for part in range(1, 11):
        visitor.page.mouse.move(box["x"] + box["width"] * part / 20, y)
    visitor.page.mouse.up()


def test_link_after_a_live_drag_opens_the_same_figure_and_is_what_address_and_qr_code_say(visitor: Callable[..., Visitor]) -> None:
    for page in ("/pair", "/decay"):  # a number of the page, and one of the frame
        ada = visitor(locale="zh-CN")
        figure = ada.open(page)
        drag(ada)
        ada.wait_for_rest()
        figure, shared = ada.changed(figure), share(ada)
        assert settings(shared) == settings(ada.page.url)
        assert settings(shared).keys() == {"lang", "m" if page == "/pair" else "base"}
        assert scanned(dialog(ada).locator("img")) == shared
        bob = visitor(locale="fr-FR")
        assert bob.open(shared) == figure
        assert ada.shown("h1") == bob.shown("h1")


def test_link_follows_moves_within_the_page_and_to_other_pages_below_a_base_path(
    visitor: Callable[..., Visitor], fresh_server: Callable[..., Server]
) -> None:
    server = fresh_server(STREAMLIT_SERVER_BASE_URL_PATH="lab/rope", ROPE_LAB_FRAME_ANCESTORS="'self' https://school.example")
    ada = visitor(url=server.url)
    figure = ada.open("/pair?m=5")
    ada.set_box("q", "2, -1")
    figure = ada.changed(figure)
    ada.view("pair_view", 2).click()
    figure = ada.changed(figure)
    shared = share(ada)
    assert shared.startswith(f"{server.url}/pair?")
    assert settings(shared) == {"lang": "en", "pair_view": "shift", "m": "5", "q": "2, -1"}
    assert "https://school.example" in dialog(ada).inner_text()
    ada.page.keyboard.press("Escape")
    expect(dialog(ada)).to_have_count(0)
    ada.go("Distance decay")
    ada.changed(figure)
    ada.settled()
    assert share(ada) == f"{server.url}/decay?lang=en"


def test_a_teacher_makes_an_exercise_of_one_knob_and_a_course_page_shows_it(visitor: Callable[..., Visitor]) -> None:
    ada = visitor(height=1400)
    ada.open("/?start_view=two")
    share(ada)
    choose(ada, "hide", "View")
    said = dialog(ada).locator("code").first
    expect(said).to_contain_text("hide=start_view")
    dialog(ada).get_by_role("button", name="Lock all but Position m").click()
    expect(said).to_contain_text("lock=gap,base,head_dim")
    exercise = link(ada)
    assert settings(exercise) == {"lang": "en", "start_view": "two", "lock": "gap,base,head_dim", "hide": "start_view"}
    assert scanned(dialog(ada).locator("img")) == exercise

    line = dialog(ada).locator("[data-testid=stCode] code").nth(1).inner_text()
    bob = visitor()
    bob.page.route(
        "**/course.html", lambda route: route.fulfill(body=f"<!doctype html><title>Course</title>{line}", content_type="text/html")
    )
    bob.page.goto(bob.server + "/course.html")
    frame = bob.page.frame_locator("iframe")
    expect(frame.locator("h1")).to_have_text("What is RoPE, in one moving picture?")
    expect(frame.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    knobs = frame.locator("input[type=range], [role=radio], [role=combobox], input[type=number], input[type=text]").locator("visible=true")
    movable = [knob for knob in knobs.all() if knob.is_enabled()]
    assert {knob.evaluate("knob => knob.closest('[class*=st-key-position]') !== null") for knob in movable} == {True}
    assert len(movable) == 2  # slider and box of the position
    expect(frame.locator(".st-key-gap input")).to_be_disabled()
    expect(frame.locator("[data-testid=stSidebar]")).to_be_hidden()
    expect(frame.get_by_test_id("stPageLink")).to_have_count(0)


def test_a_locked_exercise_stays_locked_over_pages_reloads_and_the_back_button(ada: Visitor) -> None:
    figure = ada.open("/pair?m=33&lock=m,base&hide=n&n=9&base=500")
    expect(ada.hand()).to_be_disabled()
    ada.go("Distance decay")
    other = ada.changed(figure)
    expect(ada.hand()).to_be_disabled()
    ada.wait_for_address(lock="m,base", hide="n")
    ada.page.reload()
    assert ada.settled() == other
    expect(ada.box("base")).to_be_disabled()
    ada.go("Rotate a pair")
    assert ada.changed(other) == figure
    expect(ada.box("m")).to_be_disabled()
    ada.wait_for_boxes(m="33", base="500")
    assert ada.page.locator(".st-key-n input").is_hidden()
    ada.page.reload()
    assert ada.settled() == figure
    ada.page.go_back()
    ada.settled()
    expect(ada.box("base")).to_be_disabled()
    ada.wait_for_boxes(base="500")


def test_an_address_from_the_history_moves_nothing_that_the_first_link_locks(ada: Visitor) -> None:
    figure = ada.open("/pair?m=33&lock=m")
    ada.page.evaluate("for (const m of [99, 98]) history.pushState(null, '', `/pair?lang=en&m=${m}&n=4`)")
    ada.page.go_back()
    ada.wait_for_boxes(n="4")  # that one is free
    figure = ada.changed(figure)
    assert figure == ada.open("/pair?m=33&n=4")
