"""Controls that are set here, not by their readers, and what a browser has heard of them.

A browser sends all that its controls hold, whichever is moved. What it sends before it has drawn the answer to the last move holds what
controls were before, and would undo that. So a hidden box holds the number of the last setting: what comes back of it says what was heard.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import streamlit as st

BOX = "hidden-echo"
COUNT, SETTINGS, HEARD, CAME = "_echo_count", "_echo_settings", "_echo_heard", "_echo_came"
MOST = 8  # settings of one control in the time of one answer
LONG = 100


class Setting(NamedTuple):
    """What a control was set to.

    Attributes:
        number: Settings of a visit are counted from 1.
        value: What the control was set to.
        before: What it held before this setting and those before it, each with the number of the setting that took its place.
        is_box: Whether the control owns the value; others follow a box.
    """

    number: int
    value: object
    before: tuple[tuple[int, object], ...]
    is_box: bool

    def replaced(self, said: object, heard: int) -> bool:
        """Say whether a browser that has heard of settings up to ``heard`` may still hold this, unasked."""
        return said != self.value and any(number > heard and _short(said) == held for number, held in self.before)


def put(name: str, value: object) -> None:
    """Set a box, before the run that draws it: the work of callbacks."""
    hear()
    _set(name, value, is_box=True)
    _expect()


def mirror(name: str, value: object) -> None:
    """Have a control that follows a box show its value, in the run that draws both."""
    if name not in st.session_state or st.session_state[name] != value:
        _set(name, value, is_box=False)


def is_late(name: str) -> bool:
    """Say whether a browser gives a control what it held before its last setting, of which it has not heard; it then has that back."""
    heard, last = hear(), _settings().get(name)
    if last is None or not last.replaced(st.session_state.get(name), heard):
        return False
    st.session_state[name] = last.value
    return True


def came_late(name: str) -> bool:
    """Say, while a run draws, whether what led to it was sent before the last setting of a control was heard of."""
    last = _settings().get(name)
    return last is not None and last.number > st.session_state.get(CAME, 0)


def hear() -> int:
    """Give the number that came with the controls; boxes have what they were set to from the first question on.

    Streamlit calls this where a browser says an older number than the last, at some point among the callbacks of a message.
    """
    said, count = str(st.session_state.get(BOX) or ""), _count()
    if said != str(count) and said.isascii() and said.isdecimal() and len(said) < 10:
        st.session_state[HEARD] = heard = int(said)
        for name, last in _settings().items():
            if last.is_box and last.replaced(st.session_state.get(name), heard):
                st.session_state[name] = last.value
        _expect()
    number: int = st.session_state.setdefault(HEARD, count)
    return number


def start() -> None:
    """Begin a run: what was heard counted for the controls that led to it."""
    st.session_state[CAME] = st.session_state.pop(HEARD, _count())


def draw() -> None:
    """Draw the box, after all others that a run draws."""
    st.session_state[BOX] = str(_count())
    st.text_input(BOX, key=BOX, on_change=hear, label_visibility="collapsed")


def _set(name: str, value: object, *, is_box: bool) -> None:
    last = _settings().get(name)
    before = last.before if last is not None else ()
    st.session_state[COUNT] = number = _count() + 1
    if name in st.session_state:
        before = (*before, (number, _short(st.session_state[name])))[-MOST:]
    _settings()[name] = Setting(number, value, before, is_box)
    st.session_state[name] = value


def _short(value: object) -> object:
    """Give what is compared in place of a value: of a long text, which anybody may send, not the text itself."""
    return blake2b(value.encode(errors="replace"), digest_size=16).digest() if isinstance(value, str) and len(value) > LONG else value


def _expect() -> None:
    # A run may be ended before it has drawn the box. From here on it says that all was heard, and HEARD what was.
    if BOX in st.session_state:
        st.session_state[BOX] = str(_count())


def _count() -> int:
    number: int = st.session_state.get(COUNT, 0)
    return number


def _settings() -> dict[str, Setting]:
    made: dict[str, Setting] = st.session_state.setdefault(SETTINGS, {})
    return made
