"""Predict, then see: the row of steps under a page's title, and the question that is open, right above the scene."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import echo
from ui.frame import lesson_name
from ui.i18n import _
from ui.progress import Spot, done, explore, here, note_done, turn_to
from ui.steps import Guess, Step, steps_of

PLACE = "_scene_place"
ROW = "steps.row"


def steps_row() -> None:
    """Draw the row, and the open question with a place for the scene under it: the controls of the page then come after both."""
    count, ticked, spot = len(steps_of(lesson_name())), done(), here()
    if not count:
        return
    echo.mirror(ROW, spot.number)
    st.segmented_control(
        _("Questions of this page"),
        range(count + 1),
        required=True,
        format_func=lambda number: _name(number, number in ticked),
        key=ROW,
        label_visibility="collapsed",
        help=_("Questions to answer before the figure shows the answer, or the page without them."),
        on_change=_choose,
    )
    if spot.number:
        with st.container(border=True, key="question"):
            _open(spot, count)
        reserve_scene(st.container())


def _choose() -> None:
    if not echo.is_late(ROW):
        turn_to(Spot(st.session_state[ROW]))


def forget_place() -> None:
    """Have the page draw its scene where it stands in the page: the place of the last run is no longer there."""
    st.session_state.pop(PLACE, None)


def reserve_scene(place: DeltaGenerator) -> None:
    """Have the page draw its scene at a place."""
    st.session_state[PLACE] = place


def scene_place() -> DeltaGenerator | None:
    """Give the place under the open question, if one is open."""
    place: DeltaGenerator | None = st.session_state.get(PLACE)
    return place


def _name(number: int, is_done: bool) -> str:
    if not number:
        return _("Explore freely")
    return f"{number} :material/check:" if is_done else str(number)


def _open(spot: Spot, count: int) -> None:
    step = spot.step
    st.markdown(f"**{spot.number} / {count}** {_(step.question)}")
    if spot.stage == "answer":
        _verdict(step, st.session_state.get(_given_key(step)))
        _ways_on(spot, count)
        return
    given = _number(step.guess, step.id) if step.guess else _choice(step)
    tip = _("Shows the answer: the figure moves to it.")
    st.button(
        _("Commit"), key="step.commit", disabled=given is None, on_click=_commit, args=(spot, given), icon=":material/check:", help=tip
    )


def _choice(step: Step) -> int | None:
    """Draw the options, and give the index of the chosen one."""
    words = [_(option) for option in step.options]
    return st.radio(
        _("Your answer"),
        range(len(words)),
        index=None,
        format_func=words.__getitem__,
        key=f"step.{step.id}",
        label_visibility="collapsed",
        help=_("Choose one, then commit to it."),
    )


def _number(guess: Guess, name: str) -> float | None:
    """Draw the box for a number, and give what stands in it."""
    with st.container(width=320):
        tip = _("Write a number, then commit to it.")
        return st.number_input(_(guess.label), value=None, step=1.0, format="%.15g", key=f"step.{name}", help=tip)


def _verdict(step: Step, given: float | None) -> None:
    """Say whether the answer was right, in words and by an icon, and explain it; whoever comes by a link has given none."""
    answer, sentence = answer_text(step, step.guess.value if step.guess else step.right), _(step.sentence)
    if given is None:
        said = _("The answer is: {answer}.").format(answer=answer)
    elif step.is_right(given):
        said = _("Right: {answer}.").format(answer=answer_text(step, given))
        st.success(f"**{said}** {sentence}", icon=":material/check_circle:")
        return
    else:
        said = _("You said: {given}. The answer is: {answer}.").format(given=answer_text(step, given), answer=answer)
    st.info(f"**{said}** {sentence}", icon=":material/lightbulb:")


def _ways_on(spot: Spot, count: int) -> None:
    # Not where Commit was: the mouse is there, and the help of a button under it would cover the answer.
    with st.container(horizontal=True, horizontal_alignment="right"):
        if spot.number < count:
            tip, following = _("Opens the next question of this page."), Spot(spot.number + 1)
            st.button(_("Next"), key="step.next", on_click=turn_to, args=(following,), icon=":material/arrow_forward:", help=tip)
        tip = _("Opens this question once more.")
        st.button(_("Ask me again"), key="step.again", on_click=_again, args=(spot,), icon=":material/replay:", help=tip)
        tip = _("Leaves the questions; the figure stays as it is.")
        st.button(_("Explore from here"), key="step.free", on_click=explore, icon=":material/explore:", help=tip)


def answer_text(step: Step, given: float) -> str:
    """Name an answer: a number, or an option by its index."""
    return f"{given:,.15g}" if step.guess else _(step.options[int(given)])


def _given_key(step: Step) -> str:
    return f"_given.{step.id}"


def _commit(spot: Spot, given: float) -> None:
    st.session_state[_given_key(spot.step)] = given
    note_done(spot.number)
    turn_to(Spot(spot.number, "answer"))


def _again(spot: Spot) -> None:
    st.session_state.pop(_given_key(spot.step), None)
    turn_to(Spot(spot.number))
