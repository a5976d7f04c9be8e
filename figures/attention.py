"""What one attention head computes: matrices over queries and keys, their diagonals, and vectors over tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import DIVERGING, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, SEQUENTIAL, ZERO_LINE, draw

Line = Float64[ndarray, " n"]
Matrix = Float[ndarray, "rows columns"]


@dataclass(frozen=True, kw_only=True)
class AttentionWords:
    """Translated words of the figures of this room."""

    query: str
    key: str
    score: str
    weight: str
    hidden: str
    distance: str
    alike: str
    random: str
    lowest: str
    highest: str
    token: str
    coordinate: str
    value: str


def scores(values: Matrix, *, causal: bool, words: AttentionWords) -> Drawing:
    """Draw signed scores, query positions down and key positions across; keys that a causal query does not see are shaded."""
    reach = float(np.abs(np.tril(values) if causal else values).max()) or 1.0
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    return _matrix(shown, words.score, {"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING}, causal=causal, words=words)


def weights(values: Matrix, *, causal: bool, words: AttentionWords) -> Drawing:
    """Draw weights from 0 to the largest one, laid out as ``scores``."""
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    axis = {"cmin": 0, "cmax": float(values.max().astype(np.float32)), "colorscale": SEQUENTIAL}
    return _matrix(shown, words.weight, axis, causal=causal, words=words)


def diagonals(distances: Line, alike: tuple[Line, Line], random: tuple[Line, Line], words: AttentionWords) -> Drawing:
    """Draw the range of the scores on each diagonal: a line where all of them are the same, a band where they are not.

    Args:
        distances: Query position - key position.
        alike: Lowest and highest score at each distance if all tokens are alike.
        random: The same if they are not.
        words: Translated.
    """
    low, high = (float(reduce((*alike, *random))) for reduce in (np.min, np.max))
    room = 0.06 * (max(high, 0.0) - min(low, 0.0)) or 1.0
    return draw(
        [
            *_band(distances, *random, {"color": REFERENCE, "width": 1, "dash": "dot"}, REFERENCE_FILL, words.random, words),
            *_band(distances, *alike, {"color": SCORE, "width": 2}, SCORE_FILL, words.alike, words),
        ],
        xaxis={"title": {"text": words.distance}},
        yaxis={"title": {"text": words.score}, "range": [min(low, 0.0) - room, max(high, 0.0) + room], **ZERO_LINE},
        hovermode="x unified",
    )


def vectors(panels: Sequence[tuple[str, Matrix]], words: AttentionWords) -> Drawing:
    """Draw several ``(tokens, coordinates)`` arrays above each other on one colour scale.

    Args:
        panels: Title and numbers of each, from the top.
        words: Translated.
    """
    reach = max(float(np.abs(values).max()) for _, values in panels)
    width = panels[0][1].shape[1]
    each = 1 / len(panels)
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes: list[dict[str, Any]] = []
    for index, (title, values) in enumerate(panels):
        name = str(index + 1) if index else ""
        top = 1 - index * each
        traces.append(
            _heat(values, {"coloraxis": "coloraxis", "xaxis": "x", "yaxis": f"y{name}"}, words.coordinate, words.token, words.value)
        )
        layout[f"yaxis{name}"] = {
            "domain": [top - each * 0.8, top],
            "range": [len(values) - 0.5, -0.5],
            "title": {"text": words.token},
            **_whole_ticks(len(values)),
            **BARE,
        }
        notes.append({"text": title, "x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"})
    return draw(
        traces,
        height=640,
        annotations=[note | {"showarrow": False} for note in notes],
        xaxis={
            "title": {"text": words.coordinate},
            "anchor": f"y{len(panels)}",
            "range": [-0.5, width - 0.5],
            **_whole_ticks(width),
            **BARE,
        },
        coloraxis={"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING, "colorbar": _bar(words.value, y=-0.13)},
        **layout,
    )


def _matrix(values: Matrix, title: str, axis: dict[str, Any], *, causal: bool, words: AttentionWords) -> Drawing:
    count = len(values)
    mask = {"type": "path", "path": _staircase(count), "fillcolor": REFERENCE_FILL, "line": {"width": 0}, "layer": "below"}
    note = {"text": words.hidden, "x": 0.98, "y": 0.97, "xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    ends = {"constrain": "domain", **_whole_ticks(count), **BARE}
    return draw(
        [_heat(values, {"coloraxis": "coloraxis"}, words.key, words.query, title)],
        height=590,
        margin={"l": 10, "r": 10, "t": 40, "b": 90},
        xaxis={"title": {"text": words.key}, "range": [-0.5, count - 0.5], "side": "top", **ends},
        yaxis={"title": {"text": words.query}, "range": [count - 0.5, -0.5], "scaleanchor": "x", **ends},
        coloraxis=axis | {"colorbar": _bar(title, y=-0.02, side="top")},
        shapes=[mask] if causal else [],
        annotations=[note | {"showarrow": False}] if causal else [],
    )


def _heat(values: Matrix, where: dict[str, str], across: str, down: str, title: str) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "z": values.astype(np.float32),
        "x": np.arange(values.shape[1]),
        "y": np.arange(values.shape[0]),
        "hovertemplate": f"{down} %{{y}}<br>{across} %{{x}}<br>{title} %{{z:.4g}}<extra></extra>",
        **where,
    }


def _whole_ticks(count: int) -> dict[str, Any]:
    """Keep ticks off the edges between a few cells."""
    return {"dtick": 1} if count <= 10 else {}


def _bar(title: str, *, y: float, side: str = "bottom") -> dict[str, Any]:
    """Lay the colour bar under the plot: beside it, a phone would have no room."""
    return {"orientation": "h", "title": {"text": title, "side": side}, "y": y, "yanchor": "top", "thickness": 12, "len": 0.7}


def _staircase(count: int) -> str:
    """Go around the cells right of the diagonal, as an SVG path in data coordinates."""
    steps = [f"L{column - 0.5},{column - 1.5} L{column - 0.5},{column - 0.5}" for column in range(1, count)]
    return f"M0.5,-0.5 {' '.join(steps)} L{count - 0.5},{count - 1.5} L{count - 0.5},-0.5 Z"


def _band(
    distances: Line, low: Line, high: Line, line: dict[str, Any], fill: str, name: str, words: AttentionWords
) -> list[dict[str, Any]]:
    edge = {"type": "scatter", "x": distances, "mode": "lines", "line": line, "legendgroup": name}
    upper = edge | {"y": high, "name": f"{name}, {words.highest}"}
    return [upper, edge | {"y": low, "name": f"{name}, {words.lowest}", "fill": "tonexty", "fillcolor": fill}]


BARE = {"showgrid": False, "zeroline": False}
