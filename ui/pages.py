"""Pages as Streamlit sees them: each is a fragment, so that a move within a page leaves the frame alone."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from types import CodeType

import streamlit as st

from rope_core import RopeConfigError
from ui.i18n import _
from ui.parameters import SHARED
from ui.params import hero_slider, needs_frame
from ui.registry import LESSONS


def page_of(name: str) -> st.Page:
    """Give a page for the navigation, or for a link to it."""
    lesson = LESSONS[name]
    return st.Page(partial(show, name), title=_(lesson.title), icon=lesson.icon, url_path=name, default=name == "start")


@st.fragment
def show(name: str) -> None:
    """Run the script of a page.

    A move that changes something outside of it, a shared parameter or the notice, is followed by a run of everything.
    """
    if needs_frame():
        st.rerun()
    lesson = LESSONS[name]
    if lesson.hero in SHARED:
        hero_slider(lesson.hero)
    path = lesson.path
    try:
        exec(_code(path, path.stat().st_mtime_ns), {"__name__": "__main__", "__file__": str(path)})
    except RopeConfigError as error:
        st.error(_(error.template).format(**error.values))


@cache
def _code(path: Path, changed: int) -> CodeType:
    return compile(path.read_bytes(), str(path), "exec")
