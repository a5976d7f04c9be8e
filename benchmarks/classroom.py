"""A class on one server: many visitors with two seconds of thought between their moves, on mixed pages."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

import websockets

from benchmarks.client import visit
from benchmarks.moves import random_move
from benchmarks.report import Goal, Table, figures
from benchmarks.servers import APP, UNFROZEN, Server, served
from ui.registry import LESSONS

SIZES = (1, 10, 30, 100)
THOUGHT = 2.0  # mean seconds between an answer and the next move
SECONDS = 30.0
WHY = (
    "One process uses one core at a time for Python, and a whole class keeps it busy; two processes behind one address use both "
    "(docs/deploy.md). The clients ran on the same cores as the server."
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


async def attend(server: Server, clients: int, seconds: float) -> Lesson:
    """Let a class in over ``THOUGHT`` seconds, and send it home after ``seconds``."""
    lesson = Lesson(clients)
    end = time.perf_counter() + 2 * THOUGHT + seconds
    await asyncio.gather(*(_visitor(server, seed, end, lesson) for seed in range(clients)))
    lesson.megabytes = server.megabytes()
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
    """Teach classes of growing size, with and without ``gc.freeze``."""
    rows, goals = [], []
    for app, name in ((APP, "the app"), (UNFROZEN, "without gc.freeze")):
        with served(app) as server:
            asyncio.run(attend(server, 3, 4))
            for clients in sizes:
                lesson = asyncio.run(attend(server, clients, seconds))
                rate = len(lesson.seconds) / seconds
                times = (figures(lesson.quantile(0.5)), figures(lesson.quantile(0.95)), figures(1e3 * max(lesson.first)))
                rows.append((name, str(clients), figures(rate), *times, str(len(lesson.errors)), figures(lesson.megabytes)))
                if app == APP and clients == max(sizes):
                    goals.append(Goal(f"classroom of {clients}: p95", lesson.quantile(0.95), 250, "ms", why=WHY))
                if app == APP:
                    goals.append(Goal(f"classroom of {clients}: errors", len(lesson.errors), 0))
    columns = ("server", "clients", "moves a second", "p50, ms", "p95, ms", "slowest first page, ms", "errors", "memory, MB")
    note = (
        f"Websocket clients on this machine, which share its cores with the server: {THOUGHT:g} s of thought on average, mixed pages, "
        "live steps, other controls and page changes."
    )
    return [Table("Classroom", columns, tuple(rows), note, tuple(goals))]
