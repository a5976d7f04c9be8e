"""What runs a page: a fragment, so that a move within a page leaves the frame alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rope_core import RopeConfigError
from ui import boxes, compare, current, echo, frame, live, locks, notices, present
from ui.asking import forget_place, steps_row
from ui.i18n import _, one_language
from ui.parameters import PARAMETERS, SHARED
from ui.params import leave
from ui.registry import LESSONS


def show(page: Callable[[], None]) -> None:
    """Draw a page, now and at every move within it: the last line of its script."""
    _run(page)


@st.fragment
@one_language()
def _run(page: Callable[[], None]) -> None:
    """Run a page: with everything else, or alone.

    Alone, it is followed by a run of everything if somebody asked for that, or if the notice has something else to say.
    """
    alone = not frame.is_whole()
    leave()
    if alone:  # in a run of everything the shell has done so
        live.settle()
        echo.start()
    if alone and frame.is_wanted():  # before anything is drawn: the callback of the control that was moved asked for it
        st.rerun()
    boxes.start_page()
    forget_place()
    said = notices.start_part("page", alone=alone)
    current.start_page()
    if (other := compare.wanted()) is not None:
        with suppress(RopeConfigError), current.other(other):
            page()
        st.rerun()
    place = st.container() if locks.locked() else None
    if present.is_on():
        present.slide()
    elif not (locks.locked() or locks.hidden()):  # an exercise asks its own question
        steps_row()
    try:
        with st.container(key="behind") if present.is_on() else nullcontext():
            page()
    except RopeConfigError as error:
        st.error(_(error.template).format(**error.values))
    if place:
        _say_locks(place)
    if alone and (frame.is_wanted() or notices.says() != said):
        st.rerun()


def _say_locks(place: DeltaGenerator) -> None:
    """Name the controls on the page that the link locks."""
    unseen = set(SHARED) - {LESSONS[frame.lesson_name()].hero} if frame.is_embedded() else set()
    here = [_(PARAMETERS[name].label) for name in boxes.names() if name in locks.locked() and name not in unseen]
    if here:
        place.caption(_("Locked by the link, with every button that would change them: {names}.").format(names=_(", ").join(here)))
