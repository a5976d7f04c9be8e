"""What a whole move costs on each page, beside one of a bare page: a number is released, and the run that follows has arrived."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from benchmarks.client import Visitor, visit
from benchmarks.report import Goal, Spread, Table, figures, ratios
from benchmarks.servers import APP, BARE, served
from lessons.registry import PAGES

STEPS, WARM_UP = 40, 5
MOST_ELEMENTS, MOST_TIME = 25, 2.0
WHY = (
    "A move draws the whole page anew, twenty elements and a dozen of boxes around them, where the bare page draws two; Streamlit takes "
    "its share for each, most of it for keys, callbacks and messages (docs/decisions/0017-what-a-run-costs.md)."
)


@dataclass
class Moves:
    """Seconds of the moves on a page and of those on the bare page in between; elements and bytes of the largest."""

    page: str
    seconds: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    elements: int = 0
    size: int = 0
    errors: list[str] = field(default_factory=list)


async def move(page: str, visitor: Visitor, bare: Visitor, steps: int = STEPS) -> Moves:
    """Release the number under the figure of a page, and move the slider of the bare page, in turn."""
    found = Moves(page)
    found.errors += (await visitor.open(page)).errors
    await bare.open()
    keys = (visitor.live, "value")
    for step in range(steps + WARM_UP):
        values = (visitor.controls[keys[0]].values, bare.controls[keys[1]].values)
        ours, other = (every[step * (len(every) - 1) // (steps + WARM_UP)] for every in values)
        answer, beside = await visitor.set(keys[0], ours), await bare.set(keys[1], other)
        found.errors += answer.errors
        if step >= WARM_UP:
            found.seconds.append(answer.seconds)
            found.bare.append(beside.seconds)
            found.elements = max(found.elements, answer.elements)
            found.size = max(found.size, answer.size)
    return found


async def _page(app: str, bare: str, page: str) -> Moves:
    async with visit(app) as visitor, visit(bare) as other:
        return await move(page, visitor, other)


def table(found: list[Moves]) -> Table:
    """Write what was found, and judge it."""
    rows, goals = [], []
    for moves in found:
        ratio = ratios(moves.seconds, moves.bare)
        cells = (Spread.of(moves.seconds).text(1e3), Spread.of(moves.bare).text(1e3), ratio.text())
        rows.append((moves.page, *cells, str(moves.elements), figures(moves.size / 1e3)))
        goals += [
            Goal(f"{moves.page}: elements that a whole move draws", moves.elements, MOST_ELEMENTS),
            Goal(f"{moves.page}: time of a whole move beside the bare page", ratio.middle, MOST_TIME, why=WHY),
        ]
        goals += [Goal(f"{moves.page}: exceptions", len(moves.errors), 0)] if moves.errors else []
    columns = ("page", "ms per move", "bare page, ms", "ratio", "elements", "largest, KB")
    note = (
        "The number under the figure is released at values from end to end, other settings as they are by default; the answer has arrived "
        "whole. The bare page has one native slider and one line of 1,000 points; its moves ran between those of the page."
    )
    return Table("Whole moves", columns, tuple(rows), note, tuple(goals))


def measure() -> list[Table]:
    """Serve both, and move."""
    with served(APP) as app, served(BARE) as bare:
        return [table([asyncio.run(_page(app.stream, bare.stream, page)) for page in PAGES])]
