"""Distance decay: does the score fall with distance, and for which q and k?"""

import streamlit as st

from lessons import decay
from ui import compute, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice, vector, whole


def page() -> None:
    """Draw the page."""
    st.markdown(_("Score: the dot product of the turned q and k, before it is divided by √d and before the softmax."))
    mode = choice("decay_view")
    left, right = st.columns(2)
    with left:
        reach = whole("tokens" if mode == "spectrum" else "reach")
    with right:
        seed = whole("seed") if mode == "random" else 0
        kind = "ones" if mode == "random" else choice("vectors")
        peak = whole("peak") if kind == "peak" else 0
        typed = [tuple(vector(name)) for name in ("q_head", "k_head")] if kind == "typed" else [(1.0,), (1.0,)]

    setting = decay.Setting(config=compute.model_config(), reach=reach, kind=kind, peak=peak, q_typed=typed[0], k_typed=typed[1])
    place = st.container()  # keeps the figure where it is while a long curve is counted
    with st.spinner(_("Counting every distance ...")):
        if mode == "score":
            view = decay.score_view(setting)
        elif mode == "random":
            view = decay.random_view(setting, seed)
        elif mode == "bound":
            view = decay.bound_view(setting)
        else:
            view = decay.spectrum_view(setting)
    with place:
        lesson.picture(view, key="decay_figure")
    lesson.words(view)
    lesson.tries(
        "decay",
        (_("A key that peaks at distance 1,000"), {"decay_view": "score", "vectors": "peak", "peak": 1000, "reach": 131_072}),
        (_("Ten million tokens"), {"decay_view": "score", "vectors": "ones", "reach": 10_000_000}),
        (_("Random q and k"), {"decay_view": "random"}),
        (_("Base 500,000"), {"decay_view": "score", "vectors": "ones", "base": 500_000}),
    )
    lesson.take_home(view, name="decay")
    lesson.way_on("frequencies", "bases")


show(page)
