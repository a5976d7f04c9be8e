"""How a method of context extension is drawn, and what the figures about such methods share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.theme import REFERENCE

Line = Float64[ndarray, " n"]
MARGIN = {"l": 10, "r": 10, "t": 80, "b": 10}
"""Room for a legend of two rows above the figure."""


class Look(NamedTuple):
    """How a method is drawn."""

    color: str
    symbol: str
    dash: str


@dataclass(frozen=True, kw_only=True)
class Series:
    """The numbers of one method, with its name and its look."""

    name: str
    look: Look
    values: Line


ROW = 0.08
"""Height of a line of text, as a share of a figure of the usual height."""
FEW = 16
"""Up to so many pairs, the ticks of an axis stand at every one; left to themselves, they stand between pairs too."""
MANY = 80
"""With more points than this, a line carries a marker at some of them only."""


def rgba(color: str, alpha: float) -> str:
    """Thin a colour, such as ``#D04A4A``, to fill an area with it."""
    return "rgba({}, {}, {}, {})".format(*bytes.fromhex(color[1:]), alpha)


def method_line(series: Series, x: Line, *, chosen: bool, hover: str) -> dict[str, Any]:
    """Draw a method over ``x``: the chosen one strong, the others behind it."""
    look = series.look
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": series.values,
        "name": f"<b>{series.name}</b>" if chosen else series.name,
        "line": {"color": look.color, "width": 3.5 if chosen else 1.5, "dash": "solid" if chosen else look.dash},
        "marker": {"symbol": look.symbol, "color": look.color, "size": 8 if chosen else 5, "maxdisplayed": MANY // 2},
        "hovertemplate": hover,
    }


def method_mark(look: Look, x: float, y: float, name: str, *, size: int = 15) -> dict[str, Any]:
    """Mark one point of a method with a large marker of its own, ringed."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [y],
        "name": name,
        "marker": {"symbol": look.symbol, "color": look.color, "size": size, "line": {"color": look.color, "width": 2}},
    }


@dataclass(frozen=True, kw_only=True)
class Upright:
    """A line from bottom to top of a log axis, with its name."""

    x: float
    name: str
    dash: str = "dot"


def uprights(lines: list[Upright], ends: Sequence[float], *, top: float = 1.0, bottom: float = 0.0, row: float = ROW) -> dict[str, Any]:
    """Return shapes and annotations: every name has a row of its own above all lines, so that no line runs through one.

    Args:
        lines: To draw.
        ends: Range of the log axis; a name extends from its line towards the farther end.
        top: Upper edge of the panel, as a share of the figure.
        bottom: Its lower edge.
        row: Height of a row.
    """
    left, right = ends
    below = top - row * len(lines)
    shapes = [
        {
            "type": "line",
            "x0": line.x,
            "x1": line.x,
            "y0": bottom,
            "y1": below,
            "yref": "paper",
            "line": {"color": REFERENCE, "dash": line.dash, "width": 1.5},
        }
        for line in lines
    ]
    notes = [
        {
            "x": float(np.log10(line.x)),
            "y": top - row * index,
            "yref": "paper",
            "yanchor": "top",
            "xanchor": "left" if np.log10(line.x) < (left + right) / 2 else "right",
            "text": line.name,
            "showarrow": False,
        }
        for index, line in enumerate(lines)
    ]
    return {"shapes": shapes, "annotations": notes}


def pair_axis(title: str, count: int, *, room: float = 0.5) -> dict[str, Any]:
    """Return an axis of pairs with some room at both ends, and ticks at whole pairs only."""
    axis: dict[str, Any] = {"title": {"text": title}, "range": [-room, count - 1 + room]}
    return axis | ({"tick0": 0, "dtick": 1} if count <= FEW else {})


def below_a_row(values: Sequence[float]) -> list[float]:
    """Return a range that holds all values and leaves a row free above them, for the name of a line."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return [low - 0.05 * span, low + 1.1 * span / (1 - ROW)]


def log_range(*values: float, room: float = 0.04) -> list[float]:
    """Return a range of a log axis that holds all values, with some room at both ends."""
    low, high = float(np.log10(min(values))), float(np.log10(max(values)))
    more = max(room * (high - low), 0.05)
    return [low - more, high + more]
