"""Methods of context extension side by side: what each leaves of the speeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import MANY, MARGIN, Line, Series, log_range, method_line, pair_axis
from figures.theme import REFERENCE, Say, draw


def ratios(others: Sequence[Series], chosen: Series | None, stretch: float, say: Say) -> Drawing:
    """Draw new speed over old of every pair for all methods, on a log axis; a pair that stands still is marked at the lower edge.

    Args:
        others: ``(P,)`` ratios; 0 where a pair stands still.
        chosen: The same of the method that is drawn strong, last; None if it cannot be used.
        stretch: s; a line at ``1 / s`` says where a speed is divided by all of it.
        say: Translates.
    """
    rows = [*others, *([chosen] if chosen else [])]
    moving = np.concatenate([row.values[row.values > 0] for row in rows])
    low, high = log_range(1.0, 1 / stretch, *moving.tolist())
    pair = say("pair i (0 is the fastest)")
    traces = []
    for row in rows:
        pairs, turning = np.arange(len(row.values), dtype=float), row.values > 0
        hover = f"{pair} %{{x}}<br>θ′/θ = %{{y:.5g}}<extra>{row.name}</extra>"
        drawn = Series(name=row.name, look=row.look, values=row.values[turning])
        traces.append(method_line(drawn, pairs[turning], chosen=row is chosen, hover=hover))
        if not turning.all():
            traces.append(_still(row, pairs[~turning], 10 ** (low + 0.01 * (high - low)), pair, say, chosen=row is chosen))
    floor = say("1/s: divided by all of s = {stretch}").format(stretch=f"{stretch:,.6g}")
    return draw(
        traces,
        xaxis=pair_axis(pair, max(len(row.values) for row in rows)),
        yaxis={"type": "log", "title": {"text": say("θ′<sub>i</sub> / θ<sub>i</sub> (log axis)")}, "range": [low, high]},
        margin=MARGIN,
        shapes=[_level(1 / stretch)] if stretch > 1 else [],
        annotations=[_note(floor, float(np.log10(1 / stretch)))] if stretch > 1 else [],
    )


def _still(row: Series, pairs: Line, edge: float, pair: str, say: Say, *, chosen: bool) -> dict[str, Any]:
    shown, still = pairs if len(pairs) <= MANY else pairs[:: -(-len(pairs) // MANY)], say("stands still")
    return {
        "type": "scatter",
        "mode": "markers",
        "x": shown,
        "y": np.full(len(shown), edge),
        "name": still,
        "showlegend": chosen,
        "marker": {"symbol": "line-ns-open", "color": row.look.color, "size": 9},
        "hovertemplate": f"{pair} %{{x}}: {still}<extra>{row.name}</extra>",
    }


def _level(at: float) -> dict[str, Any]:
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": {"color": REFERENCE, "dash": "dot"}}


def _note(text: str, exponent: float) -> dict[str, Any]:
    return {"text": text, "y": exponent, "x": 0, "xref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False}
