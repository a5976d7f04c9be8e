"""A class on one server: many visitors with two seconds of thought between their moves, on mixed pages."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import websockets

from benchmarks.client import visit
from benchmarks.moves import random_move
from benchmarks.report import Goal, Table, figures
from benchmarks.servers import APP, UNFROZEN, Server, served
from lessons.registry import LESSONS

SIZES = (1, 10, 30, 100)
THOUGHT = 2.0  # mean seconds between an answer and the next move
SECONDS = 30.0
WITHOUT = "without gc.freeze"
SETUPS = {"one process": (APP,), "two processes": (APP, APP), WITHOUT: (UNFROZEN,)}
WHY = (
    "One process uses one core at a time for Python, and a class of this size keeps it busy: two processes behind one address use both "
    "(docs/deploy.md). The clients ran on the same cores."
)


@dataclass
class Lesson:
    """What a class met: seconds of every move, exceptions, and the memory of the server afterwards."""

    clients: int
    seconds: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    megabytes: float = 0.0

    def quantile(self, share: float) -> float:
        """Give the milliseconds within which a share of the moves was answered."""
        ordered = sorted(self.seconds)
        return 1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def attend(servers: Sequence[Server], clients: int, seconds: float) -> Lesson:
    """Let a class in over ``THOUGHT`` seconds, spread over the servers, and send it home after ``seconds``."""
    lesson = Lesson(clients)
    end = time.perf_counter() + 2 * THOUGHT + seconds
    await asyncio.gather(*(_visitor(servers[seed % len(servers)], seed, end, lesson) for seed in range(clients)))
    lesson.megabytes = sum(server.megabytes() for server in servers)
    return lesson


async def _visitor(server: Server, seed: int, end: float, lesson: Lesson) -> None:
    rng = random.Random(seed)
    await asyncio.sleep(rng.uniform(0, 2 * THOUGHT))
    try:
        async with visit(server.stream) as visitor:
            answer = await visitor.open(rng.choice(list(LESSONS)))
            lesson.first.append(answer.seconds)
            lesson.errors += answer.errors
            while time.perf_counter() < end:
                await asyncio.sleep(rng.uniform(0, 2 * THOUGHT))
                answer = await random_move(visitor, rng)
                lesson.seconds.append(answer.seconds)
                lesson.errors += answer.errors
    except (OSError, websockets.WebSocketException) as error:
        lesson.errors.append(repr(error))


def measure(sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS) -> list[Table]:
    """Teach classes of growing size: one process, two, and one without ``gc.freeze``."""
    rows, goals = [], []
    for name, apps in SETUPS.items():
        with ExitStack() as stack:
            servers = [stack.enter_context(served(app)) for app in apps]
            asyncio.run(attend(servers, 3 * len(servers), 4))
            for clients in sizes:
                lesson = asyncio.run(attend(servers, clients, seconds))
                rows.append(_row(name, lesson, seconds))
                if name == WITHOUT:
                    continue
                goals.append(Goal(f"classroom of {clients}, {name}: errors", len(lesson.errors), 0))
                if clients == max(sizes):
                    goals.append(Goal(f"classroom of {clients}, {name}: p95", lesson.quantile(0.95), 250, "ms", why=WHY))
    columns = ("server", "clients", "moves a second", "p50, ms", "p95, ms", "slowest first page, ms", "errors", "memory, MB")
    note = (
        f"Websocket clients on this machine, which share its cores with the server: {THOUGHT:g} s of thought on average, mixed pages, "
        "live steps, other controls and page changes. Of two processes each has every other client; there is no proxy in between."
    )
    return [Table("Classroom", columns, tuple(rows), note, tuple(goals))]


def _row(name: str, lesson: Lesson, seconds: float) -> tuple[str, ...]:
    times = (lesson.quantile(0.5), lesson.quantile(0.95), 1e3 * max(lesson.first))
    rate = figures(len(lesson.seconds) / seconds)
    return (name, str(lesson.clients), rate, *map(figures, times), str(len(lesson.errors)), figures(lesson.megabytes))
