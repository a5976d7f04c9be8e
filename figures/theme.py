"""One look for one meaning: colours, scales and the template of every figure.

A figure never knows whether the reader's page is light or dark, and a change of theme causes no rerun; so each colour here has a
contrast of at least 3:1 on white and on the dark ground #171614 (a test measures it). Hues are those of Okabe and Ito, whom colour-blind
readers can tell apart; colour is never the only difference (dashes, markers and labels say the same).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio

from figures.drawing import Drawing

Say = Callable[[str], str]
"""Translates a text of a figure, which stands in it in English."""

Q = "#0072B2"
K = "#D55E00"
SCORE = "#009E73"
REFERENCE = "#808080"
OTHER = "#B8488F"  # what RoPE is held against: another law, a mistake
OTHER_FILL = "rgba(184, 72, 143, 0.2)"
A = "#D860F0"  # the pinned setting, in every figure that it stands in
A_FILL = "rgba(216, 96, 240, 0.15)"
A_DASH, A_DASH_TOO = "10px,3px,2px,3px", "2px,3px"  # of its lines, and of those that are not solid in B either
SCORE_FILL = "rgba(0, 158, 115, 0.25)"
REFERENCE_FILL = "rgba(128, 128, 128, 0.2)"
GROUND_FILL = "rgba(128, 128, 128, 0.09)"  # of a plane, under all that stands in it

# Fast to slow. Equal steps in OKLab from gold to violet, within the band of lightness that reads on both grounds.
PAIR_SCALE = (
    "#BC8B00", "#C67D00", "#CC6F20", "#CE643D", "#CB5A55", "#C4546B", "#BA507F", "#AC4F91", "#9B50A0", "#8852AC", "#7255B4",
)  # fmt: skip

# Signed numbers: magenta below zero, green above, and at exactly zero nothing, so that the ground of either theme is the middle.
NEGATIVE, POSITIVE = "#B8488F", "#00875F"
DIVERGING = [[0, NEGATIVE], [0.5, "rgba(184, 72, 143, 0)"], [0.5, "rgba(0, 135, 95, 0)"], [1, POSITIVE]]
SEQUENTIAL = [[0, "rgba(0, 135, 95, 0)"], [1, "#00875F"]]  # from nothing upwards, such as weights

HEIGHT = 400
ZERO_LINE = {"zeroline": True, "zerolinecolor": "rgba(128, 128, 128, 0.6)", "zerolinewidth": 1}
TEMPLATE = "rope-lab"

# An own small template: naming a built-in one costs 8 ms a figure.
pio.templates[TEMPLATE] = go.layout.Template(
    layout={
        "colorway": [Q, K, SCORE, REFERENCE],
        "hovermode": "closest",
        # Below the buttons of the chart, which would cover it on a phone.
        "legend": {"orientation": "h", "yref": "container", "y": 0.91, "yanchor": "top", "x": 0},
    }
)
_PLAIN_TEMPLATE = pio.templates[TEMPLATE].to_plotly_json()


def pair_colors(count: int) -> list[str]:
    """Return ``count`` colours, pair 0 first, evenly spaced on the scale: a pair has the same one in every figure."""
    return list(_pair_colors(count))


@cache
def _pair_colors(count: int) -> tuple[str, ...]:
    stops = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in PAIR_SCALE], dtype=float)
    where = np.linspace(0, len(stops) - 1, count) if count > 1 else np.zeros(1)
    channels = [np.interp(where, np.arange(len(stops)), stops[:, channel]) for channel in range(3)]
    return tuple(f"rgb({red:.0f}, {green:.0f}, {blue:.0f})" for red, green, blue in zip(*channels, strict=True))


def draw(traces: Sequence[dict[str, Any]], **layout: Any) -> Drawing:
    """Build a figure from plain dictionaries; the page gives it as much height as it has, and at least ``HEIGHT``."""
    base = {"template": _PLAIN_TEMPLATE, "height": HEIGHT, "margin": {"l": 10, "r": 10, "t": 40, "b": 10}}
    return Drawing(traces, base | layout)
