"""Two layouts of one head: what happens to scores when they are mixed, and one vector in both orders."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, paper_note, scatter
from figures.theme import OTHER, REFERENCE, SCORE, ZERO_LINE, Q, Say, draw


def shift_test(
    shifts: Int64[ndarray, " n"],
    half: Float64[ndarray, " n"],
    interleaved: Float64[ndarray, " n"],
    mixed: Float64[ndarray, " n"],
    *,
    say: Say,
) -> Drawing:
    """Draw the score at one distance while both positions shift: flat in either layout, not flat when they are mixed."""
    x, flat = shifts.astype(np.float64), {"color": SCORE, "width": 3}
    return draw(
        [
            scatter("lines", x, half, say("half layout"), line=flat),
            scatter("lines", x, interleaved, say("interleaved layout"), line=flat | {"dash": "dash"}),
            scatter("lines+markers", x, mixed, say("mixed: a mistake"), line={"color": OTHER, "width": 1}, marker={"size": 4}),
        ],
        xaxis=axis(say("shift of both positions (tokens)"), range=[-1, x[-1] + 1], zeroline=False),
        yaxis=axis(say("score"), rangemode="tozero", **ZERO_LINE),
        hovermode="x unified",
    )


def two_orders(half: Float64[ndarray, " D"], interleaved: Float64[ndarray, " D"], order: Int64[ndarray, " D"], *, say: Say) -> Drawing:
    """Draw one vector, rotated in either layout and in its order, and below that both in the same order.

    ``order`` is the coordinate of the interleaved order that stands at each place of the half order.
    """
    places, round_mark = np.arange(len(order), dtype=np.float64), {"color": Q, "symbol": "circle-open", "size": 10, "line": {"width": 2}}
    ring = scatter("markers", places, half, say("half layout"), marker=round_mark)
    cross = ring | {"name": say("interleaved layout"), "marker": {"color": REFERENCE, "symbol": "x", "size": 5}}
    lower = {"xaxis": "x2", "yaxis": "y2", "showlegend": False}
    reach = 1.08 * float(np.abs(half).max()) or 1.0
    value = axis(say("value"), range=[-reach, reach], **ZERO_LINE)
    across = {"range": [-1, len(order)], "zeroline": False}
    return draw(
        [ring, cross | {"y": interleaved}, ring | lower, cross | lower | {"y": interleaved[order]}],
        xaxis=across | {"title": {"text": ""}, "showticklabels": False},
        yaxis=value | {"domain": [0.54, 0.93]},
        xaxis2=across | {"anchor": "y2", "title": {"text": say("place in the vector")}},
        yaxis2=value | {"domain": [0, 0.39], "anchor": "x2"},
        annotations=[_title(say("each in its own order"), 0.97), _title(say("both in half order, after the permutation"), 0.43)],
    )


def _title(text: str, y: float) -> Part:
    return paper_note(text, 0, y, xanchor="left", yanchor="middle")
