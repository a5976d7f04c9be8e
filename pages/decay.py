"""Distance decay: does the score fall with distance, and for which q and k?"""

import streamlit as st

from lessons import decay
from ui import compute
from ui.i18n import _
from ui.page import show
from ui.params import choice, vector, whole
from ui.scene import scene
from ui.view import View


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

    def view(_base: float) -> View:
        setting = decay.Setting(config=compute.model_config(), reach=reach, kind=kind, peak=peak, q_typed=typed[0], k_typed=typed[1])
        if mode == "score":
            return decay.score_view(setting)
        if mode == "random":
            return decay.random_view(setting, seed)
        return decay.bound_view(setting) if mode == "bound" else decay.spectrum_view(setting)

    scene(
        "decay",
        view,
        slow=True,
        tries=(
            (_("A key that peaks at distance 1,000"), {"decay_view": "score", "vectors": "peak", "peak": 1000, "reach": 131_072}),
            (_("Ten million tokens"), {"decay_view": "score", "vectors": "ones", "reach": 10_000_000}),
            (_("Random q and k"), {"decay_view": "random"}),
            (_("Base 500,000"), {"decay_view": "score", "vectors": "ones", "base": 500_000}),
        ),
        onward=("frequencies", "bases"),
    )


show(page)
