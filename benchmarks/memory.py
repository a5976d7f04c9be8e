"""Whether the server grows: moves over all pages, and clients that come and go."""

from __future__ import annotations

import asyncio
import random

from benchmarks.classroom import random_move
from benchmarks.client import visit
from benchmarks.report import Goal, Table, figures
from benchmarks.servers import APP, Server, served
from lessons.registry import PAGES

MOVES, CLIENTS = 500, 50
ALLOWED = 60  # MB
PAUSE = 6.0  # seconds, in which sessions that were left come to their end


async def wander(server: Server, moves: int, seed: int) -> list[str]:
    """Make random moves in one session, which sees every page first, and return the exceptions that it met."""
    rng, errors = random.Random(seed), []
    async with visit(server.stream) as visitor:
        errors += (await visitor.open()).errors
        for page in visitor.pages:
            errors += (await visitor.go(page)).errors
        for _ in range(moves):
            errors += (await random_move(visitor, rng)).errors
    return errors


async def come_and_go(server: Server, clients: int) -> list[str]:
    """Open a page in a session of its own and close it, one after the other."""
    errors, pages = [], list(PAGES)
    for number in range(clients):
        async with visit(server.stream) as visitor:
            errors += (await visitor.open(pages[number % len(pages)])).errors
    return errors


async def growth(server: Server, *, moves: int, clients: int, warm_up: int) -> tuple[float, float, list[str]]:
    """Return the memory after the warm-up and at the end, in MB, and all exceptions."""
    errors = await wander(server, warm_up, 0) + await come_and_go(server, len(PAGES))
    before = await _settled(server)
    errors += await wander(server, moves, 1) + await come_and_go(server, clients)
    return before, await _settled(server), errors


async def _settled(server: Server) -> float:
    """Return the memory after the next collection of garbage."""
    await asyncio.sleep(PAUSE)
    return server.megabytes()


def measure() -> list[Table]:
    """Walk, come and go."""
    with served(APP) as server:
        before, after, errors = asyncio.run(growth(server, moves=MOVES, clients=CLIENTS, warm_up=MOVES // 2))
    row = (f"{MOVES} moves, {CLIENTS} clients", figures(before), figures(after), f"{after - before:+.1f}", str(len(errors)))
    goals = (Goal("memory: growth", after - before, ALLOWED, "MB"), Goal("memory: exceptions on the way", len(errors), 0))
    note = f"Random moves over all pages, then clients that open a page and leave; the warm-up was {MOVES // 2} moves."
    return [Table("Memory", ("walk", "before, MB", "after, MB", "growth, MB", "exceptions"), (row,), note, goals)]
