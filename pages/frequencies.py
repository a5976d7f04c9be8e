"""Frequencies: which pair turns how fast, and what does the base change?"""

import streamlit as st

from lessons import frequencies, laws
from ui import compute, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice, whole


def page() -> None:
    """Draw the page."""
    mode = choice("freq_view")
    # A sweep of the base and other laws are about the plain law and the whole head.
    config = compute.model_config() if mode in ("speeds", "turns") else compute.current_config()
    period = None
    if mode == "equal":
        left, right = st.columns(2)
        with left:
            one = choice("equal_speed") == "one"
        with right:
            period = None if one else whole("equal_period")

    if mode == "speeds":
        view = frequencies.speeds_view(config)
    elif mode == "turns":
        view = frequencies.turns_view(config)
    elif mode == "sweep":
        view = frequencies.sweep_view(config)
    elif mode == "equal":
        view = laws.return_view(config) if period is None else laws.period_view(config, period)
    else:
        view = laws.laws_view(config)
    lesson.picture(view, key="frequencies_figure")
    lesson.words(view)
    lesson.tries(
        "frequencies",
        (_("All pairs alike: the code repeats"), {"freq_view": "equal", "equal_speed": "period", "equal_period": 32}),
        (_("One rad per token: nearly, never"), {"freq_view": "equal", "equal_speed": "one"}),
        (_("Base 500,000 for 8,192 tokens"), {"freq_view": "turns", "base": 500_000, "context": 8192}),
        (_("Why not a linear law?"), {"freq_view": "laws"}),
    )
    lesson.take_home(view, name="frequencies")
    lesson.way_on("decay", "bases")


show(page)
