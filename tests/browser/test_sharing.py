"""The address is the state: links, reloads, other pages, the back button, tabs."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.stage import Server, Visitor


def test_a_copied_link_shows_the_same_figure_in_the_same_language_on_a_fresh_server(
    visitor: Callable[..., Visitor], fresh_server: Callable[..., Server]
) -> None:
    ada = visitor()
    figure = ada.open("/pair")
    ada.choose_language("中文")
    figure = ada.changed(figure)
    for name, value in {"m": "31", "base": "85565.3", "q": "2, -1", "head_dim": "64"}.items():
        ada.set_box(name, value)
        figure = ada.changed(figure)
    ada.slider("pair").focus()
    ada.page.keyboard.press("ArrowRight")
    figure = ada.changed(figure)
    ada.view("pair_view", 2).click()
    figure = ada.changed(figure)
    ada.wait_for_address(pair_view="shift", q="2, -1", lang="zh-CN")

    bob = visitor(url=fresh_server().url, locale="fr-FR")
    assert bob.open(ada.page.url.replace(ada.server, bob.server)) == figure
    assert ada.shown("h1") == bob.shown("h1")
    assert ada.shown("[data-testid=stMain] li") == bob.shown("[data-testid=stMain] li")
    ada.page.reload()
    assert ada.settled() == figure
    ada.wait_for_boxes(base="85565.3")


def test_address_after_a_button_holds_what_the_button_set_even_in_controls_that_it_brings_in(visitor: Callable[..., Visitor]) -> None:
    for link, button, expected in (
        ("/", "Two tokens, 5 apart", {"start_view": "two", "gap": "5"}),
        ("/decay", "A key that peaks at distance 1,000", {"vectors": "peak", "peak": "1000", "reach": "131072"}),
    ):
        ada = visitor()
        figure = ada.open(link)
        ada.page.get_by_role("button", name=button).click()
        figure = ada.changed(figure)
        ada.wait_for_address(**expected)
        assert visitor().open(ada.page.url.replace(ada.server, "")) == figure


def test_values_are_still_there_after_a_walk_over_the_other_pages(ada: Visitor) -> None:
    figure = ada.open("/pair")
    for name, value in {"m": "42", "base": "500000", "k": "1, 1"}.items():
        ada.set_box(name, value)
        figure = ada.changed(figure)
    other = figure
    for title in ("Distance decay", "Start"):
        ada.go(title)
        other = ada.changed(other)
        ada.wait_for_boxes(base="500000")
    ada.go("Rotate a pair")
    assert ada.changed(other) == figure
    ada.wait_for_boxes(m="42", k="1, 1", base="500000")
    for name, value in {"m": 42, "base": 500_000}.items():
        assert float(ada.asked_for()[name][-1]) == value


def test_the_back_button_shows_what_the_address_says(ada: Visitor) -> None:
    figure = ada.open("/")
    ada.slider("position").focus()
    ada.page.keyboard.press("ArrowRight")
    figure = ada.changed(figure)
    ada.page.wait_for_function("location.search.includes('position=13')")
    ada.go("Rotate a pair")
    ada.changed(figure)
    for _ in range(8):  # entering a page pushes one entry per restored value
        ada.page.go_back()
        ada.settled()
        assert ada.page.get_by_test_id("stException").count() == 0
        assert len(ada.shown("h1")) == 1
        if ada.page.url.split("?")[0] == ada.server + "/":
            break
    else:
        raise AssertionError(f"Back does not leave {ada.page.url}")
    ada.page.wait_for_function("document.querySelector('h1').innerText.includes('moving picture')")
    ada.settled()
    ada.wait_for_boxes(position=f"{float(ada.asked_for().get('position', ['12'])[-1]):g}")


def test_two_tabs_of_one_browser_are_independent(ada: Visitor) -> None:
    first = ada.page
    before = ada.open("/pair?m=11")
    ada.page = ada.new_tab()
    ada.open("/pair?m=11")
    ada.set_box("m", "40")
    ada.changed(before)
    ada.page = first
    assert ada.figure() == before
    ada.set_box("base", "50000")
    ada.changed(before)
    ada.wait_for_boxes(m="11")


def test_everything_wrong_in_a_link_is_named_in_one_notice_that_stays(ada: Visitor) -> None:
    figure = ada.open("/pair")
    link = (
        "/pair?base=abc&head_dim=7&m=-1&n=1e400&speed=wrong&q=<img src=x onerror=alert(1)>&k=1&pair=99&colour=red&lang=xx&context="
        + 5000 * "9"
    )
    assert ada.open(link) == figure
    ada.page.wait_for_timeout(1000)  # long enough for a second run to have taken it away
    notices = ada.shown("[data-testid=stAlertContentWarning]")
    assert len(notices) == 1
    for named in ("Base b", "Head width d", "Position m of q", "Position n of k", "Speed", "Pair i", "Context length", "Language"):
        assert named in notices[0]
    for got in ("abc", "7", "-1", "1e400", "wrong", "<img src=x onerror=alert(1)>", "99", "colour", "xx"):
        assert got in notices[0]
    assert re.search(r"9{40}…", notices[0])
    assert not re.search(r"9{41}", notices[0])
    assert ada.page.locator("[data-testid=stMain] img").count() == 0


def test_a_notice_leaves_when_the_value_is_mended(ada: Visitor) -> None:
    figure = ada.open("/pair?m=-1")
    assert len(ada.shown("[data-testid=stAlertContentWarning]")) == 1
    ada.set_box("m", "3")
    ada.changed(figure)
    assert ada.shown("[data-testid=stAlertContentWarning]") == []
