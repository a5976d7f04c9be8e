"""Pairs as clock hands, side by side in one plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, note, scatter
from figures.theme import REFERENCE, K, Q, Say, draw, pair_colors

_COLUMNS = 4
_ACROSS, _DOWN = 2.7, 3.35  # from one centre to the next; a face has radius 1, its label stands below


def clocks(angles: Float64[ndarray, " hands"], *, labels: Sequence[str], colors: Sequence[str]) -> Drawing:
    """Draw one hand a clock, in the colour of its pair, by its angle in radians counter-clockwise from the right."""
    centres = _centres(len(angles))
    hands = [_hand(centre, angle, color) for centre, angle, color in zip(centres, angles, colors, strict=True)]
    return _clock_figure(centres, labels, hands)


def two_hands(
    q_angles: Float64[ndarray, " hands"], k_angles: Float64[ndarray, " hands"], *, gap: int, labels: Sequence[str], say: Say
) -> Drawing:
    """Draw the hands of two tokens on every clock; the second one stands ``gap`` places after the first."""
    centres = _centres(len(q_angles))
    looks = ((say("token at m"), Q, "solid"), (say("token at m + {gap}").format(gap=f"{gap:,}"), K, "dot"))
    hands = [
        _together(centres, angles) | {"name": name, "showlegend": True, "line": {"color": color, "width": 4, "dash": dash}}
        for (name, color, dash), angles in zip(looks, (q_angles, k_angles), strict=True)
    ]
    return _clock_figure(centres, labels, hands)


def clock_colors(pairs: Sequence[int], count: int) -> list[str]:
    """Return the colours of some pairs of a head with ``count`` pairs."""
    scale = pair_colors(count)
    return [scale[pair] for pair in pairs]


def _clock_figure(centres: list[tuple[float, float]], labels: Sequence[str], hands: list[Part]) -> Drawing:
    columns, rows = min(_COLUMNS, len(centres)), -(-len(centres) // _COLUMNS)
    return draw(
        [_faces(centres), *hands],
        showlegend=any("name" in hand for hand in hands),
        xaxis={"visible": False, "range": [-_ACROSS / 2, (columns - 0.5) * _ACROSS], "fixedrange": True},
        yaxis={"visible": False, "range": [-(rows - 1) * _DOWN - 1.95, 1.1], "scaleanchor": "x", "constrain": "domain"}
        | {"constraintoward": "top", "fixedrange": True},
        annotations=[note(label, x, y - 1.1, yanchor="top", font={"size": 11}) for (x, y), label in zip(centres, labels, strict=True)],
    )


def _centres(count: int) -> list[tuple[float, float]]:
    return [((index % _COLUMNS) * _ACROSS, -(index // _COLUMNS) * _DOWN) for index in range(count)]


def _faces(centres: list[tuple[float, float]]) -> Part:
    turn = np.linspace(0, 2 * np.pi, 73)
    x = np.concatenate([np.append(cx + np.cos(turn), np.nan) for cx, _ in centres])
    y = np.concatenate([np.append(cy + np.sin(turn), np.nan) for _, cy in centres])
    return scatter("lines", x, y, line={"color": REFERENCE, "width": 1}, hoverinfo="skip")


def _hand(centre: tuple[float, float], angle: float, color: str) -> Part:
    x, y = [centre[0], centre[0] + float(np.cos(angle))], [centre[1], centre[1] + float(np.sin(angle))]
    marker = {"color": color, "size": [0, 9], "opacity": 1, "line": {"width": 0}}
    return scatter("lines+markers", x, y, line={"color": color, "width": 4}, marker=marker, hoverinfo="skip")


def _together(centres: list[tuple[float, float]], angles: Float64[ndarray, " hands"]) -> Part:
    """Join all hands of one token into one line with gaps."""
    x = [value for (cx, _), angle in zip(centres, angles, strict=True) for value in (cx, cx + float(np.cos(angle)), None)]
    y = [value for (_, cy), angle in zip(centres, angles, strict=True) for value in (cy, cy + float(np.sin(angle)), None)]
    return scatter("lines", x, y, hoverinfo="skip")
