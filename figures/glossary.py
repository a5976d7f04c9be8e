"""The speeds of the pairs, or their wavelengths, with the symbols of the glossary where they belong."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, level, log_axis, note, pair_axis, scatter
from figures.theme import OTHER, REFERENCE, draw, pair_colors


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A note in the figure.

    Attributes:
        keys: Entries of the glossary that it shows.
        text: What it says.
        pair: Where it points.
        value: At which height.
        right, down: Where the text stands, in pixels from there; none for a note without an arrow.
        anchor: Which side of the text stands there.
    """

    keys: tuple[str, ...]
    text: str
    pair: float
    value: float
    right: int = 0
    down: int = 0
    anchor: str = "left"


def marked(
    values: Float64[ndarray, " P"],
    marks: Sequence[Mark],
    found: Collection[str],
    *,
    titles: tuple[str, str],
    exponents: tuple[float, float],
    length: float | None = None,
) -> Drawing:
    """Draw one point a pair on a log axis, and notes next to them; those of the entries that were found are framed and bold.

    Args:
        values: Of each pair, pair 0 first.
        marks: The notes.
        found: Keys of the entries that a reader looks for.
        titles: Of the axis of the pairs, and of the other one.
        exponents: Ends of the other axis: it stays when the values change.
        length: A value to draw as a line from side to side.
    """
    pairs, marker = np.arange(len(values), dtype=np.float64), {"color": pair_colors(len(values)), "size": 7}
    return draw(
        [scatter("markers", pairs, values, titles[1], showlegend=False, marker=marker)],
        xaxis=pair_axis(titles[0], len(values)),
        yaxis=log_axis(titles[1], range=list(exponents), dtick=2),
        annotations=[_note(mark, bool(set(mark.keys) & set(found))) for mark in marks],
        shapes=[level(length)] if length else [],
    )


def _note(mark: Mark, is_found: bool) -> Part:
    """Write a note; annotations of a log axis are placed by exponent."""
    arrow: Part = {}
    if mark.right or mark.down:
        arrow = {"ax": mark.right, "ay": mark.down, "arrowhead": 2, "showarrow": True}
        arrow |= {"arrowwidth": 2, "arrowcolor": OTHER} if is_found else {"arrowwidth": 1, "arrowcolor": REFERENCE}
    text, frame = (f"<b>{mark.text}</b>", {"bordercolor": OTHER, "borderwidth": 2}) if is_found else (mark.text, {})
    place = {"xanchor": mark.anchor, "yanchor": "middle", "borderpad": 4}
    return note(text, mark.pair, float(np.log10(mark.value))) | place | frame | arrow
