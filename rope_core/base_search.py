"""The search over bases: where the sum of cosines is first negative, and which bases of a grid pass.

Shapes: P = rotary_dim / 2 pairs, G bases at once. ``bases`` explains the criterion.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from rope_core.curves import CHUNK_DISTANCES, CHUNK_NUMBERS, block_phasors, curve, offset_table
from rope_core.errors import RopeConfigError, require_count
from rope_core.laws import geometric_frequencies
from rope_core.operands import MAX_DISTANCE, require_dtype, require_moderate, require_speeds

LOWEST_BASE = 1.01
GRID_ORIGIN = 500.0
"""Base number 0 of the grid, where the shipped table begins."""
HIGHEST_BASE = 2e9
GRID_STEP = 2e-4
LOW_CONTEXT = 512
"""No base below 500 passes for longer contexts: for many pairs the first negative distance tends to 0.62 times the base."""
LIVE_CONTEXT = 16_384
"""The longest context that is searched on demand; longer ones are looked up in ``minimum_base.json``."""
TABLE_CONTEXT = 1_048_576

FIRST_INDEX = math.ceil(math.log(LOWEST_BASE / GRID_ORIGIN) / GRID_STEP)
LAST_INDEX = math.floor(math.log(HIGHEST_BASE / GRID_ORIGIN) / GRID_STEP)
_BATCH = 256


def first_negative(inv_freq: Tensor, limit: int) -> int | None:
    """Return the first distance at which a key like the query scores below an unrelated one: ``sum_i cos(distance * inv_freq_i) < 0``.

    Args:
        inv_freq: ``(P,)`` float64, radians per token.
        limit: Distances 0 .. limit - 1 are tried; from 1 to 10,000,001, which covers the whole supported range.

    Returns:
        The distance in tokens, or None if there is none below ``limit``.

    Raises:
        RopeConfigError: If ``inv_freq`` is not a finite float64 vector, or ``limit`` outside its range.

    Source: arXiv 2405.14591.
    """
    require_speeds(inv_freq)
    limit = require_count("limit", limit, high=MAX_DISTANCE + 1)
    ones = torch.ones(1, len(inv_freq), dtype=torch.complex128, device=inv_freq.device)  # (1, P)
    start, length = 0, 1024
    while start < limit:
        length = min(length, limit - start)
        negative = (curve(ones, inv_freq, start, length)[0] < 0).nonzero()
        if len(negative):
            return start + int(negative[0])
        start, length = start + length, min(2 * length, CHUNK_DISTANCES)
    return None


def first_negatives(inv_freq: Tensor, limit: int) -> Int64[Tensor, " G"]:
    """Return what ``first_negative`` returns, for many bases at once: a few large products instead of thousands of small ones.

    Args:
        inv_freq: ``(G, P)`` float64, radians per token; one row per base.
        limit: Distances 0 .. limit - 1 are tried; from 1 to 10,000,000.

    Returns:
        ``(G,)`` on the device of ``inv_freq``: distances in tokens, -1 where there is none below ``limit``.

    Raises:
        RopeConfigError: If ``inv_freq`` is not a finite float64 matrix, or ``limit`` outside its range.
    """
    require_dtype("inv_freq", inv_freq, torch.float64)
    require_moderate(inv_freq)
    if inv_freq.ndim != 2:
        raise RopeConfigError("{field} must have shape {want}, got {shape}", field="inv_freq", want="(G, P)", shape=tuple(inv_freq.shape))
    limit = require_count("limit", limit, high=MAX_DISTANCE)
    found = torch.full((len(inv_freq),), -1, device=inv_freq.device)
    pending = torch.arange(len(inv_freq), device=inv_freq.device)
    start, length = 0, 1024
    while start < limit and len(pending):
        length = min(length, limit - start)
        some_at_once = max(1, CHUNK_NUMBERS // max(length, 4 * inv_freq.shape[-1] * (math.isqrt(length) + 1)))
        left = []
        for some in torch.split(pending, some_at_once):
            negative = _sums(inv_freq[some], start, start + length) < 0  # (g, length)
            hit = negative.any(-1)
            found[some[hit]] = start + negative[hit].int().argmax(-1)
            left.append(some[~hit])
        pending, start, length = torch.cat(left), start + length, min(2 * length, CHUNK_DISTANCES)
    return found


def grid_base(index: int) -> float:
    """Return base number ``index`` of the grid."""
    return GRID_ORIGIN * math.exp(GRID_STEP * index)


def first_passing_below(context_length: int, rotary_dim: int) -> int | None:
    """Return the index of the first base below 500 that passes; None if none does."""
    return None if context_length > LOW_CONTEXT else first_passing(context_length, rotary_dim, start=FIRST_INDEX, stop=0)


def last_failing_below(context_length: int, rotary_dim: int) -> int | None:
    """Return the index of the last base below 500 that fails; None if none does."""
    for stop in range(0, FIRST_INDEX, -_BATCH):
        indices = torch.arange(max(stop - _BATCH, FIRST_INDEX), stop, device="cpu")
        failing = first_negatives(_grid_speeds(indices, rotary_dim), context_length) >= 0
        if failing.any():
            return int(indices[failing][-1])
    return None


def first_passing(context_length: int, rotary_dim: int, *, start: int = 0, stop: int = LAST_INDEX + 1) -> int | None:
    """Return the index of the first base of the grid from ``start`` on that passes; None if none below ``stop`` does."""
    near, batch = context_length // 2, 16
    while start < stop:
        pending = torch.arange(start, min(start + batch, stop), device="cpu")
        while len(pending := _sieve(pending, rotary_dim, near, context_length)):
            index = int(pending[0])
            negative = first_negative(geometric_frequencies(rotary_dim, grid_base(index)), context_length)
            if negative is None:
                return index
            near, pending = negative, pending[1:]
        start, batch = start + batch, min(2 * batch, _BATCH)
    return None


def _sieve(indices: Int64[Tensor, " G"], rotary_dim: int, near: int, limit: int) -> Int64[Tensor, " left"]:
    """Drop bases with a clearly negative sum: neighbouring bases have theirs at nearly the same distances.

    So most are dropped at a single distance, that of the lowest sum of the base in their middle; others by the distances around ``near``.
    """
    inv_freq = _grid_speeds(indices, rotary_dim)
    low = max(0, near - 64)
    # These speeds differ from those of geometric_frequencies by rounding: a sum this close to 0 is left to the exact test.
    for _ in range(3):
        if len(indices) < 16:
            break
        middle = inv_freq[len(indices) // 2].unsqueeze(0)  # (1, P)
        lowest = low + int(_sums(middle, low, min(limit, near + LIVE_CONTEXT)).argmin())
        left = (lowest * inv_freq).cos().sum(-1) > -1e-6
        indices, inv_freq = indices[left], inv_freq[left]
    return indices[_sums(inv_freq, low, min(limit, near + 64)).amin(-1) > -1e-6]


def _grid_speeds(indices: Int64[Tensor, " G"], rotary_dim: int) -> Float64[Tensor, "G P"]:
    """Return the speeds of bases of the grid; they differ from those of ``geometric_frequencies`` by rounding."""
    logs = math.log(GRID_ORIGIN) + GRID_STEP * indices.to(torch.float64)
    return geometric_frequencies(rotary_dim, math.e) ** logs.unsqueeze(-1)


def _sums(inv_freq: Float64[Tensor, "G P"], low: int, high: int) -> Float64[Tensor, "G N"]:
    """Evaluate the sums of several bases at the distances ``low .. high - 1``."""
    block = math.isqrt(high - low) + 1
    starts = torch.arange(low, high, block, dtype=torch.float64, device=inv_freq.device)
    ones = torch.ones(inv_freq.shape[-1], dtype=torch.complex128, device=inv_freq.device)
    return (block_phasors(ones, inv_freq, starts) @ offset_table(inv_freq, block)).flatten(-2)[:, : high - low]
