"""A setting is pinned by a hand, the live slider moves on, and the link brings both to somebody else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.browser.stage import Visitor

ZOOM = "() => document.querySelector('.js-plotly-plot')._fullLayout.yaxis.range"
HIDDEN = "() => document.querySelector('.js-plotly-plot')._fullData.filter(trace => trace.visible !== true).map(trace => trace.name)"


@pytest.fixture
def ada(visitor: Callable[..., Visitor]) -> Visitor:
    return visitor()


def names(figure: str) -> list[str]:
    return [trace["name"] for trace in json.loads(figure)[0]]


def pin(reader: Visitor, page: str) -> str:
    before = reader.figure()
    reader.page.locator(f".st-key-{page}-pin button:visible").click()
    return reader.changed(before)


def test_the_figure_holds_both_while_the_slider_moves_and_the_link_brings_both(ada: Visitor, visitor: Callable[..., Visitor]) -> None:
    ada.open("/decay?lang=en")
    both = ada.step(pin(ada, "decay"))
    assert names(both) == [f"{who}: {which} score in the bin" for who in "BA" for which in ("highest", "lowest")]
    high, _, pinned, _ = json.loads(both)[0]
    assert high["y"] != pinned["y"]
    ada.wait_for_address(pin="decay:")
    assert ada.shown("[data-testid=stMarkdown] table")
    assert "Base b" in " ".join(ada.shown("[data-testid=stMarkdown] p"))
    berta = visitor()
    assert berta.open(ada.page.url) == both


def test_pinning_leaves_zoom_and_hidden_traces_as_they_are(ada: Visitor) -> None:
    ada.open("/decay?lang=en")
    ada.page.evaluate("Plotly.relayout(document.querySelector('.js-plotly-plot'), {'yaxis.range[0]': -5, 'yaxis.range[1]': 50})")
    ada.page.locator(".rope-chart .legendtoggle").last.click()
    ada.page.wait_for_function(f"() => ({HIDDEN})().length === 1")
    (hidden,) = ada.measure(HIDDEN)
    pin(ada, "decay")
    assert ada.measure(ZOOM) == [-5, 50]
    assert ada.measure(HIDDEN) == [f"B: {hidden}"]


def test_cells_get_a_figure_of_their_difference(ada: Visitor) -> None:
    ada.open("/attention?lang=en")
    ada.page.locator(".st-key-attention-pin button:visible").click()
    charts = ada.page.locator(".js-plotly-plot")
    charts.nth(1).wait_for()
    ada.set_box("base", "500")
    ada.page.locator("[role=figure][aria-label*='B − A']").wait_for()
    ada.page.wait_for_function("document.querySelectorAll('.js-plotly-plot')[1]?._fullLayout.coloraxis?.cmax > 0")
    ends = ada.measure(
        "() => { const {cmin, cmax} = document.querySelectorAll('.js-plotly-plot')[1]._fullLayout.coloraxis; return [cmin, cmax]; }"
    )
    assert ends[0] == -ends[1] < 0


def test_let_go_takes_a_out_of_figure_and_link(ada: Visitor) -> None:
    alone = ada.open("/decay?lang=en")
    both = pin(ada, "decay")
    ada.page.locator(".st-key-decay-unpin button:visible").click()
    assert ada.changed(both) == alone
    ada.wait_for_address(pin=None)
