"""The shared parameters beside every page: a model to take them from, their controls, and the scaling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from rope_core import Scaling
from ui import heads, locks, presets
from ui.i18n import _
from ui.kinds import Method, Number
from ui.methods import BY_LENGTH, describe
from ui.parameters import PARAMETERS, SHARED
from ui.params import assign, choice, method, number, peek, peek_method


def shared_controls(used: Sequence[str], idle_while: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
    """Draw the shared parameters; those that change nothing on the page are shown, kept in the link, and cannot be moved.

    Args:
        used: Those that the page depends on.
        idle_while: Of these, the ones that change nothing while all of some choices have one of some codes.
    """
    movable = [
        name for name in used if name not in idle_while or any(peek(other) not in codes for other, codes in idle_while[name].items())
    ]
    ahead = peek_method("scaling") if "scaling" in movable else None
    if ahead is not None and ahead.rope_type in BY_LENGTH:
        movable += [name for name in used if name == "context"]  # idle or not: the speeds themselves depend on it
    place = st.container()  # the model stands above what it sets, and is known once that is drawn
    scaling = None
    for name in SHARED:
        spec, disabled = PARAMETERS[name], name not in movable
        if isinstance(spec, Number):
            number(name, disabled=disabled)
        elif isinstance(spec, Method):
            scaling = method(name, disabled=disabled)
        else:
            choice(name, disabled=disabled)
    with place:
        presets.model_control(scaling)
    if scaling is not None and not locks.is_hidden("scaling"):
        _scaling_line(scaling, idle="scaling" not in movable)
    seen = [name for name in SHARED if not isinstance(PARAMETERS[name], Method) and not locks.is_hidden(name)]
    idle = [_(PARAMETERS[name].label) for name in seen if name not in movable]
    if idle:
        st.caption(_("Greyed out, because nothing on this page, as it is set, depends on it: {names}.").format(names=_(", ").join(idle)))


def _scaling_line(scaling: Scaling, *, idle: bool) -> None:
    """Name the method that is set, and offer to take it away."""
    line = _("Scaling: {method}.").format(method=f"**{describe(scaling)}**")
    if idle:
        line += " " + _("This page, as it is set, does not follow it.")
    elif not heads.fits_shared_head(scaling):
        line += " " + _("It is not used: it does not fit this head.")
    st.markdown(line)
    st.button(
        _("Remove scaling"),
        key="scaling.remove",
        help=_("Gives every pair the speed of the plain law again, on all pages."),
        on_click=assign,
        kwargs={"scaling": ""},
        disabled=locks.is_held("scaling"),
    )
