"""How large the base must be for a context length: the criterion of arXiv 2405.14591.

Shapes: P = rotary_dim / 2 pairs, G bases at once.

A base passes for L tokens if ``B(m) = sum_i cos(m * inv_freq_i)`` is not negative at any distance m below L: a key like the query then
scores, on average, above an unrelated one. The set of passing bases is not an interval: 26,952 passes for 4,096 tokens, 27,000 and
even 58,783 fail. So bases are tried in ascending order on the grid ``500 * exp(2e-4 * k)``; a window narrower than a grid step is missed.

``critical_dimension`` is a different criterion, of arXiv 2310.05209, not comparable with the first.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from rope_core.base_table import look_up, tabulated_widths
from rope_core.curves import CHUNK_DISTANCES, CHUNK_NUMBERS, block_phasors, curve, offset_table
from rope_core.errors import RopeConfigError, require_count, require_number, require_width
from rope_core.laws import geometric_frequencies
from rope_core.operands import MAX_DISTANCE, require_dtype, require_moderate, require_speeds

LOWEST_BASE = 500.0
HIGHEST_BASE = 2e9
GRID_STEP = 2e-4
LIVE_CONTEXT = 16_384
"""The longest context that is searched on demand; longer ones are looked up in ``minimum_base.json``."""
TABLE_CONTEXT = 1_048_576

LAST_INDEX = math.floor(math.log(HIGHEST_BASE / LOWEST_BASE) / GRID_STEP)
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


def minimum_base(context_length: int, rotary_dim: int) -> float:
    """Return the smallest base from 500 on that passes for a context length; a larger one may fail, see ``largest_failing_base``.

    It is the first passing base of the grid, refined by bisection towards the failing one before it. Widths of ``tabulated_widths()`` are
    looked up, up to 1,048,576 tokens; others are searched, up to 16,384 tokens.

    Args:
        context_length: L in tokens: no distance from 0 to L - 1 may have a negative sum.
        rotary_dim: Rotated width, even.

    Returns:
        The base; 500 if that already passes.

    Raises:
        RopeConfigError: If an argument is outside its range, or no base up to 2e9 passes.

    Source: arXiv 2405.14591; the table of the paper is coarser, so never smaller.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    context_length = require_count("context_length", context_length)
    tabulated = rotary_dim in tabulated_widths()
    _check_context(context_length, rotary_dim, TABLE_CONTEXT if tabulated else LIVE_CONTEXT)
    index = look_up(rotary_dim, "minimum", context_length) if tabulated else first_passing(context_length, rotary_dim)
    if index is None:
        raise RopeConfigError(
            "context_length must be one that a base up to {limit:g} serves at rotary_dim = {rotary_dim}, got {value}",
            limit=HIGHEST_BASE,
            rotary_dim=rotary_dim,
            value=context_length,
        )
    return LOWEST_BASE if index == 0 else _refine(grid_base(index - 1), grid_base(index), context_length, rotary_dim)


def largest_failing_base(context_length: int, rotary_dim: int) -> float | None:
    """Return the largest base of the grid that fails for a context length: every base tried above it passes.

    Args:
        context_length: L in tokens, from 1 to 1,048,576.
        rotary_dim: A width of ``tabulated_widths("failing")``; a search would have to try every base up to 2e9 at every distance.

    Returns:
        The base; None if none fails; infinity if the last base of the grid, 2e9, fails, so that larger ones may fail too.

    Raises:
        RopeConfigError: If an argument is outside its range, or the width is not in the table.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    context_length = require_count("context_length", context_length)
    _check_context(context_length, rotary_dim, TABLE_CONTEXT)
    if rotary_dim not in tabulated_widths("failing"):
        raise RopeConfigError(
            "rotary_dim must be one of {widths} for the largest failing base, got {value}",
            widths=", ".join(map(str, tabulated_widths("failing"))),
            value=rotary_dim,
        )
    index = look_up(rotary_dim, "failing", context_length)
    if index is None:
        return None
    return math.inf if index == LAST_INDEX else grid_base(index)


def critical_dimension(context_length: int, rotary_dim: int, base: float) -> int:
    """Return the number of coordinates whose pair completes a turn within a context: ``2 * ceil(d / 2 * log_b(L / (2 pi)))``.

    The other pairs have covered only part of their circle, so positions beyond the context bring angles that were not seen in training.

    Args:
        context_length: L in tokens, at least 1.
        rotary_dim: d, the rotated width, even.
        base: b, above 1.

    Returns:
        An even number from 0 to ``rotary_dim``: 0 if not even the fastest pair completes a turn, d if all do.

    Raises:
        RopeConfigError: If an argument is outside its range.

    Source: arXiv 2310.05209, which states 92 of 128 for Llama 2.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    context_length = require_count("context_length", context_length)
    require_number("base", base, above=1)
    pairs = math.ceil(rotary_dim / 2 * (math.log(context_length) - math.log(math.tau)) / math.log(base))
    return min(max(2 * pairs, 0), rotary_dim)


def grid_base(index: int) -> float:
    """Return base number ``index`` of the grid."""
    return LOWEST_BASE * math.exp(GRID_STEP * index)


def first_passing(context_length: int, rotary_dim: int, *, start: int = 0) -> int | None:
    """Return the index of the first base of the grid, from ``start`` on, that passes; None if none does up to 2e9."""
    near, batch = context_length // 2, 16
    while start <= LAST_INDEX:
        pending = torch.arange(start, min(start + batch, LAST_INDEX + 1), device="cpu")
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
    logs = math.log(LOWEST_BASE) + GRID_STEP * indices.to(torch.float64)
    inv_freq = geometric_frequencies(rotary_dim, math.e) ** logs.unsqueeze(-1)  # (G, P)
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


def _sums(inv_freq: Float64[Tensor, "G P"], low: int, high: int) -> Float64[Tensor, "G N"]:
    """Evaluate the sums of several bases at the distances ``low .. high - 1``."""
    block = math.isqrt(high - low) + 1
    starts = torch.arange(low, high, block, dtype=torch.float64, device=inv_freq.device)
    ones = torch.ones(inv_freq.shape[-1], dtype=torch.complex128, device=inv_freq.device)
    return (block_phasors(ones, inv_freq, starts) @ offset_table(inv_freq, block)).flatten(-2)[:, : high - low]


def _refine(failing: float, passing: float, context_length: int, rotary_dim: int) -> float:
    """Bisect between two neighbours of the grid down to a relative width of 1e-10; the result passes."""
    while passing - failing > 1e-10 * passing:
        middle = (failing + passing) / 2
        if first_negative(geometric_frequencies(rotary_dim, middle), context_length) is None:
            passing = middle
        else:
            failing = middle
    return passing


def _check_context(context_length: int, rotary_dim: int, limit: int) -> None:
    if context_length > limit:
        raise RopeConfigError(
            "context_length must be at most {limit} for rotary_dim = {rotary_dim}, got {value}",
            limit=limit,
            rotary_dim=rotary_dim,
            value=context_length,
        )
