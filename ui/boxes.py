"""Which boxes stand on the page, and what the address says with them."""

from __future__ import annotations

import streamlit as st

from ui.parameters import PARAMETERS

KEY = "_boxes"
Value = float | str
Boxes = list[dict[str, Value]]


def start() -> None:
    """Forget all boxes, when everything runs."""
    st.session_state[KEY] = [{}]


def start_page() -> None:
    """Forget the boxes of the page, when it runs; those of the frame still stand."""
    _boxes()[1:] = [{}]


def note(name: str, default: Value) -> None:
    """Note that a box is drawn, and what the address leaves out: its default."""
    _boxes()[-1][name] = default


def names() -> list[str]:
    """Name the parameters whose boxes stand on the page, its own before those of the frame."""
    return [name for boxes in reversed(_boxes()) for name in boxes if name in PARAMETERS]


def address() -> dict[str, str]:
    """Give what the address says: the value of every box that is not its default."""
    defaults = {name: default for boxes in _boxes() for name, default in boxes.items()}
    values = {name: st.session_state.get(name) for name in defaults}
    return {name: text(value) for name, value in values.items() if value is not None and value != defaults[name]}


def text(value: Value) -> str:
    """Write a value with every digit, and no more: 500000 for 500000.0."""
    if isinstance(value, str):
        return value
    return repr(int(value) if value == int(value) else float(value))


def _boxes() -> Boxes:
    boxes: Boxes = st.session_state.get(KEY) or [{}]
    return boxes
