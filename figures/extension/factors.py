"""The attention factor A, by which a method multiplies cos and sin, over the stretch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import MARGIN, Line, Look, Series, method_mark
from figures.marks import Part, axis, scatter
from figures.theme import OTHER, REFERENCE, Say, draw


def factors(
    stretches: Line,
    curves: Sequence[Series],
    *,
    chosen: Look,
    here: tuple[float, float],
    paper: Line | None,
    softmax: Line | None,
    say: Say,
) -> Drawing:
    """Draw A and A squared over the stretch.

    Args:
        stretches: From 1.
        curves: A of every method that changes it; all others share one line at 1.
        chosen: Look of the method that is drawn strong and marked.
        here: The current stretch and its A.
        paper, softmax: What YaRN's own rule would give, and what DeepSeek multiplies the softmax by; None where that is not so.
        say: Translates.
    """
    flat = REFERENCE if any(curve.look == chosen for curve in curves) else chosen.color
    traces = [_curve(stretches, np.ones_like(stretches), say("A = 1: all others"), {"color": flat, "width": 2, "dash": "dot"})]
    for curve in curves:
        line = {"color": curve.look.color, "width": 3.5 if curve.look == chosen else 1.5}
        traces.append(_curve(stretches, curve.values, f"A, {curve.name}", line, curve.look.symbol))
        traces.append(_curve(stretches, curve.values**2, f"A², {curve.name}", line | {"dash": "dash"}, curve.look.symbol))
    rule, deepseek = {"color": REFERENCE, "width": 1.5, "dash": "dashdot"}, {"color": OTHER, "width": 2.5, "dash": "longdash"}
    for other, name, line in ((paper, say("0.1 ln s + 1, the paper's A"), rule), (softmax, say("DeepSeek's softmax factor"), deepseek)):
        if other is not None:
            traces.append(_curve(stretches, other, name, line))
    stretch, factor = here
    traces.append(method_mark(chosen, stretch, factor, f"{say('your s')}: A = {factor:.6g}"))
    traces.append(method_mark(chosen, stretch, factor**2, f"A² = {factor**2:.6g}", size=10))
    return draw(
        traces,
        xaxis=axis(say("stretch s (log axis)"), type="log", range=[-0.01, float(np.log10(stretches[-1])) * 1.02]),
        yaxis=axis(say("A and A²"), rangemode="tozero"),
        margin=MARGIN,
    )


def _curve(x: Line, y: Line, name: str, line: Part, symbol: str = "") -> Part:
    """Draw a line; a marker here and there says whose it is."""
    marked = {"mode": "lines+markers", "marker": {"symbol": symbol, "color": line["color"], "size": 7, "maxdisplayed": 8}}
    return scatter("lines", x, y, name, line=line) | (marked if symbol else {})
