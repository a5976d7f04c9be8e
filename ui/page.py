"""A page, drawn from its settings: question, views, controls beside the figure, what stands under it, the pages that follow."""

from __future__ import annotations

from contextlib import nullcontext
from urllib.parse import urlencode

import streamlit as st

from exports.snapshot import Snapshot
from lessons.compare import Compared
from lessons.page import Page
from lessons.quiz import Spot
from lessons.registry import PAGES
from lessons.view import View
from locales import _, language
from parameters import parameters_of
from parameters.ask import ASK, read_ask
from parameters.problems import Problem
from parameters.settings import Settings
from parameters.types import Choice
from rope_core import RopeConfigError
from server.answers import Question, answer, compared_with, page_of
from ui import compare, controls, downloads, live, notices, opening, parts, present, quiz, share, visit
from ui.paths import path


def draw(page: Page) -> None:
    """Draw a page: the last thing that its script does."""
    spot, problems = quiz.open_step()
    settings, refused = Settings.read(page.name, visit.expanded(visit.visit().address), quiz.locks(spot))
    a, wrong_pin = compare.pinned(page.name)
    asked = read_ask(visit.visit().address.get(ASK, ""))
    problems = (*problems, *refused, *wrong_pin, *present.problems(), *([asked] if isinstance(asked, Problem) else ()))
    whole, page = page, page_of(page.name, spot.number) if spot.is_open else page
    if spot.is_open:
        a = None  # it may show the answer
    if present.is_on():
        present.begin()
        present.slide(spot, page.question)
        _asked(asked)
        with st.container(key="presented-figure"):
            shown = _figure(page, settings, a, spot)
        present.sentence(spot)
        notices.show(problems, (*quiz.conflicts(spot), *(shown[0].notices if shown else ())))
        return
    _head(whole, settings, a, spot)
    _bar(page, settings, spot)
    place = st.container()
    if spot.number:
        quiz.question(spot)
    elif not asked:
        _intro(page)
    _asked(asked)
    parts.draw(page.before(settings))
    left, right = st.columns([26, 74], gap="medium")
    with left, st.container(key="controls", gap="small"):
        controls.draw(page, settings)
        _tries(page, settings)
    with right:
        shown = _figure(page, settings, a, spot)
    with place:
        notices.show(problems, (*quiz.conflicts(spot), *(shown[0].notices if shown else ())))
    _below(page, settings, shown, spot)


def _head(page: Page, settings: Settings, a: Settings | None, spot: Spot) -> None:
    """Draw the question of the page, and what can be done with the page as a whole."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.title(_(page.question))
        if not st.context.is_embedded:
            with st.container(horizontal=True, horizontal_alignment="right", gap="small", width="content"):
                if not spot.is_open:
                    compare.button(settings, a)
                share.button(page, settings)
                present.button()


def _bar(page: Page, settings: Settings, spot: Spot) -> None:
    """Draw the choice of the view and the row of questions."""
    spec, locks = parameters_of(page.name)[page.choice], visit.locks()
    assert isinstance(spec, Choice)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="bar"):
        if not locks.is_hidden(page.choice):
            controls.choice(page.choice, spec, settings.text(page.choice), disabled=locks.is_held(page.choice), is_view=True)
        quiz.row(spot)
    named = [page.choice, *page.controls(settings)]
    if here := [_(parameters_of(page.name)[name].label) for name in named if name in locks.shown]:
        st.caption(_("Locked by the link, with every button that would change them: {names}.").format(names=_(", ").join(here)))


def _intro(page: Page) -> None:
    if page.intro:
        st.markdown(_(page.intro))


def _asked(question: str | Problem) -> None:
    """Draw a question of the teacher's own, as text whatever it says."""
    if question and isinstance(question, str):
        with st.container(border=True, key="asked"):
            st.text(question)


def _tries(page: Page, settings: Settings) -> None:
    """Offer settings worth looking at."""
    offers, locks = page.tries(settings), visit.locks()
    free = [number for number, offer in enumerate(offers) if not locks.block(offer.values)]
    if free:
        st.session_state["try"] = None
        st.pills(
            _("Try this"),
            free,
            format_func=lambda number: offers[number].label,
            key="try",
            on_change=lambda: visit.change(**(offers[st.session_state["try"]].values if st.session_state["try"] is not None else {})),
        )


def _figure(page: Page, settings: Settings, a: Settings | None, spot: Spot) -> tuple[View, Compared | None] | None:
    """Draw the figure with its sentences; return the view, and how it compares with A. Where there is none, say why."""
    question = Question(settings, a, language(), coarse=False, step=spot.number if spot.is_open else 0)
    try:
        with st.spinner(_("Counting every distance ..."), show_time=False) if page.slow else nullcontext():
            view = page.view(settings)
            compared = compared_with(question, view)
            shown = answer(question, view, compared)
    except RopeConfigError as error:
        st.error(_(error.template).format(**error.values))
        return None
    name, locks, now = page.live(settings), visit.locks(), visit.visit()
    if now.is_plain:
        _plain(page, view, compared)
        return view, compared
    number = None
    if name is not None and not locks.is_hidden(name):
        number = controls.data(name, settings, disabled=locks.is_held(name), play=True)
    written, extras = settings.write(), {key: text for key, text in now.address.items() if key in ("lang", "pin")}
    if spot.is_open:
        extras["step"] = str(spot)
    is_kept = visit.is_kept_config(now.address)
    body = written.pop("models_config", "") if is_kept else ""
    live.figure(
        page.name,
        shown,
        query=urlencode(written | extras),
        address=urlencode(now.address),
        replace=urlencode(now.address) if now.entered else None,
        body=body,
        number=number,
        motion=quiz.motion(page, settings, extras) or opening.motion(page, settings, extras),
    )
    return view, compared


def _plain(page: Page, view: View, compared: Compared | None) -> None:
    """Draw the figure and its sentences without components, for a browser that cannot load them."""
    live.plain_figure(view.figure if compared is None else compared.figure, key=f"{page.name}.figure", alt=view.alt)
    live.prose(view)
    if compared is not None:
        if compared.difference is not None:
            live.plain_figure(compared.difference, key=f"{page.name}.difference", alt=compared.difference_alt)
        parts.draw(compared.parts)


def _below(page: Page, settings: Settings, shown: tuple[View, Compared | None] | None, spot: Spot) -> None:
    """Draw what stands under the figure: formula and files, further parts, the pages that follow."""
    if shown is not None:
        view, compared = shown
        url = (st.context.url or "").partition("?")[0]
        snapshot = Snapshot(page=page, view=view, settings=settings, url=url, language=language())
        downloads.draw(snapshot, compared, files=not spot.is_open)
        parts.draw(view.parts)
    parts.draw(page.after(settings))
    if st.context.is_embedded:  # a frame in another page leads nowhere
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Next pages"), width="content")
        for name in page.onward:
            st.page_link(path(name), label=_(PAGES[name].title), icon=PAGES[name].icon)
