"""Predict, then reveal: the row of questions beside the views, and the question that is open.

``step`` in the address is empty while the reader explores, ``2-question`` while the second question is open and ``2-answer`` after it was
answered. Written by hand, ``step=2`` is enough: it opens the question with the settings from which it starts, but for those that the link
names. ``done`` holds digits, page by page, with an x behind those that were answered wrongly: ``start-12x.pair-3``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lessons.motion import frames
from lessons.page import Page
from lessons.quiz import FREE, Guess, Spot, Step, fixed, locks_of, read_done, read_spot, steps_of, write_done, wrong_spot
from lessons.registry import following
from locales import N_, _
from parameters import PARAMETERS
from parameters.locks import Locks
from parameters.problems import Problem
from parameters.settings import Settings
from parameters.types import write
from ui import visit
from ui.paths import path

ROW = "w.step"
MOVED, EMPTY = "step.moved", "step.empty"  # of the run after a commit: settings before it; whether nothing was chosen


def open_step() -> tuple[Spot, tuple[Problem, ...]]:
    """Find out which question is open, and complete a link that was written by hand; also return what the link says wrongly."""
    now = visit.visit()
    count, text, done = len(steps_of(now.page)), now.address.get("step", ""), now.address.get("done", "")
    spot, problems = read_spot(text, count), []
    if spot is None:
        problems.append(wrong_spot(text, count))
    elif text.isdecimal() and spot.number:
        start = {name: text for name, text in _texts(step_of(spot).start).items() if not visit.locks().is_held(name)}
        visit.update(address={**start, **now.address, "step": str(spot)}, entered=True)
    if read_done(done) is None:
        example = _("pages and digits, such as {example}").format(example="start-12x.pair-3")
        problems.append(Problem(N_("Steps done"), done, "", example))
    return spot or FREE, tuple(problems)


def locks(spot: Spot) -> Locks:
    """Return what nobody may move: a question sets what the link holds without giving it a value."""
    return locks_of(visit.locks(), step_of(spot), spot.stage) if spot.number else visit.locks()


def conflicts(spot: Spot) -> tuple[str, ...]:
    """Say what the link fixes at another value than the question needs."""
    names = fixed(visit.locks(), step_of(spot)) if spot.number else ()
    labels = _(", ").join(_(PARAMETERS[name].label) for name in names)
    sentence = _("The link fixes {names} at a value that this question does not have, so the figure may not show its answer.")
    return (sentence.format(names=labels),) if names else ()


def motion(page: Page, settings: Settings, extras: Mapping[str, str]) -> dict[str, Any] | None:
    """Return how the figure comes to an answer that was asked for just now: the address before, and numbers on the way.

    ``extras`` is what the address has besides settings.
    """
    before: Settings | None = st.session_state.pop(MOVED, None)
    if before is None or before.page != page.name:
        return None
    address = {name: text for name, text in before.write().items() if name != "models_config"}  # questions have models of the catalogue
    return {"before": urlencode(address | dict(extras)), "frames": frames(page, before, settings)}


def row(spot: Spot) -> None:
    """Draw the row of questions."""
    count, answered = len(steps_of(visit.visit().page)), done()
    if not count:
        return
    st.session_state[ROW] = spot.number
    st.segmented_control(
        _("Questions of this page"),
        range(count + 1),
        required=True,
        format_func=lambda number: _name(number, answered.get(number)),
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
        else:
            _form(spot, step)


def _form(spot: Spot, step: Step) -> None:
    """Draw what answers a question; the button commits to it, and so does Enter (in a list of options figure.js hears it)."""
    with st.form("step.form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        if step.guess:
            _number(step.guess, step.id)
        else:
            _choice(step)
        tip = _("Shows the answer: the figure moves to it.")
        st.form_submit_button(_("Commit"), key="step.commit", on_click=_commit, args=(spot,), icon=":material/check:", help=tip)
    if st.session_state.pop(EMPTY, False):
        st.caption(_("Write a number, then commit to it.") if step.guess else _("Choose one, then commit to it."))


def step_of(spot: Spot) -> Step:
    """Return the question of the page at a spot."""
    return steps_of(visit.visit().page)[spot.number - 1]


def done() -> dict[int, bool]:
    """Return which questions of the page are answered, and whether rightly."""
    now = visit.visit()
    return (read_done(now.address.get("done", "")) or {}).get(now.page, {})


def turn_to(spot: Spot) -> None:
    """Go to a question or its answer, and set the figure to it; exploring has the settings that were left for the questions."""
    now = visit.visit()
    here = read_spot(now.address.get("step", ""), len(steps_of(now.page))) or FREE
    is_open = here.number
    if spot.stage == "answer" and here == Spot(spot.number):
        st.session_state[MOVED] = Settings.read(now.page, visit.expanded(now.address), locks(here))[0]
    if spot.number:
        if not is_open:
            visit.update(explored={**now.explored, now.page: _own(now.address)})
        step = step_of(spot)
        visit.change(**step.values(spot.stage), step=str(spot))
    else:
        own = now.explored.get(now.page)
        visit.update(explored={page: address for page, address in now.explored.items() if page != now.page})
        if own is not None and is_open:
            visit.update(address={**{name: text for name, text in now.address.items() if name not in PARAMETERS}, **own})
        visit.change(step=str(spot))


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


def _name(number: int, is_right: bool | None) -> str:
    if not number:
        return _("Explore freely")
    return str(number) if is_right is None else f"{number} :material/check:" if is_right else f"{number} :material/close:"


def _choice(step: Step) -> None:
    """Draw the options."""
    words = [_(option) for option in step.options]
    st.radio(
        _("Your answer"),
        range(len(words)),
        index=None,
        format_func=words.__getitem__,
        key=f"step.{step.id}",
        label_visibility="collapsed",
        horizontal=True,
        help=_("Choose one, then commit to it."),
    )


def _number(guess: Guess, name: str) -> None:
    """Draw the box for a number."""
    tip = _("Write a number, then commit to it.")
    st.number_input(_(guess.label), value=None, step=1.0, format="%.15g", key=f"step.{name}", help=tip, width=320)


def _verdict(step: Step, given: float | None) -> None:
    """Say whether the answer was right, by sign, word and colour, and explain it; whoever comes by a link has given none."""
    answer = answer_text(step, step.guess.value if step.guess else step.right)
    right, sentence = _("The answer is: {answer}.").format(answer=answer), _(step.sentence)
    if given is None:
        st.info(f"**{right}** {sentence}", icon=":material/lightbulb:")
    elif step.is_right(given):
        st.success(f"**{_('Right: {answer}.').format(answer=answer_text(step, given))}** {sentence}", icon=":material/check_circle:")
    else:
        why = step.why_wrong(given)
        wrong = " ".join(filter(None, (f"**{_('Wrong: {answer}.').format(answer=answer_text(step, given))}**", _(why) if why else "")))
        st.error(f"{wrong} **{right}** {sentence}", icon=":material/cancel:")


def _ways_on(spot: Spot, count: int) -> None:
    # Not where Commit was: the mouse is there, and the help of a button under it would cover the answer.
    with st.container(horizontal=True, vertical_alignment="center"):
        answered = done()
        progress = _("Answered on this page: {answered} of {count}; right: {right}.")
        st.caption(progress.format(answered=len(answered), count=count, right=sum(answered.values())))
        if spot.number < count:
            tip, following = _("Opens the next question of this page."), Spot(spot.number + 1)
            st.button(_("Next"), key="step.next", on_click=turn_to, args=(following,), icon=":material/arrow_forward:", help=tip)
        elif not st.context.is_embedded:  # a frame in another page leads nowhere
            next_page_link()
        tip = _("Opens this question once more.")
        st.button(_("Ask me again"), key="step.again", on_click=_again, args=(spot,), icon=":material/replay:", help=tip)
        tip = _("Leaves the questions; the figure stays as it is.")
        st.button(_("Explore from here"), key="step.free", on_click=explore, icon=":material/explore:", help=tip)


def next_page_link(query: Mapping[str, str] | None = None) -> None:
    """Draw a link to the page that follows; without a query it is found as it was left."""
    page = following(visit.visit().page)
    label = _("Next page: {title}").format(title=_(page.title))
    st.page_link(path(page.name), label=label, icon=page.icon, width="content", query_params=query)


def _commit(spot: Spot) -> None:
    """Take the answer that was given, if there is one; a browser can send anything."""
    now, step = visit.visit(), step_of(spot)
    given = st.session_state.get(f"step.{step.id}")
    if not isinstance(given, int | float) or not math.isfinite(given):
        st.session_state[EMPTY] = True
        return
    known = read_done(now.address.get("done", "")) or {}
    known.setdefault(now.page, {})[spot.number] = step.is_right(given)
    visit.update(answers={**now.answers, step.id: given})
    visit.change(done=write_done(known))
    turn_to(Spot(spot.number, "answer"))


def _again(spot: Spot) -> None:
    now, step = visit.visit(), step_of(spot)
    visit.update(answers={name: given for name, given in now.answers.items() if name != step.id})
    turn_to(Spot(spot.number))
