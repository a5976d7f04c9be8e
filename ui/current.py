"""What the page that runs is set to: the values it used, under the names that links carry.

The parts of a page that speak of all its settings (files to take along, a setting to compare with) read them here. While another setting
is drawn, what a control holds is replaced by what that setting says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar, cast

import streamlit as st

from ui.parameters import PARAMETERS

Value = float | str
V = TypeVar("V", bound=Value)
USED, INSTEAD = "_used", "_instead"


def start_page() -> None:
    """Forget what the last run used."""
    st.session_state[USED] = {}


def use(name: str, value: V, *, accepts: Callable[[V], bool] = lambda _: True) -> V:
    """Note that the page uses a value of a parameter; while another setting is drawn, give that setting's, where it is allowed."""
    instead = st.session_state.get(INSTEAD)
    if instead is not None:
        other = cast(V, instead.get(name, PARAMETERS[name].default))
        value = other if accepts(other) else value
    if USED in st.session_state:
        st.session_state[USED][name] = value
    return value


def used() -> dict[str, Value]:
    """Give what the page has used so far, by name."""
    return dict(st.session_state[USED])


def is_other() -> bool:
    """Say whether another setting than that of the controls is being drawn."""
    return INSTEAD in st.session_state


def abandon() -> bool:
    """Stop drawing another setting that a run has left half-done; say whether one has.

    A browser that asks for another run ends the one before it at any line, and Streamlit then lets nobody tidy up the session.
    """
    return st.session_state.pop(INSTEAD, None) is not None


@contextmanager
def other(settings: Mapping[str, Value]) -> Iterator[None]:
    """Draw another setting: what it does not name stands at its default."""
    st.session_state[INSTEAD] = dict(settings)
    try:
        yield
    finally:
        del st.session_state[INSTEAD]


def as_text(value: Value) -> str:
    """Write a value as links carry it."""
    return value if isinstance(value, str) else f"{value:.15g}"


def changed(settings: Mapping[str, Value]) -> dict[str, str]:
    """Give those settings that do not stand at their defaults, as links carry them."""
    return {name: as_text(value) for name, value in settings.items() if value != PARAMETERS[name].default}
