"""Controls that the link holds: ``lock=m,base`` shows them and lets nobody move them, ``hide=q`` does not draw them.

The link with which a visit begins decides, and for all of the visit: a held parameter has the value that this link gives it, or else its
default. Its parts are drawn disabled, and Streamlit drops what a browser sends for those; ``keep`` is there for the ways around them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.boxes import text
from ui.kinds import Number
from ui.parameters import PARAMETERS

LOCK, HIDE = "lock", "hide"
NAMES = (LOCK, HIDE)
"""The two parameters of the address."""
KEY = "_held"
Value = float | str


class Held(NamedTuple):
    """What the link holds.

    Attributes:
        values: The value that the link gives each held parameter; None where it gives none that can be read.
        hidden: Those of them that are not drawn.
        strangers: Names that are no parameters.
        texts: ``lock`` and ``hide`` as the link has them.
    """

    values: Mapping[str, Value | None]
    hidden: frozenset[str]
    strangers: tuple[str, ...]
    texts: Mapping[str, str]


def start(link: Mapping[str, str]) -> None:
    """Read the link when a visit begins; what other pages draw is put down now, as the address forgets it on the way there."""
    if KEY in st.session_state:
        return
    held = read(link)
    st.session_state[KEY] = held
    for name, value in held.values.items():
        if value is not None:
            st.session_state[name] = value


def read(link: Mapping[str, str]) -> Held:
    """Find in a link what it holds."""
    texts = {name: link[name] for name in NAMES if link.get(name)}
    lock, hide = (_names(texts.get(name, "")) for name in NAMES)
    asked = dict.fromkeys((*lock, *hide))
    values = {name: _value(name, link.get(name)) for name in asked if name in PARAMETERS}
    strangers = tuple(name for name in asked if name not in PARAMETERS)
    return Held(values, frozenset(hide) & values.keys(), strangers, texts)


def write(names: Mapping[str, list[str]]) -> dict[str, str]:
    """Write ``lock`` and ``hide`` for a link, without those that are empty."""
    return {name: ",".join(names[name]) for name in NAMES if names[name]}


def elsewhere(here: Collection[str]) -> dict[str, str]:
    """Give the values of held parameters that no box carries, as the link writes them."""
    return {name: text(value) for name, value in _held().values.items() if value is not None and name not in here}


def carry(here: Collection[str]) -> None:
    """Put those into the address, which forgets the values of other pages: a reload holds them too."""
    for name, value in elsewhere(here).items():
        if name not in st.query_params:
            with suppress(StreamlitAPIException):  # its box stands here, and writes by itself
                st.query_params[name] = value


def is_held(name: str) -> bool:
    """Say whether nobody may move a parameter."""
    return name in _held().values


def is_hidden(name: str) -> bool:
    """Say whether a parameter is not drawn."""
    return name in _held().hidden


def locked() -> list[str]:
    """Name the parameters that are shown and cannot be moved."""
    held = _held()
    return [name for name in held.values if name not in held.hidden]


def hidden() -> list[str]:
    """Name the parameters that are not drawn."""
    held = _held()
    return [name for name in held.values if name in held.hidden]


def texts() -> Mapping[str, str]:
    """Give ``lock`` and ``hide`` as the link has them, where it does."""
    return _held().texts


def strangers() -> tuple[str, ...]:
    """Name what the link holds and nobody knows."""
    return _held().strangers


def keep(name: str, given: Value | None, default: Value) -> Value | None:
    """Give the value of a parameter: what is ``given``, but of a held one what the link gave, or the default."""
    held = _held()
    if name not in held.values:
        return given
    value = held.values[name]
    return default if value is None else value


def set_box(name: str, default: Value) -> None:
    """Have the box of a held parameter show its value, before it is drawn."""
    if is_held(name) and st.session_state.get(name) != (value := keep(name, None, default)):
        st.session_state[name] = value


def blocks(settings: Mapping[str, Value]) -> bool:
    """Say whether settings would change a held parameter, so that no button may offer them."""
    return any(is_held(name) and keep(name, None, PARAMETERS[name].default) != new for name, new in settings.items())


def _held() -> Held:
    held: Held = st.session_state.get(KEY, NOTHING)
    return held


NOTHING = Held({}, frozenset(), (), {})


def _names(text: str) -> list[str]:
    return [word.strip() for word in text.replace("，", ",").split(",") if word.strip()]


def _value(name: str, text: str | None) -> Value | None:
    """Read a value as its box does: a number that is none is as good as not given."""
    if text is None or not isinstance(PARAMETERS[name], Number):
        return text
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
