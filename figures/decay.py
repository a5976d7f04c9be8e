"""Scores against distance, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, band, log_axis, note, scatter, upright
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
    names = "", say("one standard deviation to each side")
    middle = {"marker": {"size": 4}, "line": {"color": SCORE}}
    return draw(
        [
            *band(distances, mean - spread, mean + spread, names, REFERENCE_FILL, {"color": REFERENCE, "width": 1}),
            scatter("lines+markers", distances, mean, say("mean of {count} scores").format(count=count), **middle),
        ],
        xaxis=_distance_axis(float(distances[-1]), say),
        yaxis=_score_axis(say("score"), mean - spread, mean + spread),
        hovermode="x unified",
    )


def bounds(
    distances: Line, low: Line, high: Line, at: Points, bound: Points, relative: Points, *, middle: float | None = None, say: Say
) -> Drawing:
    """Draw the score within its bound, the score alone on an axis of its own, and RoFormer's relative curve, which has no score units.

    Args:
        distances, low, high: Bins, and the smallest and the largest score of each.
        at: Distances at which the bounds were computed; between them nothing is known, so they are points.
        bound: In score units.
        relative: Mean of the partial sums.
        middle: The part of the score that is the same everywhere, from which the bound is a distance; None where there is none.
        say: Translates.
    """
    upper, lower = (middle or 0) + bound, (middle or 0) - bound
    name = say("± bound on the score") if middle is None else say("constant ± bound on the rest")
    mean = say("mean |S<sub>j</sub>| (no score units)")
    dot = {"color": REFERENCE, "size": 4}
    alone = [trace | {"yaxis": "y3", "showlegend": False} for trace in _band(distances, low, high, say)]
    return draw(
        [
            *_band(distances, low, high, say),
            *alone,
            scatter("markers", at, upper, name, marker=dot),
            scatter("markers", at, lower, name, marker=dot, showlegend=False),
            scatter("markers", at, relative, mean, marker=dot | {"size": 5, "symbol": "diamond"}, yaxis="y2"),
        ],
        xaxis=_distance_axis(float(at[-1]), say) | {"anchor": "y2"},
        yaxis=_score_axis(say("score"), lower, upper) | {"domain": [0.63, 1]},
        yaxis2={
            "domain": [0, 0.23],
            "title": {"text": say("mean |S<sub>j</sub>|"), "font": {"size": 11}},
            "rangemode": "tozero",
            "nticks": 4,
            **ZERO_LINE,
        },
        yaxis3=_score_axis(say("enlarged"), low, high) | {"domain": [0.3, 0.56], "nticks": 5},
    )


def spectrum(
    line_speeds: Line, line_amplitudes: Line, speeds: Points, amplitudes: Points, *, tokens: int, colors: Sequence[str], say: Say
) -> Drawing:
    """Draw the exact lines of the score curve, one a pair, and what the Fourier transform of its first ``tokens`` resolves.

    Speeds are radians per token, above 0; each point of the transform may stand for the largest of several neighbours.
    """
    stems: Part = {"type": "bar", "x": line_speeds, "y": line_amplitudes, "width": line_speeds * 0.012}
    stems |= {"marker": {"color": list(colors), "line": {"width": 0}}, "name": say("exact lines, one a pair")}
    name = say("what {tokens} tokens resolve").format(tokens=f"{tokens:,}")
    return draw(
        [stems, scatter("lines", speeds, amplitudes, name, line={"color": REFERENCE, "width": 1.5})],
        xaxis=log_axis(say("speed θ<sub>i</sub> (rad per token, log axis)")),
        yaxis=axis(say("amplitude (score units)"), rangemode="tozero", **ZERO_LINE),
    )


def _band(distances: Line, low: Line, high: Line, say: Say) -> list[Part]:
    names, thin = (say("maximum per bin"), say("minimum per bin")), {"color": SCORE, "width": 1}
    upper, lower = band(distances, low, high, names, SCORE_FILL, thin)
    return [upper | {"line": thin | {"width": 2}}, lower]


def _context_line(context: int, reach: int, say: Say) -> Part:
    """Mark the context length, or say at the right end that it lies beyond."""
    name = say("context length {length}").format(length=f"{context:,}")
    place: Part = {"yref": "paper", "xanchor": "right", "xshift": -4}
    if context > reach:
        return {"annotations": [note(f"{name} →", 1, 1, xref="paper", **place)]}
    if context < 10:  # a label on its left would run off the figure
        place |= {"xanchor": "left", "xshift": 4}
    return {"shapes": [upright(context)], "annotations": [note(name, float(np.log10(context)), 1, **place)]}


def _distance_axis(reach: float, say: Say) -> Part:
    return log_axis(say("distance m - n (tokens, log axis)"), range=[-0.02, float(np.log10(reach)) + 0.02], dtick=1)


def _score_axis(title: str, low: Line, high: Line) -> Part:
    bottom, top = min(float(low.min()), 0.0), max(float(high.max()), 0.0)
    room = 0.06 * (top - bottom) or 1.0
    return axis(title, range=[bottom - room, top + room], **ZERO_LINE)
