"""A class on one server: many visitors with two seconds of thought between their moves, on mixed pages."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import websockets

from benchmarks.client import Answer, Fetcher, Visitor, fetcher, visit
from benchmarks.report import Goal, Table, figures
from benchmarks.servers import APP, Server, served
from lessons.registry import PAGES

SIZES = (10, 30, 100)
THOUGHT = 2.0  # mean seconds between an answer and the next move
SECONDS = 30.0
STEPS = 10  # of a drag
FRAME = 1 / 60  # seconds that a browser takes to draw, at the least, before it asks for the next step
MOST = 250.0  # ms
SETUPS = {"one process": (False, (APP,)), "one process, with drags": (True, (APP,)), "two processes, with drags": (True, (APP, APP))}
WHY = (
    "One process uses one core at a time for Python, and a class of this size keeps it busy: two processes behind one address use both "
    "(docs/deploy.md). The clients ran on the same cores."
)


@dataclass
class Lesson:
    """What a class met: seconds of every whole move and of every step of a drag, exceptions, and the memory of the server afterwards."""

    clients: int
    seconds: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    megabytes: float = 0.0


def quantile(seconds: Sequence[float], share: float) -> float:
    """Return the milliseconds within which a share of the answers came."""
    ordered = sorted(seconds)
    return 1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def attend(servers: Sequence[Server], clients: int, seconds: float, *, drags: bool = False) -> Lesson:
    """Let a class in over ``THOUGHT`` seconds, spread over the servers, and send it home after ``seconds``; every other move is a drag."""
    lesson = Lesson(clients)
    end = time.perf_counter() + 2 * THOUGHT + seconds
    await asyncio.gather(*(_visitor(servers[seed % len(servers)], seed, end, lesson, drags) for seed in range(clients)))
    lesson.megabytes = sum(server.megabytes() for server in servers)
    return lesson


async def _visitor(server: Server, seed: int, end: float, lesson: Lesson, drags: bool) -> None:
    rng, moves = random.Random(seed), 0
    await asyncio.sleep(rng.uniform(0, 2 * THOUGHT))
    try:
        async with visit(server.stream) as visitor:
            answer = await visitor.open(rng.choice(list(PAGES)))
            lesson.first.append(answer.seconds)
            lesson.errors += answer.errors
            while time.perf_counter() < end:
                await asyncio.sleep(rng.uniform(0, 2 * THOUGHT))
                moves += 1
                if drags and moves % 2 and visitor.live:
                    async with fetcher(server.url) as fetch:
                        answer = await drag(visitor, fetch, rng, lesson)
                else:
                    answer = await random_move(visitor, rng)
                lesson.seconds.append(answer.seconds)
                lesson.errors += answer.errors
    except (OSError, EOFError, websockets.WebSocketException) as error:
        lesson.errors.append(repr(error))


async def drag(visitor: Visitor, fetch: Fetcher, rng: random.Random, lesson: Lesson) -> Answer:
    """Drag the number under the figure over a few neighbouring values, and release it at the last."""
    values = visitor.controls[visitor.live].values
    first = rng.randrange(max(1, len(values) - STEPS))
    passed = values[first : first + STEPS]
    for value in passed:
        seconds, _ = await fetch.get(visitor.step(value))
        lesson.steps.append(seconds)
        await asyncio.sleep(FRAME)
    return await visitor.set(visitor.live, passed[-1])


async def random_move(visitor: Visitor, rng: random.Random) -> Answer:
    """Make one whole move: mostly a number is released, now and then something is chosen, or another page."""
    dice = rng.random()
    if dice < 0.1:
        return await visitor.go(rng.choice(list(visitor.pages)))
    wanted = ("buttons", "list") if dice < 0.25 else ("number",)
    keys = [key for key, control in visitor.controls.items() if control.kind in wanted and len(control.values) > 1]
    if not keys:
        return await visitor.again()
    key = rng.choice(keys)
    return await visitor.set(key, rng.choice(visitor.controls[key].values))


def measure(sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS) -> list[Table]:
    """Teach classes of growing size: one process with whole moves alone, one with drags, and two."""
    rows, goals = [], []
    for name, (drags, apps) in SETUPS.items():
        with ExitStack() as stack:
            servers = [stack.enter_context(served(app)) for app in apps]
            asyncio.run(attend(servers, 3 * len(servers), 4, drags=drags))
            for clients in sizes:
                lesson = asyncio.run(attend(servers, clients, seconds, drags=drags))
                rows.append(_row(name, lesson, seconds))
                title = f"classroom of {clients}, {name}"
                goals.append(Goal(f"{title}: errors", len(lesson.errors), 0))
                if clients == max(sizes):
                    goals.append(Goal(f"{title}: p95", quantile(lesson.seconds, 0.95), MOST, "ms", why=WHY))
                    if drags:
                        goals.append(Goal(f"{title}: p95 of steps", quantile(lesson.steps, 0.95), MOST, "ms", why=WHY))
    columns = (
        *("server", "clients", "moves a second", "p50, ms", "p95, ms", "steps a second", "p95 of steps, ms"),
        *("slowest first page, ms", "errors", "memory, MB"),
    )
    note = (
        f"Clients on this machine, which share its cores with the server: {THOUGHT:g} s of thought on average, mixed pages. A whole move "
        f"releases a number, chooses something or turns to another page; with drags, every other one comes after {STEPS} steps of a drag, "
        "each asked for when the one before is drawn. Of two processes each has every other client; there is no proxy in between."
    )
    return [Table("Classroom", columns, tuple(rows), note, tuple(goals))]


def _row(name: str, lesson: Lesson, seconds: float) -> tuple[str, ...]:
    rates = [figures(len(some) / seconds) for some in (lesson.seconds, lesson.steps)]
    times = [figures(quantile(lesson.seconds, share)) for share in (0.5, 0.95)]
    steps = figures(quantile(lesson.steps, 0.95)) if lesson.steps else "-"
    first = figures(1e3 * max(lesson.first, default=float("nan")))
    return (name, str(lesson.clients), rates[0], *times, rates[1], steps, first, str(len(lesson.errors)), figures(lesson.megabytes))
