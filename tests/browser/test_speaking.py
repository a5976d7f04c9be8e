"""One language at a time, everywhere, and the link carries it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.stage import Visitor

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def _nav(visitor: Visitor) -> list[str]:
    return visitor.shown("[data-testid=stSidebarNavLink] p") + visitor.shown("[data-testid=stNavSectionHeader] p")


def test_choosing_a_language_switches_everything_at_once_and_keeps_the_values(ada: Visitor) -> None:
    figure = ada.open("/pair?m=31&pair_view=shift")
    assert not any(map(CHINESE.search, _nav(ada)))
    english_data = ada.measure("() => JSON.stringify(document.querySelector('.js-plotly-plot').data.map(trace => [trace.x, trace.y]))")
    ada.choose_language("中文")
    chinese = ada.changed(figure)
    assert all(map(CHINESE.search, _nav(ada)))
    assert all(map(CHINESE.search, ada.shown("h1")))
    assert CHINESE.search(ada.page.locator(".js-plotly-plot").text_content())
    assert CHINESE.search(ada.page.locator(".rope-chart").get_attribute("aria-label"))
    data = ada.measure("() => JSON.stringify(document.querySelector('.js-plotly-plot').data.map(trace => [trace.x, trace.y]))")
    assert data == english_data
    ada.wait_for_boxes(m="31")
    ada.wait_for_address(lang="zh-CN", m="31", pair_view="shift")
    ada.page.reload()
    assert ada.settled() == chinese
    ada.choose_language("English")
    assert ada.changed(chinese) == figure
    assert not any(map(CHINESE.search, _nav(ada)))
    ada.wait_for_address(lang="en")


@pytest.mark.parametrize(("locale", "lang"), [("zh-CN", "zh-CN"), ("zh-TW", "zh-CN"), ("en-GB", "en"), ("fr-FR", "en")])
def test_a_visit_starts_in_the_language_of_the_browser_and_its_link_says_so(
    visitor: Callable[..., Visitor], locale: str, lang: str
) -> None:
    reader = visitor(locale=locale)
    reader.open("/")
    reader.wait_for_address(lang=lang)
    assert bool(CHINESE.search(reader.shown("h1")[0])) == (lang == "zh-CN")


def test_going_back_in_the_browser_takes_the_language_along(ada: Visitor) -> None:
    figure = ada.open("/decay?lang=en")
    for name, lang in (("中文", "zh-CN"), ("English", "en"), ("中文", "zh-CN")):
        ada.choose_language(name)
        figure = ada.changed(figure)
        ada.wait_for_address(lang=lang)
    ada.page.go_back()
    ada.wait_for_address(lang="en")
    english = ada.changed(figure)
    assert not CHINESE.search(ada.shown("h1")[0])
    ada.page.go_forward()
    ada.wait_for_address(lang="zh-CN")
    ada.changed(english)
    assert CHINESE.search(ada.shown("h1")[0])


def test_the_link_speaks_louder_than_the_browser(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(locale="zh-CN")
    reader.open("/decay?lang=en")
    assert not CHINESE.search(reader.shown("h1")[0])
    reader.go("Start")
    reader.wait_for_address(lang="en")


def test_the_one_notice_is_in_the_language_of_the_page(ada: Visitor) -> None:
    ada.open("/pair?lang=zh-CN&base=abc&m=-1&speed=wrong&colour=red")
    (notice,) = ada.shown("[data-testid=stAlertContentWarning]")
    assert all(map(CHINESE.search, notice.splitlines()))
