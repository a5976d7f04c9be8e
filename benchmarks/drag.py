"""How often a page's figure is drawn anew while its slider is dragged in Chromium, beside a bare live chart."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field

from playwright.sync_api import Page, sync_playwright

from benchmarks.paint import BROWSERS, FLAGS
from benchmarks.report import Goal, Spread, Table, ratios
from benchmarks.servers import APP, BARE_LIVE, served
from lessons.registry import LESSONS

ROUNDS, SECONDS = 3, 3.0
WHY = (
    "Headless Chromium draws without a graphics card, on the cores that also serve: figures with many traces, labels or cells take it "
    "longer than one line."
)
WATCH = "() => { window.drawn = 0; document.addEventListener('rope-drawn', () => { window.drawn += 1; }); }"
FIGURE = """() => JSON.stringify(document.querySelector('.rope-chart').data,
    (key, value) => key.startsWith('_') ? undefined : ArrayBuffer.isView(value) ? Array.from(value) : value)"""
VALUE = "() => document.querySelector('.rope-slider input').getAttribute('aria-valuetext')"
IDLE = (
    "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning' && !!document.querySelector('.main-svg')"
)
HEATMAP = "() => document.querySelector('.rope-chart').data.some(trace => trace.type === 'heatmap')"


@dataclass
class Drags:
    """Drawings a second of a page and of the bare one; whether the value at release was drawn, each time."""

    page: str
    heatmap: bool = False
    rates: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    settled: list[bool] = field(default_factory=list)


def drag(page: Page, seconds: float = SECONDS) -> float:
    """Pull the live slider from end to end, and give the drawings a second."""
    page.evaluate(WATCH)
    slider = page.locator(".rope-slider input").first
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    left, width, height = box["x"] + 8, box["width"] - 16, box["y"] + box["height"] / 2
    page.mouse.move(left, height)
    page.mouse.down()
    begin = time.perf_counter()
    while (share := (time.perf_counter() - begin) / seconds) < 1:
        page.mouse.move(left + share * width, height)
        time.sleep(0.008)
    drawn = page.evaluate("window.drawn")
    page.mouse.up()
    return drawn / seconds


def is_settled(page: Page) -> bool:
    """Whether slider and figure that stand after the release are those of the address, which carries the value."""
    released = page.evaluate(VALUE)
    page.wait_for_timeout(1500)
    page.wait_for_function(IDLE)
    before = page.evaluate(FIGURE)
    page.reload()
    page.wait_for_function(IDLE)
    page.wait_for_timeout(500)
    return (released, before) == (page.evaluate(VALUE), page.evaluate(FIGURE))


def measure(rounds: int = ROUNDS) -> list[Table]:
    """Drag on every page, and on the bare one in between."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    found = []
    with served(APP) as app, served(BARE_LIVE) as bare, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in LESSONS:
            drags = Drags(name)
            for _ in range(rounds):
                drags.rates.append(_visit(browser.new_page(), f"{app.url}/{name if name != 'start' else ''}", drags))
                drags.bare.append(_visit(browser.new_page(), bare.url))
            found.append(drags)
        browser.close()
    return [table(found)]


def _visit(page: Page, url: str, drags: Drags | None = None) -> float:
    page.set_default_timeout(30_000)
    page.set_viewport_size({"width": 1280, "height": 860})
    page.goto(url)
    page.wait_for_function(IDLE)
    rate = drag(page)
    if drags:
        drags.heatmap = page.evaluate(HEATMAP)
        drags.settled.append(is_settled(page))
    page.close()
    return rate


def table(found: list[Drags]) -> Table:
    """Write what was found, and judge it."""
    rows, goals = [], []
    for drags in found:
        share = ratios(drags.rates, drags.bare)
        rows.append((drags.page, Spread.of(drags.rates).text(), Spread.of(drags.bare).text(), share.text(), f"{sum(drags.settled)}"))
        if drags.heatmap:
            goals.append(Goal(f"{drags.page}, a heat map: drawings a second", Spread.of(drags.rates).middle, 5, at_least=True, why=WHY))
        else:
            goals.append(Goal(f"{drags.page}: drawings beside a bare live chart", share.middle, 0.7, at_least=True, why=WHY))
        goals.append(Goal(f"{drags.page}: releases that drew another value", len(drags.settled) - sum(drags.settled), 0))
    columns = ("page", "drawings a second", "bare live chart", "ratio", f"of {len(found[0].settled)} releases drawn")
    return Table("Drag in Chromium", columns, tuple(rows), "Headless, on the cores that serve it.", tuple(goals))
