"""Scores against distance, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, ZERO_LINE, Say, draw

Line = Float64[ndarray, " n"]
Points = Float64[ndarray, " m"]


def score_band(distances: Line, low: Line, high: Line, *, reach: int, context: int, say: Say) -> Drawing:
    """Draw the exact smallest and largest score of every bin of distances, on a log axis, and where the context ends."""
    return draw(
        _band(distances, low, high, say),
        xaxis=_distance_axis(reach, say),
        yaxis=_score_axis(say("score"), low, high),
        hovermode="x unified",
        **_context_line(context, reach, say),
    )


def ensemble(distances: Line, mean: Line, spread: Line, *, count: int, say: Say) -> Drawing:
    """Draw the mean of ``count`` scores at each distance, and one standard deviation to both sides."""
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
        "name": say("one standard deviation to each side"),
    }
    middle = {
        "type": "scatter",
        "x": distances,
        "y": mean,
        "mode": "lines+markers",
        "marker": {"size": 4},
        "line": {"color": SCORE},
        "name": say("mean of {count} scores").format(count=count),
    }
    return draw(
        [upper, lower, middle],
        xaxis=_distance_axis(float(distances[-1]), say),
        yaxis=_score_axis(say("score"), mean - spread, mean + spread),
        hovermode="x unified",
    )


def bounds(
    distances: Line, low: Line, high: Line, at: Points, bound: Points, relative: Points, *, middle: float | None = None, say: Say
) -> Drawing:
    """Draw the bound on the axis of the score, and RoFormer's relative curve, which has no score units, on an axis of its own.

    Args:
        distances: Of the bins of the score.
        low: Smallest score of each bin.
        high: Largest score of each bin.
        at: Distances at which the bounds were computed; between them nothing is known, so they are points.
        bound: In score units.
        relative: Mean of the partial sums.
        middle: The part of the score that is the same everywhere, from which the bound is a distance; None where there is none.
        say: Translates.
    """
    upper, lower = (middle or 0) + bound, (middle or 0) - bound
    name = say("± bound on the score") if middle is None else say("constant ± bound on the rest")
    mean = say("mean |S<sub>j</sub>| (no score units)")
    look = {"type": "scatter", "mode": "markers"}
    traces = [
        *_band(distances, low, high, say),
        look | {"x": at, "y": upper, "name": name, "marker": {"color": REFERENCE, "size": 4}},
        look | {"x": at, "y": lower, "showlegend": False, "name": name, "marker": {"color": REFERENCE, "size": 4}},
        look | {"x": at, "y": relative, "name": mean, "marker": {"color": REFERENCE, "size": 5, "symbol": "diamond"}, "yaxis": "y2"},
    ]
    return draw(
        traces,
        xaxis=_distance_axis(float(at[-1]), say) | {"anchor": "y2"},
        yaxis=_score_axis(say("score"), lower, upper) | {"domain": [0.46, 1]},
        yaxis2={"domain": [0, 0.36], "title": {"text": mean, "font": {"size": 11}}, "rangemode": "tozero", **ZERO_LINE},
    )


def spectrum(
    line_speeds: Line, line_amplitudes: Line, speeds: Points, amplitudes: Points, *, tokens: int, colors: Sequence[str], say: Say
) -> Drawing:
    """Draw the exact lines of the score curve, one a pair, and what the Fourier transform of a stretch of it resolves.

    Args:
        line_speeds: Radians per token, fastest first.
        line_amplitudes: Of each line.
        speeds: Of the transform, above 0.
        amplitudes: Of the transform; each point may stand for the largest of several neighbours.
        tokens: Length of that stretch.
        colors: Of the lines, one a pair.
        say: Translates.
    """
    stems: dict[str, Any] = {
        "type": "bar",
        "x": line_speeds,
        "y": line_amplitudes,
        "marker": {"color": list(colors), "line": {"width": 0}},
        "width": line_speeds * 0.012,
        "name": say("exact lines, one a pair"),
    }
    resolved = {
        "type": "scatter",
        "x": speeds,
        "y": amplitudes,
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1.5},
        "name": say("what {tokens} tokens resolve").format(tokens=f"{tokens:,}"),
    }
    return draw(
        [stems, resolved],
        xaxis={"type": "log", "title": {"text": say("speed θ<sub>i</sub> (rad per token, log axis)")}, "exponentformat": "power"},
        yaxis={"title": {"text": say("amplitude (score units)")}, "rangemode": "tozero", **ZERO_LINE},
    )


def _band(distances: Line, low: Line, high: Line, say: Say) -> list[dict[str, Any]]:
    edge = {"type": "scatter", "x": distances, "mode": "lines"}
    return [
        edge | {"y": high, "name": say("highest score in the bin"), "line": {"color": SCORE, "width": 2}},
        edge
        | {
            "y": low,
            "name": say("lowest score in the bin"),
            "line": {"color": SCORE, "width": 1},
            "fill": "tonexty",
            "fillcolor": SCORE_FILL,
        },
    ]


def _context_line(context: int, reach: int, say: Say) -> dict[str, Any]:
    """Mark the context length, or say at the right end that it lies beyond."""
    name = say("context length {length}").format(length=f"{context:,}")
    note = {"y": 1, "yref": "paper", "showarrow": False, "xanchor": "right", "xshift": -4}
    if context > reach:
        return {"annotations": [note | {"x": 1, "xref": "paper", "text": f"{name} →"}]}
    line = {"type": "line", "x0": context, "x1": context, "y0": 0, "y1": 1, "yref": "paper", "line": {"color": REFERENCE, "dash": "dash"}}
    # Annotations on a log axis are placed by exponent, shapes by value; a label left of distance 10 would run off the figure.
    side = {"xanchor": "left", "xshift": 4} if context < 10 else {}
    return {"shapes": [line], "annotations": [note | side | {"x": float(np.log10(context)), "text": name}]}


def _distance_axis(reach: float, say: Say) -> dict[str, Any]:
    end = float(np.log10(reach))
    return {
        "type": "log",
        "title": {"text": say("distance m - n (tokens, log axis)")},
        "range": [-0.02, end + 0.02],
        "exponentformat": "power",
        "dtick": 1,
    }


def _score_axis(title: str, low: Line, high: Line) -> dict[str, Any]:
    bottom, top = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
    room = 0.06 * (top - bottom) or 1.0
    return {"title": {"text": title}, "range": [bottom - room, top + room], **ZERO_LINE}
