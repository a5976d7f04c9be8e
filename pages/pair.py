"""Rotate a pair: why does only the distance survive?"""

import math

import streamlit as st

from lessons import pair as content
from ui import compute
from ui.i18n import _
from ui.page import show
from ui.params import choice, number, vector, whole
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    config = compute.current_config()

    mode = choice("pair_view")
    left, right = st.columns(2)
    with left:
        if choice("speed") == "pair":
            speed = float(compute.speeds(config)[whole("pair", high=config.pairs - 1)])
        else:
            speed = math.radians(number("degrees"))
        n = whole("n") if mode != "positions" else 0
    with right:
        q = tuple(vector("q"))
        k = tuple(vector("k")) if mode != "positions" else q
        at = tuple(vector("at")) if mode == "positions" else ()

    def view(m: float) -> View:
        setting = content.Setting(q=q, k=k, m=int(m), n=n, speed=speed)
        if mode == "plane":
            return content.plane_view(setting)
        return content.positions_view(setting, at) if mode == "positions" else content.shift_view(setting)

    scene(
        "pair",
        view,
        has_hero=mode != "positions",
        tries=(
            (_("30° a token: distance 12 looks like 0"), {"pair_view": "plane", "speed": "own", "degrees": 30, "m": 12, "n": 0}),
            (_("The key after the query"), {"pair_view": "plane", "m": 2, "n": 7}),
            (_("The slowest pair, 10,000 tokens on"), {"speed": "pair", "pair": config.pairs - 1, "m": 10_000}),
            (_("Shift both"), {"pair_view": "shift"}),
        ),
        onward=("head", "decay"),
    )


show(page)
