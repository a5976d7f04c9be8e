"""The frame of every page: the navigation, the language, the look."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from compute.turns import ASKER, Asker, Dropped
from lessons.registry import PAGES
from locales import NAMES, _, language
from rope_core import best_device
from ui import present, visit
from ui.paths import FIRST, link


def draw() -> None:
    """Draw the frame, and the page in it."""
    _name_asker()
    visit.speak_language()
    script = _navigation()
    visit.begin(script.url_path or FIRST)
    st.html(Path(__file__).with_name("look.css"))
    if st.context.is_embedded:  # Streamlit hides its own header alone
        st.html('<style>[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] {display: none}</style>')
    if not present.is_on():
        with st.sidebar:
            _language_choice()
            st.caption(_("Computed in float64 on {device}.").format(device=best_device()))
    with suppress(Dropped):  # the reader has gone
        script.run()
    visit.finish()


def _name_asker() -> None:
    """Say for whom this run counts: for a session, as long as its browser is there."""
    context = get_script_run_ctx()
    if context is not None and exists():
        session, server = context.session_id, get_instance()
        ASKER.set(Asker(session, lambda: server.is_active_session(session)))


def _navigation() -> StreamlitPage:
    sections: dict[str, list[StreamlitPage]] = {}
    for page in PAGES.values():
        sections.setdefault(_(page.section), []).append(copy(link(page.name, _(page.title))))  # a run marks those that it may draw
    return st.navigation(sections, position="hidden" if st.context.is_embedded else "sidebar", expanded=True)


def _language_choice() -> None:
    st.session_state["w.lang"] = language()
    st.selectbox(
        "Language / 语言 / 言語",
        list(NAMES),
        format_func=NAMES.__getitem__,
        key="w.lang",
        help=_("The language of all pages; the link carries it."),
        on_change=lambda: visit.change(lang=st.session_state["w.lang"]),
    )


st.set_page_config(page_title="RoPE Lab", page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide", initial_sidebar_state="auto")
draw()
