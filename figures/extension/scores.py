"""The score of a text that outgrows its training: by distance, and token by token with keys that were cached on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.extension.look import MARGIN, Line, Look, Upright, below_a_row, log_range, rgba, uprights
from figures.marks import Part, axis, band, scatter
from figures.theme import OTHER, REFERENCE, ZERO_LINE, K, Say, draw

Points = Float64[ndarray, " m"]
PANEL = 0.66
"""Lower edge of the upper panel, as a share of the figure."""
LOWER = {"xaxis": "x2", "yaxis": "y2"}
SHORT_ROW = 0.05
"""Height of a line of text of the upper panel, as a share of the figure."""


@dataclass(frozen=True, kw_only=True)
class Band:
    """The exact range of a score in bins of distances."""

    distances: Line
    low: Line
    high: Line


def curves(original: Band, unscaled: Band, extended: Band | None, *, look: Look, name: str, trained: Upright, say: Say) -> Drawing:
    """Draw the score up to the trained length, beyond it without a method, and all the way with one."""
    bands = [
        _band(original, say("as trained"), REFERENCE, "dot"),
        _band(unscaled, say("beyond training, no method"), OTHER, "dash"),
        *([_band(extended, name, look.color, "solid")] if extended else []),
    ]
    right = max((float(span.distances[-1]) for span in (original, unscaled) if len(span.distances)), default=2.0)
    ends = [0.0, float(np.log10(max(right, 2.0))) + 0.02]
    scores = [score for pair in bands for trace in pair for score in trace["y"].tolist()]
    return draw(
        [trace for pair in bands for trace in pair],
        xaxis=axis(say("distance m - n (tokens, log axis)"), type="log", range=ends),
        yaxis=axis(say("score of q = k = ones"), **ZERO_LINE) | ({"range": below_a_row(scores)} if scores else {}),
        margin=MARGIN,
        **uprights([trained], ends),
    )


def _band(span: Band, name: str, color: str, dash: str) -> list[Part]:
    mode, line = "lines+markers" if len(span.distances) < 3 else "lines", {"color": color, "width": 1.5, "dash": dash}
    upper, lower = band(span.distances, span.low, span.high, (name, name), rgba(color, 0.3), line, mode=mode)
    return [upper | {"showlegend": False}, lower]


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
        lengths, slowest: Of the growing text, and the speed of the last pair at each, over its speed in training.
        distances: From the last token to some keys.
        fresh, stale: Scores with the table of the last token for all keys, and of keys that carry an older one; None where there is one.
        look, name: Of the method.
        marks: Lengths to mark: the trained one, and the one whose table the keys carry.
        key: The chosen key: its distance, and its score either way.
        say: Translates.
    """
    slow = scatter("lines", lengths, slowest, name, line={"color": look.color, "width": 3}, showlegend=False)
    ends = log_range(1.0, float(lengths[-1]))
    highest = 1.05 * max(1.0, float(slowest.max())) / (1 - SHORT_ROW * len(marks) / (1 - PANEL))  # below the names
    distance = say("distance from the last token to a key (tokens, log axis)")
    reach = float(np.log10(max(2.0, float(distances[-1]) if len(distances) else 2.0)))
    return draw(
        [slow, *_keys(distances, fresh, stale, look.color, say), *_rings(*key, say("your key"))],
        xaxis=axis(say("tokens so far (log axis)"), type="log", range=ends, domain=[0, 1], anchor="y"),
        yaxis=axis(say("slowest pair, θ′/θ"), domain=[PANEL, 1], range=[0, highest]),
        xaxis2=axis(distance, type="log", range=[-0.05, reach + 0.05], anchor="y2"),
        yaxis2=axis(say("score of q = k = ones"), domain=[0, 0.45], **ZERO_LINE),
        margin=MARGIN,
        **uprights(marks, ends, bottom=PANEL, row=SHORT_ROW),
    )


def _keys(distances: Line, fresh: Line, stale: Line | None, color: str, say: Say) -> list[Part]:
    """Draw the scores of all keys in the lower panel."""
    ring, cross = {"symbol": "circle-open", "color": color, "size": 7}, {"symbol": "x-thin-open", "color": OTHER, "size": 7}
    rows = ((fresh, say("one table for both"), ring), (stale, say("key under the older table"), cross))
    return [scatter("markers", distances, row, name, marker=marker, **LOWER) for row, name, marker in rows if row is not None]


def _rings(distance: int, fresh: float, stale: float, name: str) -> list[Part]:
    """Ring the chosen key at its scores; a log axis has no distance 0."""
    marker = {"symbol": "circle-open", "color": K, "size": 17, "line": {"width": 3}}
    return [
        scatter("markers", [float(distance)], [score], name, showlegend=index == 0, marker=marker, **LOWER)
        for index, score in enumerate(dict.fromkeys((fresh, stale)))
        if distance >= 1
    ]
