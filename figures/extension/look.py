"""How a method of context extension is drawn, and what the figures about such methods share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.marks import Part, axis, note, scatter, upright

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


def method_line(series: Series, x: Line, *, chosen: bool, hover: str) -> Part:
    """Draw a method over ``x``: the chosen one strong, the others behind it."""
    color, symbol, own_dash = series.look
    name, width, size, dash = (f"<b>{series.name}</b>", 3.5, 8, "solid") if chosen else (series.name, 1.5, 5, own_dash)
    marker = {"symbol": symbol, "color": color, "size": size, "maxdisplayed": MANY // 2}
    line = {"color": color, "width": width, "dash": dash}
    return scatter("lines+markers", x, series.values, name, line=line, marker=marker, hovertemplate=hover)


def method_mark(look: Look, x: float, y: float, name: str, *, size: int = 15) -> Part:
    """Mark one point of a method with a large marker of its own, ringed."""
    marker = {"symbol": look.symbol, "color": look.color, "size": size, "line": {"color": look.color, "width": 2}}
    return scatter("markers", [x], [y], name, marker=marker)


@dataclass(frozen=True, kw_only=True)
class Upright:
    """A line from bottom to top of a log axis, with its name."""

    x: float
    name: str
    dash: str = "dot"


def uprights(lines: list[Upright], ends: Sequence[float], *, top: float = 1.0, bottom: float = 0.0, row: float = ROW) -> Part:
    """Return shapes and annotations: every name has a row of its own above all lines, so that no line runs through one.

    ``ends`` is the range of the log axis: a name extends from its line towards the farther end. The edges of the panel, and the height of a
    row, are shares of the figure.
    """
    shapes, notes = [], []
    for index, line in enumerate(lines):
        shapes.append(upright(line.x, dash=line.dash, width=1.5) | {"y0": bottom, "y1": top - row * len(lines)})
        exponent = float(np.log10(line.x))
        side = "left" if exponent < sum(ends) / 2 else "right"
        notes.append(note(line.name, exponent, top - row * index, yref="paper", yanchor="top", xanchor=side))
    return {"shapes": shapes, "annotations": notes}


def pair_axis(title: str, count: int, *, room: float = 0.5) -> Part:
    """Return an axis of pairs with some room at both ends, and ticks at whole pairs only."""
    return axis(title, range=[-room, count - 1 + room]) | ({"tick0": 0, "dtick": 1} if count <= FEW else {})


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
