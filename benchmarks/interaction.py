"""What a step of a drag costs on each page, beside a bare page: milliseconds on the server, and bytes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from benchmarks.client import Answer, Visitor, visit
from benchmarks.moves import views
from benchmarks.report import Goal, Spread, Table, figures, ratios
from benchmarks.servers import APP, BARE, served
from lessons.registry import LESSONS

STEPS, WARM_UP = 40, 5
WHY = (
    "A live step draws eight to twelve elements (slider, boxes, figure, tests, sentences, formula, code) where the bare page draws two; "
    "Streamlit takes its share for each; what else a run costs is in docs/decisions/0017-what-a-run-costs.md."
)


@dataclass
class Steps:
    """Seconds of the steps on a page and of those on the bare page that ran between them; bytes; bytes of frames at first and later.

    Bytes are those of the steps in every view of the page, seconds those in the first.
    """

    page: str
    seconds: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    frames: int = 0
    frames_again: int = 0


async def drag(page: str, visitor: Visitor, bare: Visitor, steps: int = STEPS) -> Steps:
    """Drag the slider of a page from end to end, and the one of the bare page, a step in turn."""
    found = Steps(page)
    first = await visitor.open(page)
    found.frames, found.errors = first.frames(), first.errors
    again = await visitor.again()
    found.frames_again = again.frames()
    await bare.open()
    hero, other = visitor.hero(), bare.hero()
    if hero is None or other is None:
        raise RuntimeError(f"{page} has no slider: {found.errors}")
    for step in range(steps + WARM_UP):
        share = step / (steps + WARM_UP)
        answer, beside = await _step(visitor, hero, share), await _step(bare, other, share)
        found.errors += answer.errors
        found.frames_again = max(found.frames_again, answer.frames())
        if step >= WARM_UP:
            found.seconds.append(answer.seconds)
            found.bare.append(beside.seconds)
            found.sizes.append(answer.size)
    await other_views(visitor, found)
    return found


async def other_views(visitor: Visitor, found: Steps) -> None:
    """Note the size of a step at both ends of the slider and at its middle, in every view of a page at default settings."""
    name, codes = views(found.page)
    for code in codes:
        found.errors += (await visitor.open(found.page, f"{name}={code}")).errors
        hero = visitor.hero()
        for share in (0, 0.5, 0.999) if hero else ():
            answer = await _step(visitor, hero, share)
            found.errors += answer.errors
            found.sizes.append(answer.size)


async def _step(visitor: Visitor, key: str, share: float) -> Answer:
    values = visitor.controls[key].values
    return await visitor.drag(key, values[int(share * len(values))])


async def _page(app: str, bare: str, page: str) -> Steps:
    async with visit(app) as visitor, visit(bare) as other:
        return await drag(page, visitor, other)


def table(found: list[Steps]) -> Table:
    """Write what was found, and judge it."""
    rows, goals = [], []
    for steps in found:
        ratio, size = ratios(steps.seconds, steps.bare), max(steps.sizes) / 1e3
        frames = figures(steps.frames / 1e3) if steps.frames else "-"
        cells = (Spread.of(steps.seconds).text(1e3), Spread.of(steps.bare).text(1e3), ratio.text(), figures(size), frames)
        rows.append((steps.page, *cells))
        goals += [
            Goal(f"{steps.page}: time of a live step beside the bare page", ratio.middle, 2, why=WHY),
            Goal(f"{steps.page}: largest live step", size, 150, "KB"),
        ]
        if steps.frames:
            goals += [
                Goal(f"{steps.page}: animation frames", steps.frames / 1e3, 500, "KB"),
                Goal(f"{steps.page}: frames sent again by a step", steps.frames_again / 1e3, 1, "KB"),
            ]
        goals += [Goal(f"{steps.page}: exceptions", len(steps.errors), 0)] if steps.errors else []
    columns = ("page", "ms per step", "bare page, ms", "ratio", "largest step, KB", "frames, KB")
    note = (
        "A step: the slider of the page moves, and the answer has arrived whole. Default settings; the largest step is that of all views. "
        "The bare page has one native slider and one line of 1,000 points; its steps ran between those of the page."
    )
    return Table("Interaction", columns, tuple(rows), note, tuple(goals))


def measure() -> list[Table]:
    """Serve both, and drag."""
    with served(APP) as app, served(BARE) as bare:
        return [table([asyncio.run(_page(app.stream, bare.stream, page)) for page in LESSONS])]
