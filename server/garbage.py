"""Garbage is collected every few seconds, for all visitors together.

Streamlit would collect after every run of every visitor. A full collection looks at the objects of all sessions, so with a class of a
hundred each run waited for a look at the other ninety-nine: 100 ms of 110. Python collects young objects by itself as they come, which is
most of what a run leaves behind.
"""

from __future__ import annotations

import asyncio
import gc

PAUSE = 5.0  # seconds


def freeze() -> None:
    """Leave out of every later collection what is there now: all modules, torch's among them."""
    gc.collect()
    gc.freeze()


async def collect_forever() -> None:
    """Collect every few seconds, unless nobody was there."""
    while True:
        await asyncio.sleep(PAUSE)
        if any(gc.get_count()[1:]):
            gc.collect()
