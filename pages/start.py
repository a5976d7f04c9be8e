"""Start: what is RoPE, in one moving picture?"""

import streamlit as st

from lessons import start
from ui import compute, lesson
from ui.i18n import _
from ui.params import choice, whole

mode = choice("start_view")
left, right = st.columns(2)
with left:
    position = whole("position")
with right:
    gap = whole("gap") if mode == "two" else None

view = start.view(compute.current_config(), position, gap)
lesson.picture(view, key="start_figure")
lesson.words(view)
st.info(
    _(
        "What RoPE does not promise: the formula gives an angle for every position, but a trained model has only met "
        "the angles within its "
        "training length. Beyond it the slow pairs reach angles that are new to the model, and it gets worse there "
        "unless it is adapted."
    )
)
lesson.tries(
    "start",
    (_("Two tokens, 5 apart"), {"start_view": "two", "gap": 5}),
    (_("Position one million"), {"start_view": "one", "position": 1_000_000}),
    (_("Base 500,000: the slow hands slow down"), {"base": 500_000}),
    (_("Only four pairs"), {"head_dim": 8}),
)
lesson.take_home(view, name="start")
lesson.way_on("pair", "decay")
