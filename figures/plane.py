"""Vectors of one pair in their plane, before and after rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import REFERENCE, SCORE, ZERO_LINE, K, Q, Say, draw


def plane(
    q: Float64[ndarray, " two"],
    k: Float64[ndarray, " two"],
    q_turned: Float64[ndarray, " two"],
    k_turned: Float64[ndarray, " two"],
    *,
    say: Say,
) -> Drawing:
    """Draw q and k, dashed before and solid after rotation; the axes depend on the lengths only, not on the positions."""
    reach = _reach(q, k)
    traces = [
        _arrow(q, Q, f"q {say('before')}", dash="dash", letter="q"),
        _arrow(k, K, f"k {say('before')}", dash="dash", letter="k"),
        _arrow(q_turned, Q, f"q {say('after rotation')}", letter="q"),
        _arrow(k_turned, K, f"k {say('after rotation')}", letter="k"),
    ]
    # x has no range of its own: with one scale for both axes it takes the whole width.
    across = _axis(reach, say("first coordinate of the pair"), scaleanchor="y")
    return draw(traces, xaxis=across, yaxis=_axis(reach, say("second coordinate of the pair")))


def several(vectors: Float64[ndarray, "positions two"], start: Float64[ndarray, " two"], *, titles: Sequence[str], say: Say) -> Drawing:
    """Draw the same query at several positions side by side, each with the unrotated vector dashed behind it."""
    step = 2.4 * _reach(start, start)
    columns = len(vectors) if len(vectors) <= 5 else 4
    rows = -(-len(vectors) // columns)
    traces, notes = [], []
    for index, (vector, title) in enumerate(zip(vectors, titles, strict=True)):
        centre = np.array([(index % columns) * step, -(index // columns) * step * 1.4])
        named = index == 0
        traces.append(_circle(centre, float(np.hypot(*start))))
        traces.append(_arrow(start, Q, f"q {say('before')}", dash="dash", origin=centre, showlegend=named, head=9))
        traces.append(_arrow(vector, Q, f"q {say('after rotation')}", origin=centre, showlegend=named, head=9))
        notes.append({"x": centre[0], "y": centre[1] - step * 0.46, "text": title, "showarrow": False, "yanchor": "top"})
    return draw(
        traces,
        annotations=notes,
        xaxis={"visible": False, "range": [-step / 2, (columns - 0.5) * step]},
        yaxis={"visible": False, "range": [-step * 0.75 - (rows - 1) * step * 1.4, step * 0.5], "scaleanchor": "x"},
    )


def shift_both(
    shift: int,
    shifts: Int64[ndarray, " S"],
    q_turned: Float64[ndarray, " two"],
    k_turned: Float64[ndarray, " two"],
    rope: Float64[ndarray, " S"],
    additive: Float64[ndarray, " S"],
    *,
    say: Say,
) -> Drawing:
    """Draw both tokens shifted together: the vectors, and beside them the scores at all shifts with a mark at the present one.

    Args:
        shift: The present one, one of ``shifts``.
        shifts: What both positions may be shifted by.
        q_turned: The query, rotated to its position after the shift.
        k_turned: The key, likewise.
        rope: Score of the rotated vectors at each shift.
        additive: Score of the same vectors with sinusoidal codes added instead.
        say: Translates.
    """
    reach = _reach(q_turned, k_turned)
    low, high = min(rope.min(), additive.min(), 0.0), max(rope.max(), additive.max(), 0.0)
    room = 0.08 * (high - low) or 1.0
    right = {"xaxis": "x2", "yaxis": "y2"}
    line = {"type": "scatter", "x": shifts.astype(np.float64), "mode": "lines"} | right
    bare: dict[str, Any] = {"showticklabels": False, "constrain": "domain"}
    return draw(
        [
            _arrow(q_turned, Q, "q", letter="q"),
            _arrow(k_turned, K, "k", letter="k"),
            line | {"y": rope, "name": say("RoPE"), "line": {"color": SCORE, "width": 3}},
            line | {"y": additive, "name": say("sinusoidal code, added"), "line": {"color": REFERENCE, "dash": "dash"}},
            _dot(shift, rope[shifts == shift], SCORE, "circle") | right,
            _dot(shift, additive[shifts == shift], REFERENCE, "diamond") | right,
        ],
        xaxis=_axis(reach, "", scaleanchor="y", domain=[0, 0.4], **bare),
        yaxis=_axis(reach, "", **bare),
        xaxis2={
            "title": {"text": say("shift of both positions (tokens)")},
            "anchor": "y2",
            "domain": [0.46, 1],
            "range": [float(shifts[0]) - 2, float(shifts[-1]) + 2],
        },
        yaxis2={"anchor": "x2", "side": "right", "title": {"text": say("score")}, "range": [low - room, high + room], **ZERO_LINE},
    )


def _reach(*vectors: Float64[ndarray, " two"]) -> float:
    """Return how far the axes go, in nine digits: rounding of a rotation must not move them."""
    return float(f"{1.15 * max(np.hypot(*vector) for vector in vectors):.9g}") or 1.0


def _axis(reach: float, title: str, **more: Any) -> dict[str, Any]:
    return {"range": [-reach, reach], "title": {"text": title}, "showgrid": True, **ZERO_LINE, **more}


def _points(vector: Float64[ndarray, " two"], origin: Float64[ndarray, " two"]) -> dict[str, list[float]]:
    tip = origin + vector
    return {"x": [float(origin[0]), float(tip[0])], "y": [float(origin[1]), float(tip[1])]}


def _arrow(
    vector: Float64[ndarray, " two"],
    color: str,
    name: str,
    *,
    dash: str = "solid",
    origin: Float64[ndarray, " two"] | None = None,
    showlegend: bool = True,
    head: int = 14,
    letter: str = "",
) -> dict[str, Any]:
    """Draw an arrow, that of k with a wide head and with a letter at its tip: colour alone must not say whose it is."""
    return {
        "type": "scatter",
        "mode": "lines+markers+text" if letter else "lines+markers",
        **({"text": ["", letter], "textposition": "top center"} if letter else {}),
        "name": name,
        "showlegend": showlegend,
        "legendgroup": name,
        "line": {"color": color, "width": 2 if dash == "dash" else 4, "dash": dash},
        "marker": {
            "color": color,
            "size": [0, head],
            "symbol": "arrow-wide" if color == K else "arrow",
            "angleref": "previous",
            "opacity": 1,
            "line": {"width": 0},
        },
        **_points(vector, np.zeros(2) if origin is None else origin),
    }


def _circle(centre: Float64[ndarray, " two"], radius: float) -> dict[str, Any]:
    turn = np.linspace(0, 2 * np.pi, 73)
    return {
        "type": "scatter",
        "x": centre[0] + radius * np.cos(turn),
        "y": centre[1] + radius * np.sin(turn),
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _dot(x: float, y: Float64[ndarray, " one"], color: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [float(x)],
        "y": y,
        "mode": "markers",
        "marker": {"color": color, "size": 12, "symbol": symbol},
        "hoverinfo": "skip",
        "showlegend": False,
    }
