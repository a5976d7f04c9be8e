"""A whole head: how do d/2 pairs share one vector?"""

import streamlit as st

from lessons import head, layouts
from ui import compute, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice, shared, whole


def page() -> None:
    """Draw the page."""
    mode = choice("head_view")
    left, right = st.columns(2)
    with left:
        if mode == "mix":
            position, distance = 0, whole("head_distance")
        else:
            position, distance = 0 if mode == "table" else whole("head_position"), 0
    with right:
        seed = whole("head_seed") if mode in ("pairs", "code") else 0

    config = compute.partial_config(compute.current_config(), shared("rotary"))
    setting = head.Setting(config=config, position=position, seed=seed, distance=distance)
    if mode == "pairs":
        view = head.pairs_view(setting)
    elif mode == "matrix":
        view = head.matrix_view(setting)
    elif mode == "mix":
        view = layouts.mix_view(setting)
    elif mode == "table":
        view = head.table_view(setting)
    else:
        view = layouts.code_view(setting)
    lesson.picture(view, key="head_figure")
    lesson.words(view)
    lesson.tries(
        "head",
        (_("A quarter of the width turns"), {"head_view": "pairs", "rotary": 0.25}),
        (_("A head of 8: both matrices"), {"head_view": "matrix", "head_dim": 8}),
        (_("A head of 8: layouts mixed"), {"head_view": "mix", "head_dim": 8, "head_distance": 5}),
        (_("Three implementations, one result"), {"head_view": "code"}),
    )
    lesson.take_home(view, name="head")
    lesson.way_on("attention", "frequencies")


show(page)
