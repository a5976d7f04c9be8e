"""One screen: question, views, controls, the whole figure and the first sentence stand there without scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons.registry import PAGES
from tests.browser.stage import PATHS, Visitor

# Edges of what must be seen, in pixels; of the first sentence its first line.
PLACES = """(() => {
    const box = (selector) => {
        const part = [...document.querySelectorAll(selector)].find((each) => each.getClientRects().length);
        const {top, bottom, left, right} = part.getBoundingClientRect();
        return {top, bottom, width: right - left, height: bottom - top};
    };
    const line = document.createRange();
    line.selectNodeContents(document.querySelector('.rope-sentences li'));
    const {top, bottom} = line.getClientRects()[0];
    return {
        title: box('h1'), views: box('.st-key-bar'), figure: box('.rope-figure'), sentence: {top, bottom},
        controls: document.querySelector('.st-key-controls').getClientRects().length && box('.st-key-controls'),
        number: document.querySelector('.rope-live .rope-number:not([hidden])') && box('.rope-live .rope-number'),
        wide: document.documentElement.scrollWidth - innerWidth,
    };
})()"""
LOOKS = [
    ("en", "light"),
    ("zh-CN", "light"),
    pytest.param("zh-CN", "dark", marks=pytest.mark.exhaustive),
    pytest.param("ja", "light", marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("lang", "scheme"), LOOKS)
def test_every_page_stands_whole_on_the_first_screen_and_a_larger_screen_has_a_larger_figure(
    visitor: Callable[..., Visitor], lang: str, scheme: str
) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for page, path in PATHS.items():
        reader.page.set_viewport_size({"width": 1280, "height": 800})
        reader.turn(f"{path}?lang={lang}")
        usual = reader.measure(PLACES)
        assert usual["title"]["top"] >= 0, page
        assert usual["views"]["bottom"] <= usual["figure"]["top"], page
        assert usual["figure"]["bottom"] <= 800, page
        assert usual["figure"]["height"] >= 360, page
        assert usual["figure"]["width"] >= 640, page
        assert usual["controls"]["top"] < 400, page
        assert usual["sentence"]["bottom"] <= 800, page
        assert usual["wide"] <= 0, page
        before = usual["figure"]
        for width, height in ((1440, 900), (1920, 1080)):
            reader.page.set_viewport_size({"width": width, "height": height})
            reader.until("stage.settled() && document.querySelector('.rope-figure')._fullLayout.width > arg", before["width"] + 20)
            larger = reader.measure(PLACES)["figure"]
            assert larger["bottom"] <= height, page
            assert larger["width"] * larger["height"] > before["width"] * before["height"], page
            before = larger


@pytest.mark.parametrize("lang", ["zh-CN", pytest.param("en", marks=pytest.mark.exhaustive)])
def test_a_telephone_has_question_views_figure_number_and_sentences_and_opens_the_other_controls(phone: Visitor, lang: str) -> None:
    for page, path in PATHS.items():
        phone.turn(f"{path}?lang={lang}")
        places = phone.measure(PLACES)
        order = [places[name]["top"] for name in ("title", "views", "figure", "number", "sentence") if places[name]]
        assert order == sorted(order), page
        assert places["controls"] == 0, page
        assert places["wide"] <= 0, page
        more = phone.page.locator(".rope-more")
        more.click()
        opened = phone.measure(PLACES)  # a click may have scrolled the page
        assert opened["controls"]["top"] > opened["sentence"]["top"], page
        more.click()
        assert phone.measure(PLACES)["controls"] == 0, page


def test_a_tablet_has_the_controls_above_the_figure_in_two_columns(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(width=1024, height=768)
    for path in PATHS.values():
        reader.turn(f"{path}?lang=en")
        places = reader.measure(PLACES)
        assert places["controls"]["bottom"] <= places["figure"]["top"]
        lefts = reader.measure(
            "new Set([...document.querySelectorAll('.st-key-controls > *')].map((each) => each.getBoundingClientRect().left | 0)).size"
        )
        assert lefts == 2


def test_every_page_is_looked_at() -> None:
    assert set(PATHS) == set(PAGES)
