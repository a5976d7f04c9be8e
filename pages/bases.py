"""Base and context: how large must the base be for a context length?"""

import streamlit as st

from lessons import bases
from ui import compute
from ui.i18n import _
from ui.page import show
from ui.params import choice
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    mode = choice("bases_view")
    views = {"first": bases.first_view, "heat": bases.heat_view, "critical": bases.critical_view}

    def view(_base: float) -> View:
        config = compute.current_config()
        return views[mode](bases.Setting(width=config.rotary_dim, base=config.base, context=config.max_position))

    scene(
        "bases",
        view,
        slow=True,
        beneath=_models,
        tries=(
            (_("The sum at every distance"), {"bases_view": "heat"}),
            (_("Base 27,000 for 4,096 tokens"), {"bases_view": "first", "base": 27_000, "head_dim": 128, "context": 4096}),
            (_("Half the coordinates, other answers"), {"bases_view": "first", "head_dim": 64}),
            (_("The critical dimension at 131,072 tokens"), {"bases_view": "critical", "context": 131_072}),
        ),
        onward=("decay", "attention"),
    )


def _models() -> None:
    with st.expander(_("The models in numbers")):
        st.dataframe(bases.table(), hide_index=True)


show(page)
