"""What follows the hand: the page's hero control, and all that is computed from it.

A fragment within the page's fragment. A step of the live slider runs it alone, so that neither the other controls nor the buttons of the
page cost anything while the figure moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from rope_core import RopeConfigError
from ui import away, compare, echo, frame, lesson, live, locks, notices, table
from ui.asking import scene_place
from ui.i18n import _, one_language
from ui.parameters import PARAMETERS, SHARED
from ui.params import hero, hero_slider, is_idle, number, resting, shared
from ui.registry import LESSONS
from ui.taken import Away, take
from ui.view import View

Try = tuple[str, Mapping[str, float | str]]


@dataclass
class Scene:
    """What a page shows, and where: its name, how the view follows from the hero's value, what was drawn last, and what its files say.

    ``view`` is that of the figure, ``written`` that of formula and code, which wait until the hand rests.
    """

    name: str
    make: Callable[[float], View]
    has_hero: bool
    high: float | None
    slow: bool
    view: View | None = None
    taken: Away | None = None
    written: View | None = None


def scene(
    name: str,
    make: Callable[[float], View],
    *,
    tries: Sequence[Try],
    onward: Sequence[str],
    has_hero: bool = True,
    high: float | None = None,
    slow: bool = False,
    more: bool = False,
    beneath: Callable[[], None] | None = None,
) -> None:
    """Draw the lower part of a page: hero control, figure, sentences, what to try, formula, code, files, the way on.

    Args:
        name: Of the page.
        make: Gives the view for a value of the hero parameter. It is called again at every step of a hand, so whatever else it depends on
            has to be drawn before.
        tries: Settings worth looking at, each with its label.
        onward: Names of the pages that follow.
        has_hero: Whether the view depends on the hero parameter, if that is the page's own.
        high: An upper bound of the hero that depends on other parameters.
        slow: Whether a view may take long enough that a reader wants to know.
        more: Whether views draw more under the sentences (``View.beneath``); the fold of the table then stands above that.
        beneath: Draws what stands under the sentences and does not follow the hand.
    """
    shown = Scene(name, make, has_hero, high, slow)
    place = scene_place() or st.container()
    fold = None if more else table.fold()
    if beneath:
        beneath()
    lesson.tries(name, *tries)
    formula = st.container()
    away.files(lambda: shown.taken, name=name)
    lesson.way_on(*onward)
    frame.open_scene()
    with place:
        _follow(shown, formula, fold)


@st.fragment
@one_language()
def _follow(shown: Scene, formula: DeltaGenerator, fold: ExpanderContainer | None) -> None:
    """Draw what follows the hand: with the page, or alone.

    Alone, it is followed by a run of everything if somebody asked for that, or if the notice has something else to say. Formula and table
    stand outside of the fragment, in containers of the page, and Streamlit replaces what this fragment wrote there.
    """
    alone = not frame.is_scene_of_page()
    if alone:
        echo.start()
    if alone and frame.is_wanted():  # before anything is drawn: a hand rests on a parameter that stands in the sidebar too
        st.rerun()
    said = notices.start_part("scene", alone=alone)
    value = _hero_control(shown)
    echo.draw()
    place = st.container() if shown.slow else nullcontext()  # keeps the figure where it is while a long curve is counted
    try:
        if shown.slow and not live.is_moving():
            with st.spinner(_("Counting every distance ...")):
                shown.view = shown.make(value)
        else:
            shown.view = shown.make(value)
    except RopeConfigError as error:
        shown.view = shown.taken = None
        compare.forget()
        st.error(_(error.template).format(**error.values))
    else:
        with place:
            lesson.picture(shown.view, key=f"{shown.name}_figure")
        shown.taken = take(shown.view, shown.name)
        lesson.proof(shown.view)
        lesson.words(shown.view)
        _tables(shown.view, fold or table.fold())
        shown.view.beneath()
        with formula:
            _write(shown)
    if alone and (frame.is_wanted() or notices.says() != said):
        st.rerun()


def _tables(view: View, fold: ExpanderContainer) -> None:
    """Show the numbers of the figure, and how far they lie from those of A, while somebody has the fold open."""
    if fold.open:
        with fold:
            table.data_table(view.drawn)
            for gaps in compare.gap_tables(view):
                table.data_table(gaps, _("B − A, rounded to six digits; of many rows or columns some, evenly chosen."))


def _write(shown: Scene) -> None:
    """Draw formula and code; while a hand moves, those of the setting at which it began: below the figure it hardly sees them.

    What a browser has already it does not set anew, and most of a step is its work.
    """
    if shown.written is None or not live.is_moving():
        shown.written = shown.view
    if shown.written:
        lesson.formula(shown.written)


def _hero_control(shown: Scene) -> float:
    """Draw the control that the figure follows, and give its value."""
    name = hero() or ""
    if name not in SHARED:
        return number(name, high=shown.high) if shown.has_hero else 0.0
    # Without live components the sidebar has the only slider of a shared parameter.
    if not live.is_off() and not is_idle(LESSONS[shown.name], name) and not locks.is_hidden(name):
        hero_slider(name, resting(name), PARAMETERS[name].high)
    return shared(name)
