"""How fast each pair turns, and how many turns it makes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import REFERENCE, Say, draw

Pairs = Float64[ndarray, " P"]
_SPEEDS = [-9.2, 0.4]  # exponents of ten: every base from 1 to 1e9 fits, so the axis does not move
_WAVELENGTHS = [-0.3, 10.3]
SMALL = {"size": 11}  # of two titles above each other, on a phone too


def speeds(inv_freq: Pairs, wavelengths: Pairs, *, context: int, colors: Sequence[str], say: Say) -> Drawing:
    """Draw speed and wavelength of every pair on log axes, and the context length on that of the wavelengths.

    A pair of speed 0 and infinite wavelength has no place on them: it is a cross at the edge.

    Args:
        inv_freq: Radians per token of each pair.
        wavelengths: Tokens of one turn.
        context: Length to mark.
        colors: Of the pairs.
        say: Translates.
    """
    pairs, moving = np.arange(len(inv_freq), dtype=np.float64), inv_freq > 0
    dots: dict[str, Any] = {"type": "scatter", "x": pairs[moving], "mode": "markers", "showlegend": False}
    dots["marker"] = {"color": _chosen(colors, moving), "size": 7}
    across, below = _pair_axis(len(pairs), say), {"xaxis": "x2", "yaxis": "y2"}
    speed, wavelength = say("θ<sub>i</sub> (rad per token, log)"), say("λ<sub>i</sub> (tokens, log)")
    slow, long = _reaching(_SPEEDS, inv_freq[moving]), _reaching(_WAVELENGTHS, wavelengths[moving])
    traces = [
        dots | {"y": inv_freq[moving], "name": speed},
        dots | {"y": wavelengths[moving], "name": wavelength, **below},
    ]
    if not moving.all():
        cross = _crosses(pairs[~moving], _chosen(colors, ~moving), say)
        count = len(pairs) - int(moving.sum())
        traces.append(cross | {"y": np.full(count, 10 ** (slow[0] + 0.3))})
        traces.append(cross | {"y": np.full(count, 10 ** (long[1] - 0.3)), "showlegend": False, **below})
    return draw(
        traces,
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(speed, slow) | {"domain": [0.53, 1], "dtick": 2},
        xaxis2=across | {"anchor": "y2"},
        yaxis2=_log_axis(wavelength, long) | {"domain": [0, 0.47], "anchor": "x2", "dtick": 2},
        **_level(context, "y2", _context(context, say)),
    )


def turns(made: Pairs, coverage: Pairs, *, colors: Sequence[str], say: Say) -> Drawing:
    """Draw the turns that every pair makes within the context, and the share of its circle that it sweeps.

    Args:
        made: Turns of each pair; below 1 it has another mark, and 0 has no place on the log axis: it is a cross at the edge.
        coverage: Share of the circle, 0 to 1.
        colors: Of the pairs.
        say: Translates.
    """
    pairs, done, still = np.arange(len(made), dtype=np.float64), made >= 1, made == 0
    looks = ((done, say("makes at least one turn"), "circle"), (~done & ~still, say("never finishes a turn"), "x"))
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
    share, across = say("share of the circle"), _pair_axis(len(pairs), say)
    bars = {"type": "bar", "x": pairs, "y": coverage, "marker": {"color": list(colors)}, "name": share, "showlegend": False}
    # Whole decades, so that the axis seldom moves.
    ends = [float(np.floor(np.log10(made[~still].min(initial=1)))) - 0.2, float(np.ceil(np.log10(made.max(initial=1)))) + 0.2]
    if still.any():
        ends[0] -= 0.5
        traces.append(_crosses(pairs[still], _chosen(colors, still), say) | {"y": np.full(int(still.sum()), 10 ** (ends[0] + 0.3))})
    return draw(
        [*traces, bars | {"xaxis": "x2", "yaxis": "y2"}],
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(say("turns in the context (log)"), ends) | {"domain": [0.44, 1], "dtick": 2 if ends[1] - ends[0] > 6 else 1},
        xaxis2=across | {"anchor": "y2"},
        yaxis2={"domain": [0, 0.38], "anchor": "x2", "range": [0, 1.05], "title": {"text": share, "font": SMALL}, "tickformat": ".0%"},
        bargap=0.2,
        **_level(1, "y", say("one turn")),
    )


def sweep(
    own: Pairs, ends: tuple[Pairs, Pairs], *, base: float, bases: tuple[float, float], context: int, colors: Sequence[str], say: Say
) -> Drawing:
    """Draw the wavelengths at one base, and faintly those at a small and a large one.

    Args:
        own: Wavelengths of each pair at ``base``.
        ends: Wavelengths at ``bases``.
        base: The reader's base.
        bases: The small base and the large one.
        context: Length to mark.
        colors: Of the pairs.
        say: Translates.
    """
    pairs = np.arange(len(own), dtype=np.float64)
    line: dict[str, Any] = {"type": "scatter", "x": pairs, "mode": "lines+markers"}
    traces = [
        line
        | {
            "y": wavelengths,
            "name": say("base {base}").format(base=f"{end:,.10g}"),
            "line": {"color": REFERENCE, "dash": dash, "width": 1},
            "marker": {"color": REFERENCE, "size": 3, "symbol": symbol},
        }
        for wavelengths, end, dash, symbol in zip(ends, bases, ("dot", "dash"), ("circle", "diamond"), strict=True)
    ]
    mine = {"y": own, "name": say("your base, {base}").format(base=f"{base:,.10g}"), "line": {"color": REFERENCE, "width": 2}}
    return draw(
        [*traces, line | mine | {"marker": {"color": list(colors), "size": 8}}],
        xaxis=_pair_axis(len(own), say),
        yaxis=_log_axis(say("λ<sub>i</sub> (tokens, log)"), _WAVELENGTHS),
        **_level(context, "y", _context(context, say)),
    )


def _context(length: int, say: Say) -> str:
    return say("context length {context}").format(context=f"{length:,}")


def _chosen(colors: Sequence[str], which: Bool[ndarray, " P"]) -> list[str]:
    return [color for color, mine in zip(colors, which, strict=True) if mine]


def _crosses(pairs: Float64[ndarray, " n"], colors: list[str], say: Say) -> dict[str, Any]:
    """Mark pairs that stand still, where a log axis ends."""
    return {
        "type": "scatter",
        "x": pairs,
        "mode": "markers",
        "marker": {"color": colors, "symbol": "x-thin-open", "size": 7, "line": {"width": 2}},
        "name": say("stands still: speed 0, off the log axis"),
        "hovertemplate": "%{x}: %{fullData.name}",
    }


def _reaching(ends: Sequence[float], values: Float64[ndarray, " n"]) -> list[float]:
    """Widen the ends of a log axis by whole decades where values lie beyond them."""
    low, high = (float(np.log10(side(initial=10.0**end))) for side, end in zip((values.min, values.max), ends, strict=True))
    return [ends[0] - math.ceil(max(ends[0] - low, 0) - 1e-9), ends[1] + math.ceil(max(high - ends[1], 0) - 1e-9)]


def _pair_axis(count: int, say: Say) -> dict[str, Any]:
    room = max(0.6, 0.02 * count)
    return {"title": {"text": say("pair i")}, "range": [-room, count - 1 + room], "zeroline": False, "tickformat": "d"}


def _log_axis(title: str, exponents: Sequence[float]) -> dict[str, Any]:
    return {"type": "log", "title": {"text": title, "font": SMALL}, "range": list(exponents), "exponentformat": "power", "dtick": 1}


def _level(value: float, axis: str, text: str) -> dict[str, Any]:
    """Mark a value of a log axis: annotations are placed by exponent, shapes by value."""
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": value, "y1": value}
    note = {"xref": "paper", "x": 0, "xanchor": "left", "yref": axis, "y": float(np.log10(value)), "yanchor": "bottom"}
    return {
        "shapes": [line | {"line": {"color": REFERENCE, "dash": "dash"}}],
        "annotations": [note | {"text": text, "showarrow": False}],
    }
