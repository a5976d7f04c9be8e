"""The speeds of the pairs, or their wavelengths, with the symbols of the glossary where they belong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import OTHER, REFERENCE, draw


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A note in the figure.

    Attributes:
        keys: Entries of the glossary that it shows.
        text: What it says.
        pair: Where it points.
        value: At which height.
        right, down: Where the text stands, in pixels from there; none for a note without an arrow.
        anchor: Which side of the text stands there.
    """

    keys: tuple[str, ...]
    text: str
    pair: float
    value: float
    right: int = 0
    down: int = 0
    anchor: str = "left"


def marked(
    values: Float64[ndarray, " P"],
    colors: Sequence[str],
    marks: Sequence[Mark],
    found: Collection[str],
    *,
    exponents: tuple[float, float],
    pair: str,
    quantity: str,
    level: float | None = None,
) -> Drawing:
    """Draw one point a pair on a log axis, and notes next to them; those of the entries that were found are framed and bold.

    Args:
        values: Of each pair, pair 0 first.
        colors: Of the pairs.
        marks: The notes.
        found: Keys of the entries that a reader looks for.
        exponents: Ends of the axis: it stays when the values change.
        pair: Title of the axis of the pairs.
        quantity: Title of the other axis.
        level: A value to draw as a line from side to side.
    """
    count = len(values)
    room = max(0.6, 0.02 * count)
    dots = {"type": "scatter", "mode": "markers", "x": np.arange(count, dtype=np.float64), "y": values, "showlegend": False}
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": level, "y1": level}
    return draw(
        [dots | {"name": quantity, "marker": {"color": list(colors), "size": 7}}],
        xaxis={"title": {"text": pair}, "range": [-room, count - 1 + room], "zeroline": False, "tickformat": "d"},
        yaxis={"type": "log", "title": {"text": quantity}, "range": list(exponents), "exponentformat": "power", "dtick": 2},
        annotations=[_note(mark, bool(set(mark.keys) & set(found))) for mark in marks],
        shapes=[line | {"line": {"color": REFERENCE, "dash": "dash"}}] if level else [],
    )


def _note(mark: Mark, is_found: bool) -> dict[str, Any]:
    """Write a note; annotations of a log axis are placed by exponent."""
    note: dict[str, Any] = {
        "x": mark.pair,
        "y": float(np.log10(mark.value)),
        "text": f"<b>{mark.text}</b>" if is_found else mark.text,
        "xanchor": mark.anchor,
        "yanchor": "middle",
        "borderpad": 4,
        "showarrow": bool(mark.right or mark.down),
    }
    if note["showarrow"]:
        note |= {"ax": mark.right, "ay": mark.down, "arrowhead": 2, "arrowwidth": 2 if is_found else 1, "arrowcolor": REFERENCE}
    if is_found:
        note |= {"bordercolor": OTHER, "borderwidth": 2} | ({"arrowcolor": OTHER} if note["showarrow"] else {})
    return note
