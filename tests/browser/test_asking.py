"""The steps of a page in a browser: played with the mouse, presented with the keys of a clicker."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from lessons.quiz import steps_of
from lessons.registry import LESSONS
from tests.browser.stage import Visitor

OVERLAPS = """
() => {
    const names = ['.st-key-slide', '.rope-chart', '.st-key-presented-sentence'];
    const [slide, chart, sentence] = names.map(name => document.querySelector(name)?.getBoundingClientRect());
    return {
        inside: chart.top >= (slide?.bottom ?? 0) - 1 && (!sentence || sentence.top >= chart.bottom - 1),
        fits: Math.max(chart.bottom, sentence?.bottom ?? 0) <= window.innerHeight,
        wide: document.documentElement.scrollWidth <= window.innerWidth,
        chart: chart.height,
        cut: [...document.querySelectorAll('.stApp *')].filter(part => part.querySelector('.rope-chart'))
            .filter(part => getComputedStyle(part).overflow !== 'visible')
            .map(part => part.getBoundingClientRect().bottom).filter(bottom => bottom < chart.bottom - 1),
    };
}
"""

# The lowest contrast of a slide's text, and of its figure's grid, with the ground: WCAG 2, relative luminance.
CONTRAST = """
() => {
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const linear = part => part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    const light = colour => numbers(colour).slice(0, 3).map(linear).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = getComputedStyle(document.querySelector('.stApp')).backgroundColor;
    const against = colour => {
        const [low, high] = [light(colour), light(ground)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const seen = colour => (numbers(colour)[3] ?? 1) > 0;
    const all = (selector, name) =>
        [...document.querySelectorAll(selector)].map(part => getComputedStyle(part)[name]).filter(seen).map(against);
    const figure = '.st-key-presented-figure .rope-chart';
    return {
        words: Math.min(...all(':is(.st-key-slide, .st-key-presented-sentence) :is(p, p *)', 'color')),
        labels: Math.min(...all(`${figure} :is(.xtick text, .ytick text, .legendtext, .xtitle, .ytitle)`, 'fill')),
        grid: Math.min(...all(`${figure} .gridlayer path`, 'stroke')),
    };
}
"""


@pytest.mark.parametrize("page", [page for page in LESSONS if steps_of(page)])
def test_a_page_is_played_from_question_to_answer(ada: Visitor, page: str) -> None:
    ada.open(f"/{page}" if page != "start" else "/")
    ada.page.locator(".st-key-steps-row").get_by_role("radio", name="1").click()
    for number, step in enumerate(steps_of(page), 1):
        ada.wait_for_address(step=f"{number}-question")
        figure = ada.settled()
        box = ada.page.locator(".st-key-question")
        assert step.question in box.inner_text()
        if step.guess:
            box.get_by_role("spinbutton").fill(f"{step.guess.value}")
            box.get_by_role("spinbutton").press("Enter")
        else:
            box.get_by_text(step.options[step.right], exact=True).click()
        ada.page.get_by_role("button", name="Commit").click()
        figure = ada.changed(figure)
        ada.wait_for_address(step=f"{number}-answer")
        assert step.sentence.replace("`", "") in box.inner_text()
        if number < len(steps_of(page)):
            ada.page.get_by_role("button", name="Next").click()
    ada.wait_for_address(done=f"{page}-{'123456789'[:number]}")
    link = ada.page.url
    assert ada.open(link) == figure
    ada.page.get_by_role("button", name="Explore from here").click()
    ada.wait_for_address(step=None)
    assert ada.settled() == figure


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_a_page_is_presented_by_keys_alone(visitor, width: int, height: int) -> None:
    teacher = visitor(width=width, height=height)
    teacher.open("/?present=1")
    keys = teacher.page.keyboard
    expect(teacher.page.get_by_test_id("stSidebar")).to_be_hidden()
    for number, step in enumerate(steps_of("start"), 1):
        for stage, key in (("question", "ArrowRight"), ("answer", "PageDown")):
            keys.press(key)
            teacher.wait_for_address(step=f"{number}-{stage}", present="1")
            teacher.settled()
            assert step.question in teacher.page.locator(".st-key-slide").inner_text()
            told = teacher.shown(".st-key-presented-sentence")
            assert told == ([step.sentence.replace("`", "")] if stage == "answer" else [])
            assert not teacher.shown("[data-testid=stSidebar], [data-testid=stHeader], .st-key-behind, .rope-slider")
            assert not teacher.shown(".st-key-steps-row, .st-key-share")
            teacher.page.wait_for_function(f"({OVERLAPS})().fits")
            look = teacher.measure(OVERLAPS)
            assert look["inside"], (step.id, look)
            assert look["wide"], (step.id, look)
            assert look["chart"] >= height / 3
            assert not look["cut"]
    keys.press("ArrowRight")  # nothing follows the last answer
    keys.press("PageUp")
    keys.press("ArrowLeft")
    teacher.wait_for_address(step=f"{len(steps_of('start')) - 1}-answer")
    keys.press("Escape")
    teacher.wait_for_address(present=None)
    teacher.page.locator(".st-key-steps-row").wait_for()
    assert teacher.shown("[data-testid=stSidebar]")


def test_what_is_presented_stands_out_in_both_themes(ada: Visitor) -> None:
    for scheme, ground in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(0, 0, 0)")):
        ada.page.emulate_media(color_scheme=scheme)
        ada.open("/decay?present=1&step=1-answer")
        ada.page.wait_for_function(f"({CONTRAST})().labels >= 15")
        assert ada.measure("getComputedStyle(document.querySelector('.stApp')).backgroundColor") == ground
        contrast = ada.measure(CONTRAST)
        assert min(contrast["words"], contrast["labels"]) >= 15, (scheme, contrast)
        assert contrast["grid"] >= 3, (scheme, contrast)


@pytest.mark.parametrize(("width", "height"), [(1280, 860), (1024, 768)])
def test_no_page_is_presented_with_its_figure_cut_off(visitor, width: int, height: int) -> None:
    teacher = visitor(width=width, height=height)
    for page in LESSONS:
        for step in ("", "&step=1-answer") if steps_of(page) else ("",):
            teacher.open(f"/{'' if page == 'start' else page}?present=1{step}")
            teacher.page.wait_for_function(f"({OVERLAPS})().fits")
            look = teacher.measure(OVERLAPS)
            assert not look["cut"], (page, step, look)
            assert look["inside"], (page, step, look)
            assert look["chart"] >= height / 3, (page, step, look)
