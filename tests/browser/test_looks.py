"""What is drawn can be read: on both grounds, and on a telephone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from tests.browser.stage import VIEWS, Visitor

# Every visible text, line, point, bar and button of the figure, and the ground it lies on, as the browser computed them. What takes its
# colour from a scale of values is left out: there the middle is nothing, and the ground shows.
COLOURS = """() => {
    const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
    const ground = parse(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor).slice(0, 3);
    const found = [];
    const faintness = part => part.matches('.js-plotly-plot') ? 1 : +getComputedStyle(part).opacity * faintness(part.parentElement);
    const seen = (part, colour, opacity, under = ground) => {
        const [r, g, b, alpha = 1] = parse(colour), solid = alpha * opacity * faintness(part);
        if (!colour.startsWith('rgb') || solid === 0) return [];
        return [[r, g, b].map((channel, index) => solid * channel + (1 - solid) * under[index])];
    };
    const note = (kind, name, colours, under = ground) => colours.length && found.push({kind, name, ground: under, colours});
    const plot = document.querySelector('.js-plotly-plot');
    for (const text of plot.querySelectorAll('text')) {
        if (!text.textContent.trim() || !text.getBoundingClientRect().width || text.closest('.modebar, .hoverlayer')) continue;
        const style = getComputedStyle(text);
        const rect = text.closest('.updatemenu-button')?.querySelector('rect');
        const button = rect && getComputedStyle(rect);
        const under = +button?.fillOpacity ? parse(button.fill).slice(0, 3) : ground;
        note('text', text.textContent, seen(text, style.fill, +style.fillOpacity, under), under);
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
}"""
GROUNDS: dict[Literal["dark", "light"], str] = {"dark": "rgb(23, 22, 20)", "light": "rgb(255, 255, 255)"}
NEEDED = {"text": 4.5, "line": 3, "mark": 3, "icon": 3}

# How the entries of the legend differ for someone who sees no colours: sizes count where one is about twice the other, and bars with a base
# stand in rows that the axis names.
ENTRIES = """() => document.querySelector('.js-plotly-plot')._fullData
    .filter(trace => trace.name && trace.showlegend && trace.visible === true && ['scatter', 'bar'].includes(trace.type))
    .map(({type, mode, line, marker, fill, text, base}) => {
        const octave = size => Number.isFinite(size) && Math.round(Math.log2(size));
        const lines = mode?.includes('lines') && [line.dash, octave(line.width)];
        const marks = mode?.includes('markers') && [marker.symbol, octave(marker.size)];
        return JSON.stringify([type, lines, marks, marker?.pattern?.shape, fill, text, base]);
    })"""

# The top of the title, of the first and the last control, of the figure and of the first sentence.
ORDER = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const box = part => part.getBoundingClientRect();
    const controls = [...main.querySelectorAll('[data-testid=stSlider], [data-testid=stButtonGroup], [data-testid=stNumberInput]')]
        .filter(part => box(part).height > 0);
    return [main.querySelector('h1'), controls[0], controls.at(-1), main.querySelector('.js-plotly-plot'), main.querySelector('li')]
        .map(part => box(part).top);
}"""
# Titles of axes under the legend, or over it.
TITLES = """() => {
    const legend = document.querySelector('.js-plotly-plot .legend')?.getBoundingClientRect();
    const hit = box => legend?.width && box.width && box.left < legend.right && legend.left < box.right
        && box.top < legend.bottom - 1 && legend.top < box.bottom - 1;
    return [...document.querySelectorAll('.js-plotly-plot .infolayer [class*=title]')].filter(part => hit(part.getBoundingClientRect()))
        .map(part => part.textContent);
}"""
WIDTHS = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const wide = [...main.querySelectorAll('h1, p, li, .rope-chart, [data-testid=stElementContainer]')]
        .filter(part => part.getBoundingClientRect().height && part.getBoundingClientRect().right > innerWidth + 1)
        .filter(part => !part.closest('pre, [data-testid=stCode], [data-testid=stTable]'))  // these scroll by themselves
        .map(part => part.className + ': ' + part.textContent.slice(0, 60));
    const formulas = [...main.querySelectorAll('.katex-html .base')].filter(part => part.getBoundingClientRect().right > innerWidth)
        .map(part => part.textContent);
    const [bar, legend] = ['.modebar', '.legend'].map(name => main.querySelector(`.js-plotly-plot ${name}`)?.getBoundingClientRect());
    const covered = Boolean(bar?.width && legend?.width) && bar.bottom > legend.top && bar.left < legend.right;
    const axes = [...main.querySelectorAll('.js-plotly-plot .bglayer')].map(part => part.getBoundingClientRect().bottom);
    const above = Boolean(legend?.width) && legend.top < Math.max(...axes) && !main.querySelector('.updatemenu-button');
    const {scrollWidth, clientWidth} = main;
    return {wide, formulas, covered, above, document: document.documentElement.scrollWidth, main: scrollWidth, inside: clientWidth,
            window: innerWidth};
}"""


def _luminance(colour: list[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (channel / 255 for channel in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: list[float], other: list[float]) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _visibility(part: dict[str, Any]) -> float:
    """Give the contrast of a part; of fill and edge the one that is seen better counts."""
    return max(_contrast(colour, part["ground"]) for colour in part["colours"])


def _choose_ground(reader: Visitor, scheme: Literal["dark", "light"]) -> None:
    reader.page.emulate_media(color_scheme=scheme)
    ground = "ground => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === ground"
    reader.page.wait_for_function(ground, arg=GROUNDS[scheme])


@pytest.mark.parametrize("name", VIEWS)
def test_a_change_of_theme_keeps_the_figure_and_it_can_be_read_on_both_grounds(ada: Visitor, name: str) -> None:
    choice, codes = VIEWS[name]
    figure, faint = ada.open(f"/{'' if name == 'start' else name}"), []
    for index, code in enumerate(codes):
        if index:
            ada.view(choice, index).click()
            figure = ada.changed(figure)
        for scheme in GROUNDS:
            _choose_ground(ada, scheme)
            assert ada.settled() == figure
            parts = ada.measure(COLOURS)
            kinds = {part["kind"] for part in parts}
            assert "text" in kinds
            assert "line" in kinds or code == "spectrum" or name not in ("start", "pair", "decay")  # others draw points and maps too
            faint += [(code, scheme, part) for part in parts if _visibility(part) < NEEDED[part["kind"]]]
        entries = ada.measure(ENTRIES)
        assert ada.measure(TITLES) == [], f"the legend lies on titles: {code}"
        assert len(set(entries)) == len(entries), f"only colour tells entries of the legend apart: {code}"
    assert not faint


@pytest.mark.parametrize("name", VIEWS)
def test_on_a_telephone_everything_stands_in_one_column_and_in_order(visitor: Callable[..., Visitor], name: str) -> None:
    reader = visitor(width=375, height=667, has_touch=True, is_mobile=True, device_scale_factor=2)
    choice, codes = VIEWS[name]
    for lang in ("en", "zh-CN"):
        figure = reader.open(f"/{'' if name == 'start' else name}?lang={lang}")
        for index in range(len(codes)):
            if index:
                reader.view(choice, index).tap()
                figure = reader.changed(figure)
            widths = reader.measure(WIDTHS)
            assert widths["document"] <= widths["window"] == 375
            assert widths["main"] <= widths["inside"]
            assert not widths["wide"]
            assert not widths["formulas"]
            assert reader.measure(TITLES) == [], f"the legend lies on titles: {codes[index]}"
            assert not widths["covered"], f"the buttons of the figure lie on its legend: {codes[index]}"
            assert not widths["above"], f"the legend stands above the figure: {codes[index]}"
            order = reader.measure(ORDER)
            assert order == sorted(order)
            assert reader.page.locator(".js-plotly-plot").bounding_box()["width"] > 300


# Pages with lines, marks, bars and words of A; what the link pins is not what the page shows.
PINNED = {"frequencies": "pin=frequencies%3Abase%3D500000", "pair": "pin=pair%3Am%3D3"}


@pytest.mark.parametrize("page", PINNED)
def test_a_pinned_setting_can_be_read_on_both_grounds_and_fits_a_telephone(visitor: Callable[..., Visitor], page: str) -> None:
    reader, faint = visitor(width=375, height=667, has_touch=True, is_mobile=True), []
    reader.open(f"/{page}?{PINNED[page]}")
    widths = reader.measure(WIDTHS)
    assert widths["main"] <= widths["inside"]
    assert not widths["wide"]
    assert reader.measure("[...document.querySelectorAll('[data-testid=stMain] table')].some(part => part.offsetWidth > 0)")
    for scheme in GROUNDS:
        _choose_ground(reader, scheme)
        reader.settled()
        parts = reader.measure(COLOURS)
        assert any(part["name"].startswith("A: ") for part in parts)
        faint += [(scheme, part) for part in parts if _visibility(part) < NEEDED[part["kind"]]]
    assert not faint


def test_on_a_tablet_nothing_has_to_be_scrolled_sideways(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(width=768, height=1024, has_touch=True, is_mobile=True)
    for index, name in enumerate(VIEWS):
        reader.open(f"/{'' if name == 'start' else name}?lang={('en', 'zh-CN')[index % 2]}")
        widths = reader.measure(WIDTHS)
        assert widths["document"] <= widths["window"] == 768
        assert widths["main"] <= widths["inside"]
        assert not widths["wide"]


def test_on_a_telephone_the_sidebar_is_closed_and_opens(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(width=375, height=667, has_touch=True, is_mobile=True)
    figure = reader.open("/pair?base=500000")
    right_edge = "document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right"
    assert reader.measure(right_edge) <= 0
    reader.page.get_by_test_id("stExpandSidebarButton").tap()
    reader.page.wait_for_function(f"{right_edge} > 250")
    reader.wait_for_boxes(base="500000")
    reader.set_box("base", "300")
    reader.changed(figure)
