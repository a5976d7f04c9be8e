"""Rotate a pair: why does only the distance survive?"""

import math

import streamlit as st

from lessons import pair as content
from ui import compute, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice, number, vector, whole


def page() -> None:
    """Draw the page."""
    config = compute.current_config()

    mode = choice("pair_view")
    left, right = st.columns(2)
    with left:
        m, n = (whole("m"), whole("n")) if mode != "positions" else (0, 0)
        q = tuple(vector("q"))
    with right:
        if choice("speed") == "pair":
            speed = float(compute.speeds(config)[whole("pair", high=config.pairs - 1)])
        else:
            speed = math.radians(number("degrees"))
        k = tuple(vector("k")) if mode != "positions" else q

    setting = content.Setting(q=q, k=k, m=m, n=n, speed=speed)
    if mode == "plane":
        view = content.plane_view(setting)
    elif mode == "positions":
        view = content.positions_view(setting, tuple(vector("at")))
    else:
        view = content.shift_view(setting)
    lesson.picture(view, key="pair_figure")
    lesson.words(view)
    lesson.tries(
        "pair",
        (_("30° a token: distance 12 looks like 0"), {"pair_view": "plane", "speed": "own", "degrees": 30, "m": 12, "n": 0}),
        (_("The key after the query"), {"pair_view": "plane", "m": 2, "n": 7}),
        (_("The slowest pair, 10,000 tokens on"), {"speed": "pair", "pair": config.pairs - 1, "m": 10_000}),
        (_("Shift both"), {"pair_view": "shift"}),
    )
    lesson.take_home(view, name="pair")
    lesson.way_on("head", "decay")


show(page)
