"""Long counts are made one at a time, in one thread: each thread keeps memory of its own.

Whoever has the fewest of them in line comes first, and of several the one with the shortest count. One that nobody waits for is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from threading import Lock, current_thread
from typing import Any, TypeVar

R = TypeVar("R")
THREAD = "large"
"""Name of the thread."""


@dataclass(frozen=True)
class Asker:
    """Whom a count is made for: a name, and whether somebody still waits."""

    name: Hashable = None
    waits: Callable[[], bool] = lambda: True


NOBODY = Asker()


class Dropped(Exception):
    """A count was not made, because nobody waits for it."""


@dataclass(order=True)
class _InLine:
    before: int
    numbers: float
    arrival: int
    asker: Asker = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    done: Future[Any] = field(compare=False, default_factory=Future)


ASKER: ContextVar[Asker] = ContextVar("asker", default=NOBODY)
_WORKER = ThreadPoolExecutor(1, THREAD)
_LINE: list[_InLine] = []
_LOCK = Lock()
_ARRIVALS = count()


def in_turn(work: Callable[[], R], numbers: float) -> R:
    """Wait until it is this count's turn, and return what it gives.

    Args:
        work: The count; it may not call this function.
        numbers: How many numbers it goes through.

    Raises:
        Dropped: If its asker waits no longer.
    """
    asker = ASKER.get()
    if not asker.waits():
        raise Dropped
    with _LOCK:
        before = sum(each.asker.name == asker.name for each in _LINE)
        mine = _InLine(before, numbers, next(_ARRIVALS), asker, work)
        heappush(_LINE, mine)
    _WORKER.submit(_next)
    return mine.done.result()  # type: ignore[no-any-return]


def is_in_turn() -> bool:
    """Return whether this thread makes such a count."""
    return current_thread().name.startswith(THREAD)


def _next() -> None:
    with _LOCK:
        first = heappop(_LINE)
    try:
        if not first.asker.waits():
            raise Dropped
        first.done.set_result(first.work())
    except BaseException as error:  # whoever waits gets it
        first.done.set_exception(error)
