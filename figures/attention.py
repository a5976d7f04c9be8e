"""What one attention head computes: matrices over queries and keys, their diagonals, and vectors over tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import DIVERGING, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, SEQUENTIAL, ZERO_LINE, Say, draw

Line = Float64[ndarray, " n"]
Matrix = Float[ndarray, "rows columns"]


def scores(values: Matrix, *, causal: bool, say: Say) -> Drawing:
    """Draw signed scores, query positions down and key positions across; keys that a causal query does not see are shaded."""
    reach = float(np.abs(np.tril(values) if causal else values).max()) or 1.0
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    return _matrix(shown, say("score"), {"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING}, causal=causal, say=say)


def weights(values: Matrix, *, causal: bool, say: Say) -> Drawing:
    """Draw weights from 0 to the largest one, laid out as ``scores``."""
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    axis = {"cmin": 0, "cmax": float(values.max().astype(np.float32)), "colorscale": SEQUENTIAL}
    return _matrix(shown, say("weight"), axis, causal=causal, say=say)


def diagonals(distances: Line, alike: tuple[Line, Line], random: tuple[Line, Line], *, say: Say) -> Drawing:
    """Draw the range of the scores on each diagonal: a line where all of them are the same, a band where they are not.

    Args:
        distances: Query position - key position.
        alike: Lowest and highest score at each distance if all tokens are alike.
        random: The same if they are not.
        say: Translates.
    """
    low, high = (float(reduce((*alike, *random))) for reduce in (np.min, np.max))
    room = 0.06 * (max(high, 0.0) - min(low, 0.0)) or 1.0
    return draw(
        [
            *_band(distances, *random, {"color": REFERENCE, "width": 1, "dash": "dot"}, REFERENCE_FILL, say("random tokens"), say),
            *_band(distances, *alike, {"color": SCORE, "width": 2}, SCORE_FILL, say("all tokens alike"), say),
        ],
        xaxis={"title": {"text": say("distance m - n (tokens)")}},
        yaxis={"title": {"text": say("score")}, "range": [min(low, 0.0) - room, max(high, 0.0) + room], **ZERO_LINE},
        hovermode="x unified",
    )


def vectors(panels: Sequence[tuple[str, Matrix]], *, say: Say) -> Drawing:
    """Draw several ``(tokens, coordinates)`` arrays above each other on one colour scale.

    Args:
        panels: Title and numbers of each, from the top.
        say: Translates.
    """
    reach = max(float(np.abs(values).max()) for _, values in panels)
    width = panels[0][1].shape[1]
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes: list[dict[str, Any]] = []
    for index, (title, values) in enumerate(panels):
        name = f"y{index + 1}" if index else "y"
        top = 1 - index / len(panels)
        traces.append(_heat(values, say("coordinate"), say("token"), say("value")) | {"yaxis": name})
        layout[name.replace("y", "yaxis")] = {
            "domain": [top - 0.78 / len(panels), top],
            "range": [len(values) - 0.5, -0.5],
            "title": {"text": say("token")},
            **_whole_ticks(len(values)),
            **BARE,
        }
        notes.append({"text": title, "x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"})
    across = {"title": {"text": say("coordinate")}, "anchor": name, "range": [-0.5, width - 0.5], **_whole_ticks(width), **BARE}
    return draw(
        traces,
        annotations=[note | {"showarrow": False} for note in notes],
        xaxis=across,
        coloraxis={"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING, "colorbar": _bar(say("value"))},
        **layout,
    )


def _matrix(values: Matrix, title: str, axis: dict[str, Any], *, causal: bool, say: Say) -> Drawing:
    count = len(values)
    across, down = say("key position n"), say("query position m")
    mask = {"type": "path", "path": _staircase(count), "fillcolor": REFERENCE_FILL, "line": {"width": 0}, "layer": "below"}
    corner = {"x": 0.98, "y": 0.97, "xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    ends = {"constrain": "domain", **_whole_ticks(count), **BARE}
    return draw(
        [_heat(values, across, down, title)],
        xaxis={"title": {"text": across}, "range": [-0.5, count - 0.5], **ends},
        yaxis={"title": {"text": down}, "range": [count - 0.5, -0.5], "scaleanchor": "x", "constraintoward": "top", **ends},
        coloraxis=axis | {"colorbar": _bar(title)},
        shapes=[mask] if causal else [],
        annotations=[corner | {"text": say("hidden by the causal mask"), "showarrow": False}] if causal else [],
    )


def _heat(values: Matrix, across: str, down: str, title: str) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "z": values.astype(np.float32),
        "x": np.arange(values.shape[1]),
        "y": np.arange(values.shape[0]),
        "hovertemplate": f"{down} %{{y}}<br>{across} %{{x}}<br>{title} %{{z:.4g}}<extra></extra>",
        "coloraxis": "coloraxis",
    }


def _whole_ticks(count: int) -> dict[str, Any]:
    """Keep ticks off the edges between a few cells."""
    return {"dtick": 1} if count <= 10 else {}


def _bar(title: str) -> dict[str, Any]:
    return {"title": {"text": title}, "thickness": 12, "xpad": 4}


def _staircase(count: int) -> str:
    """Outline the cells right of the diagonal, as an SVG path in data coordinates."""
    steps = [f"L{column - 0.5},{column - 1.5} L{column - 0.5},{column - 0.5}" for column in range(1, count)]
    return f"M0.5,-0.5 {' '.join(steps)} L{count - 0.5},{count - 1.5} L{count - 0.5},-0.5 Z"


def _band(distances: Line, low: Line, high: Line, line: dict[str, Any], fill: str, name: str, say: Say) -> list[dict[str, Any]]:
    edge = {"type": "scatter", "x": distances, "mode": "lines", "line": line, "legendgroup": name}
    upper = edge | {"y": high, "name": f"{name}, {say('highest')}"}
    return [upper, edge | {"y": low, "name": f"{name}, {say('lowest')}", "fill": "tonexty", "fillcolor": fill}]


BARE = {"showgrid": False, "zeroline": False}
