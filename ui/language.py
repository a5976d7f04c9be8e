"""The choice of language: it is carried by every link, and is the browser's until someone chooses."""

from __future__ import annotations

import streamlit as st

from ui import echo
from ui.i18n import N_, NAMES, _, negotiate
from ui.notices import Problem, report
from ui.params import follow, hidden_box

LABEL = N_("Language")


def language_control() -> None:
    """Draw the choice, before anything that speaks."""
    asked, linked = st.session_state.get("lang"), st.query_params.get("lang")
    spoken = st.session_state.get("_spoken")
    if not asked or (linked and asked == spoken and not echo.came_late("lang")):  # nobody chose: the browser may have gone back
        asked = linked
    code = negotiate(asked) or negotiate(st.context.locale) or "en"
    if "lang.choice" not in st.session_state:
        st.query_params["lang"] = code  # before the box is bound: from here on every copied address says its language
    st.session_state["lang"] = st.session_state["_spoken"] = code
    echo.mirror("lang.choice", code)
    hidden_box("lang", "")
    st.selectbox(
        "Language / 语言 / 言語",
        list(NAMES),
        format_func=NAMES.__getitem__,
        key="lang.choice",
        help=_("The language of all pages; the link carries it."),
        on_change=follow,
        args=("lang", "lang.choice"),
    )
    if asked and not negotiate(asked):
        report(Problem(_(LABEL), _("one of {options}").format(options=", ".join(NAMES)), asked, code))
