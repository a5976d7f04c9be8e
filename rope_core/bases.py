"""How large the base must be for a context length: the criterion of arXiv 2405.14591.

Shapes: P = rotary_dim / 2 pairs, G bases at once.

A base passes for L tokens if ``B(m) = sum_i cos(m * inv_freq_i)`` is not negative at any distance m below L: a key like the query then
scores, on average, above an unrelated one. The set of passing bases is not an interval: 26,952 passes for 4,096 tokens, 27,000 and
even 58,783 fail. So bases are tried in ascending order, from 1.01 on the grid ``500 * exp(2e-4 * k)``; a window narrower than a grid step
is missed. The shipped table begins at 500; bases below it pass for short contexts only, and are searched.

``critical_dimension`` is a different criterion, of arXiv 2310.05209, not comparable with the first.
"""

from __future__ import annotations

import math

from rope_core.base_search import (
    FIRST_INDEX,
    HIGHEST_BASE,
    LAST_INDEX,
    LIVE_CONTEXT,
    TABLE_CONTEXT,
    first_passing,
    first_passing_below,
    grid_base,
    last_failing_below,
)
from rope_core.base_search import (
    first_negative as first_negative,
)
from rope_core.base_table import look_up, tabulated_widths
from rope_core.errors import RopeConfigError, require_count, require_number, require_width
from rope_core.laws import geometric_frequencies


def minimum_base(context_length: int, rotary_dim: int) -> float:
    """Return the smallest base from 1.01 on that passes for a context length; a larger one may fail, see ``largest_failing_base``.

    It is the first passing base of the grid, refined by bisection towards the failing one before it. Widths of ``tabulated_widths()`` are
    looked up, up to 1,048,576 tokens; others are searched, up to 16,384 tokens.

    Args:
        context_length: L in tokens: no distance from 0 to L - 1 may have a negative sum.
        rotary_dim: Rotated width, even.

    Returns:
        The base. For 1 or 2 tokens every base passes, and the lowest of the grid is returned.

    Raises:
        RopeConfigError: If an argument is outside its range, or no base up to 2e9 passes.

    Source: arXiv 2405.14591; the table of the paper is coarser, so never smaller.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    context_length = require_count("context_length", context_length)
    tabulated = rotary_dim in tabulated_widths()
    _check_context(context_length, rotary_dim, TABLE_CONTEXT if tabulated else LIVE_CONTEXT)
    index = first_passing_below(context_length, rotary_dim)
    if index is None:
        index = look_up(rotary_dim, "minimum", context_length) if tabulated else first_passing(context_length, rotary_dim)
    if index is None:
        raise RopeConfigError(
            "context_length must be one that a base up to {limit:g} serves at rotary_dim = {rotary_dim}, got {value}",
            limit=HIGHEST_BASE,
            rotary_dim=rotary_dim,
            value=context_length,
        )
    return grid_base(index) if index == FIRST_INDEX else _refine(grid_base(index - 1), grid_base(index), context_length, rotary_dim)


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
        index = last_failing_below(context_length, rotary_dim)
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
