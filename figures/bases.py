"""Bases against distances: where a sum of cosines turns negative, the sum itself, and how many coordinates come round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64, Int
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, level, log_axis, note, scatter
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
        bases, distances: First negative distance of each base; NaN where there is none below ``limit``, where it stands as open triangle.
        furthest: The end of the distance axis.
        here: The current base and its first negative distance (or ``limit``).
        smallest, failing: Smallest base that passes for the context and largest that fails, if known and finite.
    """
    found = ~np.isnan(distances)
    none_below, ends = say("none below {limit}").format(limit=f"{limit:,}"), np.full(int((~found).sum()), float(limit))
    traces = [
        scatter("markers", bases[found], distances[found], say("first negative distance"), marker={"color": SCORE, "size": 5}),
        scatter("markers", bases[~found], ends, none_below, marker={"symbol": "triangle-up-open", "color": SCORE, "size": 7}),
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
        yaxis=log_axis(say(DISTANCE), dtick=1, range=[-0.05, float(np.log10(furthest)) + 0.3]),
        shapes=[level(context)] if on_axis else [],
        annotations=[_note(say("context length"), float(np.log10(context)))] if on_axis else [],
    )


def sums(
    bases: Line, edges: Int[ndarray, " bins_and_one"], lowest: Float32[ndarray, "n bins"], *, base: float, context: int, say: Say
) -> Drawing:
    """Draw the lowest sum of each bin of distances for every base, on one fixed scale from -1 to 1; distances on a log axis.

    Lines mark the current ``base``, and the current ``context`` if it lies within the edges of the bins.
    """
    base_title, distance, value = say("base b (log axis)"), say(DISTANCE), say("minimum of the sum per bin, divided by d/2")
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
        xaxis=log_axis(distance, dtick=1, range=np.log10(x).tolist(), showgrid=False),
        yaxis=log_axis(base_title, dtick=1, range=np.log10(y).tolist(), showgrid=False),
    )


def critical(bases: Line, share: Line, *, here: tuple[float, float], models: Points, say: Say) -> Drawing:
    """Draw the share of coordinates that come round within the context, in per cent of the rotated width, a staircase.

    ``here`` is the current base and its share; ``models`` have theirs at their own width and context.
    """
    stairs = scatter("lines", bases, share, say("at your context and width"), line={"color": SCORE, "width": 2, "shape": "hv"})
    return draw(
        [stairs, _points(models, say("models")), _mark(*here, say("your base"), HERE)],
        xaxis=_base_axis(bases, say),
        yaxis=axis(say("coordinates that come round (% of d)"), range=[-3, 106]),
    )


def _points(points: Points, name: str) -> Part:
    marker = {"symbol": "diamond", "color": REFERENCE, "size": 10}
    words = {"text": list(points.texts), "hovertemplate": "%{text}<extra></extra>"}
    return scatter("markers", list(points.x), list(points.y), name, marker=marker, **words)


def _mark(x: float, y: float, name: str, marker: Part) -> Part:
    return scatter("markers", [x], [y], name, marker=marker)


def _base_axis(bases: Line, say: Say) -> Part:
    return log_axis(say("base b (log axis)"), dtick=1, range=[0, float(np.log10(bases[-1])) + 0.1])


def _across(x: list[float], y: list[float], name: str, line: Part) -> Part:
    return scatter("lines", x, y, name, line=line | {"width": 3})


def _note(text: str, exponent: float) -> Part:
    """Name a level where the points are not: they rise from the lower left."""
    x, side = (0, "left") if exponent > 1.5 else (1, "right")
    return note(text, x, exponent, xref="paper", xanchor=side, yanchor="bottom")
