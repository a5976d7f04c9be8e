"""The frame of every page: language, navigation, shared parameters, the one notice."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from rope_core import best_device
from ui import boxes, compare, echo, frame, live, locks, present, progress
from ui.i18n import _
from ui.language import language_control
from ui.notices import show_problems, start_run
from ui.params import hidden_box
from ui.registry import LESSONS, Lesson
from ui.share import share_button, share_dialog
from ui.sidebar import shared_controls


def draw() -> None:
    """Draw the frame, and the page in it."""
    live.settle()  # before the frame knows that it runs: a hand that comes to rest may ask for it
    echo.start()
    frame.start()
    boxes.start()
    locks.start(st.query_params.to_dict())
    compare.start()
    start_run()
    _styles()
    with st.sidebar:
        language_control()
        compare.box()
        for name in locks.texts():
            hidden_box(name, "", disabled=True)
    page = _navigation()
    lesson = LESSONS[page.url_path or "start"]
    frame.open_lesson(lesson.name)
    with st.sidebar:
        _controls(lesson)
    if present.is_on():
        present.stage()

    notices = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        wants_link = _headline(lesson)
    page.run()
    locks.carry(boxes.names())
    if wants_link:
        share_dialog()
    with notices:
        show_problems()


def _styles() -> None:
    # The boxes that carry codes in the link (ui/params.py), and their place in the layout; the one of ui/echo.py.
    st.html('<style>[data-testid="stLayoutWrapper"]:has(> [class*="st-key-hidden-"]), .st-key-hidden-echo {display: none}</style>')
    st.html(Path(__file__).with_name("look.css"))
    if frame.is_embedded():  # Streamlit hides its own header; the controls beside the page keep their values and their place in the link
        st.html('<style>[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] {display: none}</style>')


def _navigation() -> StreamlitPage:
    sections: dict[str, list[StreamlitPage]] = {}
    for lesson in LESSONS.values():
        page = st.Page(lesson.path, title=_(lesson.title), icon=lesson.icon, url_path=lesson.name, default=lesson.name == "start")
        sections.setdefault(_(lesson.section), []).append(page)
    return st.navigation(sections, position="hidden" if frame.is_embedded() else "sidebar")


def _controls(lesson: Lesson) -> None:
    progress.open_page(lesson.name)  # before any control: a link may open a question with its settings
    progress.read_progress()
    shared_controls(lesson.uses, lesson.idle_while)
    st.caption(_("Computed in float64 on {device}.").format(device=f"`{best_device()}`"))
    present.present_control()


def _headline(lesson: Lesson) -> bool:
    """Draw the question of the page and what can be done with the page as a whole; say whether somebody wants its link."""
    st.title(_(lesson.question))
    if present.is_on():  # nothing else is on the screen
        return False
    with st.container(horizontal=True, width="content"):  # they stay together where a long question leaves them no room beside it
        compare.pin_button()
        return share_button()


st.set_page_config(page_title="RoPE Lab", page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide")
draw()
