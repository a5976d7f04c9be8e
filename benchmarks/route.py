"""What the live route costs beside a bare route of the same server that returns the same bytes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from urllib.parse import urlencode

from benchmarks.client import fetcher
from benchmarks.report import Goal, Spread, Table, figures
from benchmarks.servers import BARE_PATH, BESIDE, served
from lessons.registry import PAGES
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Number

STEPS, WARM_UP = 40, 5
MORE, PAGES_MET = 3.0, 7
LOOKUP = "glossary"  # a list of terms, no lesson: it is measured, and not counted
WHY = "A view whose numbers are counted anew at every value, such as all scores of a sequence, takes what the count takes."


@dataclass
class Asked:
    """Seconds of answers that were computed, of the same when they were kept, and of the bare route in between; bytes of the largest."""

    page: str
    computed: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    size: int = 0

    def more(self) -> float:
        """Return the milliseconds that a computed answer takes longer than the bare route, in the median."""
        return 1e3 * Spread.of(ours - bare for ours, bare in zip(self.computed, self.bare, strict=True)).middle


def stops(page: str, count: int) -> tuple[str, list[float]]:
    """Return the number under the figure of a page, and values of it from end to end."""
    settings = Settings(page)
    name = PAGES[page].live(settings)
    assert name is not None
    spec = parameters_of(page)[name]
    assert isinstance(spec, Number)
    found = spec.stops(settings.high(name))
    return name, [found[index * (len(found) - 1) // (count - 1)] for index in range(count)]


async def ask(url: str, page: str, steps: int = STEPS) -> Asked:
    """Ask for a page at many values of its number, each twice, and for the same bytes from the bare route."""
    asked = Asked(page)
    name, values = stops(page, steps + WARM_UP)
    async with fetcher(url) as fetch:
        for step, value in enumerate(values[-WARM_UP:] + values[:-WARM_UP]):
            path = f"/view/{page}?{urlencode({name: value})}"
            computed, content = await fetch.get(path)
            await fetch.get(BARE_PATH, content)
            bare, _ = await fetch.get(BARE_PATH)
            kept, _ = await fetch.get(path)
            if step >= WARM_UP:
                asked.computed.append(computed)
                asked.bare.append(bare)
                asked.kept.append(kept)
                asked.size = max(asked.size, len(content))
    return asked


def table(found: list[Asked]) -> Table:
    """Write what was found, and judge it."""
    rows = []
    for asked in found:
        times = [Spread.of(some).text(1e3) for some in (asked.bare, asked.computed, asked.kept)]
        rows.append((asked.page, figures(asked.size / 1e3), *times, figures(asked.more())))
    quick = sum(asked.more() <= MORE for asked in found if asked.page != LOOKUP)
    title = f"live route: of {len(PAGES) - 1} pages those with at most {MORE:g} ms more than a bare route"
    goal = Goal(title, quick, PAGES_MET, at_least=True, why=WHY)
    columns = ("page", "largest, KB", "bare route, ms", "computed, ms", "kept, ms", "more than bare, ms")
    note = (
        f"{STEPS} values of the number under the figure, from end to end, other settings as they are by default; each is asked for twice. "
        "In between the bare route of the same server returns the same bytes."
    )
    return Table("Live route", columns, tuple(rows), note, (goal,))


def measure() -> list[Table]:
    """Serve the app with the bare route, and ask."""
    with served(BESIDE) as server:
        return [table([asyncio.run(ask(server.url, page)) for page in PAGES])]
