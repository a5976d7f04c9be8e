"""Speeds and angles pair by pair: what each method leaves of the speeds, and angles that no pair met in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import MANY, MARGIN, Line, Series, log_range, method_line, pair_axis
from figures.marks import Part, axis, level, log_axis, note, scatter
from figures.theme import OTHER, REFERENCE, Say, draw

SEEN = "rgba(128, 128, 128, 0.45)"


def ratios(others: Sequence[Series], chosen: Series | None, stretch: float, say: Say) -> Drawing:
    """Draw new speed over old of every pair for all methods, on a log axis; a pair that stands still is marked at the lower edge.

    The chosen method is drawn strong, if it can be used; a line at ``1 / stretch`` says where a speed is divided by all of s.
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
        yaxis=axis(say("θ′<sub>i</sub> / θ<sub>i</sub> (log axis)"), type="log", range=[low, high]),
        margin=MARGIN,
        shapes=[level(1 / stretch, dash="dot")] if stretch > 1 else [],
        annotations=[note(floor, 0, float(np.log10(1 / stretch)), xref="paper", xanchor="left", yanchor="bottom")] if stretch > 1 else [],
    )


def _still(row: Series, pairs: Line, edge: float, pair: str, say: Say, *, chosen: bool) -> Part:
    shown, still = pairs if len(pairs) <= MANY else pairs[:: -(-len(pairs) // MANY)], say("stands still")
    marker = {"symbol": "line-ns-open", "color": row.look.color, "size": 9}
    hover = f"{pair} %{{x}}: {still}<extra>{row.name}</extra>"
    return scatter("markers", shown, np.full(len(shown), edge), still, showlegend=chosen, marker=marker, hovertemplate=hover)


def angles(
    seen: Line, new: Line, unscaled: Line, met: Series, turns: Line, trained_turns: Line, *, trained: str, target: str, say: Say
) -> Drawing:
    """Draw, per pair, the arc that training showed and what lies beyond it; below, how many turns both texts make.

    Args:
        seen, new: Shares of the circle, in training, and that count as unseen.
        unscaled, met: Shares at the target length, without a method and with it.
        turns, trained_turns: At the target length with the method, and in training.
        trained, target: Both lengths in words.
        say: Translates.
    """
    pair = say("pair i (0 is the fastest)")
    names = (say("seen in training, {trained}").format(trained=trained), say("never seen, met at {target}").format(target=target))
    met = replace(met, name=say("reach at {target}, {method}").format(target=target, method=met.name))
    hover = f"{pair} %{{x}}: %{{y:.4f}}"
    drawn = [number for row in (turns, trained_turns) for number in row.tolist() if number > 0]
    return draw(
        [
            *_arcs(seen, new, names, hover),
            _line(unscaled, say("reach without a method"), hover, "dot"),
            method_line(met, np.arange(len(seen), dtype=float), chosen=True, hover=hover),
            *_turns(turns, trained_turns, met, say("turns in training"), hover),
        ],
        barmode="overlay",
        xaxis=pair_axis(pair, len(seen), room=0.6) | {"anchor": "y2"},
        yaxis=axis(say("share of the circle"), range=[0, 1.06], domain=[0.43, 1]),
        yaxis2=log_axis(say("turns (log axis)"), domain=[0, 0.33], range=log_range(1.0, *drawn)),
        margin=MARGIN,
        shapes=[level(1.0, panel, width=1) for panel in ("y", "y2")],
        annotations=[note(say("one turn: the whole circle is seen"), 1, 0, xref="paper", xanchor="right", yref="y2", yanchor="bottom")],
    )


def _turns(turns: Line, trained_turns: Line, met: Series, trained: str, hover: str) -> list[Part]:
    """Draw the turns of both texts in the lower panel; a log axis has no place for none."""
    lower = {"yaxis": "y2", "showlegend": False}
    mine = _line(np.where(turns > 0, turns, np.nan), met.name, hover, "solid")
    return [_line(trained_turns, trained, hover, "dash") | lower, mine | lower | {"line": {"color": met.look.color, "width": 3}}]


def _arcs(seen: Line, new: Line, names: tuple[str, str], hover: str) -> list[Part]:
    """Draw the shares of the circle, seen and unseen, as bars of the upper panel."""
    bar = {"type": "bar", "x": np.arange(len(seen)), "offset": -0.45, "width": 0.9, "hovertemplate": hover}
    hatched = {"color": OTHER, "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.7)", "size": 5}}
    return [
        bar | {"y": seen, "name": names[0], "marker": {"color": SEEN, "line": {"color": REFERENCE, "width": 1}}},
        bar | {"y": new, "base": seen, "name": names[1], "marker": hatched},
    ]


def _line(values: Line, name: str, hover: str, dash: str) -> Part:
    line = {"color": REFERENCE, "dash": dash, "width": 2}
    return scatter("lines", np.arange(len(values)), values, name, line=line, hovertemplate=hover)
