"""Two layouts of one head: what happens to scores when they are mixed, and one vector in both orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import OTHER, REFERENCE, SCORE, ZERO_LINE, Q, draw


@dataclass(frozen=True, kw_only=True)
class LayoutWords:
    """Translated words of the figures of this room."""

    shift: str
    score: str
    half: str
    interleaved: str
    mixed: str
    place: str
    value: str
    own_order: str
    same_order: str


def shift_test(
    shifts: Int64[ndarray, " n"],
    half: Float64[ndarray, " n"],
    interleaved: Float64[ndarray, " n"],
    mixed: Float64[ndarray, " n"],
    words: LayoutWords,
) -> Drawing:
    """Draw the score at one distance while both positions shift: flat in either layout, not flat when they are mixed."""
    line: dict[str, Any] = {"type": "scatter", "x": shifts.astype(np.float64), "mode": "lines"}
    return draw(
        [
            line | {"y": half, "name": words.half, "line": {"color": SCORE, "width": 3}},
            line | {"y": interleaved, "name": words.interleaved, "line": {"color": SCORE, "width": 3, "dash": "dash"}},
            line | {"y": mixed, "name": words.mixed, "mode": "lines+markers", "line": {"color": OTHER, "width": 1}, "marker": {"size": 4}},
        ],
        xaxis={"title": {"text": words.shift}, "range": [-1, float(shifts[-1]) + 1], "zeroline": False},
        yaxis={"title": {"text": words.score}, "rangemode": "tozero", **ZERO_LINE},
        hovermode="x unified",
    )


def two_orders(
    half: Float64[ndarray, " D"], interleaved: Float64[ndarray, " D"], order: Int64[ndarray, " D"], words: LayoutWords
) -> Drawing:
    """Draw one rotated vector as either layout leaves it, and below that both in the same order.

    Args:
        half: Rotated in half layout, in the order of that layout.
        interleaved: The same vector, rotated in interleaved layout, in the order of that one.
        order: Coordinate of the interleaved order that stands at each place of the half order.
        words: Translated.
    """
    places = np.arange(len(order), dtype=np.float64)
    ring: dict[str, Any] = {
        "type": "scatter",
        "x": places,
        "y": half,
        "mode": "markers",
        "name": words.half,
        "marker": {"color": Q, "symbol": "circle-open", "size": 10, "line": {"width": 2}},
    }
    cross = ring | {"name": words.interleaved, "marker": {"color": REFERENCE, "symbol": "x", "size": 5}}
    lower = {"xaxis": "x2", "yaxis": "y2", "showlegend": False}
    reach = 1.08 * float(np.abs(half).max()) or 1.0
    value = {"title": {"text": words.value}, "range": [-reach, reach], **ZERO_LINE}
    across = {"range": [-1, len(order)], "zeroline": False, "title": {"text": words.place}}
    return draw(
        [ring, cross | {"y": interleaved}, ring | lower, cross | lower | {"y": interleaved[order]}],
        height=600,
        xaxis=across,
        yaxis=value | {"domain": [0.6, 0.95]},
        xaxis2=across | {"anchor": "y2"},
        yaxis2=value | {"domain": [0, 0.35], "anchor": "x2"},
        annotations=[_title(words.own_order, 1), _title(words.same_order, 0.4)],
    )


def _title(text: str, y: float) -> dict[str, Any]:
    return {"text": text, "x": 0, "y": y, "xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "left", "yanchor": "middle"}
