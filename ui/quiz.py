"""Predict, then reveal: the row of questions beside the views, and the question that is open.

``step`` in the address is empty while the reader explores, ``2-question`` while the second question is open and ``2-answer`` after it was
answered. Written by hand, ``step=2`` is enough: it opens the question with the settings from which it starts, but for those that the link
names. ``done`` holds digits, page by page: ``start-12.pair-3``.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.quiz import Guess, Spot, Step, read_done, read_spot, steps_of, write_done
from locales import N_, _
from parameters import PARAMETERS
from parameters.problems import Problem
from parameters.types import write
from ui import visit

ROW = "w.step"
FREE = Spot(0)


def open_step() -> tuple[Spot, tuple[Problem, ...]]:
    """Find out which question is open, and complete a link that was written by hand; also return what the link says wrongly."""
    now = visit.visit()
    count, text, done = len(steps_of(now.page)), now.address.get("step", ""), now.address.get("done", "")
    spot, problems = read_spot(text, count), []
    if spot is None:
        problems.append(Problem(N_("Step"), text, "", _("a number from 1 to {count}").format(count=count)))
    elif text.isdecimal() and spot.number:
        start = {name: text for name, text in _texts(step_of(spot).start).items() if not visit.locks().is_held(name)}
        visit.update(address={**start, **now.address, "step": str(spot)}, entered=True)
    if read_done(done) is None:
        example = _("pages and digits, such as {example}").format(example="start-12.pair-3")
        problems.append(Problem(N_("Steps done"), done, "", example))
    return spot or FREE, tuple(problems)


def row(spot: Spot) -> None:
    """Draw the row of questions."""
    count, ticked = len(steps_of(visit.visit().page)), done()
    if not count:
        return
    st.session_state[ROW] = spot.number
    st.segmented_control(
        _("Questions of this page"),
        range(count + 1),
        required=True,
        format_func=lambda number: _name(number, number in ticked),
        key=ROW,
        label_visibility="collapsed",
        on_change=lambda: turn_to(Spot(st.session_state[ROW])),
    )


def question(spot: Spot) -> None:
    """Draw the open question, with a way to commit to an answer, or the verdict."""
    step, count = step_of(spot), len(steps_of(visit.visit().page))
    with st.container(border=True, key="question"):
        st.markdown(f"**{spot.number} / {count}** {_(step.question)}")
        if spot.stage == "answer":
            _verdict(step, visit.visit().answers.get(step.id))
            _ways_on(spot, count)
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            given = _number(step.guess, step.id) if step.guess else _choice(step)
            st.button(
                _("Commit"),
                key="step.commit",
                disabled=given is None,
                on_click=_commit,
                args=(spot, given),
                icon=":material/check:",
                help=_("Shows the answer: the figure moves to it."),
            )


def step_of(spot: Spot) -> Step:
    """Return the question of the page at a spot."""
    return steps_of(visit.visit().page)[spot.number - 1]


def done() -> set[int]:
    """Return which questions of the page are answered."""
    now = visit.visit()
    return (read_done(now.address.get("done", "")) or {}).get(now.page, set())


def turn_to(spot: Spot) -> None:
    """Go to a question or its answer, and set the figure to it; exploring has the settings that were left for the questions."""
    now = visit.visit()
    is_open = (read_spot(now.address.get("step", ""), len(steps_of(now.page))) or FREE).number
    if spot.number:
        if not is_open:
            visit.update(explored={**now.explored, now.page: _own(now.address)})
        step = step_of(spot)
        visit.change(**{**step.start, **(step.answer if spot.stage == "answer" else {})}, step=str(spot))
    else:
        own = now.explored.get(now.page)
        visit.update(explored={page: address for page, address in now.explored.items() if page != now.page})
        if own is not None and is_open:
            visit.update(address={**{name: text for name, text in now.address.items() if name not in PARAMETERS}, **own})
        visit.change(step="")


def explore() -> None:
    """Go on to explore from what the figure shows."""
    now = visit.visit()
    visit.update(explored={page: address for page, address in now.explored.items() if page != now.page})
    visit.change(step="")


def answer_text(step: Step, given: float) -> str:
    """Name an answer: a number, or an option by its index."""
    return f"{given:,.15g}" if step.guess else _(step.options[int(given)])


def _own(address: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in address.items() if name in PARAMETERS}


def _texts(values: Mapping[str, float | str]) -> dict[str, str]:
    return {name: write(value) for name, value in values.items() if value != PARAMETERS[name].default}


def _name(number: int, is_done: bool) -> str:
    if not number:
        return _("Explore freely")
    return f"{number} :material/check:" if is_done else str(number)


def _choice(step: Step) -> int | None:
    """Draw the options, and return the index of the chosen one."""
    words = [_(option) for option in step.options]
    return st.radio(
        _("Your answer"),
        range(len(words)),
        index=None,
        format_func=words.__getitem__,
        key=f"step.{step.id}",
        label_visibility="collapsed",
        horizontal=True,
        help=_("Choose one, then commit to it."),
    )


def _number(guess: Guess, name: str) -> float | None:
    """Draw the box for a number, and return what stands in it."""
    tip = _("Write a number, then commit to it.")
    return st.number_input(_(guess.label), value=None, step=1.0, format="%.15g", key=f"step.{name}", help=tip, width=320)


def _verdict(step: Step, given: float | None) -> None:
    """Say whether the answer was right, in words and by an icon, and explain it; whoever comes by a link has given none."""
    answer, sentence = answer_text(step, step.guess.value if step.guess else step.right), _(step.sentence)
    if given is not None and step.is_right(given):
        right = _("Right: {answer}.").format(answer=answer_text(step, given))
        st.success(f"**{right}** {sentence}", icon=":material/check_circle:")
        return
    if given is None:
        shown = _("The answer is: {answer}.").format(answer=answer)
    else:
        shown = _("You said: {given}. The answer is: {answer}.").format(given=answer_text(step, given), answer=answer)
    st.info(f"**{shown}** {sentence}", icon=":material/lightbulb:")


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


def _commit(spot: Spot, given: float) -> None:
    now, step = visit.visit(), step_of(spot)
    known = read_done(now.address.get("done", "")) or {}
    known.setdefault(now.page, set()).add(spot.number)
    visit.update(answers={**now.answers, step.id: given})
    visit.change(done=write_done(known))
    turn_to(Spot(spot.number, "answer"))


def _again(spot: Spot) -> None:
    now, step = visit.visit(), step_of(spot)
    visit.update(answers={name: given for name, given in now.answers.items() if name != step.id})
    turn_to(Spot(spot.number))
