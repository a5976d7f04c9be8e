"""The numbers of a figure as a table, for those who read better than they see; made only while somebody has it open."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st
from numpy import ndarray
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from ui.columns import INDEX, NUMBER, Columns, column
from ui.frame import lesson_name
from ui.i18n import _

ROWS = 100  # of a table of columns; the CSV has all
GRID_ROWS, GRID_COLUMNS = 16, 8

# What numbers the rows and the columns of a map.
GRIDS = (("position", "coordinate"), ("query", "key"), ("token", "coordinate"), ("base", "distance_from"))
BESIDE = {"distance_below"}  # the other end of the bin that distance_from begins

UNSPOKEN = (NUMBER, INDEX)


def fold() -> ExpanderContainer:
    """Draw the fold that tables go into; closed, it costs a moving hand nothing."""
    key = f"{lesson_name()}_figure.table"
    return st.expander(_("Data as a table"), key=key, icon=":material/table_rows:", type="compact", on_change="rerun")


def data_table(columns: Columns, said: str = "") -> None:
    """Show the columns of a figure as a table, each column of a map as a matrix; above them what is ``said``, or what the CSV has more."""
    grid = next((names for names in GRIDS if set(names) <= set(columns)), None)
    if grid is None:
        _show_columns(columns, said)
        return
    for name in columns:
        if name not in grid and name not in BESIDE:
            _show_grid(columns, *grid, name, said)


def thin(count: int, limit: int) -> list[int]:
    """Choose at most ``limit`` of ``count`` rows, evenly, the first and the last among them."""
    return [int(row) for row in np.unique(np.linspace(0, count - 1, min(count, limit)).round())] if count else []


def pivot(columns: Columns, down: str, across: str, name: str) -> tuple[ndarray, ndarray, ndarray]:
    """Give a column as a matrix, and what numbers its rows and its columns; NaN where the column has nothing."""
    rows, row = np.unique(columns[down], return_inverse=True)
    heads, head = np.unique(columns[across], return_inverse=True)
    matrix = np.full((len(rows), len(heads)), np.nan)
    matrix[row, head] = columns[name]
    return matrix, rows, heads


def heading(name: str) -> str:
    """Give the name of a column as the CSV has it, with its unit where it has one."""
    unit = column(name).unit
    return name if unit in UNSPOKEN else _("{column} ({unit})").format(column=name, unit=_(unit))


def readable(value: float) -> str:
    """Write whole numbers in full, others with six digits, and nothing for no number."""
    if math.isnan(value):
        return ""
    return f"{value:,.0f}" if abs(value) < 1e15 and value == round(value) else f"{value:.6g}"


def _show_columns(columns: Columns, told: str) -> None:
    count = max(map(len, columns.values()))  # curves on axes of their own differ in length; the CSV has them side by side, too
    rows = thin(count, ROWS)
    cells = {heading(name): [readable(float(column[row])) if row < len(column) else "" for row in rows] for name, column in columns.items()}
    if len(rows) == count:
        said = _("All {count} rows, rounded to six digits; the CSV below has every digit.").format(count=f"{count:,}")
    else:
        said = _("{shown} of {count} rows, evenly chosen and rounded to six digits; the CSV below has every row and every digit.").format(
            shown=len(rows), count=f"{count:,}"
        )
    st.caption(told or said)
    st.table(cells, hide_index=True, border="horizontal", height=min(400, 38 * (len(rows) + 1)), alt=", ".join(cells))


def _show_grid(columns: Columns, down: str, across: str, name: str, told: str) -> None:
    matrix, rows, heads = pivot(columns, down, across, name)
    chosen, kept = thin(len(rows), GRID_ROWS), thin(len(heads), GRID_COLUMNS)
    said = _(
        "{name}: {rows} of {all_rows} rows ({down}) and {columns} of {all_columns} columns ({across}), evenly chosen and rounded to six "
        "digits; the CSV below has all."
    ).format(
        name=heading(name),
        rows=len(chosen),
        all_rows=f"{len(rows):,}",
        down=heading(down),
        columns=len(kept),
        all_columns=f"{len(heads):,}",
        across=heading(across),
    )
    st.caption(told or said)
    cells = {down: [readable(float(rows[row])) for row in chosen]}
    cells |= {f"{across} {readable(float(heads[column]))}": [readable(float(matrix[row, column])) for row in chosen] for column in kept}
    st.table(cells, hide_index=True, border="horizontal", alt=name)
