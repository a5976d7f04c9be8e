"""Cache for results that all visitors share, bounded in bytes and in entries.

``st.cache_data`` hashes every argument and copies every result through pickle at each call, which was most of a step of a slider. Here the
arguments are the key, and results are returned without a copy, so their arrays are read-only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from threading import Condition
from typing import Any, ParamSpec, TypeVar

import cachetools
from cachetools.keys import typedkey
from numpy import ndarray

from compute.turns import in_turn, is_in_turn

P = ParamSpec("P")
R = TypeVar("R")
MOST = 32_000_000
"""Bytes of all results together."""
LEAST = 16_000
"""Bytes that a result counts for at least: its key and the cache's own entry. So there are at most ``MOST / LEAST`` results."""


def size(result: object) -> int:
    """Return the bytes of a result's arrays, and a little for what is no array."""
    return max(LEAST, _bytes(result))


STORE: cachetools.LRUCache[Hashable, Any] = cachetools.LRUCache(MOST, getsizeof=size)
FEW = 2**20
"""Numbers up to which a call runs in the visitor's own thread: 8 MB in float64."""
SCALARS = (float, int, str, complex)
"""What results are full of, and what is told apart from a mapping slowly."""
_FOUND = Condition()


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Cache the results of a pure function whose arguments are hashable; the least recently used ones are dropped first.

    A result larger than the cache is returned and not kept. A call whose result another thread is computing waits for it.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return _sealed(function(*args, **kwargs))

    return cachetools.cached(STORE, key=lambda *args, **kwargs: typedkey(name, *args, **kwargs), condition=_FOUND)(call)


def one_at_a_time(numbers: Callable[..., float] = lambda *_args, **_kwargs: math.inf) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Run calls that take much memory one at a time: ``compute/turns.py``.

    ``numbers`` returns how many numbers a call goes through, at most; a call with few of them runs at once. None of these functions may
    call another: that would be a deadlock.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if is_in_turn():
                raise RuntimeError(f"{function.__qualname__} runs one at a time, and was called by a function that does")
            if (many := numbers(*args, **kwargs)) <= FEW:
                return function(*args, **kwargs)
            return in_turn(lambda: function(*args, **kwargs), many)

        return call

    return decorate


def _bytes(result: object) -> int:
    if isinstance(result, SCALARS):
        return 32
    if isinstance(result, ndarray):
        return result.nbytes
    if isinstance(result, tuple | list):
        return sum(map(_bytes, result)) + 8 * len(result)
    if isinstance(result, Mapping):
        return sum(map(_bytes, result.values())) + 100 * len(result)
    return 32


def _sealed(result: R) -> R:
    """Make every array of a result read-only: a page that wrote into one would write into everybody's."""
    if isinstance(result, SCALARS):
        return result
    if isinstance(result, ndarray):
        result.flags.writeable = False
    elif isinstance(result, tuple | list):
        for part in result:
            _sealed(part)
    elif isinstance(result, Mapping):
        for part in result.values():
            _sealed(part)
    return result
