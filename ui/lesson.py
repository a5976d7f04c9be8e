"""The parts that every page is made of, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui import compare, current, frame, glossary, locks
from ui.i18n import _
from ui.params import assign
from ui.registry import LESSONS
from ui.view import View


def picture(view: View, *, key: str) -> None:
    """Show the hero figure, beneath it the setting that is compared with."""
    compare.keep(view)
    if not current.is_other():
        compare.chart(view, key=key)


def proof(view: View) -> None:
    """Name the test that holds the numbers of the figure against another source, right under it."""
    if view.proof:
        st.caption(_("Checked by {tests}.").format(tests=f"`{view.proof}`"))


def words(view: View) -> None:
    """Say what to notice, right under the figure."""
    st.markdown("\n".join(f"- {sentence}" for sentence in view.sentences))


def tries(prefix: str, *suggestions: tuple[str, Mapping[str, float | str]]) -> None:
    """Offer settings worth looking at, a button each."""
    st.header(_("Try this"))
    with st.container(horizontal=True):
        for index, (label, settings) in enumerate(suggestions):
            blocked = locks.blocks(settings)
            st.button(label, key=f"{prefix}.try{index}", on_click=assign, kwargs=dict(settings), disabled=blocked)


def formula(view: View) -> None:
    """Show the formula, symbols first, then with numbers, and the PyTorch lines that reproduce the figure."""
    lines = "\n\n".join(f"$$\n{line}\n$$" for line in view.formula)
    st.markdown(f"## {_('The formula, with numbers')}\n\n{lines}")  # in one: each element is a message
    glossary.symbols(frame.lesson_name(), view.formula)
    st.header(_("The same numbers in PyTorch"))
    st.code(view.code.strip(), language="python", wrap_lines=True)


def way_on(*names: str) -> None:
    """Link to the pages that follow; a frame in another page leads nowhere."""
    if frame.is_embedded():
        return
    st.header(_("The way on"))
    with st.container(horizontal=True):
        for name in names:
            lesson = LESSONS[name]
            st.page_link(LESSONS[name].path, label=_(lesson.title), icon=lesson.icon)
