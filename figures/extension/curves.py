"""The score of a text that outgrows its training, by distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.drawing import Drawing
from figures.extension.look import MARGIN, Line, Look, Upright, below_a_row, rgba, uprights
from figures.theme import OTHER, REFERENCE, ZERO_LINE, Say, draw


@dataclass(frozen=True, kw_only=True)
class Band:
    """The exact range of a score in bins of distances."""

    distances: Line
    low: Line
    high: Line


def curves(original: Band, unscaled: Band, extended: Band | None, *, look: Look, name: str, trained: Upright, say: Say) -> Drawing:
    """Draw the score up to the trained length, beyond it without a method, and all the way with one."""
    bands = [
        _band(original, say("as trained"), REFERENCE, "dot"),
        _band(unscaled, say("beyond training, no method"), OTHER, "dash"),
        *([_band(extended, name, look.color, "solid")] if extended else []),
    ]
    right = max((float(band.distances[-1]) for band in (original, unscaled) if len(band.distances)), default=2.0)
    ends = [0.0, float(np.log10(max(right, 2.0))) + 0.02]
    scores = [score for pair in bands for trace in pair for score in trace["y"].tolist()]
    return draw(
        [trace for pair in bands for trace in pair],
        xaxis={"type": "log", "title": {"text": say("distance m - n (tokens, log axis)")}, "range": ends},
        yaxis={"title": {"text": say("score of q = k = ones")}, **ZERO_LINE} | ({"range": below_a_row(scores)} if scores else {}),
        margin=MARGIN,
        **uprights([trained], ends),
    )


def _band(band: Band, name: str, color: str, dash: str) -> list[dict[str, Any]]:
    look: dict[str, Any] = {"type": "scatter", "x": band.distances, "line": {"color": color, "width": 1.5, "dash": dash}}
    look["mode"] = "lines+markers" if len(band.distances) < 3 else "lines"
    upper = look | {"y": band.high, "showlegend": False, "name": name}
    return [upper, look | {"y": band.low, "fill": "tonexty", "fillcolor": rgba(color, 0.3), "name": name}]
