"""One colour, one marker and one dash for each method of context extension, on every figure; and what those figures share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.theme import REFERENCE

Line = Float64[ndarray, " n"]


class Look(NamedTuple):
    """How a method is drawn."""

    color: str
    symbol: str
    dash: str


LOOKS = {
    "linear": Look("#D04A4A", "square", "solid"),
    "ntk": Look("#A07A00", "diamond", "dash"),
    "dynamic": Look("#6E8B1E", "x", "dot"),
    "yarn": Look("#0A8F8C", "circle", "solid"),
    "parts": Look("#3B82C4", "circle-open", "dash"),
    "llama3": Look("#7A62D8", "triangle-up", "dashdot"),
    "longrope": Look("#A5663F", "star", "dot"),
    "proportional": Look("#C04FA8", "triangle-down", "dashdot"),
    "none": Look(REFERENCE, "line-ew-open", "dash"),
}
MANY = 80
"""With more points than this, a line carries a marker at some of them only."""


def rgba(color: str, alpha: float) -> str:
    """Thin a colour, such as ``#D04A4A``, to fill an area with it."""
    return "rgba({}, {}, {}, {})".format(*bytes.fromhex(color[1:]), alpha)


def method_line(method: str, x: Line, y: Line, name: str, *, chosen: bool, hover: str) -> dict[str, Any]:
    """Draw a method: the chosen one strong, the others behind it."""
    look = LOOKS[method]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": y,
        "name": f"<b>{name}</b>" if chosen else name,
        "opacity": 1 if chosen else 0.75,
        "line": {"color": look.color, "width": 3.5 if chosen else 1.5, "dash": "solid" if chosen else look.dash},
        "marker": {"symbol": look.symbol, "color": look.color, "size": 8 if chosen else 5, "maxdisplayed": MANY // 2},
        "hovertemplate": hover,
    }


def method_mark(method: str, x: float, y: float, name: str, *, size: int = 15) -> dict[str, Any]:
    """Mark one point of a method with a large marker of its own, ringed."""
    look = LOOKS[method]
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
    anchor: str = "left"


def uprights(lines: list[Upright], *, top: float = 1.0, bottom: float = 0.0) -> dict[str, Any]:
    """Give shapes and annotations; names of lines that stand close together are stacked."""
    shapes = [
        {
            "type": "line",
            "x0": line.x,
            "x1": line.x,
            "y0": bottom,
            "y1": top,
            "yref": "paper",
            "line": {"color": REFERENCE, "dash": line.dash, "width": 1.5},
        }
        for line in lines
    ]
    notes = [
        {
            "x": float(np.log10(line.x)),
            "y": top - 0.07 * row,
            "yref": "paper",
            "yanchor": "top",
            "xanchor": line.anchor,
            "text": line.name,
            "showarrow": False,
        }
        for row, line in enumerate(lines)
    ]
    return {"shapes": shapes, "annotations": notes}


def log_range(*values: float, room: float = 0.04) -> list[float]:
    """Give a range of a log axis that holds all values, with some room at both ends."""
    low, high = float(np.log10(min(values))), float(np.log10(max(values)))
    more = max(room * (high - low), 0.05)
    return [low - more, high + more]
