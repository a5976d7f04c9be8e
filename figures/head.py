"""A whole head: its pairs, its matrix in two layouts, its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.theme import DIVERGING, REFERENCE, draw

_COLUMNS = 4
_WIDEST_CELLS = 64
_WIDEST_TABLE = 128
_SHARE = 0.7  # of the height of a row: the plane; the rest is for four lines of label


# Above the panels: beside them it would take a fifth of a phone.
_COLORBAR = {
    "orientation": "h",
    "thickness": 10,
    "len": 0.4,
    "x": 1,
    "xanchor": "right",
    "y": 1,
    "yanchor": "bottom",
    "tickvals": [-1, 0, 1],
}


@dataclass(frozen=True, kw_only=True)
class HeadWords:
    """Translated words of the figures of this room."""

    before: str
    after: str
    coordinate: str
    position: str
    row: str
    column: str
    half: str
    interleaved: str
    permutation: str
    place_half: str
    place_interleaved: str
    cos: str
    sin: str
    sinusoidal: str


def planes(
    before: Float64[ndarray, "planes two"],
    after: Float64[ndarray, "planes two"],
    *,
    labels: Sequence[str],
    colors: Sequence[str],
    words: HeadWords,
) -> Drawing:
    """Draw some pairs of one vector side by side on one scale, dashed before and solid after rotation.

    Args:
        before: The two coordinates of each pair.
        after: The same, rotated.
        labels: What stands under each plane.
        colors: Of the arrows.
        words: Translated.
    """
    reach = 1.05 * float(np.hypot(*before.T).max()) or 1.0
    columns, rows = min(_COLUMNS, len(labels)), -(-len(labels) // _COLUMNS)
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    for index, label in enumerate(labels):
        suffix = str(index + 1) if index else ""
        left, top = index % _COLUMNS / columns, 1 - index // _COLUMNS / rows
        bottom = max(0.0, top - _SHARE / rows)
        # A plane keeps one scale for both axes: what it does not need of its place stays free above it, next to its label below.
        axes[f"xaxis{suffix}"] = {"domain": [left, left + 0.96 / columns], **_hidden(reach, f"y{suffix}")}
        axes[f"yaxis{suffix}"] = {
            "domain": [bottom, top],
            "constraintoward": "bottom",
            "scaleanchor": f"x{suffix}",
            **_hidden(reach, f"x{suffix}"),
        }
        place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        traces.append(_circle(float(np.hypot(*before[index]))) | place)
        for tip, name, dash in ((before[index], words.before, "dash"), (after[index], words.after, "solid")):
            traces.append(_arrow(tip, colors[index], name, dash) | place | {"showlegend": index == 0})
        notes.append(_title(label, left + 0.48 / columns, bottom) | {"font": {"size": 12}})
    return draw(traces, height=600 if rows > 1 else 360, annotations=notes, **axes)


def matrices(half: Float64[ndarray, "D D"], interleaved: Float64[ndarray, "D D"], order: Int64[ndarray, " D"], words: HeadWords) -> Drawing:
    """Draw the rotation as a matrix in both layouts, and below them where the permutation takes each coordinate.

    Args:
        half: In half layout.
        interleaved: In interleaved layout.
        order: Coordinate of the interleaved order that stands at each place of the half order.
        words: Translated.
    """
    moved = {
        "type": "scatter",
        "x": order.astype(np.float64),
        "y": np.arange(len(order), dtype=np.float64),
        "mode": "markers",
        "marker": {"color": REFERENCE, "symbol": "square", "size": 5},
        "xaxis": "x3",
        "yaxis": "y3",
        "showlegend": False,
        "name": words.permutation,
    }
    return draw(
        [
            _square(half, words, scale=True),
            _square(interleaved, words, scale=False) | {"xaxis": "x2", "yaxis": "y2"},
            moved,
        ],
        height=640,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        **_square_axes("", len(order), [0, 0.46], words),
        **_square_axes("2", len(order), [0.54, 1], words),
        xaxis3={"domain": [0, 1], "anchor": "y3", "title": {"text": words.place_interleaved}, **_span(len(order))},
        yaxis3={"domain": [0, 0.22], "anchor": "x3", "title": {"text": words.place_half}, **_span(len(order))},
        annotations=[_title(words.half, 0.23, 0.99), _title(words.interleaved, 0.77, 0.99), _title(words.permutation, 0.5, 0.29)],
    )


def _square(matrix: Float64[ndarray, "D D"], words: HeadWords, *, scale: bool) -> dict[str, Any]:
    """Lay out a matrix: as a heatmap, or where its cells would be smaller than a pixel of a phone as dots on what is not zero."""
    places = np.arange(len(matrix), dtype=np.float64)
    cell = f"{words.row} %{{y}}, {words.column} %{{x}}: "
    if len(matrix) <= _WIDEST_CELLS:
        return _heatmap(matrix) | {"x": places, "y": places, "showscale": scale, "hovertemplate": cell + "%{z:.6f}<extra></extra>"}
    rows, columns = np.nonzero(matrix)
    color = {"color": matrix[rows, columns].astype(np.float32), "cmin": -1, "cmax": 1, "colorscale": DIVERGING, "colorbar": _COLORBAR}
    return {
        "type": "scatter",
        "x": columns.astype(np.float64),
        "y": rows.astype(np.float64),
        "mode": "markers",
        "marker": color | {"showscale": scale, "size": 3, "symbol": "square", "line": {"width": 0}},
        "showlegend": False,
        "hovertemplate": cell + "%{marker.color:.6f}<extra></extra>",
    }


def _square_axes(suffix: str, width: int, domain: list[float], words: HeadWords) -> dict[str, Any]:
    """Frame a matrix: square cells, row 0 on top, no more than the matrix."""
    frame = {"constrain": "domain", "showgrid": False, "zeroline": False, "showline": True, "mirror": True, "linecolor": REFERENCE}
    across = {"domain": domain, "anchor": f"y{suffix}", "range": [-0.5, width - 0.5], "title": {"text": words.column}}
    down = {"domain": [0.42, 0.93], "anchor": f"x{suffix}", "range": [width - 0.5, -0.5], "scaleanchor": f"x{suffix}"}
    named = {"title": {"text": "" if suffix else words.row}, "constraintoward": "top", "showticklabels": not suffix}
    return {f"xaxis{suffix}": frame | across, f"yaxis{suffix}": frame | down | named}


def _span(width: int) -> dict[str, Any]:
    room = 0.5 + 0.02 * width
    return {"range": [-room, width - 1 + room], "zeroline": False}


def tables(cos: Float64[ndarray, "S D"], sin: Float64[ndarray, "S D"], sinusoidal: Float64[ndarray, "S D"], words: HeadWords) -> Drawing:
    """Draw the tables of RoPE over position and coordinate, and below them the code that is added instead."""
    positions, width = cos.shape
    place: dict[str, Any] = {"x": np.arange(width, dtype=np.float64), "y": np.arange(positions, dtype=np.float64)}
    # Plotly leaves out cells that are narrower than a pixel; a browser that shrinks an image takes their mean.
    place["zsmooth"] = "fast" if width > _WIDEST_TABLE else False
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    for index, (table, title) in enumerate(((cos, words.cos), (sin, words.sin), (sinusoidal, words.sinusoidal))):
        suffix, top = str(index + 1) if index else "", 0.96 - index * 0.34
        hover = f"{words.position} %{{y}}, {words.coordinate} %{{x}}: %{{z:.6f}}<extra>{title}</extra>"
        traces.append(_heatmap(table) | place | {"yaxis": f"y{suffix}", "showscale": index == 0, "hovertemplate": hover})
        axes[f"yaxis{suffix}"] = {
            "domain": [max(0.0, top - 0.28), top],
            "autorange": "reversed",
            "showgrid": False,
            "zeroline": False,
            "title": {"text": words.position},
        }
        notes.append(_title(title, 0, top + 0.045) | {"xanchor": "left"})
    bottom = {"anchor": "y3", "showgrid": False, "zeroline": False, "title": {"text": words.coordinate, "standoff": 12}}
    return draw(traces, height=640, margin={"l": 10, "r": 10, "t": 60, "b": 10}, xaxis=bottom, annotations=notes, **axes)


def _heatmap(table: Float64[ndarray, "rows columns"]) -> dict[str, Any]:
    """Lay out a signed table, in float32: a screen shows no more."""
    return {
        "type": "heatmap",
        "z": table.astype(np.float32),
        "zmin": -1,
        "zmax": 1,
        "colorscale": DIVERGING,
        "colorbar": _COLORBAR,
    }


def _title(text: str, x: float, y: float) -> dict[str, Any]:
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "showarrow": False,
        "xanchor": "center",
        "yanchor": "top",
        "font": {"size": 14},
    }


def _hidden(reach: float, anchor: str) -> dict[str, Any]:
    return {"visible": False, "fixedrange": True, "range": [-reach, reach], "constrain": "domain", "anchor": anchor}


def _circle(radius: float) -> dict[str, Any]:
    turn = np.linspace(0, 2 * np.pi, 61)
    return {
        "type": "scatter",
        "x": radius * np.cos(turn),
        "y": radius * np.sin(turn),
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _arrow(tip: Float64[ndarray, two], color: str, name: str, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": name,
        "x": [0.0, float(tip[0])],
        "y": [0.0, float(tip[1])],
        "line": {"color": color, "width": 2 if dash == "dash" else 4, "dash": dash},
        "marker": {"color": color, "size": [0, 12], "symbol": "arrow", "angleref": "previous", "opacity": 1, "line": {"width": 0}},
    }
