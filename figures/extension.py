"""Methods of context extension side by side: what each leaves of the speeds, and by how much it lengthens the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.drawing import Drawing
from figures.extension_look import LOOKS, MANY, Line, Upright, log_range, method_line, method_mark, pair_axis, uprights
from figures.theme import OTHER, REFERENCE, draw


@dataclass(frozen=True, kw_only=True)
class RatioWords:
    """Translated words of the figure of speeds; ``names`` of all methods."""

    names: Mapping[str, str]
    pair: str
    ratio: str
    floor: str
    still: str


def ratios(rows: Mapping[str, Line], chosen: str, stretch: float, words: RatioWords) -> Drawing:
    """Draw new speed over old of every pair for all methods, on a log axis; a pair that stands still is marked at the lower edge.

    Args:
        rows: ``(P,)`` ratios by method; 0 where a pair stands still.
        chosen: The method that is drawn strong, last.
        stretch: s; a line at ``1 / s`` says where a speed is divided by all of it.
        words: Translated.
    """
    moving = np.concatenate([row[row > 0] for row in rows.values()])
    low, high = log_range(1.0, 1 / stretch, *moving.tolist())
    traces = []
    for method in [name for name in rows if name != chosen] + [chosen] * (chosen in rows):
        row = rows[method]
        pairs = np.arange(len(row), dtype=float)
        hover = f"{words.pair} %{{x}}<br>θ′/θ = %{{y:.5g}}<extra>{words.names[method]}</extra>"
        traces.append(method_line(method, pairs[row > 0], row[row > 0], words.names[method], chosen=method == chosen, hover=hover))
        if (row == 0).any():
            traces.append(_still(method, pairs[row == 0], 10 ** (low + 0.01 * (high - low)), words, chosen=method == chosen))
    return draw(
        traces,
        xaxis=pair_axis(words.pair, max(len(row) for row in rows.values())),
        yaxis={"type": "log", "title": {"text": words.ratio}, "range": [low, high]},
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
        shapes=[_level(1 / stretch)] if stretch > 1 else [],
        annotations=[_note(words.floor, float(np.log10(1 / stretch)))] if stretch > 1 else [],
    )


def _still(method: str, pairs: Line, edge: float, words: RatioWords, *, chosen: bool) -> dict[str, Any]:
    shown = pairs if len(pairs) <= MANY else pairs[:: -(-len(pairs) // MANY)]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": shown,
        "y": np.full(len(shown), edge),
        "name": words.still,
        "showlegend": chosen,
        "marker": {"symbol": "line-ns-open", "color": LOOKS[method].color, "size": 9},
        "hovertemplate": f"{words.pair} %{{x}}: {words.still}<extra>{words.names[method]}</extra>",
    }


@dataclass(frozen=True, kw_only=True)
class FactorWords:
    """Translated words of the figure of A."""

    names: Mapping[str, str]
    stretch: str
    size: str
    others: str
    paper: str
    softmax: str
    here: str


def factors(
    stretches: Line,
    curves: Mapping[str, Line],
    *,
    chosen: str,
    here: tuple[float, float],
    paper: Line | None,
    softmax: Line | None,
    words: FactorWords,
) -> Drawing:
    """Draw A and A squared over the stretch.

    Args:
        stretches: From 1.
        curves: A of every method that changes it; all others share one line at 1.
        chosen: Drawn strong and marked.
        here: The current stretch and its A.
        paper: What YaRN's own rule would give, where another one is set.
        softmax: What DeepSeek multiplies the softmax by, where mscale_all_dim is set.
        words: Translated.
    """
    flat = np.ones_like(stretches)
    own = LOOKS["none" if chosen in curves else chosen].color
    traces: list[dict[str, Any]] = [_curve(stretches, flat, words.others, {"color": own, "width": 2, "dash": "dot"})]
    for method, curve in curves.items():
        color, width = LOOKS[method].color, 3.5 if method == chosen else 1.5
        name = words.names[method]
        traces.append(_curve(stretches, curve, f"A, {name}", {"color": color, "width": width}, LOOKS[method].symbol))
        traces.append(_curve(stretches, curve**2, f"A², {name}", {"color": color, "width": width, "dash": "dash"}, LOOKS[method].symbol))
    if paper is not None:
        traces.append(_curve(stretches, paper, words.paper, {"color": REFERENCE, "width": 1.5, "dash": "dashdot"}))
    if softmax is not None:
        traces.append(_curve(stretches, softmax, words.softmax, {"color": OTHER, "width": 2.5, "dash": "longdash"}))
    traces.append(method_mark(chosen, *here, f"{words.here}: A = {here[1]:.6g}"))
    traces.append(method_mark(chosen, here[0], here[1] ** 2, f"A² = {here[1] ** 2:.6g}", size=10))
    return draw(
        traces,
        xaxis={"type": "log", "title": {"text": words.stretch}, "range": [-0.01, float(np.log10(stretches[-1])) * 1.02]},
        yaxis={"title": {"text": words.size}, "rangemode": "tozero"},
        margin={"l": 10, "r": 10, "t": 80, "b": 10},
    )


@dataclass(frozen=True, kw_only=True)
class BandWords:
    """Translated words of the figure of bands; ``zones`` name what is kept, blended and divided, from fast to slow."""

    wavelength: str
    share: str
    chosen: str
    other: str
    zones: tuple[str, str, str]


def bands(
    wavelengths: Line,
    share: Line,
    other: Line | None,
    *,
    method: str,
    other_method: str,
    edges: tuple[float, float] | None,
    lines: list[Upright],
    words: BandWords,
) -> Drawing:
    """Draw what is kept of every speed against its wavelength before, on a log axis.

    Args:
        wavelengths: Of the pairs as trained, in tokens.
        share: What the chosen method keeps.
        other: What the same bands keep with the other ramp.
        method: Gives ``share`` its look.
        other_method: Gives ``other`` its look.
        edges: Wavelengths between which speeds are blended, short one first.
        lines: Lengths to mark.
        words: Translated.
    """
    hover = f"{words.wavelength} %{{x:.5g}}<br>%{{y:.4f}}<br>i = %{{customdata}}"
    pairs = np.arange(len(share))
    traces = [method_line(method, wavelengths, share, words.chosen, chosen=True, hover=hover) | {"customdata": pairs}]
    if other is not None:
        traces.insert(0, method_line(other_method, wavelengths, other, words.other, chosen=False, hover=hover) | {"customdata": pairs})
    ends = log_range(*wavelengths.tolist(), *(line.x for line in lines), *(edges or ()))
    marked = uprights(lines, ends)
    if edges:
        marked["shapes"] += [_zone(*edges, LOOKS[method].color)]
        marked["annotations"] += _zone_names(edges, ends, words.zones)
    return draw(
        traces,
        xaxis={"type": "log", "title": {"text": words.wavelength}, "range": ends, "exponentformat": "power"},
        yaxis={"title": {"text": words.share}, "range": [-0.2, max(1.25, float(share.max()) * 1.25)]},
        **marked,
    )


def _zone(left: float, right: float, color: str) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": left,
        "x1": right,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "fillcolor": color,
        "opacity": 0.13,
        "line": {"width": 0},
        "layer": "below",
    }


def _zone_names(edges: tuple[float, float], ends: list[float], names: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Name the three zones at their middles, where they are wide enough to hold a word."""
    stops = [ends[0], *(float(np.log10(edge)) for edge in edges), ends[1]]
    return [
        {"x": (left + right) / 2, "y": 0.02, "yref": "paper", "yanchor": "bottom", "text": name, "showarrow": False}
        for left, right, name in zip(stops, stops[1:], names, strict=False)
        if right - left > 0.08 * (ends[1] - ends[0])
    ]


def _curve(x: Line, y: Line, name: str, line: dict[str, Any], symbol: str = "") -> dict[str, Any]:
    """Draw a line; a marker here and there says whose it is."""
    marked = {"mode": "lines+markers", "marker": {"symbol": symbol, "color": line["color"], "size": 7, "maxdisplayed": 8}}
    return {"type": "scatter", "x": x, "y": y, "name": name, "line": line} | (marked if symbol else {"mode": "lines"})


def _level(at: float) -> dict[str, Any]:
    return {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": at, "y1": at, "line": {"color": REFERENCE, "dash": "dot"}}


def _note(text: str, exponent: float) -> dict[str, Any]:
    return {"text": text, "y": exponent, "x": 0, "xref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False}
