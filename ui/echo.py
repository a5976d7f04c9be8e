"""Boxes that are set here, not by their readers, and what a browser has heard of it.

A browser sends all that its controls hold, whichever is moved. What it sends before it has drawn the answer to the last move holds what
boxes were before, and would undo that. So a hidden box holds the number of the last setting: what comes back of it says what was heard of.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

BOX = "hidden-echo"
COUNT, SETTINGS, HEARD = "_settings_made", "_settings", "_settings_heard"
MOST = 8  # values that a browser may still say: as many settings in the time of one answer


class Setting(NamedTuple):
    """What a control was set to.

    Attributes:
        number: Settings of a visit are counted from 1.
        value: What the control holds now.
        before: What a browser that has not heard of it may say instead.
        is_box: Whether the control owns the value; others follow a box, and are set anew by the next run.
    """

    number: int
    value: object
    before: tuple[object, ...]
    is_box: bool


def put(name: str, value: object) -> None:
    """Set a box, before the run that draws it: the work of callbacks."""
    _heard()  # noted before it is overwritten
    _set(name, value, is_box=True)
    _expect()


def mirror(name: str, value: object) -> None:
    """Have a control that follows a box show its value, in the run that draws both."""
    if st.session_state.get(name) != value:
        _set(name, value, is_box=False)


def is_late(name: str, value: object) -> bool:
    """Say whether a browser gives a control a value of before its last setting, of which it has not heard."""
    last = _settings().get(name)
    return last is not None and last.number > _heard() and value in last.before


def start() -> None:
    """Begin a run: what was heard counted for the controls that led to it."""
    st.session_state.pop(HEARD, None)


def draw() -> None:
    """Draw the box, after all others that a run draws."""
    st.session_state.pop(HEARD, None)
    st.session_state[BOX] = str(_count())
    st.text_input(BOX, key=BOX, on_change=_restore, label_visibility="collapsed")


def _set(name: str, value: object, *, is_box: bool) -> None:
    last, held = _settings().get(name), st.session_state.get(name)
    before = (*last.before, last.value) if last is not None else ()
    st.session_state[COUNT] = number = _count() + 1
    _settings()[name] = Setting(number, value, tuple(each for each in (*before, held) if each not in (None, value))[-MOST:], is_box)
    st.session_state[name] = value


def _restore() -> None:
    """Give boxes back what they were set to: Streamlit calls this only where a browser says an older number."""
    _heard()
    for name, last in _settings().items():
        if last.is_box and is_late(name, st.session_state.get(name)):
            st.session_state[name] = last.value
    _expect()


def _expect() -> None:
    # A run may be ended before it has drawn the box.
    if BOX in st.session_state:
        st.session_state[BOX] = str(_count())


def _heard() -> int:
    """Give the number that came with the controls; kept, because ``_expect`` sets the box anew."""
    said = str(st.session_state.get(BOX) or "")
    heard = int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else _count()
    number: int = st.session_state.setdefault(HEARD, heard)
    return number


def _count() -> int:
    number: int = st.session_state.get(COUNT, 0)
    return number


def _settings() -> dict[str, Setting]:
    made: dict[str, Setting] = st.session_state.setdefault(SETTINGS, {})
    return made
