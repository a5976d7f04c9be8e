"""The controls of a page, each drawn from what its parameter is; whatever is moved goes into the visit, and the next run reads it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

import streamlit as st

from lessons.page import Page
from locales import _
from parameters import parameters_of
from parameters.methods import describe
from parameters.presets import agreeing, model_settings
from parameters.problems import rule
from parameters.settings import Settings
from parameters.shared import SHARED
from parameters.types import Choice, Config, Method, Names, Number, Row, Text, Vector, Words
from ui import config_input, live, visit

ROOM = 26
"""Letters of options that stand side by side; more go into a list."""


def draw(page: Page, settings: Settings) -> None:
    """Draw the controls of a view, but for the number that stands under the figure: a model to take values from, then each by itself."""
    locks, live_number, is_plain = visit.locks(), page.live(settings), visit.visit().is_plain
    names = [name for name in page.controls(settings) if not locks.is_hidden(name)]
    if any(name in SHARED for name in names):
        model_choice(settings)
    labels = page.labels(settings)
    for name in names:
        if name != live_number or is_plain:
            control(name, settings, labels.get(name, ()))


def control(name: str, settings: Settings, labels: Sequence[str] = ()) -> None:
    """Draw the control of one parameter."""
    spec = parameters_of(settings.page)[name]
    disabled = visit.locks().is_held(name)
    match spec:
        case Number():
            number(name, spec, settings, disabled=disabled, zero=labels)
        case Choice():
            choice(name, spec, settings.text(name), disabled=disabled)
        case Vector() | Words():
            help = _("{help} ({rule}).").format(help=_(spec.help).rstrip(".。"), rule=rule(spec))
            text_box(name, _(spec.label), settings.text(name), help=help, disabled=disabled)
        case Text():
            text_box(name, _(spec.label), settings.text(name), help=_(spec.help), disabled=disabled)
        case Names():
            _names(name, spec, settings.text(name), disabled=disabled)
        case Row():
            _row(name, spec, settings.whole(name), labels, disabled=disabled)
        case Config():
            config_input.draw(name, settings, disabled=disabled)
        case Method():
            _method(name, settings, disabled=disabled)


def number(name: str, spec: Number, settings: Settings, *, disabled: bool, zero: Sequence[str] = ()) -> None:
    """Draw a number with its slider; ``zero`` is what stands in place of 0, during a drag of another number and after it."""
    if visit.visit().is_plain:
        live.plain_number(name, spec, settings.number(name), settings.high(name), disabled=disabled)
    else:
        live.number(name, data(name, settings, disabled=disabled) | {"zero": list(zero)})


def data(name: str, settings: Settings, *, disabled: bool, play: bool = False) -> dict[str, Any]:
    """Collect what the control of a number shows: what the address says, where that is not allowed."""
    spec = parameters_of(settings.page)[name]
    assert isinstance(spec, Number)
    high, given = settings.high(name), visit.visit().address.get(name)
    refused = given if given is not None and not disabled and spec.parse(given, high) is None else None
    return live.number_data(name, spec, settings[name], high, refused=refused, disabled=disabled, play=play)  # type: ignore[arg-type]


def choice(name: str, spec: Choice, code: str, *, disabled: bool = False, is_view: bool = False) -> None:
    """Draw a choice: buttons where there are few options or they choose the view, else a list."""
    key = f"w.{name}"
    st.session_state[key] = code
    common: Mapping[str, Any] = {
        "format_func": lambda option: _(spec.options[option]),
        "key": key,
        "help": None if is_view else _(spec.help),
        "on_change": _set,
        "args": (name, key),
        "disabled": disabled,
        "label_visibility": "collapsed" if is_view else "visible",
    }
    if is_view or _letters(_(label) for label in spec.options.values()) <= ROOM:
        st.segmented_control(_(spec.label), list(spec.options), required=True, wrap=is_view, **common)
    else:
        st.selectbox(_(spec.label), list(spec.options), **common)


def _letters(labels: Iterable[str]) -> int:
    """Count letters, Chinese ones twice."""
    return sum(1 + (east_asian_width(letter) in "WF") for label in labels for letter in label)


def text_box(name: str, label: str, text: str, *, help: str, disabled: bool) -> None:
    """Draw a box that a text is typed into; it shows what the address says, allowed or not."""
    key = f"w.{name}"
    given = visit.locks().value(name, visit.visit().address.get(name))
    st.session_state[key] = text if given is None else given
    st.text_input(label, key=key, help=help, on_change=_set, args=(name, key), disabled=disabled)


def model_choice(settings: Settings) -> None:
    """Draw the choice of a model; it names the one that was chosen as long as every shared parameter agrees with it, else own values.

    Values that happen to be those of a model are not its own: a link and a config of the reader's may bring them.
    """
    locks = visit.locks()
    if any(map(locks.is_hidden, SHARED)):
        return  # it would tell
    chosen = visit.visit().model
    st.session_state["w.model"] = chosen if chosen in agreeing(settings) else None
    st.selectbox(
        _("Model"),
        list(model_settings()),
        index=None,
        placeholder=_("own values"),
        key="w.model",
        help=_("Takes base, widths, layout, trained length and scaling from a model; each of them can then be changed."),
        on_change=_take_model,
        disabled=any(map(locks.is_held, SHARED)),
    )


def _take_model() -> None:
    """Set the shared parameters to those of the model that was chosen; a browser can send any name."""
    name = st.session_state["w.model"]
    visit.update(model=name)
    visit.change(**model_settings().get(name, {}))


def _set(name: str, key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        visit.change(**{name: value})


def _names(name: str, spec: Names, text: str, *, disabled: bool) -> None:
    key, labels = f"w.{name}", spec.options()
    st.session_state[key] = list(spec.parse(text) or ())
    st.multiselect(
        _(spec.label),
        list(labels),
        format_func=labels.__getitem__,
        key=key,
        help=_(spec.help),
        max_selections=spec.most,
        select_all=False,
        placeholder=_("Search a model"),
        on_change=lambda: visit.change(**{name: ",".join(st.session_state[key])}),
        disabled=disabled,
    )


def _row(name: str, spec: Row, index: int, labels: Sequence[str], *, disabled: bool) -> None:
    key = f"w.{name}"
    st.session_state[key] = index if index < len(labels) else 0
    st.selectbox(
        _(spec.label),
        range(len(labels)),
        format_func=labels.__getitem__,
        key=key,
        help=_(spec.help),
        on_change=_set_row,
        args=(name, key),
        disabled=disabled,
    )


def _set_row(name: str, key: str) -> None:
    """Set a row by its number; a browser that still has the list of another config sends a name that is not in this one."""
    if isinstance(st.session_state[key], int):
        _set(name, key)


def _method(name: str, settings: Settings, *, disabled: bool) -> None:
    """Name the shared method, and offer to remove it; nothing where there is none."""
    scaling = settings.scaling()
    if scaling is None:
        return
    st.markdown(_("Scaling: {method}.").format(method=f"**{describe(scaling)}**"))
    st.button(
        _("Remove scaling"),
        key="scaling.remove",
        help=_("Gives every pair the speed of the plain law again, on all pages."),
        on_click=visit.change,
        kwargs={name: ""},
        disabled=disabled,
    )
