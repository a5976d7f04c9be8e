"""Write rope_core/minimum_base.json: which bases pass and fail for which context length.

Run ``python -m scripts.minimum_base_table 64 128 256``: minutes for each width, which replaces or joins those in the file.

For a width, ``first_negative`` of base k of the grid is F(k), or 1,048,576 if there is no negative sum below. Two staircases say all:
``minimum`` holds, upward, every k with F(k) above all before it; ``failing``, downward from 2e9, every k with F(k) below all after it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from rope_core.base_search import LAST_INDEX, TABLE_CONTEXT, first_negative, first_passing, grid_base
from rope_core.laws import geometric_frequencies

TABLE = Path(__file__).parents[1] / "rope_core" / "minimum_base.json"


def minimum_records(rotary_dim: int, limit: int = TABLE_CONTEXT) -> Iterator[tuple[int, int]]:
    """Yield ``(k, F(k))`` upward, each F above all before it, until F reaches ``limit`` or the grid ends."""
    index, reached = -1, 0
    while reached < limit:
        found = first_passing(reached + 1, rotary_dim, start=index + 1)
        if found is None:
            return
        index, reached = found, _first_negative(found, rotary_dim, limit)
        yield index, reached


def failing_records(rotary_dim: int, limit: int = TABLE_CONTEXT) -> Iterator[tuple[int, int]]:
    """Yield ``(k, F(k))`` downward from the end of the grid, each F below all before it and below ``limit``."""
    reached = limit
    for index in range(LAST_INDEX, -1, -1):
        negative = _first_negative(index, rotary_dim, reached)
        if negative < reached:
            reached = negative
            yield index, reached


def _first_negative(index: int, rotary_dim: int, limit: int) -> int:
    negative = first_negative(geometric_frequencies(rotary_dim, grid_base(index)), limit)
    return limit if negative is None else negative


def _columns(records: Iterator[tuple[int, int]]) -> dict[str, list[int]]:
    index, negative = zip(*records, strict=True)
    return {"index": list(index), "first_negative": list(negative)}


def write(widths: dict[str, object]) -> None:
    """Write the table, a line for each width."""
    lines = [f'"{width}":{json.dumps(widths[width], separators=(",", ":"))}' for width in sorted(widths, key=int)]
    TABLE.write_text('{"widths":{\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")


def main() -> None:
    """Compute the widths of the command line and merge them into the table."""
    parser = argparse.ArgumentParser(description="Write rope_core/minimum_base.json.")
    parser.add_argument("widths", type=int, nargs="+")
    for width in parser.parse_args().widths:
        entry = {"minimum": _columns(minimum_records(width)), "failing": _columns(failing_records(width))}
        table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {"widths": {}}
        write(table["widths"] | {str(width): entry})


if __name__ == "__main__":
    main()
