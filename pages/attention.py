"""Attention: what does a head see?"""

import streamlit as st

from lessons import attention
from ui import compute
from ui.compute_attention import Setting
from ui.i18n import _
from ui.page import show
from ui.params import choice, whole
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    mode = choice("attention_view")
    encoding = choice("encoding")
    left, right = st.columns(2)
    with left:
        alike = mode != "diagonals" and choice("alike") == "alike"
        slope_of = whole("alibi_head") if encoding == "alibi" else 1
    with right:
        # Alike tokens add one number to all scores, which no weight shows; of the three encodings T5's table alone comes from the seed.
        seed = 0 if mode == "weights" and alike and encoding in ("alibi", "none") else whole("attention_seed")
        causal = mode != "diagonals" and choice("causal") == "causal"

    config = compute.current_config()
    views = {
        "scores": attention.scores_view,
        "weights": attention.weights_view,
        "diagonals": attention.diagonals_view,
        "values": attention.values_view,
    }

    def view(tokens: float) -> View:
        setting = Setting(
            head_dim=config.head_dim,
            base=config.base,
            tokens=int(tokens),
            encoding=encoding,
            alike=alike,
            causal=causal,
            seed=seed,
            alibi_head=slope_of,
        )
        return views[mode](setting)

    scene(
        "attention",
        view,
        tries=(
            (_("All tokens alike: only position is left"), {"attention_view": "scores", "encoding": "rope", "alike": "alike"}),
            (_("An added code is not flat"), {"attention_view": "diagonals", "encoding": "sinusoidal"}),
            (_("ALiBi looks close by"), {"attention_view": "weights", "encoding": "alibi", "alike": "alike", "alibi_head": 2}),
            (_("No encoding, no mask"), {"attention_view": "weights", "encoding": "none", "alike": "alike", "causal": "full"}),
        ),
        onward=("decay", "bases"),
    )


show(page)
