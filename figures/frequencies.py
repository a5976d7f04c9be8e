"""How fast each pair turns, and how far it comes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.motion import controls
from figures.theme import OTHER, REFERENCE, draw

Pairs = Float64[ndarray, " P"]
_SPEEDS = [-9.2, 0.4]  # exponents of ten: every base from 1 to 1e9 fits, so the axis does not move
_WAVELENGTHS = [-0.3, 10.3]


@dataclass(frozen=True, kw_only=True)
class FrequencyWords:
    """Translated words of the figures of this room."""

    pair: str
    speed: str
    wavelength: str
    context: str
    turns: str
    one_turn: str
    finished: str
    unfinished: str
    still: str
    coverage: str
    base: str
    own: str
    swept: str
    play: str
    pause: str


def speeds(inv_freq: Pairs, wavelengths: Pairs, context: int, colors: Sequence[str], words: FrequencyWords) -> Drawing:
    """Draw speed and wavelength of every pair on log axes, and the context length on that of the wavelengths.

    A pair of speed 0 and infinite wavelength has no place on them: a cross at the edge says so.
    """
    pairs, moving = np.arange(len(inv_freq), dtype=np.float64), inv_freq > 0
    dots: dict[str, Any] = {"type": "scatter", "x": pairs[moving], "mode": "markers", "showlegend": False}
    dots["marker"] = {"color": _chosen(colors, moving), "size": 7}
    across, below = _pair_axis(len(pairs), words), {"xaxis": "x2", "yaxis": "y2"}
    slow, long = _reaching(_SPEEDS, inv_freq[moving]), _reaching(_WAVELENGTHS, wavelengths[moving])
    traces = [
        dots | {"y": inv_freq[moving], "name": words.speed},
        dots | {"y": wavelengths[moving], "name": words.wavelength, **below},
    ]
    if not moving.all():
        cross = _crosses(pairs[~moving], _chosen(colors, ~moving), words)
        count = len(pairs) - int(moving.sum())
        traces.append(cross | {"y": np.full(count, 10 ** (slow[0] + 0.3))})
        traces.append(cross | {"y": np.full(count, 10 ** (long[1] - 0.3)), "showlegend": False, **below})
    return draw(
        traces,
        height=600,
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(words.speed, slow) | {"domain": [0.54, 1], "dtick": 2},
        xaxis2=across | {"anchor": "y2"},
        yaxis2=_log_axis(words.wavelength, long) | {"domain": [0, 0.46], "anchor": "x2", "dtick": 2},
        **_level(context, "y2", words.context),
    )


def turns(made: Pairs, coverage: Pairs, colors: Sequence[str], words: FrequencyWords) -> Drawing:
    """Draw the turns that every pair makes within the context, and how much of its circle it sweeps.

    Args:
        made: Turns of each pair; below 1 it is marked, and 0 has no place on the log axis: a cross at its edge says so.
        coverage: Share of the circle, 0 to 1.
        colors: Of the pairs.
        words: Translated.
    """
    pairs, done, still = np.arange(len(made), dtype=np.float64), made >= 1, made == 0
    looks = ((done, words.finished, "circle"), (~done & ~still, words.unfinished, "x"))
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": pairs[which],
            "y": made[which],
            "mode": "markers",
            "name": name,
            "marker": {"color": _chosen(colors, which), "symbol": symbol, "size": 8},
        }
        for which, name, symbol in looks
    ]
    bars = {"type": "bar", "x": pairs, "y": coverage, "marker": {"color": list(colors)}, "name": words.coverage, "showlegend": False}
    across = _pair_axis(len(pairs), words)
    # Whole decades, so that the axis seldom moves.
    ends = [float(np.floor(np.log10(made[~still].min(initial=1)))) - 0.2, float(np.ceil(np.log10(made.max(initial=1)))) + 0.2]
    if still.any():
        ends[0] -= 0.5
        traces.append(_crosses(pairs[still], _chosen(colors, still), words) | {"y": np.full(int(still.sum()), 10 ** (ends[0] + 0.3))})
    return draw(
        [*traces, bars | {"xaxis": "x2", "yaxis": "y2"}],
        height=600,
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(words.turns, ends) | {"domain": [0.46, 1]},
        xaxis2=across | {"anchor": "y2"},
        yaxis2={"domain": [0, 0.36], "anchor": "x2", "range": [0, 1.05], "title": {"text": words.coverage}, "tickformat": ".0%"},
        bargap=0.2,
        **_level(1, "y", words.one_turn),
    )


def sweep(bases: Sequence[float], wavelengths: Float64[ndarray, "frames P"], own: Pairs, context: int, words: FrequencyWords) -> Drawing:
    """Let the base run through ``bases``, one a frame, while the wavelengths of the reader's own base stay to compare.

    Args:
        bases: One a frame.
        wavelengths: Of each pair, a row a frame.
        own: Wavelengths at the base that is set.
        context: Length to mark.
        words: Translated.
    """
    pairs = list(range(len(own)))
    names = [f"{base:,.0f}" for base in bases]
    # Frames travel as text: seven digits draw the same picture.
    rows = [[float(f"{value:.7g}") for value in row] for row in wavelengths]
    moving = {
        "type": "scatter",
        "x": np.array(pairs, dtype=np.float64),
        "y": np.array(rows[0]),
        "mode": "lines+markers",
        "name": words.swept,
        "line": {"color": OTHER, "width": 3},
        "marker": {"size": 6},
    }
    still = {
        "type": "scatter",
        "x": np.array(pairs, dtype=np.float64),
        "y": own,
        "mode": "lines+markers",
        "name": words.own,
        "line": {"color": REFERENCE, "dash": "dash"},
        "marker": {"size": 4, "symbol": "diamond"},
    }
    frames = [
        {"name": name, "data": [{"type": "scatter", "x": pairs, "y": row}], "traces": [0]} for name, row in zip(names, rows, strict=True)
    ]
    return draw(
        [moving, still],
        frames=frames,
        height=600,
        xaxis=_pair_axis(len(pairs), words),
        yaxis=_log_axis(words.wavelength, _WAVELENGTHS) | {"dtick": 1},
        **_level(context, "y", words.context),
        **controls(names, play=words.play, pause=words.pause, prefix=words.base + " ", below=60, milliseconds=160),
    )


def _chosen(colors: Sequence[str], which: Bool[ndarray, " P"]) -> list[str]:
    return [color for color, mine in zip(colors, which, strict=True) if mine]


def _crosses(pairs: Float64[ndarray, " n"], colors: list[str], words: FrequencyWords) -> dict[str, Any]:
    """Mark pairs that stand still, where a log axis ends."""
    marker = {"color": colors, "symbol": "x-thin-open", "size": 7, "line": {"width": 2}}
    return {
        "type": "scatter",
        "x": pairs,
        "mode": "markers",
        "marker": marker,
        "name": words.still,
        "hovertemplate": "%{x}: %{fullData.name}",
    }


def _reaching(ends: Sequence[float], values: Float64[ndarray, " n"]) -> list[float]:
    """Widen the ends of a log axis by whole decades where values lie beyond them."""
    low, high = (float(np.log10(side(initial=10.0**end))) for side, end in zip((values.min, values.max), ends, strict=True))
    return [ends[0] - math.ceil(max(ends[0] - low, 0) - 1e-9), ends[1] + math.ceil(max(high - ends[1], 0) - 1e-9)]


def _pair_axis(count: int, words: FrequencyWords) -> dict[str, Any]:
    room = max(0.6, 0.02 * count)
    return {"title": {"text": words.pair}, "range": [-room, count - 1 + room], "zeroline": False, "tickformat": "d"}


def _log_axis(title: str, exponents: Sequence[float]) -> dict[str, Any]:
    return {"type": "log", "title": {"text": title}, "range": list(exponents), "exponentformat": "power", "dtick": 1}


def _level(value: float, axis: str, text: str) -> dict[str, Any]:
    """Mark a value of a log axis: annotations are placed by exponent, shapes by value."""
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": value, "y1": value}
    note = {"xref": "paper", "x": 0, "xanchor": "left", "yref": axis, "y": float(np.log10(value)), "yanchor": "bottom"}
    return {
        "shapes": [line | {"line": {"color": REFERENCE, "dash": "dash"}}],
        "annotations": [note | {"text": text, "showarrow": False}],
    }
