"""The numbers of a figure as tables, for those who read better than they see."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from lessons.columns import INDEX, NUMBER, column
from lessons.markup import escaped
from lessons.view import Columns, Prose, Table
from locales import _

ROWS = 100  # of a table of columns; the CSV has all
GRID_ROWS, GRID_COLUMNS = 16, 8

# What numbers the rows and the columns of a map.
GRIDS = (("position", "coordinate"), ("query", "key"), ("token", "coordinate"), ("base", "distance_from"))
ENDS = {"distance_below"}  # the other end of the bin that distance_from begins

UNSPOKEN = (NUMBER, INDEX)


def tables(columns: Columns, caption: str = "") -> tuple[Prose | Table, ...]:
    """Return the columns of a figure as a table, those of a map as a matrix each; above it ``caption``, or what the CSV has besides."""
    grid = next((names for names in GRIDS if set(names) <= set(columns)), None)
    if grid is None:
        return _columns(columns, caption)
    return tuple(part for name in columns if name not in grid and name not in ENDS for part in _grid(columns, *grid, name, caption))


def thin(count: int, limit: int) -> list[int]:
    """Choose at most ``limit`` of ``count`` rows, evenly, the first and the last among them."""
    return [int(row) for row in np.unique(np.linspace(0, count - 1, min(count, limit)).round())] if count else []


def pivot(columns: Columns, down: str, across: str, name: str) -> tuple[ndarray, ndarray, ndarray]:
    """Return a column as a matrix, and what numbers its rows and its columns; NaN where the column has nothing."""
    rows, row = np.unique(columns[down], return_inverse=True)
    heads, head = np.unique(columns[across], return_inverse=True)
    matrix = np.full((len(rows), len(heads)), np.nan)
    matrix[row, head] = columns[name]
    return matrix, rows, heads


def heading(name: str) -> str:
    """Return the name of a column as the CSV has it, with its unit where it has one, as Markdown: a model's file may have named it."""
    unit = column(name).unit
    return escaped(name) if unit in UNSPOKEN else _("{column} ({unit})").format(column=escaped(name), unit=_(unit))


def readable(value: float) -> str:
    """Write whole numbers in full, others with six digits, and nothing for no number."""
    if math.isnan(value):
        return ""
    return f"{value:,.0f}" if abs(value) < 1e15 and value == round(value) else f"{value:.6g}"


def _columns(columns: Columns, caption: str) -> tuple[Prose, Table]:
    count = max(map(len, columns.values()))  # curves on axes of their own differ in length; the CSV has them side by side, too
    rows = thin(count, ROWS)
    cells = {heading(name): [readable(float(column[row])) if row < len(column) else "" for row in rows] for name, column in columns.items()}
    if len(rows) == count:
        said = _("All {count} rows, rounded to six digits; the CSV file has every digit.").format(count=f"{count:,}")
    else:
        said = _("{shown} of {count} rows, evenly chosen and rounded to six digits; the CSV file has every row and every digit.").format(
            shown=len(rows), count=f"{count:,}"
        )
    return Prose(kind="caption", text=caption or said), Table(columns=cells, alt=", ".join(columns))


def _grid(columns: Columns, down: str, across: str, name: str, caption: str) -> tuple[Prose, Table]:
    matrix, rows, heads = pivot(columns, down, across, name)
    chosen, kept = thin(len(rows), GRID_ROWS), thin(len(heads), GRID_COLUMNS)
    said = _(
        "{name}: {rows} of {all_rows} rows ({down}) and {columns} of {all_columns} columns ({across}), evenly chosen and rounded to six "
        "digits; the CSV file has all."
    ).format(
        name=heading(name),
        rows=len(chosen),
        all_rows=f"{len(rows):,}",
        down=heading(down),
        columns=len(kept),
        all_columns=f"{len(heads):,}",
        across=heading(across),
    )
    cells = {down: [readable(float(rows[row])) for row in chosen]}
    cells |= {f"{across} {readable(float(heads[column]))}": [readable(float(matrix[row, column])) for row in chosen] for column in kept}
    return Prose(kind="caption", text=caption or said), Table(columns=cells, alt=name)
