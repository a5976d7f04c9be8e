"""The live chart and the live slider: a figure that follows the hand, and keeps its zoom.

Streamlit's own slider reports on release, and its own chart is taken down and built anew at every change. These two components talk to each
other in the browser: the slider sends its newest value only after the chart has drawn the answer to the last one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import streamlit as st
from plotly.utils import PlotlyJSONEncoder

from figures.compare import Beneath, joined
from figures.drawing import Drawing
from ui import echo, locks
from ui.assets import script_path
from ui.frame import ask_for_frame
from ui.i18n import _
from ui.live.toolbar import toolbar_words
from ui.live.wire import encode
from ui.parameters import SHARED

FOLDER = Path(__file__).parent
STANDARD = "_standard_chart"
MOVE, STEP, SLIDER, HOLD = "_move", "_step", "_slider", "_hold"


class Move(NamedTuple):
    """Which live slider a hand moves, and where to; what its box held when it began."""

    name: str
    value: float
    before: object


def chart(drawing: Drawing, *, key: str, alt: str, beneath: Beneath | None = None) -> None:
    """Show a figure; the same plot takes the next one of this key.

    A browser that cannot load the component says so, once, and gets Streamlit's own chart from then on. ``beneath`` is a
    figure to compare with.
    """
    layout = dict(drawing.plain_layout)
    traces = joined(drawing.traces, layout, beneath) if beneath else drawing.traces
    if is_off():
        config = {"displaylogo": False, "scrollZoom": False, "showSendToCloud": False}
        st.plotly_chart(Drawing(traces, layout, drawing.plain_frames).figure, key=f"{key}.standard", alt=alt, config=config)
        return
    layout.setdefault("uirevision", _axes(layout))
    layout["legend"] = {"uirevision": _traces(drawing.traces)} | layout.get("legend", {})
    message = {
        "figure": {"data": traces, "layout": layout},
        "alt": alt,
        "plotly": script_path(),
        "key": key,
        "step": step(),
        "words": toolbar_words()
        | {
            "png": _("Download the figure as PNG"),
            "svg": _("Download the figure as SVG"),
            "file": f"rope-lab-{key.removesuffix('_figure')}",
        },
        **_frames(key, drawing.plain_frames),
    }
    _component("chart")(
        key=key,
        data=encode(message, coarse=is_moving()),
        height=int(layout["height"]),
        on_failed_change=_use_standard,
        on_frames_change=lambda: st.session_state.pop(f"_frames.{key}", None),
    )


def is_off() -> bool:
    """Say whether the browser could not load the components."""
    return bool(st.session_state.get(STANDARD))


def slider(name: str, *, label: str, help: str, stops: Sequence[float], texts: Sequence[str], value: float, disabled: bool = False) -> None:
    """Draw the slider of a live parameter; what it is moved to is asked for with ``move``."""
    data = {
        "label": label,
        "help": help,
        "ask": _("Help for {label}").format(label=label),
        "stops": list(stops),
        "texts": list(texts),
        "index": list(stops).index(value),
        "disabled": disabled,
        "hold": _hold(),
    }
    st.session_state[SLIDER] = name
    _component("slider")(key=f"{name}.live", data=data, on_move_change=lambda: _take(name))


def move(name: str) -> float | None:
    """Give the value to which a hand has a live slider right now; None if it rests, or its box was written into."""
    now = st.session_state.get(MOVE)
    if not isinstance(now, Move) or now.name != name:
        return None
    if st.session_state.get(name) != now.before:
        _drop()
        return None
    return now.value


def is_moving() -> bool:
    """Say whether a hand moves a live slider right now."""
    return MOVE in st.session_state


def step() -> int:
    """Give the number of the last message of a slider: the chart hands it back when it has drawn the answer."""
    number: int = st.session_state.get(STEP, 0)
    return number


def _take(name: str) -> None:
    """Read a message of the slider; a browser can send anything."""
    sent = st.session_state[f"{name}.live"].get("move")
    sent = sent if isinstance(sent, Mapping) else {}
    value, step = sent.get("value"), sent.get("step")
    if not _is_number(value) or not isinstance(step, int) or locks.is_held(name) or sent.get("hold") != _hold():
        return
    echo.hear()  # the box beside the slider may say what it held before
    now = st.session_state.get(MOVE)
    before = now.before if isinstance(now, Move) and now.name == name else st.session_state.get(name)
    st.session_state[STEP] = step
    st.session_state[MOVE] = Move(name, float(value), before)
    if sent.get("rest"):
        settle()


def settle() -> None:
    """Put what a hand holds into its box, as it rests or another control is moved; the frame follows where it shows another value.

    A browser tells that a hand rests some time after its last movement, and what was clicked until then counts with where the hand is. A
    box that somebody wrote into since the hand took it overrules the hand.
    """
    now = st.session_state.get(MOVE)
    if not isinstance(now, Move):
        return
    before = st.session_state.get(now.name)
    if before != now.before:
        _drop()
        return
    del st.session_state[MOVE]
    if before == now.value:
        return
    if now.name in SHARED:
        ask_for_frame()
    echo.put(now.name, int(now.value) if now.value == int(now.value) else now.value)  # the address then says 13, not 13.0


def forget(names: Container[str]) -> None:
    """Have a hand drop what it holds, or has just held, where that is about to be set."""
    if st.session_state.get(SLIDER) in names:
        _drop()


def _drop() -> None:
    """Have a hand drop what it holds: its messages are not read until its slider has heard of that."""
    st.session_state.pop(MOVE, None)
    st.session_state[HOLD] = _hold() + 1


def _hold() -> int:
    """Give how often a hand had to drop what it held: the slider says with every message of how often it knows."""
    number: int = st.session_state.get(HOLD, 0)
    return number


def _is_number(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the range of a float
        return False


def _frames(key: str, frames: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Name the frames by their content, and send them only where the browser has others: they are most of an animated figure."""
    if not frames:
        return {"framesId": None}
    identity = _short(frames)
    if st.session_state.get(f"_frames.{key}") == identity:
        return {"framesId": identity}
    st.session_state[f"_frames.{key}"] = identity
    return {"framesId": identity, "frames": frames}


def _axes(layout: Mapping[str, Any]) -> str:
    """Say what the axes mean: zoom stays while this does."""
    axes = {name: part for name, part in layout.items() if name.startswith(("xaxis", "yaxis", "scene"))}
    return _short({name: [axis.get("title"), axis.get("type")] for name, axis in axes.items()})


def _traces(data: Sequence[Mapping[str, Any]]) -> str:
    """Say what the traces are, but for numbers in their names: hidden ones stay hidden while this does."""
    return _short([re.sub(r"[\d.,]+", "#", trace.get("name") or "") for trace in data])


def _short(part: object) -> str:
    """Name something by its content."""
    return blake2b(json.dumps(part, cls=PlotlyJSONEncoder).encode(), digest_size=8).hexdigest()


def _use_standard() -> None:
    st.session_state[STANDARD] = True


@cache
def _component(name: str) -> Any:
    """Register a component: its files do not change while the server runs."""
    html, css, js = ((FOLDER / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component(f"rope-lab-{name}", html=html, css=css, js=js, isolate_styles=False)
