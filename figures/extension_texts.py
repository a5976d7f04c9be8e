"""A text that outgrows its training: angles that no pair has met, the score, and keys that were cached on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.extension_look import LOOKS, Line, Upright, below_a_row, log_range, method_line, method_mark, pair_axis, rgba, uprights
from figures.theme import OTHER, REFERENCE, ZERO_LINE, K, draw

SEEN = "rgba(128, 128, 128, 0.45)"
Points = Float64[ndarray, " m"]
PANEL = 0.66
"""Lower edge of the upper panel of the timeline, as a share of the figure."""
SHORT_ROW = 0.05
"""Height of a line of text in a figure as tall as that."""


@dataclass(frozen=True, kw_only=True)
class AngleWords:
    """Translated words of the map of angles."""

    pair: str
    share: str
    turns: str
    seen: str
    unseen: str
    method: str
    unscaled: str
    circle: str
    trained_turns: str


def angles(
    seen: Line, met: Line, new: Line, unscaled: Line, turns: Line, trained_turns: Line, *, method: str, words: AngleWords
) -> Drawing:
    """Draw, per pair, the arc that training showed and what lies beyond it; below, how many turns both texts make.

    Args:
        seen: Share of the circle in training.
        met: Share at the target length with the method.
        new: Share of that which counts as unseen.
        unscaled: Share at the target length without one.
        turns: At the target length with the method.
        trained_turns: In training.
        method: Gives its look.
        words: Translated.
    """
    pairs = np.arange(len(seen), dtype=float)
    look = LOOKS[method]
    bar = {"type": "bar", "x": pairs, "offset": -0.45, "width": 0.9}
    hover = f"{words.pair} %{{x}}: %{{y:.4f}}"
    line = {"type": "scatter", "x": pairs, "hovertemplate": hover}
    traces: list[dict[str, Any]] = [
        bar | {"y": seen, "name": words.seen, "marker": {"color": SEEN}, "hovertemplate": hover},
        bar
        | {"y": new, "base": seen, "name": words.unseen, "hovertemplate": hover}
        | {"marker": {"color": OTHER, "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.7)", "size": 5}}},
        line | {"y": unscaled, "mode": "lines", "name": words.unscaled, "line": {"color": REFERENCE, "dash": "dot", "width": 2}},
        method_line(method, pairs, met, words.method, chosen=True, hover=hover),
        line
        | {"y": trained_turns, "mode": "lines", "yaxis": "y2", "name": words.trained_turns}
        | {"line": {"color": REFERENCE, "width": 2}, "showlegend": False},
        line
        | {"y": np.where(turns > 0, turns, np.nan), "mode": "lines", "yaxis": "y2", "name": words.method, "showlegend": False}
        | {"line": {"color": look.color, "width": 3}},
    ]
    drawn = [number for row in (turns, trained_turns) for number in row.tolist() if number > 0]
    return draw(
        traces,
        height=600,
        barmode="overlay",
        xaxis=pair_axis(words.pair, len(seen), room=0.6) | {"anchor": "y2"},
        yaxis={"title": {"text": words.share}, "range": [0, 1.06], "domain": [0.43, 1]},
        yaxis2={
            "title": {"text": words.turns},
            "type": "log",
            "domain": [0, 0.33],
            "range": log_range(1.0, *drawn),
            "exponentformat": "power",
        },
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        shapes=[_across(1.0, "y"), _across(1.0, "y2")],
        annotations=[
            {
                "x": 1,
                "xref": "paper",
                "xanchor": "right",
                "y": 0,
                "yref": "y2",
                "yanchor": "bottom",
                "text": words.circle,
                "showarrow": False,
            }
        ],
    )


@dataclass(frozen=True, kw_only=True)
class CurveWords:
    """Translated words of the figure of the score."""

    distance: str
    score: str
    original: str
    unscaled: str
    extended: str
    trained: str


@dataclass(frozen=True, kw_only=True)
class Band:
    """The exact range of a score in bins of distances."""

    distances: Line
    low: Line
    high: Line


def curves(original: Band, unscaled: Band, extended: Band | None, *, method: str, trained: int, words: CurveWords) -> Drawing:
    """Draw the score up to the trained length, beyond it without a method, and all the way with one."""
    bands = [
        _band(original, words.original, REFERENCE, "solid"),
        _band(unscaled, words.unscaled, OTHER, "dash"),
        *([_band(extended, words.extended, LOOKS[method].color, "solid")] if extended else []),
    ]
    right = max((float(band.distances[-1]) for band in (original, unscaled) if len(band.distances)), default=2.0)
    ends = [0.0, float(np.log10(max(right, 2.0))) + 0.02]
    scores = [score for pair in bands for trace in pair for score in trace["y"].tolist()]
    return draw(
        [trace for pair in bands for trace in pair],
        xaxis={"type": "log", "title": {"text": words.distance}, "range": ends},
        yaxis={"title": {"text": words.score}, **ZERO_LINE} | ({"range": below_a_row(scores)} if scores else {}),
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        **uprights([Upright(x=float(trained), name=words.trained)], ends),
    )


def _band(band: Band, name: str, color: str, dash: str) -> list[dict[str, Any]]:
    look: dict[str, Any] = {"type": "scatter", "x": band.distances, "line": {"color": color, "width": 1.5, "dash": dash}}
    look["mode"] = "lines+markers" if len(band.distances) < 3 else "lines"
    upper = look | {"y": band.high, "showlegend": False, "name": name}
    return [upper, look | {"y": band.low, "fill": "tonexty", "fillcolor": rgba(color, 0.3), "name": name}]


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
    look = LOOKS[method]
    line = {"color": look.color, "width": 3}
    dots = {"type": "scatter", "mode": "markers", "x": distances, "xaxis": "x2", "yaxis": "y2"}
    traces: list[dict[str, Any]] = [
        {"type": "scatter", "mode": "lines", "x": lengths, "y": slowest, "name": words.method, "line": line, "showlegend": False},
        dots | {"y": fresh, "name": words.fresh, "marker": {"symbol": "circle-open", "color": look.color, "size": 7}},
    ]
    if stale is not None:
        traces.append(dots | {"y": stale, "name": words.stale, "marker": {"symbol": "x-thin-open", "color": OTHER, "size": 7}})
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
        xaxis={
            "type": "log",
            "title": {"text": words.length},
            "range": ends,
            "domain": [0, 1],
            "anchor": "y",
        },
        yaxis={"title": {"text": words.slowest}, "domain": [PANEL, 1], "range": [0, 1.05 / free * max(1.0, float(slowest.max()))]},
        xaxis2={"type": "log", "title": {"text": words.distance}, "range": [-0.05, reach + 0.05], "anchor": "y2"},
        yaxis2={"title": {"text": words.score}, "domain": [0, 0.5], **ZERO_LINE},
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        **marked,
    )


def _key(distance: int, score: float, name: str, *, show: bool) -> dict[str, Any]:
    ring = method_mark("none", float(distance), score, name, size=17)
    return ring | {
        "xaxis": "x2",
        "yaxis": "y2",
        "showlegend": show,
        "marker": {"symbol": "circle-open", "color": K, "size": 17, "line": {"width": 3}},
    }


def _across(at: float, axis: str) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": at,
        "y1": at,
        "yref": axis,
        "line": {"color": REFERENCE, "dash": "dash", "width": 1},
    }
