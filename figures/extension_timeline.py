"""A text that grows beyond its training, token by token: the speed of the slowest pair, and keys that were cached on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.extension_look import LOOKS, Line, Upright, log_range, method_mark, uprights
from figures.theme import OTHER, ZERO_LINE, K, draw

Points = Float64[ndarray, " m"]
PANEL = 0.66
"""Lower edge of the upper panel, as a share of the figure."""
SHORT_ROW = 0.05
"""Height of a line of text in a figure as tall as that."""


@dataclass(frozen=True, kw_only=True)
class DecodeWords:
    """Translated words of the timeline."""

    length: str
    slowest: str
    method: str
    trained: str
    cached: str
    query: str
    distance: str
    score: str
    fresh: str
    stale: str
    key: str


def timeline(
    lengths: Points,
    slowest: Points,
    distances: Line,
    fresh: Line,
    stale: Line | None,
    *,
    method: str,
    trained: int,
    cached: int | None,
    key: tuple[int, float, float],
    words: DecodeWords,
) -> Drawing:
    """Draw the speed of the slowest pair while a text grows, and below what its last token makes of keys that were cached on the way.

    Args:
        lengths: Of the growing text.
        slowest: Speed of the last pair at each, over its speed in training.
        distances: From the last token to some keys.
        fresh: Scores with the table of the last token for all keys.
        stale: Scores of keys that carry an older table; None where there is one table only.
        method: Gives its look.
        trained: L.
        cached: The length whose table those keys carry.
        key: The chosen key: its distance, and its score either way.
        words: Translated.
    """
    traces = [
        {"type": "scatter", "mode": "lines", "x": lengths, "y": slowest, "name": words.method, "showlegend": False}
        | {"line": {"color": LOOKS[method].color, "width": 3}},
        *_keys(distances, fresh, stale, LOOKS[method].color, words),
    ]
    at, first, second = key
    if at >= 1:  # a log axis has no distance 0
        traces += [_key(at, score, words.key, show=index == 0) for index, score in enumerate(dict.fromkeys((first, second)))]
    marks = [Upright(x=float(trained), name=words.trained)]
    if cached is not None:
        marks.append(Upright(x=float(cached), name=words.cached, dash="dash"))
    ends = log_range(1.0, float(lengths[-1]))
    marked = uprights(marks, ends, bottom=PANEL, row=SHORT_ROW)
    free = 1 - SHORT_ROW * len(marks) / (1 - PANEL)  # of the upper panel, below the names
    reach = float(np.log10(max(2.0, float(distances[-1]) if len(distances) else 2.0)))
    return draw(
        traces,
        height=620,
        xaxis={"type": "log", "title": {"text": words.length}, "range": ends, "domain": [0, 1], "anchor": "y"},
        yaxis={"title": {"text": words.slowest}, "domain": [PANEL, 1], "range": [0, 1.05 / free * max(1.0, float(slowest.max()))]},
        xaxis2={"type": "log", "title": {"text": words.distance}, "range": [-0.05, reach + 0.05], "anchor": "y2"},
        yaxis2={"title": {"text": words.score}, "domain": [0, 0.5], **ZERO_LINE},
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        **marked,
    )


def _keys(distances: Line, fresh: Line, stale: Line | None, color: str, words: DecodeWords) -> list[dict[str, Any]]:
    """Draw the scores of all keys in the lower panel."""
    dots = {"type": "scatter", "mode": "markers", "x": distances, "xaxis": "x2", "yaxis": "y2"}
    rows = [dots | {"y": fresh, "name": words.fresh, "marker": {"symbol": "circle-open", "color": color, "size": 7}}]
    if stale is not None:
        rows.append(dots | {"y": stale, "name": words.stale, "marker": {"symbol": "x-thin-open", "color": OTHER, "size": 7}})
    return rows


def _key(distance: int, score: float, name: str, *, show: bool) -> dict[str, Any]:
    ring = method_mark("none", float(distance), score, name, size=17)
    return ring | {
        "xaxis": "x2",
        "yaxis": "y2",
        "showlegend": show,
        "marker": {"symbol": "circle-open", "color": K, "size": 17, "line": {"width": 3}},
    }
