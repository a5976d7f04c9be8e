"""Two components in the browser: the control of a number, and the figure with its sentences, which follows a drag through the live route.

Streamlit's own slider reports on release, and its own chart is taken down and built anew at every change.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from figures.drawing import Drawing
from lessons.view import View
from locales import N_, _
from parameters.types import Number, readable
from server.assets import script_path
from server.views import view_path
from server.wire import encode
from ui import visit

FOLDER = Path(__file__).parent
# English as plotly.js says it, which is how it looks a word up; the last one is ours.
TOOLBAR = (
    N_("Zoom"),
    N_("Pan"),
    N_("Zoom in"),
    N_("Zoom out"),
    N_("Autoscale"),
    N_("Reset axes"),
    N_("Double-click to zoom back out"),
    N_("Double-click on legend to isolate one trace"),
    N_("Full screen"),
)


def number(name: str, data: Mapping[str, Any]) -> None:
    """Draw the control of a number; ``data`` is what ``number_data`` returns."""
    key = f"number.{name}"
    _component("number")(key=key, data=dict(data), on_released_change=lambda: _release(key, name))


def number_data(
    name: str, spec: Number, value: float, high: float, *, refused: str | None = None, disabled: bool = False, play: bool = False
) -> dict[str, Any]:
    """Collect what the control of a number shows.

    Args:
        name: Name of the parameter.
        spec: What it may be.
        value: Where it stands.
        high: Its upper bound.
        refused: What was given instead of an allowed value, if anything was.
        disabled: Whether nobody can move it.
        play: Whether it can be played.
    """
    label = _(spec.label)
    return {
        "name": name,
        "label": label,
        "help": _(spec.help),
        "ask": _("Help for {label}").format(label=label),
        "type": _("{label}: type a value"),
        "play": _("Play: advance {label}").format(label=label) if play else "",
        "pause": _("Pause"),
        "stops": spec.stops(high),
        "value": value,
        "refused": refused,
        "disabled": disabled,
        "seen": visit.visit().seen.get(name, 0),
    }


def figure(
    page: str,
    view: bytes,
    *,
    query: str,
    address: str,
    replace: str | None,
    body: str,
    number: Mapping[str, Any] | None,
    motion: Mapping[str, Any] | None = None,
) -> None:
    """Draw the figure with its sentences, and the number that the page is about under it.

    Args:
        page: Name of the page.
        view: The bytes of ``server.answers.answer``.
        query: The address of the settings, for the live route.
        address: What the address of the browser must say.
        replace: The same, where it says less, so that it is completed in place; None where it is right.
        body: A config that is too long for an address.
        number: What ``number_data`` returns; None where the figure depends on no such number.
        motion: How the figure comes to its settings, as ``ui.quiz.motion`` returns it; None where it is there at once.
    """
    message = {
        "view": np.frombuffer(view, np.uint8),
        "plotly": script_path(),
        "route": f"{view_path()}/{page}",
        "query": query,
        "address": address,
        "replace": replace,
        "body": body,
        "words": _words(page),
        "number": number,
        "motion": motion,
    }
    _component("figure")(
        key=f"{page}.figure",
        data=encode(message),
        on_released_change=lambda: _release(f"{page}.figure", None),
        on_failed_change=lambda: visit.update(is_plain=True),
    )


def _words(page: str) -> dict[str, str]:
    """Return what the buttons of a figure say, and how its pictures are called."""
    ours = {"png": _("Download the figure as PNG"), "svg": _("Download the figure as SVG"), "more": _("Settings")}
    return {word: _(word) for word in TOOLBAR} | ours | {"file": f"rope-lab-{page}"}


def plain_figure(drawing: Drawing, *, key: str, alt: str) -> None:
    """Draw a figure with Streamlit's own chart, for a browser that cannot load the component."""
    config = {"displaylogo": False, "scrollZoom": False, "showSendToCloud": False}
    st.plotly_chart(drawing.figure, key=f"{key}.plain", alt=alt, config=config)


def plain_number(name: str, spec: Number, value: float, high: float, *, disabled: bool = False) -> None:
    """Draw a number with Streamlit's own slider, for the same browser."""
    key, stops = f"w.{name}", spec.stops(high)
    options = sorted({*stops, value})
    if len(options) == 1:
        st.markdown(f"{_(spec.label)}: {readable(value)}")
        return
    st.session_state[key] = value
    st.select_slider(
        _(spec.label),
        options,
        format_func=readable,
        key=key,
        help=_(spec.help),
        on_change=lambda: visit.change(**{name: st.session_state[key]}),
        disabled=disabled,
    )


def prose(view: View) -> None:
    """Write what the live figure would say beside it."""
    if view.verdict:
        st.caption(view.verdict)
    st.markdown("\n".join(f"- {sentence}" for sentence in view.sentences))


def _release(key: str, name: str | None) -> None:
    """Set a number to the value at which it was released, or that was typed; a browser can send anything."""
    sent = st.session_state.get(key, {}).get("released")  # who turns the page at once has left the control behind
    sent = sent if isinstance(sent, Mapping) else {}
    text, serial = sent.get("text"), sent.get("serial")
    name = name or sent.get("name")
    if isinstance(text, str) and isinstance(name, str) and len(text) < 400 and isinstance(serial, int):
        visit.update(seen={**visit.visit().seen, name: serial})
        visit.change(**{name: text})


@cache
def _component(name: str) -> Any:
    """Register a component: its files do not change while the server runs."""

    def read(file: str) -> str:
        return (FOLDER / file).read_text(encoding="utf-8")

    control = read("number.html")
    if name == "number":
        html, css, js = control, read("number.css"), read("number.js") + read("number_component.js")
    else:
        html = read("figure.html").replace("{number}", control)
        css, js = read("number.css") + read("figure.css"), "".join(map(read, ("number.js", "motion.js", "plot.js", "figure.js")))
    return st.components.v2.component(f"rope-lab-{name}", html=html, css=css, js=js, isolate_styles=False)
