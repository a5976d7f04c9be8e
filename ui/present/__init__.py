"""Presenting, ``present=1`` in the link: a question in large type, the figure, the sentence that explains it, and nothing else.

The keys of a clicker go through what a page has to show: its own question, then each step, first asked, then answered, then the page that
follows; one key more leads there.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from lessons.quiz import END, FREE, Spot, Step, steps_of
from lessons.registry import following
from locales import N_, _
from parameters.problems import Problem
from ui import quiz, visit
from ui.paths import path

FOLDER = Path(__file__).parent
KEYS, READ, ONWARD = "present.keys", "present.read", "present.onward"
MOVES = {"next": 1, "back": -1}
MOST = 50  # key strokes of one message that are read


def button() -> None:
    """Draw the button that begins."""
    st.button(
        _("Present"),
        key="present",
        on_click=visit.change,
        kwargs={"present": "1"},
        icon=":material/slideshow:",
        type="tertiary",
        help=_("Large type and nothing else on the screen; arrow keys or a clicker go through the questions, Escape ends it."),
    )


def is_on() -> bool:
    """Return whether the page is presented."""
    return visit.visit().address.get("present") == "1"


def problems() -> tuple[Problem, ...]:
    """Return what the link says wrongly of it."""
    text = visit.visit().address.get("present", "")
    return () if text in ("", "0", "1") else (Problem(N_("Present"), text, "0", _("one of {options}").format(options="0, 1")),)


def begin() -> None:
    """Clear the screen and listen to the keys, or go on to the next page."""
    if st.session_state.pop(ONWARD, False):
        st.switch_page(path(following(visit.visit().page).name), query_params=_carried())
    st.html(FOLDER / "stage.css")
    _keys()(key=KEYS, data={"read": st.session_state.get(READ, 0)}, on_pressed_change=_press)
    st.button(
        _("Leave the presentation"),
        key="present-leave",
        on_click=visit.change,
        kwargs={"present": ""},
        icon=":material/close:",
        type="tertiary",
        help=_("Brings back the whole page, at this question."),
    )


def slide(spot: Spot, question: str) -> None:
    """Draw the question of the page, or of the step that is open, above the figure; after the last one the way to the next page."""
    if spot == END:
        with st.container(key="slide"):
            quiz.next_page_link(_carried())
            st.markdown(_(following(visit.visit().page).question))
        return
    if not spot.number:
        st.title(_(question))
        return
    step, is_answered = quiz.step_of(spot), spot.stage == "answer"
    with st.container(key="slide"):
        st.markdown(f"{spot.number} / {len(steps_of(visit.visit().page))} · {_(step.question)}")
        st.markdown(_options(step, is_answered))


def sentence(spot: Spot) -> None:
    """Draw what explains the answer, under the figure."""
    with st.container(key="presented-sentence"):
        if spot.number and spot.stage == "answer":
            st.markdown(_(quiz.step_of(spot).sentence))


def slides(page: str) -> list[Spot]:
    """Return all that a page has to show, in order."""
    numbers = range(1, len(steps_of(page)) + 1)
    last = [END] if numbers and not st.context.is_embedded else []  # a frame in another page leads nowhere
    return [FREE, *(spot for number in numbers for spot in (Spot(number), Spot(number, "answer"))), *last]


def _carried() -> dict[str, str]:
    """Return the address with which the next page is presented."""
    return {name: text for name, text in visit.visit().address.items() if name in visit.CARRIED} | {"present": "1"}


def _options(step: Step, is_answered: bool) -> str:
    """List what there is to choose from, and mark the right one in words, sign and weight."""
    right = step.guess.value if step.guess else step.right
    if step.guess:
        shown = quiz.answer_text(step, right) if is_answered else "?"
        return f"{_(step.guess.label)}: **{shown}**"
    marks = [" :material/check_circle:" if is_answered and index == step.right else "" for index in range(len(step.options))]
    letters = [f"{letter}) {_(option)}{mark}" for letter, option, mark in zip("ABCDEFGHI", step.options, marks, strict=False)]
    return " &emsp; ".join(f"**{text}**" if mark else text for text, mark in zip(letters, marks, strict=True))


def _press() -> None:
    """Follow the keys; a browser can send anything."""
    pressed = st.session_state.get(KEYS, {}).get("pressed")
    st.session_state[READ] = st.session_state.get(READ, 0) + 1
    for move in pressed[:MOST] if isinstance(pressed, list) else ():
        if move == "leave":
            visit.change(present="")
        elif isinstance(move, str) and move in MOVES:
            order = slides(visit.visit().page)
            here = quiz.open_step()[0]
            if here == END == order[-1] and move == "next":
                st.session_state[ONWARD] = True
                return
            place = order.index(here) if here in order else len(order) - 1
            quiz.turn_to(order[min(max(place + MOVES[move], 0), len(order) - 1)])


@cache
def _keys() -> Any:
    """Register the component: its files do not change while the server runs."""
    html, js = ((FOLDER / f"keys.{kind}").read_text(encoding="utf-8") for kind in ("html", "js"))
    return st.components.v2.component("rope-lab-keys", html=html, js=js, isolate_styles=False)
