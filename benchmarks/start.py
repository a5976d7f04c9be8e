"""How long until the first figure: from the start of the server, and in a browser that has seen nothing yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from benchmarks.client import visit
from benchmarks.drag import FLAGS, chromium_path
from benchmarks.report import Goal, Spread, Table, ratios
from benchmarks.servers import APP, BARE, Server, served

STARTS, VISITS = 5, 7
MOST = 1.4
WHOLE = "process start to the first whole page"
WHY = "Besides what the bare page imports, the app reads three languages and the configs of all models, which its first page lists."


def start(app: str) -> tuple[float, float, float]:
    """Start a server and return the seconds until it is healthy, until the first page is whole, and for the next one."""
    with served(app) as server:
        first, second = asyncio.run(_open(server)), asyncio.run(_open(server))
        return server.seconds, server.seconds + first, second


async def _open(server: Server) -> float:
    begin = time.perf_counter()
    async with visit(server.stream) as visitor:
        await visitor.open()
    return time.perf_counter() - begin


def cold(urls: dict[str, str], visits: int = VISITS) -> dict[str, list[float]]:
    """Open each address in a new browser context, in turn, and return the seconds until a figure is drawn."""
    from playwright.sync_api import sync_playwright

    seconds: dict[str, list[float]] = {name: [] for name in urls}
    with sync_playwright() as playwright:
        for visit_number in range(visits + 1):
            for name, url in urls.items():
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                begin = time.perf_counter()
                page.goto(url)
                page.wait_for_selector(".js-plotly-plot .main-svg", timeout=60_000)
                if visit_number:  # the first one warms the files of the browser itself
                    seconds[name].append(time.perf_counter() - begin)
                browser.close()
    return seconds


def measure() -> list[Table]:
    """Start both servers in turn, then visit both in turn."""
    starts: dict[str, list[tuple[float, ...]]] = {APP: [], BARE: []}
    for _ in range(STARTS):
        for app, taken in starts.items():
            taken.append(start(app))
    with served(APP) as app_server, served(BARE) as bare_server:
        seconds = cold({APP: app_server.url, BARE: bare_server.url})
    columns = list(zip(*(zip(*starts[app], strict=True) for app in (APP, BARE)), strict=True))
    names = ("process start to healthy", WHOLE, "page of the second visitor")
    rows = [_row(name, ours, bare) for name, (ours, bare) in zip(names, columns, strict=True)]
    rows.append(_row("cold browser to first figure", seconds[APP], seconds[BARE]))
    note = "The bare page has one slider and one figure, and torch imported. The cold browser has an empty cache."
    goal = Goal(f"{WHOLE}, beside the bare page", ratios(*columns[1]).middle, MOST, why=WHY)
    return [Table("Start", ("what", "the app, s", "bare page, s", "ratio"), tuple(rows), note, (goal,))]


def _row(name: str, ours: Sequence[float], bare: Sequence[float]) -> tuple[str, ...]:
    return name, Spread.of(ours).text(), Spread.of(bare).text(), ratios(ours, bare).text()
