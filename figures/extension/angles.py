"""Angles that no pair met in training, pair by pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import MARGIN, Line, Series, log_range, method_line, pair_axis
from figures.theme import OTHER, REFERENCE, Say, draw

SEEN = "rgba(128, 128, 128, 0.45)"


def angles(
    seen: Line, new: Line, unscaled: Line, met: Series, turns: Line, trained_turns: Line, *, trained: str, target: str, say: Say
) -> Drawing:
    """Draw, per pair, the arc that training showed and what lies beyond it; below, how many turns both texts make.

    Args:
        seen: Share of the circle in training.
        new: Share of the circle that counts as unseen.
        unscaled: Share at the target length without a method.
        met: Share at the target length with the method.
        turns: At the target length with the method.
        trained_turns: In training.
        trained: The trained length in words.
        target: The target length in words.
        say: Translates.
    """
    pair = say("pair i (0 is the fastest)")
    names = (say("seen in training, {trained}").format(trained=trained), say("never seen, met at {target}").format(target=target))
    met = replace(met, name=say("reach at {target}, {method}").format(target=target, method=met.name))
    hover = f"{pair} %{{x}}: %{{y:.4f}}"
    drawn = [number for row in (turns, trained_turns) for number in row.tolist() if number > 0]
    log = {"type": "log", "range": log_range(1.0, *drawn), "exponentformat": "power"}
    return draw(
        [
            *_arcs(seen, new, names, hover),
            _line(unscaled, say("reach without a method"), hover, "dot"),
            method_line(met, np.arange(len(seen), dtype=float), chosen=True, hover=hover),
            *_turns(turns, trained_turns, met, say("turns in training"), hover),
        ],
        barmode="overlay",
        xaxis=pair_axis(pair, len(seen), room=0.6) | {"anchor": "y2"},
        yaxis={"title": {"text": say("share of the circle")}, "range": [0, 1.06], "domain": [0.43, 1]},
        yaxis2={"title": {"text": say("turns (log axis)")}, "domain": [0, 0.33]} | log,
        margin=MARGIN,
        shapes=[_across(1.0, "y"), _across(1.0, "y2")],
        annotations=[_right_of(say("one turn: the whole circle is seen"))],
    )


def _turns(turns: Line, trained_turns: Line, met: Series, trained: str, hover: str) -> list[dict[str, Any]]:
    """Draw the turns of both texts in the lower panel; a log axis has no place for none."""
    lower = {"yaxis": "y2", "showlegend": False}
    mine = _line(np.where(turns > 0, turns, np.nan), met.name, hover, "solid")
    return [_line(trained_turns, trained, hover, "dash") | lower, mine | lower | {"line": {"color": met.look.color, "width": 3}}]


def _arcs(seen: Line, new: Line, names: tuple[str, str], hover: str) -> list[dict[str, Any]]:
    """Draw the shares of the circle, seen and unseen, as bars of the upper panel."""
    bar = {"type": "bar", "x": np.arange(len(seen)), "offset": -0.45, "width": 0.9, "hovertemplate": hover}
    hatched = {"color": OTHER, "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": "rgba(255, 255, 255, 0.7)", "size": 5}}
    return [
        bar | {"y": seen, "name": names[0], "marker": {"color": SEEN, "line": {"color": REFERENCE, "width": 1}}},
        bar | {"y": new, "base": seen, "name": names[1], "marker": hatched},
    ]


def _line(values: Line, name: str, hover: str, dash: str) -> dict[str, Any]:
    line = {"color": REFERENCE, "dash": dash, "width": 2}
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.arange(len(values)),
        "y": values,
        "name": name,
        "line": line,
        "hovertemplate": hover,
    }


def _across(at: float, axis: str) -> dict[str, Any]:
    line = {"color": REFERENCE, "dash": "dash", "width": 1}
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "yref": axis, "line": line}


def _right_of(text: str) -> dict[str, Any]:
    """Name the line of one turn at its right end."""
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": 0, "yref": "y2", "yanchor": "bottom"}
    return place | {"text": text, "showarrow": False}
