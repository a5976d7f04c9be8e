"""Play, pause and scrub. chart.js makes the buttons reachable by keyboard; what is scrubbed is a slider beside the figure, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.theme import REFERENCE


def controls(names: Sequence[str], *, play: str, pause: str, prefix: str, below: int = 24, milliseconds: int = 120) -> dict[str, Any]:
    """Make the layout entries of an animation over line frames.

    Args:
        names: Names of the frames, unique, in order.
        play: Word on the button that starts.
        pause: Word on the button that stops.
        prefix: What stands before the current frame's name.
        below: Pixels from the lower edge of the plot to the buttons; an axis title needs more.
        milliseconds: How long a frame stays.
    """
    still = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate", "transition": {"duration": 0}}
    moving = {"frame": {"duration": milliseconds, "redraw": False}, "fromcurrent": True, "mode": "immediate", "transition": {"duration": 0}}
    buttons = [
        {"label": play, "method": "animate", "args": [None, moving]},
        {"label": pause, "method": "animate", "args": [[None], still]},
    ]
    steps = [{"label": name, "method": "animate", "args": [[name], still]} for name in names]
    place = {"y": 0, "yanchor": "top", "pad": {"t": below, "b": 0}}
    return {
        "updatemenus": [
            {"type": "buttons", "direction": "left", "buttons": buttons, "showactive": False, "x": 0, "xanchor": "left", **place}
        ],
        "sliders": [
            {
                "steps": steps,
                "active": 0,
                "x": 0,
                "len": 1,
                "y": 0,
                "yanchor": "top",
                "pad": {"t": below + 40, "b": 0},
                "currentvalue": {"prefix": prefix, "xanchor": "right", "font": {"size": 14}},
                "ticklen": 0,
                "bgcolor": "rgba(128, 128, 128, 0.4)",
                "activebgcolor": REFERENCE,
                "bordercolor": REFERENCE,
                "borderwidth": 0,
                "minorticklen": 0,
                "font": {"color": "rgba(0, 0, 0, 0)", "size": 1},  # sixty labels of steps would overlap; the current value is shown
            }
        ],
    }
