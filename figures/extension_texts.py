"""A text that outgrows its training: angles that no pair has met, and the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.drawing import Drawing
from figures.extension_look import LOOKS, Line, Upright, below_a_row, log_range, method_line, pair_axis, rgba, uprights
from figures.theme import OTHER, REFERENCE, ZERO_LINE, draw

SEEN = "rgba(128, 128, 128, 0.45)"


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
    traces = [*_arcs(pairs, seen, met, new, unscaled, method, words), *_turns(pairs, turns, trained_turns, method, words)]
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
        annotations=[_right_of(words.circle)],
    )


def _arcs(pairs: Line, seen: Line, met: Line, new: Line, unscaled: Line, method: str, words: AngleWords) -> list[dict[str, Any]]:
    """Draw the shares of the circle in the upper panel."""
    hover = f"{words.pair} %{{x}}: %{{y:.4f}}"
    bar = {"type": "bar", "x": pairs, "offset": -0.45, "width": 0.9, "hovertemplate": hover}
    hatched = {"color": OTHER, "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.7)", "size": 5}}
    dotted = {
        "type": "scatter",
        "x": pairs,
        "hovertemplate": hover,
        "mode": "lines",
        "line": {"color": REFERENCE, "dash": "dot", "width": 2},
    }
    return [
        bar | {"y": seen, "name": words.seen, "marker": {"color": SEEN, "line": {"color": REFERENCE, "width": 1}}},
        bar | {"y": new, "base": seen, "name": words.unseen, "marker": hatched},
        dotted | {"y": unscaled, "name": words.unscaled},
        method_line(method, pairs, met, words.method, chosen=True, hover=hover),
    ]


def _turns(pairs: Line, turns: Line, trained_turns: Line, method: str, words: AngleWords) -> list[dict[str, Any]]:
    """Draw the turns of both texts in the lower panel; a log axis has no place for none."""
    hover = f"{words.pair} %{{x}}: %{{y:.4f}}"
    line = {"type": "scatter", "x": pairs, "hovertemplate": hover, "mode": "lines", "yaxis": "y2", "showlegend": False}
    return [
        line | {"y": trained_turns, "name": words.trained_turns, "line": {"color": REFERENCE, "width": 2, "dash": "dash"}},
        line | {"y": np.where(turns > 0, turns, np.nan), "name": words.method, "line": {"color": LOOKS[method].color, "width": 3}},
    ]


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
        _band(original, words.original, REFERENCE, "dot"),
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


def _right_of(text: str) -> dict[str, Any]:
    """Name the line of one turn at its right end."""
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": 0, "yref": "y2", "yanchor": "bottom"}
    return place | {"text": text, "showarrow": False}
