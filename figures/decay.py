"""Scores against distance, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, ZERO_LINE, draw

Line = Float64[ndarray, " n"]
Points = Float64[ndarray, " m"]


@dataclass(frozen=True, kw_only=True)
class DecayWords:
    """Translated words of the figures of this room."""

    distance: str
    context: str
    score: str
    highest: str
    lowest: str
    mean: str
    spread: str
    bound: str
    relative: str
    speed: str
    amplitude: str
    lines: str
    resolved: str


def score_band(distances: Line, low: Line, high: Line, *, reach: int, context: int, words: DecayWords) -> Drawing:
    """Draw the exact smallest and largest score of every bin of distances, on a log axis, and where the context ends."""
    return draw(
        _band(distances, low, high, words),
        xaxis=_distance_axis(reach, words),
        yaxis=_score_axis(words.score, low, high),
        hovermode="x unified",
        **_context_line(context, reach, words),
    )


def ensemble(distances: Line, mean: Line, spread: Line, words: DecayWords) -> Drawing:
    """Draw the mean of many scores at each distance, and one standard deviation to both sides."""
    upper = {
        "type": "scatter",
        "x": distances,
        "y": mean + spread,
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1},
        "showlegend": False,
    }
    lower = {
        "type": "scatter",
        "x": distances,
        "y": mean - spread,
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1},
        "fill": "tonexty",
        "fillcolor": REFERENCE_FILL,
        "name": words.spread,
    }
    middle = {
        "type": "scatter",
        "x": distances,
        "y": mean,
        "mode": "lines+markers",
        "marker": {"size": 4},
        "line": {"color": SCORE},
        "name": words.mean,
    }
    return draw(
        [upper, lower, middle],
        xaxis=_distance_axis(float(distances[-1]), words),
        yaxis=_score_axis(words.score, mean - spread, mean + spread),
        hovermode="x unified",
    )


def bounds(
    distances: Line, low: Line, high: Line, at: Points, bound: Points, relative: Points, words: DecayWords, *, middle: float = 0.0
) -> Drawing:
    """Draw the bound on the axis of the score, and RoFormer's relative curve, which has no score units, on an axis of its own.

    Args:
        distances: Of the bins of the score.
        low: Smallest score of each bin.
        high: Largest score of each bin.
        at: Distances at which the bounds were computed; between them nothing is known, so they are points.
        bound: In score units.
        relative: Mean of the partial sums.
        words: Translated.
        middle: What the bound is a distance from: the part of the score that is the same everywhere.
    """
    upper, lower = middle + bound, middle - bound
    look = {"type": "scatter", "mode": "markers"}
    traces = [
        *_band(distances, low, high, words),
        look | {"x": at, "y": upper, "name": words.bound, "marker": {"color": REFERENCE, "size": 4}},
        look | {"x": at, "y": lower, "showlegend": False, "name": words.bound, "marker": {"color": REFERENCE, "size": 4}},
        look
        | {"x": at, "y": relative, "name": words.relative, "marker": {"color": REFERENCE, "size": 5, "symbol": "diamond"}, "yaxis": "y2"},
    ]
    return draw(
        traces,
        height=600,
        xaxis=_distance_axis(float(at[-1]), words) | {"anchor": "y2"},
        yaxis=_score_axis(words.score, lower, upper) | {"domain": [0.46, 1]},
        yaxis2={"domain": [0, 0.36], "title": {"text": words.relative}, "rangemode": "tozero", **ZERO_LINE},
    )


def spectrum(
    line_speeds: Line, line_amplitudes: Line, speeds: Points, amplitudes: Points, colors: Sequence[str], words: DecayWords
) -> Drawing:
    """Draw the exact lines of the score curve, one a pair, and what the Fourier transform of a stretch of it resolves.

    Args:
        line_speeds: Radians per token, fastest first.
        line_amplitudes: Of each line.
        speeds: Of the transform, above 0.
        amplitudes: Of the transform; each point may stand for the largest of several neighbours.
        colors: Of the lines, one a pair.
        words: Translated.
    """
    stems: dict[str, Any] = {
        "type": "bar",
        "x": line_speeds,
        "y": line_amplitudes,
        "marker": {"color": list(colors), "line": {"width": 0}},
        "width": line_speeds * 0.012,
        "name": words.lines,
    }
    resolved = {
        "type": "scatter",
        "x": speeds,
        "y": amplitudes,
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1.5},
        "name": words.resolved,
    }
    return draw(
        [stems, resolved],
        xaxis={"type": "log", "title": {"text": words.speed}, "exponentformat": "power"},
        yaxis={"title": {"text": words.amplitude}, "rangemode": "tozero", **ZERO_LINE},
    )


def _band(distances: Line, low: Line, high: Line, words: DecayWords) -> list[dict[str, Any]]:
    edge = {"type": "scatter", "x": distances, "mode": "lines"}
    return [
        edge | {"y": high, "name": words.highest, "line": {"color": SCORE, "width": 2}},
        edge | {"y": low, "name": words.lowest, "line": {"color": SCORE, "width": 1}, "fill": "tonexty", "fillcolor": SCORE_FILL},
    ]


def _context_line(context: int, reach: int, words: DecayWords) -> dict[str, Any]:
    """Mark the context length, or say at the right end that it lies beyond."""
    note = {"y": 1, "yref": "paper", "showarrow": False, "xanchor": "right", "xshift": -4}
    if context > reach:
        return {"annotations": [note | {"x": 1, "xref": "paper", "text": f"{words.context} →"}]}
    line = {"type": "line", "x0": context, "x1": context, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": REFERENCE, "dash": "dash"}}
    # Annotations on a log axis are placed by exponent, shapes by value; a label left of distance 10 would run off the figure.
    side = {"xanchor": "left", "xshift": 4} if context < 10 else {}
    return {"shapes": [line], "annotations": [note | side | {"x": float(np.log10(context)), "text": words.context}]}


def _distance_axis(reach: float, words: DecayWords) -> dict[str, Any]:
    end = float(np.log10(reach))
    return {"type": "log", "title": {"text": words.distance}, "range": [-0.02, end + 0.02], "exponentformat": "power", "dtick": 1}


def _score_axis(title: str, low: Line, high: Line) -> dict[str, Any]:
    bottom, top = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
    room = 0.06 * (top - bottom) or 1.0
    return {"title": {"text": title}, "range": [bottom - room, top + room], **ZERO_LINE}
