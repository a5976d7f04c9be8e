"""Pairs as clock hands, side by side in one plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.motion import controls
from figures.theme import REFERENCE, K, Q, draw, pair_colors

_COLUMNS = 4
_ACROSS, _DOWN = 2.9, 3.6  # from one centre to the next; a face has radius 1, its label stands below


@dataclass(frozen=True, kw_only=True)
class ClockWords:
    """Translated words of the figure."""

    play: str
    pause: str
    position: str
    q: str
    k: str


def clocks(
    positions: Sequence[int], angles: Float64[ndarray, "frames hands"], *, labels: Sequence[str], colors: Sequence[str], words: ClockWords
) -> Drawing:
    """Draw one hand a clock, in the colour of its pair, and let it advance over positions.

    Args:
        positions: One a frame; the first is the one that is drawn.
        angles: Radians, counter-clockwise from the right, a row a frame and a column a clock.
        labels: What stands under each clock.
        colors: Of the hands.
        words: Translated.
    """
    centres = _centres(angles.shape[1])
    hands = [_hand(centre, angles[0, index], color) for index, (centre, color) in enumerate(zip(centres, colors, strict=True))]
    moving = [
        [{"type": "scatter", **_ends(centre, angles[frame, index])} for index, centre in enumerate(centres)]
        for frame in range(len(positions))
    ]
    return _clock_figure(centres, labels, hands, moving, positions, words)


def two_hands(
    positions: Sequence[int],
    q_angles: Float64[ndarray, "frames hands"],
    k_angles: Float64[ndarray, "frames hands"],
    *,
    labels: Sequence[str],
    words: ClockWords,
) -> Drawing:
    """Draw the hands of two tokens on every clock; both advance, the angle between them stays.

    Args:
        positions: Of the first token, one a frame.
        q_angles: Of the first token, as in ``clocks``.
        k_angles: Of the second token.
        labels: What stands under each clock.
        words: Translated.
    """
    centres = _centres(q_angles.shape[1])
    looks = ((words.q, Q, "solid"), (words.k, K, "dot"))
    hands = [
        _together(centres, angles[0]) | {"name": name, "showlegend": True, "line": {"color": color, "width": 4, "dash": dash}}
        for (name, color, dash), angles in zip(looks, (q_angles, k_angles), strict=True)
    ]
    moving = [[_together(centres, q_angles[frame]), _together(centres, k_angles[frame])] for frame in range(len(positions))]
    return _clock_figure(centres, labels, hands, moving, positions, words)


def clock_colors(pairs: Sequence[int], count: int) -> list[str]:
    """Give the colours of some pairs of a head with ``count`` pairs."""
    scale = pair_colors(count)
    return [scale[pair] for pair in pairs]


def _clock_figure(
    centres: list[tuple[float, float]],
    labels: Sequence[str],
    hands: list[dict[str, Any]],
    moving: list[list[dict[str, Any]]],
    positions: Sequence[int],
    words: ClockWords,
) -> Drawing:
    names = [f"{position:,}" for position in positions]
    faces = _faces(centres)
    frames = [{"name": name, "data": data, "traces": list(range(1, 1 + len(hands)))} for name, data in zip(names, moving, strict=True)]
    columns, rows = min(_COLUMNS, len(centres)), -(-len(centres) // _COLUMNS)
    return draw(
        [faces, *hands],
        frames=frames,
        height=560,
        showlegend=any("name" in hand for hand in hands),
        xaxis={"visible": False, "range": [-_ACROSS / 2, (columns - 0.5) * _ACROSS], "fixedrange": True},
        yaxis={
            "visible": False,
            "range": [-(rows - 1) * _DOWN - 2.3, 1.15],
            "scaleanchor": "x",
            "constrain": "domain",
            "constraintoward": "top",
            "fixedrange": True,
        },
        annotations=[
            {"x": x, "y": y - 1.1, "text": label, "showarrow": False, "yanchor": "top", "font": {"size": 12}}
            for (x, y), label in zip(centres, labels, strict=True)
        ],
        **controls(names, play=words.play, pause=words.pause, prefix=words.position + " "),
    )


def _centres(count: int) -> list[tuple[float, float]]:
    return [((index % _COLUMNS) * _ACROSS, -(index // _COLUMNS) * _DOWN) for index in range(count)]


def _faces(centres: list[tuple[float, float]]) -> dict[str, Any]:
    turn = np.linspace(0, 2 * np.pi, 73)
    x = np.concatenate([np.append(cx + np.cos(turn), np.nan) for cx, _ in centres])
    y = np.concatenate([np.append(cy + np.sin(turn), np.nan) for _, cy in centres])
    line = {"color": REFERENCE, "width": 1}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


def _hand(centre: tuple[float, float], angle: float, color: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "line": {"color": color, "width": 4},
        "marker": {"color": color, "size": [0, 9], "opacity": 1, "line": {"width": 0}},
        "hoverinfo": "skip",
        "showlegend": False,
        **_ends(centre, angle),
    }


def _ends(centre: tuple[float, float], angle: float) -> dict[str, list[float]]:
    return {"x": [centre[0], _short(centre[0] + np.cos(angle))], "y": [centre[1], _short(centre[1] + np.sin(angle))]}


def _together(centres: list[tuple[float, float]], angles: Float64[ndarray, " hands"]) -> dict[str, Any]:
    """Join all hands of one token into one line with gaps: a frame is then two short lists."""
    x = [value for (cx, _), angle in zip(centres, angles, strict=True) for value in (cx, _short(cx + np.cos(angle)), None)]
    y = [value for (_, cy), angle in zip(centres, angles, strict=True) for value in (cy, _short(cy + np.sin(angle)), None)]
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip"}


def _short(value: float) -> float:
    """Round what is only drawn to a thousandth of a radius: frames travel as text."""
    return round(float(value), 3)
