"""Rotate a pair: why does only the distance survive?"""

import math

import streamlit as st

from lessons import pair as lesson_pair
from ui import compute, lesson
from ui.i18n import _
from ui.params import choice, number, vector, whole

config = compute.current_config()

mode = choice("pair_view")
left, right = st.columns(2)
with left:
    m, n = whole("m"), whole("n")
    q = tuple(vector("q"))
with right:
    if choice("speed") == "pair":
        speed = float(compute.speeds(config)[whole("pair", high=config.pairs - 1)])
    else:
        speed = math.radians(number("degrees"))
    k = tuple(vector("k"))

setting = lesson_pair.Setting(q=q, k=k, m=m, n=n, speed=speed)
if mode == "plane":
    view = lesson_pair.plane_view(setting)
elif mode == "positions":
    view = lesson_pair.positions_view(setting, tuple(vector("at")))
else:
    view = lesson_pair.shift_view(setting)
lesson.picture(view, key="pair_figure")
lesson.words(view)
lesson.tries(
    "pair",
    (_("30° a token: distance 12 looks like 0"), {"speed": "own", "degrees": 30, "m": 12, "n": 0}),
    (_("The key after the query"), {"m": 2, "n": 7}),
    (_("The slowest pair"), {"speed": "pair", "pair": config.pairs - 1}),
    (_("Shift both"), {"pair_view": "shift"}),
)
lesson.take_home(view, name="pair")
lesson.way_on("decay")
