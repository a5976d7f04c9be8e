"""A whole head: its pairs, its matrix in two layouts, its tables."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64, Int64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, paper_note, scatter
from figures.plane import arrow, circle
from figures.theme import DIVERGING, REFERENCE, Say, draw

_COLUMNS = 4
_WIDEST_CELLS = 64
_WIDEST_TABLE = 128
_SHARE = 0.58  # of the height of a row: the plane; the rest is for four lines of label
_PANELS = ([0.0, 0.31], [0.345, 0.655], [0.69, 1.0])  # three side by side
_LINE = 16  # letters of a title that fit above a panel on a phone
_MARGIN = {"l": 10, "r": 10, "t": 118, "b": 10}
# Above the title of the last panel: beside the panels it would take a fifth of a phone.
_COLORBAR = {
    "orientation": "h",
    "thickness": 10,
    "len": 0.3,
    "x": 1,
    "xanchor": "right",
    "yref": "container",
    "y": 0.91,
    "yanchor": "top",
    "tickvals": [-1, 0, 1],
}


def planes(
    before: Float64[ndarray, "planes two"], after: Float64[ndarray, "planes two"], *, labels: Sequence[str], colors: Sequence[str], say: Say
) -> Drawing:
    """Draw some pairs of one vector side by side on one scale, dashed before and solid after rotation, with labels below."""
    reach = 1.05 * float(np.hypot(*before.T).max()) or 1.0
    columns, rows = min(_COLUMNS, len(labels)), -(-len(labels) // _COLUMNS)
    traces: list[Part] = []
    notes: list[Part] = []
    axes: Part = {}
    for index, label in enumerate(labels):
        suffix = str(index + 1) if index else ""
        left, top = index % _COLUMNS / columns, 1 - index // _COLUMNS / rows
        bottom = max(0.0, top - _SHARE / rows)
        # With one scale for both axes a plane may be smaller than its place: it stands at the bottom, next to its label.
        axes[f"xaxis{suffix}"] = {"domain": [left, left + 0.96 / columns], **_hidden(reach, f"y{suffix}")}
        up = {"domain": [bottom, top], "constraintoward": "bottom", "scaleanchor": f"x{suffix}"}
        axes[f"yaxis{suffix}"] = up | _hidden(reach, f"x{suffix}")
        place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        traces.append(circle(np.zeros(2), float(np.hypot(*before[index])), 61) | place)
        for tip, name, dash in ((before[index], say("before"), "dash"), (after[index], say("after rotation"), "solid")):
            traces.append(arrow(tip, colors[index], name, dash=dash, showlegend=index == 0, head=12) | place)
        notes.append(paper_note(label, left + 0.48 / columns, bottom, xanchor="center", yanchor="top", font={"size": 11}))
    return draw(traces, annotations=notes, **axes)


def matrices(half: Float64[ndarray, "D D"], interleaved: Float64[ndarray, "D D"], order: Int64[ndarray, " D"], *, say: Say) -> Drawing:
    """Draw the rotation as a matrix in both layouts, and which coordinate of the interleaved one stands at each place of the half one."""
    titles = (say("half layout"), say("interleaved layout"), say("the permutation between them"))
    look = {"marker": {"color": REFERENCE, "symbol": "square", "size": 4}, "xaxis": "x3", "yaxis": "y3", "showlegend": False}
    moved = scatter("markers", order.astype(np.float64), np.arange(len(order), dtype=np.float64), titles[2], **look)
    names = ((say("column"), say("row")), (say("column"), ""), (say("interleaved place"), say("half place")))
    axes: Part = {}
    # The last panel has its names on the right: between the panels they would not fit on a phone.
    for index, (across, down) in enumerate(names):
        axes |= _square_axes(str(index + 1) if index else "", len(order), _PANELS[index], across, down)
    return draw(
        [_square(half, say, scale=True), _square(interleaved, say, scale=False) | {"xaxis": "x2", "yaxis": "y2"}, moved],
        margin=_MARGIN,
        annotations=[_panel_title(title, left) for title, (left, _) in zip(titles, _PANELS, strict=True)],
        **axes | {"yaxis3": axes["yaxis3"] | {"side": "right"}},
    )


def _square(matrix: Float64[ndarray, "D D"], say: Say, *, scale: bool) -> Part:
    """Lay out a matrix: as a heatmap, or where its cells would be smaller than a pixel of a phone as dots on what is not zero."""
    places = np.arange(len(matrix), dtype=np.float64)
    cell = f"{say('row')} %{{y}}{say(', ')}{say('column')} %{{x}}: "
    if len(matrix) <= _WIDEST_CELLS:
        return _heatmap(matrix) | {"x": places, "y": places, "showscale": scale, "hovertemplate": cell + "%{z:.6f}<extra></extra>"}
    rows, columns = np.nonzero(matrix)
    color = {"color": matrix[rows, columns].astype(np.float32), "cmin": -1, "cmax": 1, "colorscale": DIVERGING, "colorbar": _COLORBAR}
    marker = color | {"showscale": scale, "size": 3, "symbol": "square", "line": {"width": 0}}
    hover = cell + "%{marker.color:.6f}<extra></extra>"
    return scatter("markers", columns.astype(np.float64), rows.astype(np.float64), marker=marker, hovertemplate=hover)


def _square_axes(suffix: str, width: int, domain: list[float], across: str, down: str) -> Part:
    """Frame a matrix: square cells, row 0 on top, no more than the matrix."""
    frame = {"constrain": "domain", "showgrid": False, "zeroline": False, "showline": True, "mirror": True, "linecolor": REFERENCE}
    x = {"domain": domain, "anchor": f"y{suffix}", "range": [-0.5, width - 0.5], "title": {"text": across}}
    y = {"anchor": f"x{suffix}", "range": [width - 0.5, -0.5], "scaleanchor": f"x{suffix}", "constraintoward": "top"}
    return {f"xaxis{suffix}": frame | x, f"yaxis{suffix}": frame | y | {"title": {"text": down}, "showticklabels": bool(down)}}


def tables(cos: Float64[ndarray, "S D"], sin: Float64[ndarray, "S D"], sinusoidal: Float64[ndarray, "S D"], *, say: Say) -> Drawing:
    """Draw the tables of RoPE over position and coordinate, and beside them the code that is added instead."""
    positions, width = cos.shape
    place: Part = {"x": np.arange(width, dtype=np.float64), "y": np.arange(positions, dtype=np.float64)}
    # Plotly leaves out cells that are narrower than a pixel; a browser that shrinks an image takes their mean.
    place["zsmooth"] = "fast" if width > _WIDEST_TABLE else False
    titles = (
        say("cos: what a coordinate is multiplied by"),
        say("sin: what its partner is multiplied by (minus in the first of a pair)"),
        say("sinusoidal code, added (sines first)"),
    )
    bare = {"showgrid": False, "zeroline": False}
    traces: list[Part] = []
    axes: Part = {"yaxis": bare | {"autorange": "reversed", "title": {"text": say("position")}}}
    for index, (table, title) in enumerate(zip((cos, sin, sinusoidal), titles, strict=True)):
        suffix = str(index + 1) if index else ""
        hover = f"{say('position')} %{{y}}{say(', ')}{say('coordinate')} %{{x}}: %{{z:.6f}}<extra>{title}</extra>"
        traces.append(_heatmap(table) | place | {"xaxis": f"x{suffix}", "showscale": index == 0, "hovertemplate": hover})
        axes[f"xaxis{suffix}"] = bare | {"domain": _PANELS[index], "title": {"text": say("coordinate")}}
    notes = [_panel_title(title, left) for title, (left, _) in zip(titles, _PANELS, strict=True)]
    return draw(traces, margin=_MARGIN, annotations=notes, **axes)


def _heatmap(table: Float64[ndarray, "rows columns"]) -> Part:
    """Lay out a signed table, in float32: a screen shows no more."""
    return {"type": "heatmap", "z": table.astype(np.float32), "zmin": -1, "zmax": 1, "colorscale": DIVERGING, "colorbar": _COLORBAR}


def _panel_title(text: str, left: float) -> Part:
    """Write a title above a panel, in lines as short as a panel on a phone is wide."""
    return paper_note(_wrapped(text), left, 1, xanchor="left", yanchor="bottom", align="left", font={"size": 11})


def _wrapped(text: str) -> str:
    """Break a text into lines of about ``_LINE`` letters; Chinese and Japanese, as wide as two letters each, break anywhere."""
    if text.isascii():
        return "<br>".join(textwrap.wrap(text, _LINE))
    return "<br>".join(text[start : start + _LINE // 2] for start in range(0, len(text), _LINE // 2))


def _hidden(reach: float, anchor: str) -> Part:
    return {"visible": False, "fixedrange": True, "range": [-reach, reach], "constrain": "domain", "anchor": anchor}
