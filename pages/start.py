"""Start: what is RoPE, in one moving picture?"""

import streamlit as st

from lessons import start
from ui import compute, live
from ui.i18n import _
from ui.page import show
from ui.params import choice, whole
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    st.markdown(
        _(
            "RoPE, rotary position embedding, tells attention where a token stands by turning its query and its key. Each pair of "
            "coordinates is a clock hand: position m turns hand i by m θᵢ radians, anticlockwise from the right."
        )
    )
    mode = choice("start_view")
    gap = whole("gap") if mode == "two" else None

    def view(position: float) -> View:
        return start.view(compute.current_config(), int(position), gap, frames=1 if live.is_moving() else start.FRAMES)

    scene(
        "start",
        view,
        beneath=_no_promise,
        tries=(
            (_("Two tokens, 5 apart"), {"start_view": "two", "gap": 5}),
            (_("Position one million"), {"start_view": "one", "position": 1_000_000}),
            (_("Base 500,000: slower hands than at 10,000"), {"base": 500_000, "position": 10_000}),
            (_("Only four pairs"), {"head_dim": 8}),
        ),
        onward=("pair", "decay"),
    )


def _no_promise() -> None:
    st.info(
        _(
            "What RoPE does not promise: the formula gives an angle for every position, but a trained model has only met "
            "the angles within its "
            "training length. Beyond it, pairs too slow to have finished a turn reach angles that are new to the model, "
            "and it usually gets worse there unless it is adapted."
        )
    )


show(page)
