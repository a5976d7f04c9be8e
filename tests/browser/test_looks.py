"""What is drawn can be read: every view, on both grounds and on a telephone, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest

from lessons.registry import PAGES
from parameters import PARAMETERS, parameters_of
from parameters.types import Choice
from tests.browser.stage import PATHS, Visitor

SAMPLE = ("start", "attention", "extension")
"""Clock hands, a heat map, lines with many marks; make test-all looks at all pages."""
LOOKED_AT = [pytest.param(page, marks=() if page in SAMPLE else pytest.mark.exhaustive) for page in PATHS]

# Every visible text, line, point, bar and button of the figure, and the ground it lies on, as the browser computed them. What takes its
# colour from a scale of values is left out: there the middle is nothing, and the ground shows.
COLOURS = """(() => {
    const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
    const ground = parse(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor).slice(0, 3);
    const found = [];
    const faintness = part => part.matches('.rope-figure') ? 1 : +getComputedStyle(part).opacity * faintness(part.parentElement);
    const seen = (part, colour, opacity) => {
        const [r, g, b, alpha = 1] = parse(colour), solid = alpha * opacity * faintness(part);
        if (!colour.startsWith('rgb') || solid === 0) return [];
        return [[r, g, b].map((channel, index) => solid * channel + (1 - solid) * ground[index])];
    };
    const note = (kind, name, colours) => colours.length && found.push({kind, name, ground, colours});
    const plot = document.querySelector('.rope-figure');
    for (const text of plot.querySelectorAll('text')) {
        if (!text.textContent.trim() || !text.getBoundingClientRect().width || text.closest('.modebar, .hoverlayer')) continue;
        const style = getComputedStyle(text);
        note('text', text.textContent, seen(text, style.fill, +style.fillOpacity));
    }
    for (const line of plot.querySelectorAll('.trace path.js-line, .shapelayer path')) {
        const style = getComputedStyle(line);
        const name = line.parentNode.parentNode.className.baseVal;
        if (parseFloat(style.strokeWidth)) note('line', name, seen(line, style.stroke, +style.strokeOpacity));
    }
    for (const mark of plot.querySelectorAll('.trace .points path.point, .barlayer .point path')) {
        const style = getComputedStyle(mark), {trace} = mark.closest('.trace').__data__[0];
        if (typeof trace.marker?.color?.[0] === 'number') continue;
        const edge = parseFloat(style.strokeWidth) ? seen(mark, style.stroke, +style.strokeOpacity) : [];
        note('mark', trace.name, [...seen(mark, style.fill, +style.fillOpacity), ...edge]);
    }
    for (const icon of plot.querySelectorAll('.modebar-btn path')) {
        const style = getComputedStyle(icon);
        note('icon', icon.closest('button').ariaLabel, seen(icon.parentNode, style.fill, +style.fillOpacity));
    }
    return found;
})()"""
GROUNDS: dict[Literal["dark", "light"], str] = {"dark": "rgb(23, 22, 20)", "light": "rgb(255, 255, 255)"}
NEEDED = {"text": 4.5, "line": 3, "mark": 3, "icon": 3}

# How the entries of the legend differ for someone who sees no colours: sizes count where one is about twice the other, and bars with a base
# stand in rows that the axis names.
ENTRIES = """document.querySelector('.rope-figure')._fullData
    .filter(trace => trace.name && trace.showlegend && trace.visible === true && ['scatter', 'bar'].includes(trace.type))
    .map(({type, mode, line, marker, fill, text, base}) => {
        const octave = size => Number.isFinite(size) && Math.round(Math.log2(size));
        const lines = mode?.includes('lines') && [line.dash, octave(line.width)];
        const marks = mode?.includes('markers') && [marker.symbol, octave(marker.size)];
        return JSON.stringify([type, lines, marks, marker?.pattern?.shape, fill, text, base]);
    })"""

# Titles of axes under the legend, or over it.
TITLES = """(() => {
    const legend = document.querySelector('.rope-figure .legend')?.getBoundingClientRect();
    const hit = box => legend?.width && box.width && box.left < legend.right && legend.left < box.right
        && box.top < legend.bottom - 1 && legend.top < box.bottom - 1;
    return [...document.querySelectorAll('.rope-figure .infolayer [class*=title]')].filter(part => hit(part.getBoundingClientRect()))
        .map(part => part.textContent);
})()"""
WIDTHS = """(() => {
    const main = document.querySelector('[data-testid=stMain]');
    const wide = [...main.querySelectorAll('h1, p, li, .rope-figure, [data-testid=stElementContainer]')]
        .filter(part => part.getBoundingClientRect().height && part.getBoundingClientRect().right > innerWidth + 1)
        .filter(part => !part.closest('pre, [data-testid=stCode], [data-testid=stTable]'))  // these scroll by themselves
        .map(part => part.className + ': ' + part.textContent.slice(0, 60));
    const formulas = [...main.querySelectorAll('.katex-html .base')].filter(part => part.getBoundingClientRect().right > innerWidth)
        .map(part => part.textContent);
    const [bar, legend] = ['.modebar', '.legend'].map(name => main.querySelector(`.rope-figure ${name}`)?.getBoundingClientRect());
    const covered = Boolean(bar?.width && legend?.width) && bar.bottom > legend.top && bar.left < legend.right;
    const axes = [...main.querySelectorAll('.rope-figure .bglayer')].map(part => part.getBoundingClientRect().bottom);
    const above = Boolean(legend?.width) && legend.top < Math.max(...axes);
    const {scrollWidth, clientWidth} = main;
    return {wide, formulas, covered, above, document: document.documentElement.scrollWidth, main: scrollWidth, inside: clientWidth,
            window: innerWidth};
})()"""

# Everything that a reader sees or hears as words: neither code nor formulas, whose TeX has braces of its own, nor Streamlit's header.
WORDS = """(() => {
    const page = document.querySelector('[data-testid=stApp]').cloneNode(true);
    const foreign = '.katex, pre, code, header, [data-testid=stIconMaterial], [data-testid=stSelectbox]';
    page.querySelectorAll(foreign).forEach(part => part.remove());
    return [...page.querySelectorAll('p, li, h1, h2, h3, label, text')].map(part => part.textContent).concat(stage.alt());
})()"""
# Words that Chinese texts write as they are.
NAMES = {
    *str(PARAMETERS["attention_words"].default).split(),
    # Models, methods, and keys of their configs.
    *("Apertus", "CodeLlama", "DeepSeek", "EXAONE", "Gemma", "InternLM", "Kimi", "LLaMA", "MiniCPM", "Mistral", "Olmo", "Qwen", "mini"),
    *("LongRoPE", "YaRN", "aware", "parts", "transformers", "JSON", "json", "config", "Markdown", "HTML", "Jupyter"),
    *("attention", "embeddings", "factor", "freq", "full", "high", "original", "position", "sliding"),
    "info",  # the name of an icon
    "softmax",
    "flatten",
    "RoPE",
    "RoFormer",
    "PyTorch",
    "English",
    "Language",
    "float",
    "token",
    "half",
    "interleaved",
    "ALiBi",
    "arXiv",
    "Llama",
}


def views(reader: Visitor, page: str, lang: str = "en") -> Iterator[str]:
    """Go to one view of a page after the other."""
    spec = parameters_of(page)[PAGES[page].choice]
    assert isinstance(spec, Choice)
    for code in spec.options:
        reader.turn(f"{PATHS[page]}?lang={lang}&{PAGES[page].choice}={code}")
        yield code


def luminance(colour: list[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (channel / 255 for channel in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[float], other: list[float]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def faint(reader: Visitor) -> list[tuple[str, dict[str, Any]]]:
    """Return what stands out too little, on both grounds; of fill and edge of a mark the one that is seen better counts."""
    found = []
    for scheme, ground in GROUNDS.items():
        reader.page.emulate_media(color_scheme=scheme)
        reader.until("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === arg", ground)
        reader.settled()
        parts = reader.measure(COLOURS)
        assert "text" in {part["kind"] for part in parts}
        seen = [(max(contrast(colour, part["ground"]) for colour in part["colours"]), part) for part in parts]
        found += [(scheme, part) for degree, part in seen if degree < NEEDED[part["kind"]]]
    return found


@pytest.mark.parametrize("page", LOOKED_AT)
def test_every_view_can_be_read_on_both_grounds_and_without_colours(ada: Visitor, page: str) -> None:
    for code in views(ada, page):
        assert faint(ada) == [], code
        entries = ada.measure(ENTRIES)
        assert ada.measure(TITLES) == [], f"the legend lies on titles: {code}"
        assert len(set(entries)) == len(entries), f"only colour tells entries of the legend apart: {code}"
    ada.page.emulate_media(color_scheme="light")


@pytest.mark.parametrize(("page", "a"), [("frequencies", "base%3D500000"), ("pair", "m%3D3")])
def test_a_pinned_setting_can_be_read_on_both_grounds_and_fits_a_telephone(phone: Visitor, page: str, a: str) -> None:
    phone.turn(f"/{page}?lang=en&pin={page}%3A{a}")
    widths = phone.measure(WIDTHS)
    assert widths["main"] <= widths["inside"]
    assert not widths["wide"]
    assert phone.shown(".rope-compared table")
    assert any(part["name"].startswith("A: ") for part in phone.measure(COLOURS))
    assert faint(phone) == []


@pytest.mark.parametrize("lang", ["zh-CN", pytest.param("en", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("page", LOOKED_AT)
def test_every_view_fits_a_telephone_and_speaks_one_clean_language(phone: Visitor, page: str, lang: str) -> None:
    for code in views(phone, page, lang):
        widths = phone.measure(WIDTHS)
        assert widths["document"] <= widths["window"] == 375, code
        assert widths["main"] <= widths["inside"], code
        assert not widths["wide"], code
        assert not widths["formulas"], code
        assert phone.measure(TITLES) == [], f"the legend lies on titles: {code}"
        assert not widths["covered"], f"the buttons of the figure lie on its legend: {code}"
        assert not widths["above"], f"the legend stands above the figure: {code}"
        assert phone.page.locator(".rope-figure .trace path, .rope-figure .barlayer path, .rope-figure .hm image").count() > 0
        assert phone.page.locator(".katex").count() > 0
        assert phone.page.locator(".katex-error, [data-testid=stException], [data-testid=stAlertContentError]").count() == 0
        words = phone.measure(WORDS)
        assert not [text for text in words if re.search(r"[{}$\\]|undefined|NaN", text)], code
        if lang == "zh-CN" and page != "glossary":  # which has every term in both languages
            assert not [text for text in words if set(re.findall(r"[A-Za-z]{4,}", text)) - NAMES], code


def test_on_a_telephone_the_sidebar_is_closed_and_opens(phone: Visitor) -> None:
    phone.open("/pair?lang=en")
    right = "document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right"
    assert phone.measure(right) <= 0
    phone.page.get_by_test_id("stExpandSidebarButton").tap()
    phone.until(f"{right} > 200")
    phone.go("Distance decay")
    assert phone.address() == {"lang": "en"}
    phone.until(f"{right} <= 0")


def test_a_scroll_that_begins_on_a_figure_moves_the_page_and_nothing_in_the_figure(phone: Visitor) -> None:
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    figure = phone.turn("/decay?lang=en")
    phone.page.locator(".rope-figure").first.scroll_into_view_if_needed()
    box, before = phone.page.locator(".rope-figure").first.bounding_box(), phone.measure(scrolled)
    assert box is not None
    x, y = box["x"] + box["width"] / 2, min(box["y"] + box["height"] / 2, 500)
    finger = phone.context.new_cdp_session(phone.page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(10, 210, 10):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - moved}]})
        phone.page.wait_for_timeout(16)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.until(f"{scrolled} > arg + 80", before)
    assert phone.figure() == figure


def test_a_finger_opens_the_help_and_has_room_on_slider_and_button(phone: Visitor) -> None:
    phone.open("/?lang=en")
    number = phone.number("position")
    for part in (".rope-range", ".rope-value", ".rope-play"):
        assert number.locator(part).evaluate("part => part.getBoundingClientRect().height") >= 40, part
    ask, help = number.locator(".rope-ask"), number.locator(".rope-help")
    ask.scroll_into_view_if_needed()
    x, y = ask.evaluate("part => (box => [box.x + box.width / 2, box.y + box.height / 2])(part.getBoundingClientRect())")
    for place in ([x, y - 19], [x + 19, y]):
        assert phone.measure("Boolean(document.elementFromPoint(...arg)?.closest('.rope-ask'))", place)
    ask.tap()
    help.wait_for()
    left, right = help.evaluate("part => (box => [box.left, box.right])(part.getBoundingClientRect())")
    assert 0 <= left < right <= 375
    ask.tap()
    help.wait_for(state="hidden")
