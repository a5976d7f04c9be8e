"""What keeps its shape and its place: circles at every width, the plot while a number is dragged, the figure that a reader asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.browser.stage import Visitor

# Of a figure: how long a unit across is beside one upwards, and the share of the height that something takes.
CIRCLE = """(() => {
    const box = document.querySelector('.rope-figure');
    const {xaxis, yaxis, height} = box._fullLayout;
    const used = [...box.querySelectorAll('.scatterlayer, .shapelayer, .annotation, .legend')].map((part) => part.getBoundingClientRect());
    const parts = used.filter(({height}) => height);
    const share = (Math.max(...parts.map(({bottom}) => bottom)) - Math.min(...parts.map(({top}) => top))) / height;
    const unit = (axis) => axis._length / Math.abs(axis.range[1] - axis.range[0]);
    return {unit: unit(xaxis) / unit(yaxis), share};
})()"""
LINKS = ("/?lang=en&start_view=two", "/pair?lang=en&pair_view=positions", "/pair?lang=en")


@pytest.mark.parametrize("width", [320, 375, 641, 1024, 1280, 1920])
def test_circles_are_round_and_fill_the_figure_at_every_width(visitor: Callable[..., Visitor], width: int) -> None:
    reader = visitor(reduced_motion="reduce", width=width, height=800)
    for link in LINKS:
        reader.open(link)
        circle = reader.measure(CIRCLE)
        assert circle["unit"] == pytest.approx(1, abs=0.01), link
        assert circle["share"] > 0.75, link


@pytest.mark.parametrize("width", [375, 1280])
def test_circles_are_round_in_a_picture(visitor: Callable[..., Visitor], width: int) -> None:
    reader = visitor(reduced_motion="reduce", width=width, height=800)
    for link in LINKS[:2]:
        reader.open(link)
        with reader.page.expect_download() as download:
            reader.measure("document.querySelector('.rope-figure [data-title*=SVG]').click()")
        (first, *_) = re.findall(r'class="js-line" d="(M[^"]*?)[MZ"]', Path(download.value.path()).read_text())
        points = [tuple(map(float, point.split(","))) for point in re.findall(r"[-\d.]+,[-\d.]+", first)]
        across, up = (max(places) - min(places) for places in zip(*points, strict=True))
        assert across == pytest.approx(up, rel=0.02), link


def test_after_a_setting_to_try_the_figure_is_in_view(visitor: Callable[..., Visitor]) -> None:
    reader = visitor(reduced_motion="reduce", width=375, height=700)
    reader.open("/pair?lang=en")
    reader.page.locator(".rope-more").click()
    before = reader.figure()
    button = reader.page.locator(".st-key-try button").first
    button.scroll_into_view_if_needed()
    assert reader.measure("document.querySelector('.rope-figure').getBoundingClientRect().top") < 0
    button.click()
    reader.changed(before)
    reader.until(
        "(() => { const {top, bottom} = document.querySelector('.rope-figure').getBoundingClientRect();"
        "return top >= 0 && bottom <= innerHeight; })()"
    )


@pytest.mark.parametrize(
    ("link", "name"), [("/decay?lang=en", "reach"), ("/attention?lang=en&alike=random", "tokens_seen"), ("/?lang=en", "base")]
)
def test_nothing_shrinks_while_a_number_is_dragged(visitor: Callable[..., Visitor], link: str, name: str) -> None:
    reader = visitor(reduced_motion="reduce")
    reader.open(link)
    reader.measure(
        """(() => { window.sizes = []; document.addEventListener('rope-drawn', () => {
        const {l, r, t, b} = document.querySelector('.rope-figure')._fullLayout._size;
        if (document.querySelector('.rope-live').ropeView.dragged) sizes.push([l, r, t, b]); }); return 0; })()"""
    )
    reader.drag(name, 0.2, 0.5, 0.9, 0.4, 0.1)
    sizes = reader.measure("sizes")
    assert len(sizes) > 1
    for earlier, later in pairwise(sizes):
        assert all(after >= before - 0.5 for before, after in zip(earlier, later, strict=True)), (earlier, later)
