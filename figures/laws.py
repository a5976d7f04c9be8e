"""Other laws of speed: one speed for all pairs, and evenly spaced speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float32, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import OTHER, OTHER_FILL, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, ZERO_LINE, draw

Line = Float64[ndarray, " n"]


@dataclass(frozen=True, kw_only=True)
class LawWords:
    """Translated words of the figures of this room."""

    distance: str
    log_distance: str
    cosine: str
    left_over: str
    equal: str
    own: str
    geometric: str
    linear: str
    constant: str


def period(distances: Float32[ndarray, " n"], equal: Line, own: Line, length: int, words: LawWords) -> Drawing:
    """Draw the mean cosine of all pairs against distance: with one speed for all it repeats after ``length`` tokens."""
    line: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "lines+markers" if len(distances) < 200 else "lines"}
    whole = np.arange(length, distances[-1] + 1, length)
    return draw(
        [
            line | {"y": own, "name": words.own, "line": {"color": SCORE, "width": 2}},
            line | {"y": equal, "name": words.equal, "line": {"color": OTHER, "width": 2, "dash": "dash"}},
        ],
        xaxis={"title": {"text": words.distance}, "zeroline": False},
        yaxis={"title": {"text": words.cosine}, "range": [-1.15, 1.25], **ZERO_LINE},
        hovermode="x unified",
        shapes=[
            {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": REFERENCE, "dash": "dot"}}
            for x in whole
        ],
        annotations=[
            {
                "x": x,
                "y": 1,
                "yref": "paper",
                "yanchor": "top",
                "xanchor": "right",
                "text": f"{x / length:.0f} T".removeprefix("1 "),
                "showarrow": False,
            }
            for x in whole
        ],
    )


def left_over(distances: Line, equal: Line, own: Line, words: LawWords) -> Drawing:
    """Draw how far each distance is from a full turn, on a log axis: for one speed, and for the worst pair of the reader's head."""
    best = int(equal.argmin())
    dot: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "markers"}
    return draw(
        [
            dot | {"y": own, "name": words.own, "marker": {"color": SCORE, "size": 4, "symbol": "diamond"}},
            dot | {"y": equal, "name": words.equal, "marker": {"color": OTHER, "size": 5}},
        ],
        xaxis={"title": {"text": words.distance}, "zeroline": False},
        yaxis={"type": "log", "title": {"text": words.left_over}, "range": [-5, 1], "exponentformat": "power", "dtick": 1},
        annotations=[
            {
                "x": distances[best],
                "y": float(np.log10(equal[best])),
                "text": f"{distances[best]:.0f}",
                "ax": -40,
                "ay": -20,
                "arrowcolor": REFERENCE,
            }
        ],
    )


def laws(
    distances: Line,
    geometric: tuple[Line, Line],
    linear: tuple[Line, Line],
    constant: tuple[Line, Line],
    *,
    revival: tuple[int, float] | None,
    words: LawWords,
) -> Drawing:
    """Draw the exact range of the mean cosine under three laws, each as lowest and highest in bins of distances.

    Args:
        distances: Of the bins.
        geometric: Lowest and highest of each bin.
        linear: The same.
        constant: The same.
        revival: Distance at which the linear law comes back, and its mean cosine there; None if that is not on the axis.
        words: Translated.
    """
    # A dash would swallow the peaks of the linear law, which are a bin wide: width and place tell the lines apart.
    looks = (
        (constant, words.constant, REFERENCE, REFERENCE_FILL, {"dash": "dot", "width": 1}),
        (linear, words.linear, OTHER, OTHER_FILL, {"width": 1.5}),
        (geometric, words.geometric, SCORE, SCORE_FILL, {"width": 3}),
    )
    traces: list[dict[str, Any]] = []
    for (low, high), name, color, fill, look in looks:
        edge: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "lines", "legendgroup": name, "name": name}
        edge |= {"line": {"color": color, **look}}
        traces.append(edge | {"y": high, "showlegend": False})
        traces.append(edge | {"y": low, "fill": "tonexty", "fillcolor": fill})
    notes = [
        {"x": float(np.log10(distance)), "y": value, "text": f"{distance:,}", "ax": -30, "ay": -18, "arrowcolor": OTHER}
        for distance, value in [revival or (0, 0.0)]
        if distance
    ]
    return draw(
        traces,
        xaxis={"type": "log", "title": {"text": words.log_distance}, "exponentformat": "power", "dtick": 1},
        yaxis={"title": {"text": words.cosine}, "range": [-1.15, 1.25], **ZERO_LINE},
        annotations=notes,
    )
