"""Vectors of one pair in their plane, before and after rotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.motion import controls
from figures.theme import REFERENCE, SCORE, ZERO_LINE, K, Q, draw


@dataclass(frozen=True, kw_only=True)
class PlaneWords:
    """Translated words of the figures of this room."""

    before: str
    after: str
    first: str
    second: str
    shift: str
    score: str
    rope: str
    additive: str
    play: str
    pause: str


def plane(
    q: Float64[ndarray, " two"],
    k: Float64[ndarray, " two"],
    q_turned: Float64[ndarray, " two"],
    k_turned: Float64[ndarray, " two"],
    words: PlaneWords,
) -> Drawing:
    """Draw q and k, dashed before and solid after rotation; the axes depend on the lengths only, so nothing jumps."""
    reach = _reach(q, k)
    traces = [
        _arrow(q, Q, f"q {words.before}", dash="dash", letter="q"),
        _arrow(k, K, f"k {words.before}", dash="dash", letter="k"),
        _arrow(q_turned, Q, f"q {words.after}", letter="q"),
        _arrow(k_turned, K, f"k {words.after}", letter="k"),
    ]
    # x has no range of its own: with one scale for both axes it takes the whole width.
    return draw(traces, xaxis=_axis(reach, words.first, scaleanchor="y"), yaxis=_axis(reach, words.second))


def several(
    vectors: Float64[ndarray, "positions two"], start: Float64[ndarray, " two"], *, titles: Sequence[str], words: PlaneWords
) -> Drawing:
    """Draw the same query at several positions as small multiples, each with the unrotated vector dashed beneath."""
    step = 2.4 * _reach(start, start)
    columns = len(vectors) if len(vectors) <= 5 else 4
    rows = -(-len(vectors) // columns)
    traces, notes = [], []
    for index, (vector, title) in enumerate(zip(vectors, titles, strict=True)):
        centre = np.array([(index % columns) * step, -(index // columns) * step * 1.4])
        named = index == 0
        traces.append(_circle(centre, float(np.hypot(*start))))
        traces.append(_arrow(start, Q, f"q {words.before}", dash="dash", origin=centre, showlegend=named, head=9))
        traces.append(_arrow(vector, Q, f"q {words.after}", origin=centre, showlegend=named, head=9))
        notes.append({"x": centre[0], "y": centre[1] - step * 0.46, "text": title, "showarrow": False, "yanchor": "top"})
    return draw(
        traces,
        height=320 if rows == 1 else 520,
        annotations=notes,
        xaxis={"visible": False, "range": [-step / 2, (columns - 0.5) * step]},
        yaxis={"visible": False, "range": [-step * 0.75 - (rows - 1) * step * 1.4, step * 0.5], "scaleanchor": "x"},
    )


def shift_both(
    shifts: Float64[ndarray, " S"],
    q_turned: Float64[ndarray, "S two"],
    k_turned: Float64[ndarray, "S two"],
    rope: Float64[ndarray, " S"],
    additive: Float64[ndarray, " S"],
    words: PlaneWords,
) -> Drawing:
    """Shift both tokens together: the vectors turn, the score of RoPE is a flat line, that of an additive code is not.

    Args:
        shifts: Added to both positions, one a frame.
        q_turned: The rotated query at each shift.
        k_turned: The rotated key at each shift.
        rope: Score of the rotated vectors.
        additive: Score of the same vectors with sinusoidal codes added instead.
        words: Translated.
    """
    reach = _reach(q_turned[0], k_turned[0])
    names = [f"{shift:.0f}" for shift in shifts]
    moving = [
        [
            {"type": "scatter", **_points(q_turned[frame], np.zeros(2))},
            {"type": "scatter", **_points(k_turned[frame], np.zeros(2))},
            {"type": "scatter", "x": [shifts[frame]], "y": [rope[frame]]},
            {"type": "scatter", "x": [shifts[frame]], "y": [additive[frame]]},
        ]
        for frame in range(len(names))
    ]
    low, high = min(rope.min(), additive.min(), 0.0), max(rope.max(), additive.max(), 0.0)
    room = 0.08 * (high - low) or 1.0
    return draw(
        _shift_traces(shifts, q_turned[0], k_turned[0], rope, additive, words),
        frames=[{"name": name, "data": data, "traces": [0, 1, 2, 3]} for name, data in zip(names, moving, strict=True)],
        height=640,
        xaxis=_axis(reach, "", scaleanchor="y") | {"showticklabels": False},
        yaxis=_axis(reach, "") | {"domain": [0.56, 1], "showticklabels": False},
        xaxis2={"title": {"text": words.shift}, "anchor": "y2", "range": [shifts[0] - 1, shifts[-1] + 1]},
        yaxis2={"domain": [0, 0.46], "anchor": "x2", "title": {"text": words.score}, "range": [low - room, high + room], **ZERO_LINE},
        **controls(names, play=words.play, pause=words.pause, prefix=words.shift + " = ", below=60),
    )


def _shift_traces(
    shifts: Float64[ndarray, " S"],
    q: Float64[ndarray, " two"],
    k: Float64[ndarray, " two"],
    rope: Float64[ndarray, " S"],
    additive: Float64[ndarray, " S"],
    words: PlaneWords,
) -> list[dict[str, Any]]:
    """Draw what moves, first: both arrows and a dot on each score; then the scores at all shifts."""
    right = {"xaxis": "x2", "yaxis": "y2"}
    line = {"type": "scatter", "x": shifts, "mode": "lines"} | right
    return [
        _arrow(q, Q, "q", letter="q"),
        _arrow(k, K, "k", letter="k"),
        _dot(shifts[0], rope[0], SCORE, "circle") | right,
        _dot(shifts[0], additive[0], REFERENCE, "diamond") | right,
        line | {"y": rope, "name": words.rope, "line": {"color": SCORE, "width": 3}},
        line | {"y": additive, "name": words.additive, "line": {"color": REFERENCE, "dash": "dash"}},
    ]


def _reach(*vectors: Float64[ndarray, " two"]) -> float:
    return 1.15 * max(float(np.hypot(*vector)) for vector in vectors) or 1.0


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
    """Draw an arrow; a letter at its tip says whose it is, where colour alone would."""
    return {
        "type": "scatter",
        "mode": "lines+markers+text" if letter else "lines+markers",
        **({"text": ["", letter], "textposition": "top center"} if letter else {}),
        "name": name,
        "showlegend": showlegend,
        "legendgroup": name,
        "line": {"color": color, "width": 2 if dash == "dash" else 4, "dash": dash},
        "marker": {"color": color, "size": [0, head], "symbol": "arrow", "angleref": "previous", "opacity": 1, "line": {"width": 0}},
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


def _dot(x: float, y: float, color: str, symbol: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [x],
        "y": [y],
        "mode": "markers",
        "marker": {"color": color, "size": 12, "symbol": symbol},
        "showlegend": False,
    }
