"""Lines, notes, axes and traces that several figures draw, as plotly.js takes them."""

from __future__ import annotations

from typing import Any

from figures.theme import REFERENCE

Part = dict[str, Any]


def scatter(mode: str, x: Any, y: Any, name: str = "", **more: Any) -> Part:
    """Draw a line or points; without a name it has no place in the legend."""
    return {"type": "scatter", "mode": mode, "x": x, "y": y} | ({"name": name} if name else {"showlegend": False}) | more


def band(x: Any, low: Any, high: Any, names: tuple[str, str], fill: str, line: Part, **more: Any) -> list[Part]:
    """Draw the range between two lines, of which ``names`` are the upper one and the lower one; an empty one is not in the legend."""
    upper, lower = (scatter("lines", x, y, name, line=line) | more for y, name in zip((high, low), names, strict=True))
    return [upper, lower | {"fill": "tonexty", "fillcolor": fill}]


def level(value: float, axis: str = "y", **line: Any) -> Part:
    """Draw a dashed line from side to side."""
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": value, "y1": value} | {
        "line": {"color": REFERENCE, "dash": "dash"} | line
    }


def upright(value: float, **line: Any) -> Part:
    """Draw a dashed line from bottom to top."""
    place = {"type": "line", "x0": value, "x1": value, "yref": "paper", "y0": 0, "y1": 1}
    return place | {"line": {"color": REFERENCE, "dash": "dash"} | line}


def note(text: str, x: float, y: float, **more: Any) -> Part:
    """Write a text; on a log axis annotations are placed by exponent, shapes by value."""
    return {"text": text, "x": x, "y": y, "showarrow": False} | more


def paper_note(text: str, x: float, y: float, **more: Any) -> Part:
    """Write a text where a share of the figure is."""
    return note(text, x, y, xref="paper", yref="paper", **more)


def axis(title: str, **more: Any) -> Part:
    """Return an axis with a title."""
    return {"title": {"text": title}} | more


def log_axis(title: str, **more: Any) -> Part:
    """Return an axis of powers of ten."""
    return axis(title, type="log", exponentformat="power", **more)


def phone_room(width: float, height: float) -> Part:
    """Tell the page what is drawn to scale and as wide as the figure: on a telephone a figure is no higher than that and its legend."""
    return {"ratio": height / width}


def pair_axis(title: str, count: int) -> Part:
    """Return an axis of pairs, with some room at both ends."""
    room = max(0.6, 0.02 * count)
    return axis(title, range=[-room, count - 1 + room], zeroline=False, tickformat="d")
