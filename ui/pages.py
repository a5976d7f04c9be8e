"""Pages as Streamlit sees them: each is a fragment, so that a move within a page leaves the frame alone."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

import streamlit as st

from rope_core import RopeConfigError
from ui import frame, live, notices
from ui.i18n import _
from ui.parameters import PARAMETERS, SHARED
from ui.params import hero_slider, is_idle, resting
from ui.registry import LESSONS


def pages() -> dict[str, Any]:
    """Make all pages for the navigation; links to them find them again in the session."""
    made = {
        lesson.name: st.Page(
            partial(show, lesson.name),
            title=_(lesson.title),
            icon=lesson.icon,
            url_path=lesson.name,
            default=lesson.name == "start",
        )
        for lesson in LESSONS.values()
    }
    st.session_state["_pages"] = made
    return made


@st.fragment
def show(name: str) -> None:
    """Run the script of a page: with everything else, or alone.

    Alone, it is followed by a run of everything if somebody asked for that, or if the notice has something else to say.
    """
    alone = not frame.is_whole()
    said = notices.start_page(alone=alone)
    lesson = LESSONS[name]
    if lesson.hero in SHARED and not is_idle(lesson, lesson.hero) and not live.is_off():  # else the sidebar has the only one
        hero_slider(lesson.hero, resting(lesson.hero), PARAMETERS[lesson.hero].high)
    try:
        exec(_code(lesson.path, lesson.path.stat().st_mtime_ns), {"__name__": "__main__", "__file__": str(lesson.path)})
    except RopeConfigError as error:
        st.error(_(error.template).format(**error.values))
    if alone and (frame.is_wanted() or notices.says() != said):
        st.rerun()


@cache
def _code(path: Path, changed: int) -> CodeType:
    """Compile a script; a new version of it, while it is developed, is another one."""
    return compile(path.read_bytes(), str(path), "exec")
