"""Frequencies: which pair turns how fast, and what does the base change?"""

import streamlit as st

from lessons import frequencies, laws
from ui import compute
from ui.i18n import _
from ui.page import show
from ui.params import choice, whole
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    mode = choice("freq_view")
    period = None
    if mode == "equal":
        left, right = st.columns(2)
        with left:
            one = choice("equal_speed") == "one"
        with right:
            period = None if one else whole("equal_period")

    def view(_base: float) -> View:
        if mode == "speeds":
            return frequencies.speeds_view(compute.model_config())
        if mode == "turns":
            return frequencies.turns_view(compute.model_config())
        # A sweep of the base and other laws are about the plain law and the whole head.
        config = compute.current_config()
        if mode == "sweep":
            return frequencies.sweep_view(config)
        if mode == "equal":
            return laws.return_view(config) if period is None else laws.period_view(config, period)
        return laws.laws_view(config)

    scene(
        "frequencies",
        view,
        tries=(
            (_("All pairs alike: the code repeats"), {"freq_view": "equal", "equal_speed": "period", "equal_period": 32}),
            (_("One rad per token: nearly, never"), {"freq_view": "equal", "equal_speed": "one"}),
            (_("Base 500,000 for 8,192 tokens"), {"freq_view": "turns", "base": 500_000, "context": 8192}),
            (_("Why not a linear law?"), {"freq_view": "laws"}),
        ),
        onward=("decay", "bases"),
    )


show(page)
