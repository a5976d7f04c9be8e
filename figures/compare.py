"""Two settings in one figure: A beneath B, in a colour and dash of its own; where cells carry colours, the difference of the two."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import A_DASH, A_DASH_TOO, A_FILL, DIVERGING, REFERENCE, A, draw

Given = Mapping[str, Any]
Part = dict[str, Any]
NONE: Given = {"type": ""}


def joined(b: Drawing, a: Drawing) -> Drawing:
    """Draw B with A beneath it, on axes that are wide enough for both.

    All of A has one colour; its lines are dashed, its points hollow, and both are named so; paler they could not be read.
    """
    quiet = [_quiet(trace) for trace in a.traces if not (has_cells(trace) or _is_frame(trace))]
    if not quiet:
        return b
    layout = dict(b.plain_layout)
    for name, axis in layout.items():
        if name.startswith(("xaxis", "yaxis")) and name in a.plain_layout:
            layout[name] = {**axis, **_room(axis.get("range"), a.plain_layout[name].get("range"))}
    named = [{**trace, "name": f"B: {trace['name']}"} if trace.get("name") else trace for trace in b.traces]
    return Drawing([*named, *quiet], layout)


def _is_frame(trace: Given) -> bool:
    """Return whether a trace is only what others are drawn in, such as the face of a clock."""
    grey = trace.get("line", {}).get("color") == REFERENCE
    return grey and not trace.get("name") and trace.get("mode") == "lines" and "fill" not in trace


def _quiet(trace: Given) -> Part:
    named = {"name": f"A: {trace['name']}"} if trace.get("name") else {}
    if "legendgroup" in trace:
        named["legendgroup"] = f"A: {trace['legendgroup']}"
    if trace["type"] == "bar":
        return _tops(trace) | named
    line, marker = dict(trace.get("line", {})), dict(trace.get("marker", {}))
    dash = A_DASH if line.get("dash", "solid") == "solid" else A_DASH_TOO
    line |= {"dash": dash, "color": A, "width": max(1.5, 0.6 * line.get("width", 2))}
    marker |= {"symbol": _hollow(marker.get("symbol", "circle")), "color": A}
    quiet = {**trace, **named, "line": line, "marker": marker, "zorder": -1}
    return quiet | {"fillcolor": A_FILL} if "fill" in trace else quiet


def _tops(bars: Given) -> Part:
    """Mark the ends of bars by short lines, in front: bars behind bars would be hidden, and outlines would fill the figure."""
    height = np.asarray(bars["y"], dtype=float)
    ends = np.where(height != 0, np.asarray(bars.get("base", 0.0), dtype=float) + height, np.nan)
    marker = {"symbol": "line-ew-open", "size": 4, "color": A, "line": {"width": 2}}
    same = {name: bars[name] for name in ("x", "xaxis", "yaxis", "showlegend", "hovertemplate") if name in bars}
    return same | {"type": "scatter", "y": ends, "mode": "markers", "marker": marker}


def _hollow(symbol: Any) -> Any:
    if isinstance(symbol, str):
        return symbol if symbol.endswith("-open") else f"{symbol}-open"
    return [_hollow(each) for each in symbol] if isinstance(symbol, list | tuple) else symbol


def _room(mine: Any, other: Any) -> Part:
    """Return a range that spans both, if both run the same way."""
    if mine is None or other is None or (mine[0] < mine[1]) != (other[0] < other[1]):
        return {}
    widest = (min, max) if mine[0] < mine[1] else (max, min)
    return {"range": [pick(ends) for pick, ends in zip(widest, zip(mine, other, strict=True), strict=True)]}


def meaning(layout: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return what the axes of a figure mean, but for numbers in their titles: only figures that agree in that can be compared."""
    axes = sorted((name, axis) for name, axis in layout.items() if name.startswith(("xaxis", "yaxis")))
    # Words at positions (tickmode) are what stands there, not what the axis counts.
    words = [None if axis.get("tickmode") == "array" else axis.get("ticktext") for _name, axis in axes]
    given = zip(axes, words, strict=True)
    return [(name, _plain(axis.get("title")), str(axis.get("type")), str(text)) for (name, axis), text in given]


def is_named(layout: Mapping[str, Any]) -> bool:
    """Return whether an axis has a title: where none has, places alone tell what is what."""
    return any(title for _, title, *_rest in meaning(layout))


def _plain(title: Any) -> str:
    text = title.get("text") if isinstance(title, Mapping) else title
    return re.sub(r"[\d.,]+", "#", text or "")


def difference(first: Drawing, second: Drawing, title: str) -> tuple[Drawing, float] | None:
    """Draw the cells of B minus those of A on a scale whose middle is exactly zero; None where no cell is in both.

    Returns:
        The figure, and the largest difference in size.
    """
    pairs = zip_longest(first.traces, second.traces, fillvalue=NONE)
    gaps = [_gap(a, b) if has_cells(a) and has_cells(b) else None for a, b in pairs][: len(second.traces)]
    if not any(gap is not None for gap in gaps):
        return None
    largest = max(float(np.nanmax(np.abs(gap))) for gap in gaps if gap is not None)
    layout = dict(second.plain_layout)
    if "coloraxis" in layout:
        bar = layout["coloraxis"].get("colorbar", {})
        layout["coloraxis"] = _scale(largest, "c") | {"colorbar": bar | {"title": {"text": title, "side": "top"}}}
    traces = [dict(b) if gap is None else _filled(b, gap, largest, title) for b, gap in zip(second.traces, gaps, strict=True)]
    return draw(traces, **layout), largest


def has_cells(trace: Given) -> bool:
    """Return whether the colours of a trace say numbers."""
    return trace["type"] == "heatmap" or "colorscale" in trace.get("marker", {})


def _gap(a: Given, b: Given) -> ndarray | None:
    """Subtract cell from cell where both have one; None where they have none in common."""
    if a["type"] != b["type"]:
        return None
    if a["type"] == "scatter":
        same = all(np.array_equal(a[axis], b[axis]) for axis in "xy")
        return np.asarray(b["marker"]["color"], dtype=float) - np.asarray(a["marker"]["color"], dtype=float) if same else None
    cells = np.full(b["z"].shape, np.nan)
    if cells.shape[1] != len(b["x"]):  # edges, not middles
        return b["z"].astype(float) - a["z"] if all(np.array_equal(a[axis], b[axis]) for axis in "xy") else None
    _, rows, rows_a = np.intersect1d(b["y"], a["y"], return_indices=True)
    _, columns, columns_a = np.intersect1d(b["x"], a["x"], return_indices=True)
    cells[np.ix_(rows, columns)] = b["z"][np.ix_(rows, columns)].astype(float) - a["z"][np.ix_(rows_a, columns_a)]
    return None if np.isnan(cells).all() else cells


def _scale(largest: float, letter: str) -> Part:
    ends = largest or 1.0
    return {f"{letter}min": -ends, f"{letter}mid": 0, f"{letter}max": ends, "colorscale": DIVERGING}


def _filled(trace: Given, gap: ndarray, largest: float, title: str) -> Part:
    if trace["type"] == "scatter":
        bar = trace["marker"].get("colorbar", {})
        return {**trace, "marker": trace["marker"] | _scale(largest, "c") | {"color": gap, "colorbar": _bar(bar, largest, title)}}
    if "coloraxis" in trace:
        return {**trace, "z": gap}
    return {**trace, "z": gap, **_scale(largest, "z"), "colorbar": _bar(trace.get("colorbar", {}), largest, title)}


def _bar(bar: Part, largest: float, title: str) -> Part:
    ends = largest or 1.0
    ticks = {"tickvals": [-ends, 0, ends], "tickformat": ".3g"} if "tickvals" in bar else {}
    return bar | {"title": {"text": title, "side": bar.get("title", {}).get("side", "top")}} | ticks
