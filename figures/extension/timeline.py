"""A text that grows beyond its training, token by token: the speed of the slowest pair, and keys that were cached on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.extension.look import MARGIN, Line, Look, Upright, log_range, uprights
from figures.theme import OTHER, ZERO_LINE, K, Say, draw

Points = Float64[ndarray, " m"]
PANEL = 0.66
"""Lower edge of the upper panel, as a share of the figure."""
SHORT_ROW = 0.05
"""Height of a line of text of the upper panel, as a share of the figure."""


def timeline(
    lengths: Points,
    slowest: Points,
    distances: Line,
    fresh: Line,
    stale: Line | None,
    *,
    look: Look,
    name: str,
    marks: list[Upright],
    key: tuple[int, float, float],
    say: Say,
) -> Drawing:
    """Draw the speed of the slowest pair while a text grows, and below what its last token makes of keys that were cached on the way.

    Args:
        lengths: Of the growing text.
        slowest: Speed of the last pair at each length, over its speed in training.
        distances: From the last token to some keys.
        fresh: Scores with the table of the last token for all keys.
        stale: Scores of keys that carry an older table; None where there is one table only.
        look: Of the method; ``name`` is its name.
        marks: Lengths to mark: the trained one, and the one whose table the keys carry.
        key: The chosen key: its distance, and its score either way.
        say: Translates.
    """
    line = {"color": look.color, "width": 3}
    slow = {"type": "scatter", "mode": "lines", "x": lengths, "y": slowest, "name": name, "line": line, "showlegend": False}
    ends = log_range(1.0, float(lengths[-1]))
    highest = 1.05 * max(1.0, float(slowest.max())) / (1 - SHORT_ROW * len(marks) / (1 - PANEL))  # below the names
    reach = float(np.log10(max(2.0, float(distances[-1]) if len(distances) else 2.0)))
    return draw(
        [slow, *_keys(distances, fresh, stale, look.color, say), *_rings(*key, say("your key"))],
        xaxis={"type": "log", "title": {"text": say("tokens so far (log axis)")}, "range": ends, "domain": [0, 1], "anchor": "y"},
        yaxis={"title": {"text": say("slowest pair, θ′/θ")}, "domain": [PANEL, 1], "range": [0, highest]},
        xaxis2={
            "type": "log",
            "title": {"text": say("distance from the last token to a key (tokens, log axis)")},
            "range": [-0.05, reach + 0.05],
            "anchor": "y2",
        },
        yaxis2={"title": {"text": say("score of q = k = ones")}, "domain": [0, 0.45], **ZERO_LINE},
        margin=MARGIN,
        **uprights(marks, ends, bottom=PANEL, row=SHORT_ROW),
    )


def _keys(distances: Line, fresh: Line, stale: Line | None, color: str, say: Say) -> list[dict[str, Any]]:
    """Draw the scores of all keys in the lower panel."""
    dots = {"type": "scatter", "mode": "markers", "x": distances, "xaxis": "x2", "yaxis": "y2"}
    rows = [dots | {"y": fresh, "name": say("one table for both"), "marker": {"symbol": "circle-open", "color": color, "size": 7}}]
    if stale is not None:
        marker = {"symbol": "x-thin-open", "color": OTHER, "size": 7}
        rows.append(dots | {"y": stale, "name": say("key under the older table"), "marker": marker})
    return rows


def _rings(distance: int, fresh: float, stale: float, name: str) -> list[dict[str, Any]]:
    """Ring the chosen key at its scores; a log axis has no distance 0."""
    lower = {"xaxis": "x2", "yaxis": "y2", "marker": {"symbol": "circle-open", "color": K, "size": 17, "line": {"width": 3}}}
    return [
        {"type": "scatter", "mode": "markers", "x": [float(distance)], "y": [score], "name": name, "showlegend": index == 0} | lower
        for index, score in enumerate(dict.fromkeys((fresh, stale)))
        if distance >= 1
    ]
