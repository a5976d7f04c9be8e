"""Vectors of one pair in their plane, before and after rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, note, phone_room, scatter
from figures.theme import GROUND_FILL, REFERENCE, SCORE, SCORE_FILL, ZERO_LINE, K, Q, Say, draw

GROUND: Part = {"type": "rect", "xref": "x domain", "yref": "y domain", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "layer": "below"} | {
    "line": {"width": 0},
    "fillcolor": GROUND_FILL,
}
_ARC, _VALUE = 0.3, 0.42  # shares of the axes: radius of the arc between two vectors, and of what is written at it
_PITCH = 1.25  # from one row of plots to the next, in widths: titles stand between
_WIDE = np.pi / 3  # an angle that has room for its value between the vectors


def plane(
    q: Float64[ndarray, " two"],
    k: Float64[ndarray, " two"],
    q_turned: Float64[ndarray, " two"],
    k_turned: Float64[ndarray, " two"],
    *,
    say: Say,
) -> Drawing:
    """Draw q and k, dashed before and solid after rotation, the angle between them and their score.

    The axes depend on the lengths only, not on the positions.
    """
    reach = _reach(q, k)
    traces = [
        arrow(q, Q, f"q {say('before')}", dash="dash", letter="q"),
        arrow(k, K, f"k {say('before')}", dash="dash", letter="k"),
        arrow(q_turned, Q, f"q {say('after rotation')}", letter="q"),
        arrow(k_turned, K, f"k {say('after rotation')}", letter="k"),
        *_between(q_turned, k_turned, reach),
    ]
    square: Part = {"constrain": "domain"}
    return draw(
        traces,
        xaxis=_axis(reach, say("first coordinate of the pair"), scaleanchor="y", **square),
        yaxis=_axis(reach, say("second coordinate of the pair"), **square),
        shapes=[GROUND],
        annotations=[_badge(float(q_turned @ k_turned), say)],
    )


def several(vectors: Float64[ndarray, "positions two"], start: Float64[ndarray, " two"], *, titles: Sequence[str], say: Say) -> Drawing:
    """Draw the same query at several positions side by side, each with the unrotated vector dashed behind it."""
    step = 2.4 * _reach(start, start)
    columns = len(vectors) if len(vectors) <= 3 else -(-len(vectors) // 2)
    rows = -(-len(vectors) // columns)
    traces, notes = [], []
    for index, (vector, title) in enumerate(zip(vectors, titles, strict=True)):
        centre = np.array([(index % columns) * step, -(index // columns) * step * _PITCH])
        named = index == 0
        traces.append(circle(centre, float(np.hypot(*start))))
        traces.append(arrow(start, Q, f"q {say('before')}", dash="dash", origin=centre, showlegend=named, head=9))
        traces.append(arrow(vector, Q, f"q {say('after rotation')}", origin=centre, showlegend=named, head=9))
        notes.append(note(title, centre[0], centre[1] - step * 0.46, yanchor="top"))
    return draw(
        traces,
        annotations=notes,
        xaxis={"visible": False, "range": [-step / 2, (columns - 0.5) * step]},
        yaxis={"visible": False, "range": [-step * 0.75 - (rows - 1) * step * _PITCH, step * 0.5], "scaleanchor": "x"},
        meta=phone_room(columns, rows * _PITCH),
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
    """Draw both tokens shifted together: the vectors as rotated then, and beside them the scores at all ``shifts``, ``shift`` marked.

    ``rope`` are scores of the rotated vectors, ``additive`` those of the same vectors with sinusoidal codes added instead.
    """
    reach = _reach(q_turned, k_turned)
    low, high = min(rope.min(), additive.min(), 0.0), max(rope.max(), additive.max(), 0.0)
    room = 0.08 * (high - low) or 1.0
    right = {"xaxis": "x2", "yaxis": "y2"}
    at = shifts.astype(np.float64)
    bare: Part = {"showticklabels": False, "constrain": "domain"}
    return draw(
        [
            arrow(q_turned, Q, "q", letter="q"),
            arrow(k_turned, K, "k", letter="k"),
            scatter("lines", at, rope, say("RoPE"), line={"color": SCORE, "width": 3}, **right),
            scatter("lines", at, additive, say("sinusoidal code, added"), line={"color": REFERENCE, "dash": "dash"}, **right),
            _dot(shift, rope[shifts == shift], SCORE, "circle") | right,
            _dot(shift, additive[shifts == shift], REFERENCE, "diamond") | right,
            *_between(q_turned, k_turned, reach),
        ],
        shapes=[GROUND],
        annotations=[_badge(float(rope[shifts == shift][0]), say)],
        xaxis=_axis(reach, "", scaleanchor="y", domain=[0, 0.48], **bare),
        yaxis=_axis(reach, "", **bare),
        xaxis2=axis(say("shift of both positions (tokens)"), anchor="y2", domain=[0.53, 1], range=[at[0] - 2, at[-1] + 2]),
        yaxis2=axis(say("score"), anchor="x2", side="right", range=[low - room, high + room], **ZERO_LINE),
    )


def _reach(*vectors: Float64[ndarray, " two"]) -> float:
    """Return how far the axes go, in nine digits: rounding of a rotation must not move them."""
    return float(f"{1.15 * max(np.hypot(*vector) for vector in vectors):.9g}") or 1.0


def _axis(reach: float, title: str, **more: Any) -> Part:
    return axis(title, range=[-reach, reach], showgrid=True, **ZERO_LINE, **more)


def _between(q: Float64[ndarray, " two"], k: Float64[ndarray, " two"], reach: float) -> list[Part]:
    """Draw the angle between two vectors as a sector with its degrees; nothing where one of them has no length."""
    start, end = (float(np.arctan2(vector[1], vector[0])) for vector in (k, q))
    span = (end - start + np.pi) % (2 * np.pi) - np.pi
    is_seen = bool(q.any() and k.any())
    turns = np.linspace(start, start + span, 49)
    x, y = (_ARC * reach * np.concatenate([[0.0], each(turns), [0.0]]) for each in (np.cos, np.sin))
    middle = start + span / 2 + (np.pi if abs(span) < _WIDE else 0)  # between the vectors, or where they are close, opposite
    at = _VALUE * reach * np.array([np.cos(middle), np.sin(middle)])
    text = [f"{abs(np.degrees(span)):.1f}°" if is_seen else ""]
    line = {"color": SCORE, "width": 2 if is_seen else 0}
    return [
        scatter("lines", x, y, line=line, fill="toself", fillcolor=SCORE_FILL if is_seen else "rgba(0, 0, 0, 0)", hoverinfo="skip"),
        scatter("text", at[:1], at[1:], text=text, textfont={"size": 15}, hoverinfo="skip"),
    ]


def _badge(score: float, say: Say) -> Part:
    corner = {"xref": "x domain", "yref": "y domain", "xanchor": "left", "yanchor": "top"}
    look = {"bgcolor": SCORE_FILL, "bordercolor": SCORE, "borderpad": 4, "font": {"size": 15}}
    return note(say("score {score}").format(score=f"{score:.4g}"), 0.02, 0.98, **corner, **look)


def arrow(
    vector: Float64[ndarray, " two"],
    color: str,
    name: str,
    *,
    dash: str = "solid",
    origin: Float64[ndarray, " two"] | None = None,
    showlegend: bool = True,
    head: int = 14,
    letter: str = "",
) -> Part:
    """Draw an arrow, that of k with a wide head and with a letter at its tip: colour alone must not say whose it is."""
    start = np.zeros(2) if origin is None else origin
    x, y = ([float(first), float(first + step)] for first, step in zip(start, vector, strict=True))
    tip = {"color": color, "size": [0, head], "symbol": "arrow-wide" if color == K else "arrow", "angleref": "previous"}
    look = {
        "line": {"color": color, "width": 2 if dash == "dash" else 4, "dash": dash},
        "marker": tip | {"opacity": 1, "line": {"width": 0}},
    }
    words = {"mode": "lines+markers+text", "text": ["", letter], "textposition": "top center"} if letter else {}
    return scatter("lines+markers", x, y, name, legendgroup=name, showlegend=showlegend, **look) | words


def circle(centre: Float64[ndarray, " two"], radius: float, points: int = 73) -> Part:
    """Draw a circle on which an arrow turns."""
    turn = np.linspace(0, 2 * np.pi, points)
    x, y = centre[0] + radius * np.cos(turn), centre[1] + radius * np.sin(turn)
    return scatter("lines", x, y, line={"color": REFERENCE, "width": 1}, hoverinfo="skip")


def _dot(x: float, y: Float64[ndarray, " one"], color: str, symbol: str) -> Part:
    return scatter("markers", [float(x)], y, marker={"color": color, "size": 12, "symbol": symbol}, hoverinfo="skip")
