"""Where a reader is in the steps of a page, and which steps are done: kept for the visit, carried by the link, checked on the way in.

``step`` in the address is empty while she explores freely, ``2-question`` while the second question is open and ``2-answer`` after it was
answered; the other parameters then say exactly what is set. Written by hand, ``step=2`` is enough: it opens the question with the settings
from which it starts, but for those that the link names, and is completed at once. ``done`` holds digits, page by page: ``start-12.pair-3``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

import streamlit as st

from ui import echo
from ui.frame import lesson_name
from ui.i18n import _
from ui.notices import Problem, report
from ui.parameters import PARAMETERS
from ui.params import allowed, assign, hidden_box, put
from ui.registry import LESSONS
from ui.steps import MOST, Step, steps_of

Stage = Literal["question", "answer"]
LONGEST = 200
OWN = "_own"  # for each page, what she had set before she turned to its questions


class Spot(NamedTuple):
    """A step of a page, counted from 1, and whether its answer is shown; step 0 is free exploration."""

    number: int
    stage: Stage = "question"

    def __str__(self) -> str:
        return f"{self.number}-{self.stage}" if self.number else ""

    @property
    def step(self) -> Step:
        """The step of the page that is open."""
        return steps_of(lesson_name())[self.number - 1]


FREE = Spot(0)


def read_spot(text: str, count: int) -> Spot | None:
    """Read ``2``, ``2-question`` or ``2-answer``, where there are ``count`` steps; None if it is something else."""
    if not text:
        return FREE
    found = re.fullmatch(rf"([1-9])(?:-({'|'.join(get_args(Stage))}))?", text, re.ASCII)
    if not found or int(found[1]) > count:
        return None
    return Spot(int(found[1]), "answer" if found[2] == "answer" else "question")


def read_done(text: str) -> dict[str, set[int]] | None:
    """Read which steps of which pages are done; None if the text says anything else."""
    done: dict[str, set[int]] = {}
    for part in text.split(".") if text and len(text) <= LONGEST else ():
        page, _dash, digits = part.partition("-")
        if page not in LESSONS or not re.fullmatch(f"[1-{MOST}]+", digits, re.ASCII):
            return None
        done.setdefault(page, set()).update(map(int, digits))
        if max(done[page]) > len(steps_of(page)):
            return None
    return done if len(text) <= LONGEST else None


def write_done(done: Mapping[str, set[int]]) -> str:
    """Write what ``read_done`` reads."""
    return ".".join(f"{page}-{''.join(map(str, sorted(done[page])))}" for page in LESSONS if done.get(page))


def open_page(page: str) -> None:
    """Find out where the reader is: the shell's work, before any control is drawn.

    On turning to another page she is where she left it, or explores freely.
    """
    left = st.session_state.setdefault("_spots", {})
    if st.session_state.get("_steps_page", page) != page:
        echo.mirror("step", left.get(page, ""))
    st.session_state["_steps_page"] = page
    is_arriving = "step" not in st.session_state
    text = st.query_params.get("step", "") if is_arriving else st.session_state["step"] or ""
    spot, count = read_spot(text, len(steps_of(page))), len(steps_of(page))
    if spot and text.isdecimal():  # written by hand: in the first run the box still holds what the link says
        start = spot.step.start if is_arriving else {}
        put({name: value for name, value in start.items() if name not in st.query_params} | {"step": str(spot)})
    _read_box("step", _("Step"), spot is not None, _("a number from 1 to {count}").format(count=count))
    left[page] = str(here())


def read_progress() -> None:
    """Read which steps are done: the shell's work too."""
    text = st.session_state.get("done") or st.query_params.get("done", "")
    _read_box(
        "done", _("Steps done"), read_done(text) is not None, _("pages and digits, such as {example}").format(example="start-12.pair-3")
    )


def _read_box(name: str, label: str, is_allowed: bool, rule: str) -> None:
    text = hidden_box(name, "")
    if not is_allowed:
        report(Problem(label, rule, text, _("none")))


def here() -> Spot:
    """Say where the reader is."""
    return read_spot(st.session_state.get("step") or "", len(steps_of(lesson_name()))) or FREE


def done() -> set[int]:
    """Say which steps of the page are done."""
    return (read_done(st.session_state.get("done") or "") or {}).get(lesson_name(), set())


def note_done(number: int) -> None:
    """Note that a step of the page is done."""
    known = read_done(st.session_state.get("done") or "") or {}
    known.setdefault(lesson_name(), set()).add(number)
    echo.put("done", write_done(known))


def turn_to(spot: Spot) -> None:
    """Go to a question or its answer, and set the figure to it; free exploration has the settings that she left for the questions."""
    if not spot.number:
        assign(**st.session_state.get(OWN, {}).pop(lesson_name(), {}))
    else:
        if not here().number:
            st.session_state.setdefault(OWN, {})[lesson_name()] = _settings()
        assign(**spot.step.start | (spot.step.answer if spot.stage == "answer" else {}))
    echo.put("step", str(spot))


def explore() -> None:
    """Go on to free exploration from what the figure shows."""
    st.session_state.get(OWN, {}).pop(lesson_name(), None)
    turn_to(FREE)


def _settings() -> dict[str, float | str]:
    """Give what the boxes hold that the steps of the page move; of one that has yet to be drawn, what the link says."""
    found: dict[str, float | str] = {}
    for name in {name for step in steps_of(lesson_name()) for name in (*step.start, *step.answer)}:
        held = st.session_state.get(name)
        held = allowed(name, st.query_params.get(name, "")) if held is None else held
        found[name] = PARAMETERS[name].default if held is None else held
    return found
