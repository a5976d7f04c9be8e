"""The method that the sidebar sets, for a page that has a method of its own: a button takes it over."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lessons.models_elsewhere import Row, extension_settings
from rope_core import LinearScaling, NtkScaling, RopeConfig, RopeConfigError, Scaling
from ui import heads, locks
from ui.i18n import _
from ui.methods import describe
from ui.parameters import PARAMETERS, SHARED
from ui.params import assign, shared_method


def offer(head: RopeConfig) -> None:
    """Say which method the sidebar sets, and offer to take it; nothing where there is none, or the page has it already."""
    scaling = shared_method("scaling")
    if scaling is None:
        return
    row = settings(head, scaling)
    if row is not None and all(_held(name) == new for name, new in row.items()):
        return
    said = _("The sidebar sets {method}, and this page has a method of its own.").format(method=f"**{describe(scaling)}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(said if row else said + " " + _("The page cannot be set to that one."))
        if row:
            st.button(
                _("Take the method of the sidebar"),
                key="extension.take",
                help=_("Sets the method, its numbers and the target length of this page to those of the sidebar."),
                on_click=assign,
                kwargs=row,
                disabled=locks.blocks(row),
            )


def settings(head: RopeConfig, scaling: Scaling) -> Row | None:
    """Write a method as this page has it, with the length that gives its factor; None if it cannot be shown here.

    Args:
        head: Without scaling; its ``max_position`` is the trained length.
        scaling: To be taken.
    """
    try:
        config = heads.scaled_config(head, scaling)
        if isinstance(scaling, LinearScaling | NtkScaling):  # which state no trained length: there, the head has the stretched one
            config = replace(config, max_position=round(head.max_position * scaling.factor))
    except RopeConfigError:
        return None
    row = extension_settings(config)
    if row is None or row["context"] != head.max_position:
        return None
    return {name: value for name, value in row.items() if name not in SHARED and name != "ext_view"}


def _held(name: str) -> float | str | None:
    """Give what the box of a parameter holds, or would hold once it is drawn."""
    spec = PARAMETERS[name]
    held: float | str | None = st.session_state.get(name, getattr(spec, "default", None))
    return held
