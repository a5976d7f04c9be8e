"""What is drawn can be read: on both grounds, and on a telephone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.stage import VIEWS, Visitor

# Every visible text and line of the figure, and the ground it lies on, as the browser computed them.
COLOURS = """() => {
    const parse = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
    const ground = parse(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor).slice(0, 3);
    const found = [];
    const note = (kind, name, colour, opacity, under) => {
        const [r, g, b, alpha = 1] = parse(colour);
        const solid = alpha * opacity;
        if (!colour.startsWith('rgb') || solid === 0) return;
        found.push({kind, name, ground: under, colour: [r, g, b].map((channel, index) => solid * channel + (1 - solid) * under[index])});
    };
    for (const text of document.querySelectorAll('.js-plotly-plot text')) {
        if (!text.textContent.trim() || !text.getBoundingClientRect().width || text.closest('.modebar, .hoverlayer')) continue;
        const style = getComputedStyle(text);
        const rect = text.closest('.updatemenu-button')?.querySelector('rect');
        const button = rect && getComputedStyle(rect);
        note('text', text.textContent, style.fill, +style.fillOpacity, +button?.fillOpacity ? parse(button.fill).slice(0, 3) : ground);
    }
    for (const line of document.querySelectorAll('.js-plotly-plot .trace path.js-line')) {
        const style = getComputedStyle(line);
        note('line', line.parentNode.parentNode.className.baseVal, style.stroke, +style.strokeOpacity, ground);
    }
    return found;
}"""

# The top of the title, of the first and the last control, of the figure and of the first sentence.
ORDER = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const box = part => part.getBoundingClientRect();
    const controls = [...main.querySelectorAll('[data-testid=stSlider], [data-testid=stButtonGroup], [data-testid=stNumberInput]')]
        .filter(part => box(part).height > 0);
    return [main.querySelector('h1'), controls[0], controls.at(-1), main.querySelector('.js-plotly-plot'), main.querySelector('li')]
        .map(part => box(part).top);
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
    return {wide, formulas, covered, document: document.documentElement.scrollWidth, main: main.scrollWidth, inside: main.clientWidth,
            window: innerWidth};
}"""


def _luminance(colour: list[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (channel / 255 for channel in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: list[float], other: list[float]) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", VIEWS)
def test_a_change_of_theme_keeps_the_figure_and_it_can_be_read_on_both_grounds(ada: Visitor, name: str) -> None:
    choice, codes = VIEWS[name]
    figure, faint = ada.open(f"/{'' if name == 'start' else name}"), []
    for index, code in enumerate(codes):
        if index:
            ada.view(choice, index).click()
            figure = ada.changed(figure)
        for scheme, ground in (("dark", "rgb(23, 22, 20)"), ("light", "rgb(255, 255, 255)")):
            ada.page.emulate_media(color_scheme=scheme)
            ada.page.wait_for_function(
                "ground => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === ground", arg=ground
            )
            assert ada.settled() == figure
            parts = ada.measure(COLOURS)
            kinds = {part["kind"] for part in parts}
            assert "text" in kinds
            assert "line" in kinds or code == "spectrum" or name not in ("start", "pair", "decay")  # others draw points and maps too
            faint += [(code, scheme, part) for part in parts if _contrast(part["colour"], part["ground"]) < 3]
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
            assert not widths["covered"], f"the buttons of the figure lie on its legend: {codes[index]}"
            order = reader.measure(ORDER)
            assert order == sorted(order)
            assert reader.page.locator(".js-plotly-plot").bounding_box()["width"] > 300


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
