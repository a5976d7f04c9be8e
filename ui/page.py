"""What runs a page: a fragment, so that a move within a page leaves the frame alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from rope_core import RopeConfigError
from ui import compare, current, frame, notices
from ui.i18n import _


def show(page: Callable[[], None]) -> None:
    """Draw a page, now and at every move within it: the last line of its script."""
    _run(page)


@st.fragment
def _run(page: Callable[[], None]) -> None:
    """Run a page: with everything else, or alone.

    Alone, it is followed by a run of everything if somebody asked for that, or if the notice has something else to say.
    """
    alone = not frame.is_whole()
    if alone and frame.is_wanted():  # before anything is drawn: the callback of the control that was moved asked for it
        st.rerun()
    said = notices.start_part("page", alone=alone)
    current.start_page()
    if (other := compare.wanted()) is not None:
        with suppress(RopeConfigError), current.other(other):
            page()
        st.rerun()
    try:
        page()
    except RopeConfigError as error:
        st.error(_(error.template).format(**error.values))
    if alone and (frame.is_wanted() or notices.says() != said):
        st.rerun()
