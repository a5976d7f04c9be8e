"""Other laws of speed: one speed for all pairs, and evenly spaced speeds."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float32, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, band, log_axis, note, scatter, upright
from figures.theme import OTHER, OTHER_FILL, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, ZERO_LINE, Say, draw

Line = Float64[ndarray, " n"]


def period(distances: Float32[ndarray, " n"], equal: Line, own: Line, *, length: int, base: float, say: Say) -> Drawing:
    """Draw the mean cosine of all pairs against distance: with one speed for all it repeats after ``length`` tokens."""
    mode, dashed = "lines+markers" if len(distances) < 200 else "lines", {"color": OTHER, "width": 2, "dash": "dash"}
    whole = np.arange(length, distances[-1] + 1, length)
    return draw(
        [
            scatter(mode, distances, own, _own(base, say), line={"color": SCORE, "width": 2}),
            scatter(mode, distances, equal, say("one speed for all pairs"), line=dashed),
        ],
        xaxis=axis(say("distance (tokens)"), zeroline=False),
        yaxis=_cosine_axis(say),
        hovermode="x unified",
        shapes=[upright(x, dash="dot") for x in whole],
        annotations=[note(f"{x / length:.0f} T".removeprefix("1 "), x, 1, yref="paper", yanchor="top", xanchor="right") for x in whole],
    )


def left_over(distances: Line, equal: Line, own: Line, *, base: float, say: Say) -> Drawing:
    """Draw the angle that each distance is away from full turns, on a log axis: for one speed, and for the worst pair of a head."""
    best, diamond = int(equal.argmin()), {"color": SCORE, "size": 4, "symbol": "diamond"}
    arrow = {"ax": -40, "ay": -20, "arrowcolor": REFERENCE}
    return draw(
        [
            scatter("markers", distances, own, _own(base, say), marker=diamond),
            scatter("markers", distances, equal, say("one speed for all pairs"), marker={"color": OTHER, "size": 5}),
        ],
        xaxis=axis(say("distance (tokens)"), zeroline=False),
        yaxis=log_axis(say("angle to full turns (rad, log axis)"), range=[-5, 1], dtick=1),
        annotations=[arrow | {"x": distances[best], "y": float(np.log10(equal[best])), "text": f"{distances[best]:.0f}"}],
    )


def laws(
    distances: Line,
    geometric: tuple[Line, Line],
    linear: tuple[Line, Line],
    constant: tuple[Line, Line],
    *,
    revival: tuple[int, float] | None,
    say: Say,
) -> Drawing:
    """Draw the exact range of the mean cosine under three laws, each as lowest and highest in bins of distances.

    ``revival`` is the distance at which all pairs of the linear law agree again, and the mean cosine there; None if it is not on the axis.
    """
    # A dash would swallow the peaks of the linear law, which are a bin wide: width and place tell the lines apart.
    looks = (
        (constant, say("1 rad per token for all"), REFERENCE, REFERENCE_FILL, {"dash": "dot", "width": 1}),
        (linear, say("linear law"), OTHER, OTHER_FILL, {"width": 1.5}),
        (geometric, say("geometric law (RoPE)"), SCORE, SCORE_FILL, {"width": 3}),
    )
    traces: list[Part] = []
    for ends, name, color, fill, look in looks:
        upper, lower = band(distances, *ends, (name, name), fill, {"color": color, **look}, legendgroup=name)
        traces += [upper | {"showlegend": False}, lower]
    arrow = {"ax": -30, "ay": -18, "arrowcolor": OTHER}
    place = {} if revival is None else {"x": float(np.log10(revival[0])), "y": revival[1], "text": f"{revival[0]:,}"}
    return draw(
        traces,
        xaxis=log_axis(say("distance (tokens, log axis)"), dtick=1),
        yaxis=_cosine_axis(say),
        annotations=[arrow | place] if place else [],
    )


def _cosine_axis(say: Say) -> Part:
    return axis(say("mean cosine of all pairs"), range=[-1.15, 1.25], **ZERO_LINE)


def _own(base: float, say: Say) -> str:
    return say("speeds of RoPE, base {base}").format(base=f"{base:,.10g}")
