"""Two figures of cells, A to the left of B, or above it where each has several panels in a row, on one scale of colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from figures.drawing import Drawing
from figures.marks import Part, paper_note

Given = Mapping[str, Any]
SHIFT = 10
"""What the axes of A count more than those of B, which keep their names, and with them a reader's zoom."""
HALF = 0.46
STARTS = {"x": {"A": 0.0, "B": 1 - HALF}, "y": {"A": 1 - HALF, "B": 0.0}}
INNER = {"x": ("y", "B"), "y": ("x", "A")}
"""Where both stand side by side, the vertical axes of B need no title; where A is above B, the horizontal ones of A."""


def beside(a: Drawing, b: Drawing) -> Drawing:
    """Draw A and B, each with its own axes, and every scale of colours as wide as both need."""
    way = "y" if "xaxis2" in b.plain_layout else "x"
    layouts = {"A": _moved(a.plain_layout, "A", SHIFT, way), "B": _moved(b.plain_layout, "B", 0, way)}
    layout = {**layouts["A"], **layouts["B"]}
    if "coloraxis" in layouts["A"] and "coloraxis" in layouts["B"]:
        layout["coloraxis"] = _wide(layouts["B"]["coloraxis"], layouts["A"]["coloraxis"], "c")
    for name in ("annotations", "shapes"):
        layout[name] = [*layouts["A"].get(name, ()), *layouts["B"].get(name, ())]
    layout["annotations"] += [_letter(letter, start, way) for letter, start in STARTS[way].items()]
    traces = [*(_trace(each, "A", SHIFT) for each in a.traces), *(_trace(each, "B", 0) for each in b.traces)]
    return Drawing(_on_one_scale(traces, len(a.traces)), layout)


def _letter(letter: str, start: float, way: str) -> Part:
    if way == "x":
        return paper_note(f"<b>{letter}</b>", start + HALF / 2, 1, yanchor="bottom", yshift=4)
    return paper_note(f"<b>{letter}</b>", 0, start + HALF, xanchor="right", xshift=-32, yanchor="top")


def _moved(layout: Given, letter: str, shift: int, way: str) -> Part:
    """Move all that a layout places into its half, and count its axes on."""
    moved: Part = {}
    for name, part in layout.items():
        if re.fullmatch(r"[xy]axis\d*", name):
            moved[_later(name, shift)] = _axis(part, name[0], letter, shift, way)
        elif name in ("annotations", "shapes"):
            kept = [each for each in part if (way, letter) != ("y", "B") or each.get("yref") != "paper"]  # titles stand above A
            moved[name] = [_mark(each, letter, shift, way) for each in kept]
        else:
            moved[name] = part
    return moved


def _axis(axis: Given, direction: str, letter: str, shift: int, way: str) -> Part:
    moved = {**axis, **{name: _later(axis[name], shift) for name in ("anchor", "scaleanchor", "overlaying") if name in axis}}
    if direction == way:
        moved["domain"] = [STARTS[way][letter] + HALF * end for end in axis.get("domain", (0, 1))]
    if INNER[way] == (direction, letter):
        moved["title"] = {"text": ""}
    moved.setdefault("anchor", _later("y" if direction == "x" else "x", shift))
    return moved


def _mark(mark: Given, letter: str, shift: int, way: str) -> Part:
    """Move a shape or a text: with its axis, or, where it stands at a share of the figure, into the half."""
    moved = {**mark, **{f"{direction}ref": _later(mark.get(f"{direction}ref", direction), shift) for direction in "xy"}}
    if mark.get(f"{way}ref") == "paper":
        moved |= {name: STARTS[way][letter] + HALF * mark[name] for name in (way, f"{way}0", f"{way}1") if name in mark}
    return moved


def _later(name: str, shift: int) -> str:
    """Count on the number in the name of an axis, such as ``x``, ``yaxis2`` or ``x domain``; other words stay."""
    found = re.fullmatch(r"([xy])(axis)?(\d*)( domain)?", name)
    if not found or not shift:
        return name
    direction, axis, number, domain = (each or "" for each in found.groups())
    return f"{direction}{axis}{int(number or 1) + shift}{domain}"


def _trace(trace: Given, letter: str, shift: int) -> Part:
    named = {"name": f"{letter}: {trace['name']}"} if trace.get("name") else {}
    return {**trace, **named, **{f"{way}axis": _later(trace.get(f"{way}axis", way), shift) for way in "xy"}}


def _on_one_scale(traces: list[Part], count: int) -> list[Part]:
    """Give what carries its own scale of colours in A and in B the same one, with one bar; the first ``count`` are those of A."""
    for mine, other in zip(traces[count:], traces[:count], strict=False):
        if "zmin" in mine and "zmin" in other:
            wide = _wide({name: mine[name] for name in ("zmin", "zmax")}, other, "z")
            mine.update(wide)
            other.update(wide, showscale=False)
        elif "colorscale" in mine.get("marker", {}) and "colorscale" in other.get("marker", {}):
            wide = _wide(mine["marker"], other["marker"], "c")
            ends = {name: wide[name] for name in ("cmin", "cmax") if name in wide}
            mine["marker"], other["marker"] = wide, {**other["marker"], **ends, "showscale": False}
        elif "colorbar" in other:
            other["showscale"] = False
    return traces


def _wide(mine: Given, other: Given, letter: str) -> Part:
    ends = {f"{letter}min": min, f"{letter}max": max}
    return {**mine, **{name: pick(mine[name], other[name]) for name, pick in ends.items() if name in mine and name in other}}
