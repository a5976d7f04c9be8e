"""How fast each pair turns, and how many turns it makes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, level, log_axis, note, pair_axis, scatter
from figures.theme import REFERENCE, Say, draw, pair_colors

Pairs = Float64[ndarray, " P"]
_SPEEDS = [-9.2, 0.4]  # exponents of ten: every base from 1 to 1e9 fits, so the axis does not move
_WAVELENGTHS = [-0.3, 10.3]
SMALL = {"size": 11}  # of two titles above each other, on a phone too


def speeds(inv_freq: Pairs, wavelengths: Pairs, *, context: int, say: Say) -> Drawing:
    """Draw speed and wavelength of every pair on log axes, and the context length on that of the wavelengths.

    A pair of speed 0 and infinite wavelength has no place on them: it is a cross at the edge.
    """
    pairs, moving = np.arange(len(inv_freq), dtype=np.float64), inv_freq > 0
    dots = scatter("markers", pairs[moving], inv_freq[moving], marker={"color": _colors(moving), "size": 7})
    across, below = pair_axis(say("pair i"), len(pairs)), {"xaxis": "x2", "yaxis": "y2"}
    speed, wavelength = say("θ<sub>i</sub> (rad per token, log)"), say("λ<sub>i</sub> (tokens, log)")
    slow, long = _reaching(_SPEEDS, inv_freq[moving]), _reaching(_WAVELENGTHS, wavelengths[moving])
    traces = [dots | {"name": speed}, dots | {"y": wavelengths[moving], "name": wavelength, **below}]
    if not moving.all():
        traces += [_crosses(~moving, slow[0] + 0.3, say), _crosses(~moving, long[1] - 0.3, say) | {"showlegend": False, **below}]
    return draw(
        traces,
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(speed, slow) | {"domain": [0.53, 1], "dtick": 2},
        xaxis2=across | {"anchor": "y2"},
        yaxis2=_log_axis(wavelength, long) | {"domain": [0, 0.47], "anchor": "x2", "dtick": 2},
        **_level(context, "y2", _context(context, say)),
    )


def turns(made: Pairs, coverage: Pairs, *, say: Say) -> Drawing:
    """Draw the turns that every pair makes within the context, and the share of its circle that it sweeps, 0 to 1.

    Less than one turn has another mark, and none has no place on the log axis: it is a cross at the edge.
    """
    pairs, done, still = np.arange(len(made), dtype=np.float64), made >= 1, made == 0
    looks = ((done, say("makes at least one turn"), "circle"), (~done & ~still, say("never finishes a turn"), "x"))
    traces = [
        scatter("markers", pairs[which], made[which], name, marker={"color": _colors(which), "symbol": symbol, "size": 8})
        for which, name, symbol in looks
    ]
    share, across = say("share of the circle"), pair_axis(say("pair i"), len(pairs))
    bars = {"type": "bar", "x": pairs, "y": coverage, "marker": {"color": pair_colors(len(pairs))}, "name": share, "showlegend": False}
    # Whole decades, so that the axis seldom moves.
    ends = [float(np.floor(np.log10(made[~still].min(initial=1)))) - 0.2, float(np.ceil(np.log10(made.max(initial=1)))) + 0.2]
    if still.any():
        ends[0] -= 0.5
        traces.append(_crosses(still, ends[0] + 0.3, say))
    return draw(
        [*traces, bars | {"xaxis": "x2", "yaxis": "y2"}],
        xaxis=across | {"title": {"text": ""}, "matches": "x2", "showticklabels": False},
        yaxis=_log_axis(say("turns in the context (log)"), ends) | {"domain": [0.44, 1], "dtick": 2 if ends[1] - ends[0] > 6 else 1},
        xaxis2=across | {"anchor": "y2"},
        yaxis2={"domain": [0, 0.38], "anchor": "x2", "range": [0, 1.05], "title": {"text": share, "font": SMALL}, "tickformat": ".0%"},
        bargap=0.2,
        **_level(1, "y", say("one turn")),
    )


def sweep(own: Pairs, ends: tuple[Pairs, Pairs], *, base: float, bases: tuple[float, float], context: int, say: Say) -> Drawing:
    """Draw the wavelengths at the reader's ``base``, and faintly those at ``bases``, a small one and a large one."""
    pairs = np.arange(len(own), dtype=np.float64)
    rows = (
        (ends[0], say("base {base}"), bases[0], {"width": 1, "dash": "dot"}, {"color": REFERENCE, "size": 3, "symbol": "circle"}),
        (ends[1], say("base {base}"), bases[1], {"width": 1, "dash": "dash"}, {"color": REFERENCE, "size": 3, "symbol": "diamond"}),
        (own, say("your base, {base}"), base, {"width": 2}, {"color": pair_colors(len(pairs)), "size": 8}),
    )
    return draw(
        [
            scatter("lines+markers", pairs, row, name.format(base=f"{at:,.10g}"), line={"color": REFERENCE} | line, marker=marker)
            for row, name, at, line, marker in rows
        ],
        xaxis=pair_axis(say("pair i"), len(own)),
        yaxis=_log_axis(say("λ<sub>i</sub> (tokens, log)"), _WAVELENGTHS),
        **_level(context, "y", _context(context, say)),
    )


def _context(length: int, say: Say) -> str:
    return say("context length {context}").format(context=f"{length:,}")


def _colors(which: Bool[ndarray, " P"]) -> list[str]:
    return [color for color, mine in zip(pair_colors(len(which)), which, strict=True) if mine]


def _crosses(which: Bool[ndarray, " P"], exponent: float, say: Say) -> Part:
    """Mark pairs that stand still, where a log axis ends."""
    pairs = np.flatnonzero(which).astype(np.float64)
    marker = {"color": _colors(which), "symbol": "x-thin-open", "size": 7, "line": {"width": 2}}
    look = {"marker": marker, "hovertemplate": "%{x}: %{fullData.name}"}
    return scatter("markers", pairs, np.full(len(pairs), 10**exponent), say("stands still: speed 0, off the log axis"), **look)


def _reaching(ends: Sequence[float], values: Float64[ndarray, " n"]) -> list[float]:
    """Widen the ends of a log axis by whole decades where values lie beyond them."""
    low, high = (float(np.log10(side(initial=10.0**end))) for side, end in zip((values.min, values.max), ends, strict=True))
    return [ends[0] - math.ceil(max(ends[0] - low, 0) - 1e-9), ends[1] + math.ceil(max(high - ends[1], 0) - 1e-9)]


def _log_axis(title: str, exponents: Sequence[float]) -> Part:
    return log_axis(title, range=list(exponents), dtick=1) | {"title": {"text": title, "font": SMALL}}


def _level(value: float, axis: str, text: str) -> Part:
    words = note(text, 0, float(np.log10(value)), xref="paper", xanchor="left", yref=axis, yanchor="bottom")
    return {"shapes": [level(value, axis)], "annotations": [words]}
