"""Models side by side: a number of every pair, a line for each type of layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, level, log_axis, note, scatter
from figures.theme import Say, draw

# A model has a colour and a marker, its types of layers have dashes.
COLORS = ("#3B82C4", "#D04A4A", "#0A8F8C", "#A07A00")
SYMBOLS = ("circle", "square", "diamond", "triangle-up")
DASHES = ("solid", "dash", "dot", "dashdot")
FEW = 8
COLUMNS = ((1.0, "right"), (0.0, "left"), (0.38, "center"), (0.65, "center"))
"""Where the names of marks stand that lie close together."""
Pairs = Float64[ndarray, " P"]


@dataclass(frozen=True, kw_only=True)
class PairLine:
    """A number of every pair of one type of layers.

    Attributes:
        name: In the legend; HTML.
        values: One a pair; 0 or infinity has no place on a log axis, and is marked at its edge.
        place: Of the model, which decides colour and marker.
        kind: Of the layers, which decides the dash; from the second on, markers are open.
        strong: Whether the page is about it.
        step: How many pairs there are for each value: a very wide head is drawn thinned out.
    """

    name: str
    values: Pairs
    place: int
    kind: int
    strong: bool
    step: int = 1


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A value of the upright axis, with its name."""

    value: float
    name: str
    dash: str = "dash"


def per_pair(lines: Sequence[PairLine], marks: Sequence[Mark], *, value: str, say: Say) -> Drawing:
    """Draw a line a row on a log axis of whole decades, so that it seldom moves, and marks from side to side; ``value`` is its title."""
    finite = [line.values[_has_place(line.values)] for line in lines]
    seen = np.concatenate([*finite, [mark.value for mark in marks], [1.0] if not marks else []])
    low, high = float(np.floor(np.log10(seen.min()) + 1e-9)), float(np.ceil(np.log10(seen.max()) - 1e-9))
    ends = [low - 0.15, max(high, low + 1) + 0.15]
    still = [_still(line, ends, say) for line in lines if not _has_place(line.values).all()]
    pairs = max([(len(line.values) - 1) * line.step + 1 for line in lines], default=1)
    return draw(
        [*(_line(line) for line in lines), *still],
        xaxis=axis(say("pair i"), range=[-0.02 * pairs - 0.6, 1.02 * pairs - 0.4], zeroline=False, **whole_ticks(pairs)),
        yaxis=log_axis(value, range=ends, dtick=1),
        shapes=[level(mark.value, dash=mark.dash, width=1.5) for mark in marks],
        annotations=_notes(marks, ends),
        legend=below(),
        showlegend=True,
    )


def _line(line: PairLine) -> Part:
    inside = _has_place(line.values)
    symbol = SYMBOLS[line.place % len(SYMBOLS)] + ("-open" if line.kind else "")
    color = COLORS[line.place % len(COLORS)]
    name, width, size = (f"<b>{line.name}</b>", 3.5, 8) if line.strong else (line.name, 1.75, 6)
    look = {
        "line": {"color": color, "width": width, "dash": DASHES[line.kind % len(DASHES)]},
        "marker": {"symbol": symbol, "color": color, "size": size, "maxdisplayed": 24},
        "hovertemplate": "%{x}: %{y:,.6g}<extra>%{fullData.name}</extra>",
    }
    return scatter("lines+markers", line.step * np.flatnonzero(inside).astype(np.float64), line.values[inside], name, **look)


def _still(line: PairLine, ends: Sequence[float], say: Say) -> Part:
    """Mark pairs that stand still where the axis ends: a turn of theirs takes for ever, and nothing of their speed is left."""
    pairs = line.step * np.flatnonzero(~_has_place(line.values)).astype(np.float64)
    edge = ends[1] - 0.07 if np.isinf(line.values).any() else ends[0] + 0.07
    marker = {"symbol": "x-thin-open", "color": COLORS[line.place % len(COLORS)], "size": 7, "line": {"width": 2}}
    look = {"marker": marker, "hovertemplate": "%{x}<extra>%{fullData.name}</extra>"}
    return scatter("markers", pairs, np.full(len(pairs), 10**edge), f"{line.name}: {say('stand still')}", **look)


def _has_place(values: Pairs) -> Bool[ndarray, " P"]:
    inside: Bool[ndarray, " P"] = np.isfinite(values) & (values > 0)
    return inside


def _notes(marks: Sequence[Mark], ends: Sequence[float]) -> list[Part]:
    """Name the marks; the names of those that stand close together are set side by side."""
    notes: list[Part] = []
    before, column = -np.inf, 0
    for mark in sorted(marks, key=lambda each: each.value):
        exponent = float(np.log10(mark.value))
        column = column + 1 if exponent - before < 0.07 * (ends[1] - ends[0]) else 0
        before = exponent
        x, side = COLUMNS[column % len(COLUMNS)]
        notes.append(note(mark.name, x, exponent, xref="paper", xanchor=side, yanchor="bottom"))
    return notes


def whole_ticks(count: int) -> Part:
    """Return ticks at whole numbers only, also where so few things are numbered that Plotly would divide them."""
    return {"tickformat": "d"} | ({"tick0": 0, "dtick": 1} if count <= FEW else {})


def below() -> Part:
    """Return the place of a legend at the lower edge, below the axis: eight names would cover a figure on a phone."""
    return {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0}
