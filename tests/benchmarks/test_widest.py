"""Nobody can take the server down: the widest settings of every view are answered, within a fixed limit of memory, for one and for many."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.client import Answer, visit
from benchmarks.servers import Server, served
from lessons.registry import PAGES
from parameters import PARAMETERS, parameters_of
from parameters.types import Choice, Number

MOST = 400  # megabytes above what the server holds when every page has been opened once
WIDEST = {name: f"{spec.high:.15g}" for name, spec in PARAMETERS.items() if isinstance(spec, Number)}


def peak(server: Server) -> float:
    """The most memory that the process ever held, in megabytes."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1000


async def opened(server: Server, page: str, query: str) -> Answer:
    async with visit(server.stream) as visitor:
        return await visitor.open(page, query)


async def opened_at_once(server: Server, page: str, queries: list[str]) -> list[Answer]:
    return await asyncio.gather(*(opened(server, page, query) for query in queries))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_many_who_ask_for_wide_heads_at_once_are_answered_one_after_the_other() -> None:
    with served() as server:
        asyncio.run(opened(server, "bases", ""))
        before = peak(server)
        answers = asyncio.run(opened_at_once(server, "bases", [f"head_dim={512 - 2 * one}" for one in range(6)]))
        assert [answer.errors for answer in answers] == [[]] * 6
        assert peak(server) - before < MOST


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_the_widest_settings_are_answered_within_a_fixed_limit() -> None:
    with served() as server:
        for page in PAGES:
            asyncio.run(opened(server, page, ""))
        before = peak(server)
        for page in PAGES:
            choice = PAGES[page].choice
            spec = parameters_of(page)[choice]
            assert isinstance(spec, Choice)
            for code in spec.options:
                answer = asyncio.run(opened(server, page, urlencode(WIDEST | {choice: code})))
                assert answer.errors == [], (page, code)
                assert answer.figure, (page, code)
                assert peak(server) - before < MOST, (page, code)
