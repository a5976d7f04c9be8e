"""What one attention head computes: matrices over queries and keys, their diagonals, and vectors over tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, axis, band, note, paper_note
from figures.theme import DIVERGING, REFERENCE, REFERENCE_FILL, SCORE, SCORE_FILL, SEQUENTIAL, ZERO_LINE, Say, draw

COLUMNS, ROWS = 24, 8  # words that an axis has room for: of a matrix, and of one of three panels
Line = Float64[ndarray, " n"]
Matrix = Float[ndarray, "rows columns"]


def scores(values: Matrix, *, causal: bool, words: Sequence[str] = (), say: Say) -> Drawing:
    """Draw signed scores, query positions down and key positions across, each with its word if there are words.

    Keys that a causal query does not see are shaded.
    """
    reach = float(np.abs(np.tril(values) if causal else values).max()) or 1.0
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    scale = {"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING}
    return _matrix(shown, say("score"), scale, causal=causal, words=words, say=say)


def weights(values: Matrix, *, causal: bool, words: Sequence[str] = (), say: Say) -> Drawing:
    """Draw weights from 0 to the largest one, laid out as ``scores``."""
    shown = np.where(np.tri(len(values), dtype=bool), values, np.nan) if causal else values
    scale = {"cmin": 0, "cmax": float(values.max().astype(np.float32)), "colorscale": SEQUENTIAL}
    return _matrix(shown, say("weight"), scale, causal=causal, words=words, say=say)


def diagonals(distances: Line, alike: tuple[Line, Line], random: tuple[Line, Line], *, say: Say) -> Drawing:
    """Draw the lowest and the highest score at each distance, of tokens that are all alike and of random ones."""
    low, high = (float(reduce((*alike, *random))) for reduce in (np.min, np.max))
    room = 0.06 * (max(high, 0.0) - min(low, 0.0)) or 1.0
    return draw(
        [
            *_band(distances, random, {"color": REFERENCE, "width": 1, "dash": "dot"}, REFERENCE_FILL, say("random tokens"), say),
            *_band(distances, alike, {"color": SCORE, "width": 2}, SCORE_FILL, say("all tokens alike"), say),
        ],
        xaxis=axis(say("distance m - n (tokens)")),
        yaxis=axis(say("score"), range=[min(low, 0.0) - room, max(high, 0.0) + room], **ZERO_LINE),
        hovermode="x unified",
    )


def vectors(panels: Sequence[tuple[str, Matrix]], *, words: Sequence[str] = (), say: Say) -> Drawing:
    """Draw several ``(tokens, coordinates)`` arrays with their titles above each other, on one colour scale."""
    reach = max(float(np.abs(values).max()) for _, values in panels)
    width = panels[0][1].shape[1]
    traces: list[Part] = []
    layout: Part = {}
    notes: list[Part] = []
    for index, (title, values) in enumerate(panels):
        name = f"y{index + 1}" if index else "y"
        top = 1 - index / len(panels)
        traces.append(_heat(values, say("coordinate"), say("token"), say("value")) | {"yaxis": name})
        domain = [top - 0.78 / len(panels), top]
        layout[name.replace("y", "yaxis")] = axis(
            say("token"), domain=domain, range=[len(values) - 0.5, -0.5], **_cells(len(values), words, ROWS)
        )
        notes.append(paper_note(title, 0, top, xanchor="left", yanchor="bottom"))
    return draw(
        traces,
        annotations=notes,
        xaxis=axis(say("coordinate"), anchor=name, range=[-0.5, width - 0.5], **_bare(width)),
        coloraxis={"cmin": -reach, "cmid": 0, "cmax": reach, "colorscale": DIVERGING, "colorbar": _bar(say("value"))},
        **layout,
    )


def _matrix(values: Matrix, title: str, scale: Part, *, causal: bool, words: Sequence[str], say: Say) -> Drawing:
    count = len(values)
    across, down = (say("key"), say("query")) if words else (say("key position n"), say("query position m"))
    mask = {"type": "path", "path": _staircase(count), "fillcolor": REFERENCE_FILL, "line": {"width": 0}, "layer": "below"}
    corner = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    ends = {"constrain": "domain", **_cells(count, words, COLUMNS)}
    return draw(
        [_heat(values, across, down, title) | _named(words, across, down, title)],
        xaxis=axis(across, range=[-0.5, count - 0.5], **ends),
        yaxis=axis(down, range=[count - 0.5, -0.5], scaleanchor="x", constraintoward="top", **ends),
        coloraxis=scale | {"colorbar": _bar(title)},
        shapes=[mask] if causal else [],
        annotations=[note(say("hidden by the causal mask"), 0.98, 0.97, **corner)] if causal else [],
    )


def _heat(values: Matrix, across: str, down: str, title: str) -> Part:
    return {
        "type": "heatmap",
        "z": values.astype(np.float32),
        "x": np.arange(values.shape[1]),
        "y": np.arange(values.shape[0]),
        "hovertemplate": f"{down} %{{y}}<br>{across} %{{x}}<br>{title} %{{z:.4g}}<extra></extra>",
        "coloraxis": "coloraxis",
    }


def _named(words: Sequence[str], across: str, down: str, title: str) -> Part:
    """Name query and key of each cell under the mouse by position and word."""
    if not words:
        return {}
    names = [f"{position} {word}" for position, word in enumerate(words)]
    cells = [[f"{down} {query}<br>{across} {key}" for key in names] for query in names]
    return {"text": cells, "hovertemplate": f"%{{text}}<br>{title} %{{z:.4g}}<extra></extra>"}


def _cells(count: int, words: Sequence[str], most: int) -> Part:
    """Return an axis of cells that carries their words, at most so many."""
    if not words:
        return _bare(count)
    places = list(range(0, count, -(-count // most)))
    return {"tickmode": "array", "tickvals": places, "ticktext": [words[place] for place in places], **_bare(count)}


def _bare(count: int) -> Part:
    """Return what an axis of cells has: no lines, and no ticks at the edges between a few cells."""
    return {"showgrid": False, "zeroline": False} | ({"dtick": 1} if count <= 10 else {})


def _bar(title: str) -> Part:
    return {"title": {"text": title}, "thickness": 12, "xpad": 4}


def _staircase(count: int) -> str:
    """Outline the cells right of the diagonal, as an SVG path in data coordinates."""
    steps = [f"L{column - 0.5},{column - 1.5} L{column - 0.5},{column - 0.5}" for column in range(1, count)]
    return f"M0.5,-0.5 {' '.join(steps)} L{count - 0.5},{count - 1.5} L{count - 0.5},-0.5 Z"


def _band(distances: Line, ends: tuple[Line, Line], line: Part, fill: str, name: str, say: Say) -> list[Part]:
    names = (name + say(", ") + say("highest"), name + say(", ") + say("lowest"))
    return band(distances, *ends, names, fill, line, legendgroup=name)
