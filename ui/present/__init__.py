"""Presenting, ``present=1`` in the link: a question in large type, the figure, the sentence that explains it, and nothing else.

The keys of a clicker go through what a page has to show: its own question, then each step, first asked, then answered.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from ui import echo
from ui.asking import answer_text, reserve_scene
from ui.frame import ask_for_frame, lesson_name
from ui.i18n import _
from ui.notices import Problem, report
from ui.params import hidden_box
from ui.progress import FREE, Spot, here, turn_to
from ui.steps import Step, steps_of

FOLDER = Path(__file__).parent
KEYS = "present.keys"
MOVES = {"next": 1, "back": -1}
MOST = 50  # key strokes of one message that are read


def present_control() -> None:
    """Draw the box and the button of the sidebar."""
    text = hidden_box("present", "")
    if text not in ("", "0", "1"):
        report(Problem(_("Present"), _("one of {options}").format(options="0, 1"), text, "0"))
    st.button(
        _("Present"),
        key="present.start",
        on_click=_switch,
        args=("1",),
        icon=":material/slideshow:",
        help=_("Large type and nothing else on the screen; arrow keys or a clicker go through the questions, Escape ends it."),
    )


def is_on() -> bool:
    """Say whether the page is presented."""
    return bool(st.session_state.get("present") == "1")


def stage() -> None:
    """Clear the screen and listen to the keys: the shell's work. A step's question takes the place of the page's."""
    st.html(FOLDER / "stage.css")
    if here().number:
        st.html("<style>h1 {display: none}</style>")
    _keys()(key=KEYS, data={"heard": st.session_state.get("_heard", 0)}, on_pressed_change=_hear)
    tip = _("Brings back the whole page, at this question.")
    st.button(
        _("Leave the presentation"), key="present.leave", on_click=_switch, args=("",), icon=":material/close:", type="tertiary", help=tip
    )


def slide() -> None:
    """Draw the slide in place of the row of steps; the page then draws its figure into it."""
    spot, count = here(), len(steps_of(lesson_name()))
    is_told = spot.stage == "answer"
    with st.container(key="slide"):
        if spot.number:
            st.markdown(f"{spot.number} / {count} · {_(spot.step.question)}")
            st.markdown(_options(spot.step, is_told))
    reserve_scene(st.container(key="presented-figure"))
    with st.container(key="presented-sentence"):
        if spot.number and is_told:
            st.markdown(_(spot.step.sentence))


def slides(page: str) -> list[Spot]:
    """Give all that a page has to show, in order."""
    numbers = range(1, len(steps_of(page)) + 1)
    return [FREE, *(spot for number in numbers for spot in (Spot(number), Spot(number, "answer")))]


def _options(step: Step, is_told: bool) -> str:
    """List what there is to choose from, and mark the right one in words, sign and weight."""
    right = step.guess.value if step.guess else step.right
    if step.guess:
        said = answer_text(step, right) if is_told else "?"
        return f"{_(step.guess.label)}: **{said}**"
    marks = [" :material/check_circle:" if is_told and index == step.right else "" for index in range(len(step.options))]
    letters = [f"{letter}) {_(option)}{mark}" for letter, option, mark in zip("ABCDEFGHI", step.options, marks, strict=False)]
    return " &emsp; ".join(f"**{text}**" if mark else text for text, mark in zip(letters, marks, strict=True))


def _hear() -> None:
    """Follow the keys; a browser can send anything."""
    pressed = st.session_state[KEYS].get("pressed")
    st.session_state["_heard"] = st.session_state.get("_heard", 0) + 1
    for move in pressed[:MOST] if isinstance(pressed, list) else ():
        if move == "leave":
            _switch("")
        elif move in MOVES:
            order = slides(lesson_name())
            turn_to(order[min(max(order.index(here()) + MOVES[move], 0), len(order) - 1)])


def _switch(code: str) -> None:
    echo.put("present", code)
    ask_for_frame()


@cache
def _keys() -> Any:
    """Register the component: its files do not change while the server runs."""
    html, js = ((FOLDER / f"keys.{kind}").read_text(encoding="utf-8") for kind in ("html", "js"))
    return st.components.v2.component("rope-lab-keys", html=html, js=js, isolate_styles=False)
