"""The shipped table of passing and failing bases, ``minimum_base.json``, up to 1,048,576 tokens.

``scripts/minimum_base_table.py`` writes it; ``bases`` explains the criterion.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Literal

Side = Literal["minimum", "failing"]


def tabulated_widths(side: Side = "minimum") -> tuple[int, ...]:
    """Return the rotated widths for which the table has the minimum, or the largest failing, base up to 1,048,576 tokens.

    Args:
        side: ``"minimum"`` for ``minimum_base``, ``"failing"`` for ``largest_failing_base``.

    Returns:
        Even numbers, smallest first.
    """
    return tuple(width for width, sides in _table().items() if side in sides)


def look_up(rotary_dim: int, side: Side, context_length: int) -> int | None:
    """Return the grid index of the first record that passes ("minimum", upwards) or fails ("failing", downwards) for a context length."""
    records = _table()[rotary_dim][side]
    for index, negative in zip(records["index"], records["first_negative"], strict=True):
        if (negative >= context_length) == (side == "minimum"):
            return index
    return None


@lru_cache(maxsize=1)
def _table() -> dict[int, dict[str, dict[str, list[int]]]]:
    """Read the records, by width and side; constant data, so cached."""
    text = files("rope_core").joinpath("minimum_base.json").read_text(encoding="utf-8")
    return {int(width): sides for width, sides in json.loads(text)["widths"].items()}
