"""How long from an input event to the figure drawn in Chromium, beside a bare loop in the same page that draws the same figure."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Goal, Table, figures
from benchmarks.servers import BARE_PATH, BESIDE, served
from lessons.registry import PAGES

STEPS, WARM_UP = 80, 8
MOST_MEDIAN, MOST_P95 = 1.5, 2.5
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
LIVE = Path(__file__).resolve().parents[1] / "ui/live"
READY = (
    "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    " && document.querySelector('.rope-live')?.dataset.drawn > 0"
)
WHY = "Both loops draw with Plotly on the cores that serve; the app computes the view besides, writes the sentences and keeps the zoom."


@dataclass
class Drags:
    """Milliseconds from each input to its figure, and of the bare loop in between."""

    page: str
    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def ratio(self, share: float) -> float:
        """Compare the two at a share of the steps, such as 0.5 for the medians."""
        return quantile(self.ours, share) / quantile(self.bare, share)


def quantile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def chromium_path() -> str | None:
    """Return the browser on the PATH; None for the one that Playwright keeps."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def drag(page: Page, steps: int = STEPS) -> list[tuple[float, float]]:
    """Move the number under the figure from end to end, a step when the last is drawn, and run the bare loop after each."""
    page.wait_for_function(READY)
    reader = "".join((LIVE / name).read_text(encoding="utf-8") for name in ("number.js", "motion.js", "plot.js", "figure.js"))
    reader = reader.replace("export default function", "return read; function component")
    script = Path(__file__).with_name("drag.js").read_text(encoding="utf-8").replace("{bare}", BARE_PATH)
    page.evaluate(f"() => {{ window.bareRead = (() => {{ {reader} }})(); {script} }}")
    last = int(page.evaluate("() => Number(document.querySelector('.rope-live .rope-range').max)"))
    return [tuple(page.evaluate("index => window.bareStep(index)", step * last // steps)) for step in range(steps)]


def _visit(browser: Browser, url: str, name: str) -> Drags:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(60_000)
    page.goto(f"{url}/{name if name != next(iter(PAGES)) else ''}")
    ours, bare = zip(*drag(page, STEPS + WARM_UP)[WARM_UP:], strict=True)
    page.close()
    return Drags(name, list(ours), list(bare))


def measure() -> list[Table]:
    """Drag on every page."""
    with served(BESIDE) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        found = [_visit(browser, server.url, name) for name in PAGES]
        browser.close()
    return [table(found)]


def table(found: list[Drags]) -> Table:
    """Write what was found, and judge it."""
    rows, goals = [], []
    for drags in found:
        times = [figures(quantile(some, share)) for share in (0.5, 0.95) for some in (drags.ours, drags.bare)]
        rows.append((drags.page, *times, figures(drags.ratio(0.5)), figures(drags.ratio(0.95))))
        goals += [
            Goal(f"{drags.page}: input to figure drawn beside a bare loop, median", drags.ratio(0.5), MOST_MEDIAN, why=WHY),
            Goal(f"{drags.page}: input to figure drawn beside a bare loop, p95", drags.ratio(0.95), MOST_P95, why=WHY),
        ]
    columns = ("page", "median, ms", "bare loop, ms", "p95, ms", "bare loop, ms", "ratio of medians", "ratio of p95")
    note = (
        f"{STEPS} values of the number under the figure, from end to end, each when the last is drawn; none was asked for before. After "
        "each the bare loop fetches the ready bytes of the same figure and calls Plotly.react, in a box of the same size. Headless "
        "Chromium on the cores that serve it, 1280 x 800; a figure is drawn when the next frame begins."
    )
    return Table("Drag in Chromium", columns, tuple(rows), note, tuple(goals))
