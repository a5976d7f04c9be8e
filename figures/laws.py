"""Other laws of speed: one speed for all pairs, and evenly spaced speeds."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float32, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import OTHER, OTHER_FILL, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, ZERO_LINE, Say, draw

Line = Float64[ndarray, " n"]


def period(distances: Float32[ndarray, " n"], equal: Line, own: Line, *, length: int, base: float, say: Say) -> Drawing:
    """Draw the mean cosine of all pairs against distance: with one speed for all it repeats after ``length`` tokens.

    Args:
        distances: In tokens, from 0.
        equal: With one speed for all pairs.
        own: With the speeds of RoPE.
        length: Tokens of one turn.
        base: Of these speeds.
        say: Translates.
    """
    line: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "lines+markers" if len(distances) < 200 else "lines"}
    whole = np.arange(length, distances[-1] + 1, length)
    return draw(
        [
            line | {"y": own, "name": _own(base, say), "line": {"color": SCORE, "width": 2}},
            line | {"y": equal, "name": say("one speed for all pairs"), "line": {"color": OTHER, "width": 2, "dash": "dash"}},
        ],
        xaxis={"title": {"text": say("distance (tokens)")}, "zeroline": False},
        yaxis={"title": {"text": say("mean cosine of all pairs")}, "range": [-1.15, 1.25], **ZERO_LINE},
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


def left_over(distances: Line, equal: Line, own: Line, *, base: float, say: Say) -> Drawing:
    """Draw the angle that each distance is away from full turns, on a log axis: for one speed, and for the worst pair of a head.

    Args:
        distances: In tokens.
        equal: With 1 rad per token.
        own: With the speeds of RoPE.
        base: Of these speeds.
        say: Translates.
    """
    best = int(equal.argmin())
    dot: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "markers"}
    return draw(
        [
            dot | {"y": own, "name": _own(base, say), "marker": {"color": SCORE, "size": 4, "symbol": "diamond"}},
            dot | {"y": equal, "name": say("one speed for all pairs"), "marker": {"color": OTHER, "size": 5}},
        ],
        xaxis={"title": {"text": say("distance (tokens)")}, "zeroline": False},
        yaxis={
            "type": "log",
            "title": {"text": say("angle to full turns (rad, log axis)")},
            "range": [-5, 1],
            "exponentformat": "power",
            "dtick": 1,
        },
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
    say: Say,
) -> Drawing:
    """Draw the exact range of the mean cosine under three laws, each as lowest and highest in bins of distances.

    Args:
        distances: Of the bins.
        geometric: Lowest and highest of each bin; so are the next two.
        linear: Of evenly spaced speeds.
        constant: Of one speed for all pairs.
        revival: Distance at which all pairs of the linear law agree again, and the mean cosine there; None if that is not on the axis.
        say: Translates.
    """
    # A dash would swallow the peaks of the linear law, which are a bin wide: width and place tell the lines apart.
    looks = (
        (constant, say("1 rad per token for all"), REFERENCE, REFERENCE_FILL, {"dash": "dot", "width": 1}),
        (linear, say("linear law"), OTHER, OTHER_FILL, {"width": 1.5}),
        (geometric, say("geometric law (RoPE)"), SCORE, SCORE_FILL, {"width": 3}),
    )
    traces: list[dict[str, Any]] = []
    for (low, high), name, color, fill, look in looks:
        edge: dict[str, Any] = {"type": "scatter", "x": distances, "mode": "lines", "legendgroup": name, "name": name}
        edge |= {"line": {"color": color, **look}}
        traces.append(edge | {"y": high, "showlegend": False})
        traces.append(edge | {"y": low, "fill": "tonexty", "fillcolor": fill})
    arrow: dict[str, Any] = {"ax": -30, "ay": -18, "arrowcolor": OTHER}
    if revival is not None:
        arrow |= {"x": float(np.log10(revival[0])), "y": revival[1], "text": f"{revival[0]:,}"}
    return draw(
        traces,
        xaxis={"type": "log", "title": {"text": say("distance (tokens, log axis)")}, "exponentformat": "power", "dtick": 1},
        yaxis={"title": {"text": say("mean cosine of all pairs")}, "range": [-1.15, 1.25], **ZERO_LINE},
        annotations=[] if revival is None else [arrow],
    )


def _own(base: float, say: Say) -> str:
    return say("speeds of RoPE, base {base}").format(base=f"{base:,.10g}")
