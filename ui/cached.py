"""Answers of the core that all visitors share, in one store that is bounded in bytes and in entries.

``st.cache_data`` hashes every argument and copies every answer through pickle, at each call: most of a step of a slider. Here arguments are
hashable, so they are the key as they are, and answers are handed out as they are, so nobody may write into them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from threading import Condition, current_thread
from typing import Any, ParamSpec, TypeVar

import cachetools
from cachetools.keys import typedkey
from numpy import ndarray

P = ParamSpec("P")
R = TypeVar("R")
MOST = 32_000_000
"""Bytes of all answers together."""
LEAST = 16_000
"""Bytes that an answer counts for at least: its key and the store's own notes. So there are at most ``MOST / LEAST`` answers."""


def size(answer: object) -> int:
    """Count the bytes of an answer's arrays, and a little for what is no array."""
    return max(LEAST, _bytes(answer))


STORE: cachetools.LRUCache[Hashable, Any] = cachetools.LRUCache(MOST, getsizeof=size)
FEW = 2**20
"""Numbers that a visitor's own thread goes through: 8 MB in float64."""
LARGE = "large"
"""The thread of functions that take much memory."""
_FOUND = Condition()
_WORKER = ThreadPoolExecutor(1, LARGE)


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Keep the answers of a pure function whose arguments are hashable, the least recently asked for leaving first.

    An answer too large for the store is given and not kept. Who asks for what is being computed for somebody else waits for that.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        return _sealed(function(*args, **kwargs))

    return cachetools.cached(STORE, key=lambda *args, **kwargs: typedkey(name, *args, **kwargs), condition=_FOUND)(answer)


def one_at_a_time(numbers: Callable[P, float] = lambda *_args, **_kwargs: math.inf) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have calls that take much memory run for one visitor at a time, in one thread: each thread keeps memory of its own.

    ``numbers`` says how many a call goes through, at most; few of them wait for nobody. None of these functions may call another, which
    would wait for itself.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> R:
            if current_thread().name.startswith(LARGE):
                raise RuntimeError(f"{function.__qualname__} runs one at a time, and was called by a function that does")
            if numbers(*args, **kwargs) <= FEW:
                return function(*args, **kwargs)
            return _WORKER.submit(function, *args, **kwargs).result()

        return answer

    return decorate


def _bytes(answer: object) -> int:
    if isinstance(answer, ndarray):
        return answer.nbytes
    if isinstance(answer, tuple | list):
        return sum(map(_bytes, answer)) + 8 * len(answer)
    if isinstance(answer, Mapping):
        return sum(map(_bytes, answer.values())) + 100 * len(answer)
    return 32


def _sealed(answer: R) -> R:
    """Make every array of an answer read-only: a page that wrote into one would write into everybody's."""
    if isinstance(answer, ndarray):
        answer.flags.writeable = False
    elif isinstance(answer, tuple | list):
        for part in answer:
            _sealed(part)
    elif isinstance(answer, Mapping):
        for part in answer.values():
            _sealed(part)
    return answer
