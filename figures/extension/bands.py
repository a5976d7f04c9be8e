"""What a method of context extension keeps of every speed, by wavelength."""

from __future__ import annotations

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import Line, Series, Upright, log_range, method_line, uprights
from figures.marks import Part, axis, log_axis, note
from figures.theme import Say, draw


def bands(
    wavelengths: Line,
    chosen: Series,
    other: Series | None,
    *,
    edges: tuple[float, float] | None,
    stretch: float,
    lines: list[Upright],
    say: Say,
) -> Drawing:
    """Draw what is kept of every speed against its wavelength in training, on a log axis; ``lines`` mark lengths.

    ``other`` is what the same bands keep with the other ramp; ``edges`` are the wavelengths between which speeds are blended, the short one
    first, None for a method without bands.
    """
    title = say("wavelength λ<sub>i</sub> in training (tokens, log axis)")
    hover = f"{title} %{{x:.5g}}<br>%{{y:.4f}}<br>i = %{{customdata}}"
    rows = [*([other] if other else []), chosen]
    pairs = np.arange(len(wavelengths))
    ends = log_range(*wavelengths.tolist(), *(line.x for line in lines), *(edges or ()))
    marked = uprights(lines, ends)
    if edges:
        marked["shapes"] += [_zone(*edges, chosen.look.color)]
        names = (say("kept"), say("blended"), say("divided by {stretch}").format(stretch=f"{stretch:,.6g}"))
        marked["annotations"] += _zone_names(edges, ends, names)
    share = say("share that is kept") if edges else "θ′<sub>i</sub> / θ<sub>i</sub>"
    return draw(
        [method_line(row, wavelengths, chosen=row is chosen, hover=hover) | {"customdata": pairs} for row in rows],
        xaxis=log_axis(title, range=ends),
        yaxis=axis(share, range=[-0.2, max(1.25, float(chosen.values.max()) * 1.25)]),
        **marked,
    )


def _zone(left: float, right: float, color: str) -> Part:
    zone = {"type": "rect", "x0": left, "x1": right, "y0": 0, "y1": 1, "yref": "paper", "layer": "below"}
    return zone | {"fillcolor": color, "opacity": 0.13, "line": {"width": 0}}


def _zone_names(edges: tuple[float, float], ends: list[float], names: tuple[str, str, str]) -> list[Part]:
    """Name the three zones at their middles, where they are wide enough for a word."""
    stops = [ends[0], *(float(np.log10(edge)) for edge in edges), ends[1]]
    return [
        note(name, (left + right) / 2, 0.02, yref="paper", yanchor="bottom")
        for left, right, name in zip(stops, stops[1:], names, strict=False)
        if right - left > 0.08 * (ends[1] - ends[0])
    ]
