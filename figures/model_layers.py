"""Which layer turns how, and which number of a position turns which pair: strips of bars, a model each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, note
from figures.models import COLORS, below, whole_ticks
from figures.theme import REFERENCE, Say, draw

PATTERNS = ("", "/", ".", "x")
AXES = {"t": ("#7A62D8", ""), "h": ("#C04FA8", "/"), "w": ("#6E8B1E", ".")}


@dataclass(frozen=True, kw_only=True)
class Strip:
    """The layers of one type of a model.

    Attributes:
        name: In the legend; HTML.
        layers: Their numbers, from 0.
        row: Which strip they stand in, from above.
        place: Of the model.
        kind: Of the type.
        turns: Whether anything turns in them; where nothing does, bars are hollow.
        strong: Whether the page is about it.
    """

    name: str
    layers: Float64[ndarray, " n"]
    row: int
    place: int
    kind: int
    turns: bool
    strong: bool


def layers(strips: Sequence[Strip], axes: Sequence[Sequence[str] | None], *, names: Sequence[str], say: Say) -> Drawing:
    """Draw a strip of layers a model, and below, where positions have several numbers, which of them turns which pair.

    A strip without layers stands for a config that does not state how many there are; ``axes`` have a letter a pair, or are None.
    """
    count, several = len(names), [row for row, letters in enumerate(axes) if letters is not None]
    traces = [_strip(strip) for strip in strips]
    notes = [_unknown(strip.row, say) for strip in strips if not len(strip.layers)]
    ticks = {"tickvals": list(range(count)), "ticktext": list(names), "showgrid": False, "zeroline": False}
    last = max((float(strip.layers.max()) for strip in strips if len(strip.layers)), default=0.0)
    bare = {"zeroline": False, "showgrid": False}
    layout: Part = {
        "xaxis": axis(say("layer"), range=[-0.7, last + 0.7], **bare, **whole_ticks(int(last) + 1)),
        "yaxis": ticks | {"range": [count - 0.4, -0.6], "domain": [0.42 if several else 0, 1]},
    }
    if several:
        traces += [trace for row, which in enumerate(several) for trace in _axes(axes[which] or (), row, first=row == 0, say=say)]
        pairs = max(len(axes[which] or ()) for which in several)
        layout["xaxis"] |= {"anchor": "y", "side": "top"}
        layout["xaxis2"] = axis(say("pair i"), range=[-0.7, pairs - 0.3], anchor="y2", **bare, **whole_ticks(pairs))
        named = {"tickvals": list(range(len(several))), "ticktext": [names[which] for which in several]}
        layout["yaxis2"] = ticks | named | {"range": [len(several) - 0.4, -0.6], "domain": [0, 0.36], "anchor": "x2"}
    return draw(traces, barmode="overlay", bargap=0, annotations=notes, legend=below(), showlegend=True, **layout)


def _strip(strip: Strip) -> Part:
    color = COLORS[strip.place % len(COLORS)]
    fill, pattern = color, _hatching(PATTERNS[strip.kind % len(PATTERNS)], color)
    if not strip.turns:
        fill, pattern = "rgba(128, 128, 128, 0.15)", {"shape": "x", "fgcolor": REFERENCE, "size": 6}
    marker = {"color": fill, "pattern": pattern, "line": {"color": color, "width": 0.5}}
    name = f"<b>{strip.name}</b>" if strip.strong else strip.name
    if not len(strip.layers):
        return _bar(np.zeros(1), strip.row, name, marker) | {"y": np.zeros(1)}
    return _bar(strip.layers, strip.row, name, marker)


def _axes(letters: Sequence[str], row: int, *, first: bool, say: Say) -> list[Part]:
    return [_axis(letter, letters, row, say) | {"showlegend": first} for letter in AXES if letter in letters]


def _axis(letter: str, letters: Sequence[str], row: int, say: Say) -> Part:
    color, shape = AXES[letter]
    pairs = np.flatnonzero([each == letter for each in letters]).astype(np.float64)
    name = {"t": say("time"), "h": say("height"), "w": say("width")}[letter]
    bar = _bar(pairs, row, name, {"color": color, "pattern": _hatching(shape, color)})
    return bar | {"legendgroup": letter, "xaxis": "x2", "yaxis": "y2"}


def _bar(x: Float64[ndarray, " n"], row: int, name: str, marker: Part) -> Part:
    """Draw bars that touch, each a number of the axis wide."""
    bar = {"type": "bar", "x": x, "y": np.full(len(x), 0.8), "base": row - 0.4, "width": 0.86, "name": name, "marker": marker}
    return bar | {"hovertemplate": "%{x}<extra>%{fullData.name}</extra>"}


def _hatching(shape: str, color: str) -> Part:
    """Hatch a bar in white; without a ground of its own a hatched bar is transparent."""
    return {"shape": shape, "bgcolor": color, "fgcolor": "#FFFFFF", "fgopacity": 0.8, "size": 6}


def _unknown(row: int, say: Say) -> Part:
    return note(say("number of layers not stated"), 0, row, xref="paper", xanchor="left")
