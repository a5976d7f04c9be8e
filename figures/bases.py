"""Bases against distances: where a sum of cosines turns negative, the sum itself, and how many coordinates come round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float32, Float64, Int
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import DIVERGING, REFERENCE, SCORE, K, Q, Say, draw

Line = Float64[ndarray, " n"]
DISTANCE = "distance m - n (tokens, log axis)"
HERE = {"symbol": "circle-open", "color": Q, "size": 16, "line": {"width": 3}}


@dataclass(frozen=True, kw_only=True)
class Points:
    """Marked models: where they stand, and what a reader sees who points at one."""

    x: Sequence[float]
    y: Sequence[float]
    texts: Sequence[str]


def first_negative(
    bases: Line,
    distances: Line,
    *,
    limit: int,
    furthest: int,
    here: tuple[float, float],
    context: int,
    smallest: float | None,
    failing: float | None,
    models: Points,
    say: Say,
) -> Drawing:
    """Draw one point a base: no line between them, because what lies between two bases is not between their points.

    Args:
        bases: Of the sweep.
        distances: First negative distance of each; NaN where there is none below ``limit``.
        limit: Where the search ended: bases with none are drawn there, as open triangles.
        furthest: The end of the distance axis.
        here: The current base and its first negative distance (or ``limit``).
        context: The current context length.
        smallest: Smallest base that passes for it, if known.
        failing: Largest base that fails for it, if known and finite.
        models: Base and stated context of models.
        say: Translates.
    """
    found = ~np.isnan(distances)
    look = {"type": "scatter", "mode": "markers"}
    none = {"symbol": "triangle-up-open", "color": SCORE, "size": 7}
    none_below = say("none below {limit}").format(limit=f"{limit:,}")
    traces = [
        look | {"x": bases[found], "y": distances[found], "name": say("first negative distance"), "marker": {"color": SCORE, "size": 5}},
        look | {"x": bases[~found], "y": np.full(int((~found).sum()), float(limit)), "name": none_below, "marker": none},
        _points(models, say("models")),
        _mark(*here, say("your base"), HERE),
    ]
    for base, name, symbol in ((smallest, say("smallest passing base"), "triangle-right"), (failing, say("largest failing base"), "x")):
        if base is not None:
            traces.append(_mark(base, float(context), name, {"symbol": symbol, "color": K, "size": 12}))
    on_axis = 1 <= context <= furthest
    return draw(
        traces,
        xaxis=_base_axis(bases, say),
        yaxis=_log_axis(say(DISTANCE)) | {"range": [-0.05, float(np.log10(furthest)) + 0.3]},
        shapes=[_level(context)] if on_axis else [],
        annotations=[_note(say("context length"), float(np.log10(context)))] if on_axis else [],
    )


def sums(
    bases: Line, edges: Int[ndarray, " bins_and_one"], lowest: Float32[ndarray, "n bins"], *, base: float, context: int, say: Say
) -> Drawing:
    """Draw the lowest sum of each bin of distances for every base, on one fixed scale; distances on a log axis.

    Args:
        bases: One a row.
        edges: Of the bins: whole distances, each bin up to the next edge.
        lowest: From -1 to 1.
        base: The current one, a line from left to right.
        context: The current one, a line from top to bottom, if it lies within the edges.
        say: Translates.
    """
    base_title, distance, value = say("base b (log axis)"), say(DISTANCE), say("lowest sum in the bin, divided by d/2")
    cells = {
        "type": "heatmap",
        "x": edges,
        "y": bases,
        "z": lowest,
        "zmin": -1,
        "zmid": 0,
        "zmax": 1,
        "colorscale": DIVERGING,
        "colorbar": {"thickness": 12, "title": {"text": value, "side": "right"}},
        "hovertemplate": f"{base_title} %{{y:.4g}}<br>{distance} %{{x}}<br>{value} %{{z:.4f}}<extra></extra>",
    }
    x, y = [float(edges[0]), float(edges[-1])], [float(bases[0]), float(bases[-1])]
    lines = [_across(x, [base, base], say("your base"), {"color": Q, "dash": "dash"})]
    if x[0] <= context <= x[1]:
        lines.append(_across([float(context)] * 2, y, say("context length"), {"color": REFERENCE, "dash": "dot"}))
    return draw(
        [cells, *lines],
        showlegend=True,
        xaxis=_log_axis(distance) | {"range": np.log10(x).tolist(), "showgrid": False},
        yaxis=_log_axis(base_title) | {"range": np.log10(y).tolist(), "showgrid": False},
    )


def critical(bases: Line, share: Line, *, here: tuple[float, float], models: Points, say: Say) -> Drawing:
    """Draw the share of coordinates that come round within the context, a staircase, and that of models at their own context.

    Args:
        bases: Of the sweep.
        share: Per cent of the rotated width.
        here: The current base and its share.
        models: Base and share of models, each at its own width and context.
        say: Translates.
    """
    stairs = {
        "type": "scatter",
        "mode": "lines",
        "line": {"color": SCORE, "width": 2, "shape": "hv"},
        "x": bases,
        "y": share,
        "name": say("at your context and width"),
    }
    return draw(
        [stairs, _points(models, say("models")), _mark(*here, say("your base"), HERE)],
        xaxis=_base_axis(bases, say),
        yaxis={"title": {"text": say("coordinates that come round (% of d)")}, "range": [-3, 106]},
    )


def _points(points: Points, name: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": list(points.x),
        "y": list(points.y),
        "text": list(points.texts),
        "hovertemplate": "%{text}<extra></extra>",
        "name": name,
        "marker": {"symbol": "diamond", "color": REFERENCE, "size": 10},
    }


def _mark(x: float, y: float, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "markers", "x": [x], "y": [y], "name": name, "marker": marker}


def _base_axis(bases: Line, say: Say) -> dict[str, Any]:
    return _log_axis(say("base b (log axis)")) | {"range": [0, float(np.log10(bases[-1])) + 0.1]}


def _log_axis(title: str) -> dict[str, Any]:
    return {"type": "log", "title": {"text": title}, "exponentformat": "power", "dtick": 1}


def _across(x: Sequence[float], y: Sequence[float], name: str, line: dict[str, Any]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "x": list(x), "y": list(y), "name": name, "line": line | {"width": 3}}


def _level(at: float) -> dict[str, Any]:
    """Draw a dashed line across the plot."""
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": {"color": REFERENCE, "dash": "dash"}}


def _note(text: str, exponent: float) -> dict[str, Any]:
    """Name such a line where the points are not: they rise from the lower left. On a log axis annotations are placed by exponent."""
    x, side = (0, "left") if exponent > 1.5 else (1, "right")
    return {"text": text, "y": exponent, "x": x, "xref": "paper", "xanchor": side, "yanchor": "bottom", "showarrow": False}
