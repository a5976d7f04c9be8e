"""Pairs as clock hands, side by side in one plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from figures.drawing import Drawing
from figures.marks import Part, note, paper_note, phone_room, scatter
from figures.theme import REFERENCE, SCORE, SCORE_FILL, K, Q, Say, draw, pair_colors

_COLUMNS = 4
_ACROSS, _DOWN = 2.7, 3.35  # from one centre to the next; a face has radius 1, its label stands below


_LONG, _SHORT = (1.0, 3), (0.66, 8)  # length and width of a hand: both are seen where they coincide
_ARC, _VALUE = 0.36, 0.6  # radius of an arc between two hands, and of what is written at it
_ABOVE: Part = {"yanchor": "bottom", "yshift": 5}
_WIDE = 2 * np.pi / 3  # an arc that has room for its value between the hands


def clocks(angles: Float64[ndarray, " hands"], *, position: int, labels: Sequence[str], colors: Sequence[str]) -> Drawing:
    """Draw one hand a clock, in the colour of its pair, by its angle in radians counter-clockwise from the right."""
    centres = _centres(len(angles))
    hands = [_hand(centre, angle, color) for centre, angle, color in zip(centres, angles, colors, strict=True)]
    return _clock_figure(centres, labels, hands, [_position(position)])


def two_hands(
    q_angles: Float64[ndarray, " hands"],
    between: Float64[ndarray, " hands"],
    *,
    position: int,
    gap: int,
    score: float,
    labels: Sequence[str],
    say: Say,
) -> Drawing:
    """Draw the hands of two tokens on every clock, the angles ``between`` them as arcs, and what the score comes to.

    The second token stands ``gap`` places after the first; its hands are shorter and thicker.
    """
    centres = _centres(len(q_angles))
    names = say("token at m"), say("token at m + {gap}").format(gap=f"{gap:,}")
    looks = zip(names, (Q, K), (_LONG, _SHORT), (q_angles, q_angles + between), strict=True)
    hands = [
        _together(centres, angles, length) | {"name": name, "showlegend": True, "line": {"color": color, "width": width}}
        for name, color, (length, width), angles in looks
    ]
    rest = between % (2 * np.pi)
    badge = {"bgcolor": SCORE_FILL, "bordercolor": SCORE, "borderpad": 4, "font": {"size": 15}}
    notes = [_position(position), paper_note(say("score {score}").format(score=f"{score:.4g}"), 1, 1, **_ABOVE, **badge, xanchor="right")]
    return _clock_figure(centres, labels, [_arcs(centres, q_angles, rest), *hands, _values(centres, q_angles, rest)], notes)


def clock_colors(pairs: Sequence[int], count: int) -> list[str]:
    """Return the colours of some pairs of a head with ``count`` pairs."""
    scale = pair_colors(count)
    return [scale[pair] for pair in pairs]


def _position(position: int) -> Part:
    return paper_note(f"m = {position:,}", 0, 1, yanchor="bottom", xanchor="left", font={"size": 28})


def _clock_figure(centres: list[tuple[float, float]], labels: Sequence[str], hands: list[Part], notes: list[Part]) -> Drawing:
    columns, rows = min(_COLUMNS, len(centres)), -(-len(centres) // _COLUMNS)
    named = [note(label, x, y - 1.1, yanchor="top", font={"size": 11}) for (x, y), label in zip(centres, labels, strict=True)]
    return draw(
        [_faces(centres), *hands],
        showlegend=any("name" in hand for hand in hands),
        xaxis={"visible": False, "range": [-_ACROSS / 2, (columns - 0.5) * _ACROSS], "fixedrange": True},
        yaxis={"visible": False, "range": [-(rows - 1) * _DOWN - 1.95, 1.1], "scaleanchor": "x", "constrain": "domain"}
        | {"constraintoward": "top", "fixedrange": True},
        annotations=[*named, *notes],
        legend={"x": 0.3},
        meta=phone_room(columns * _ACROSS, (rows - 1) * _DOWN + 3.45),
        margin={"l": 10, "r": 10, "t": 52, "b": 10},
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


def _together(centres: list[tuple[float, float]], angles: Float64[ndarray, " hands"], length: float) -> Part:
    """Join all hands of one token into one line with gaps."""
    ends = length * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    x = [value for (cx, _), end in zip(centres, ends, strict=True) for value in (cx, cx + float(end[0]), None)]
    y = [value for (_, cy), end in zip(centres, ends, strict=True) for value in (cy, cy + float(end[1]), None)]
    return scatter("lines", x, y, hoverinfo="skip")


def _arcs(centres: list[tuple[float, float]], angles: Float64[ndarray, " hands"], rest: Float64[ndarray, " hands"]) -> Part:
    """Draw what is left of each angle between two hands after whole turns, as sectors in one line with gaps."""
    turns = np.linspace(angles, angles + rest, 49, axis=-1)
    inner = _ARC * np.stack([np.cos(turns), np.sin(turns)])
    sectors = np.pad(inner, ((0, 0), (0, 0), (1, 1))) + np.array(centres).T[:, :, None]
    x, y = np.pad(sectors, ((0, 0), (0, 0), (0, 1)), constant_values=np.nan).reshape(2, -1)
    return scatter("lines", x, y, line={"color": SCORE, "width": 2}, fill="toself", fillcolor=SCORE_FILL, hoverinfo="skip")


def _values(centres: list[tuple[float, float]], angles: Float64[ndarray, " hands"], rest: Float64[ndarray, " hands"]) -> Part:
    """Write each angle where the hands leave room: between them, or where they are close, opposite."""
    middle = angles + rest / 2 + np.where(rest < _WIDE, np.pi, 0)
    x, y = np.array(centres).T + _VALUE * np.stack([np.cos(middle), np.sin(middle)])
    text = [f"{degrees:.3g}°" for degrees in np.degrees(rest)]
    return scatter("text", x, y, text=text, textfont={"size": 12}, hoverinfo="skip")
