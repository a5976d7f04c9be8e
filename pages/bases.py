"""Base and context: how large must the base be for a context length?"""

import streamlit as st

from lessons import bases
from ui import compute, lesson
from ui.i18n import _
from ui.page import show
from ui.params import choice


def page() -> None:
    """Draw the page."""
    mode = choice("bases_view")
    config = compute.current_config()
    setting = bases.Setting(width=config.rotary_dim, base=config.base, context=config.max_position)
    place = st.container()  # keeps the figure where it is while bases are searched
    with st.spinner(_("Counting every distance ...")):
        if mode == "first":
            view = bases.first_view(setting)
        elif mode == "heat":
            view = bases.heat_view(setting)
        else:
            view = bases.critical_view(setting)
    with place:
        lesson.picture(view, key="bases_figure")
    lesson.words(view)
    with st.expander(_("The models in numbers")):
        st.dataframe(bases.table(), hide_index=True)
    lesson.tries(
        "bases",
        (_("The sum at every distance"), {"bases_view": "heat"}),
        (_("Base 27,000 for 4,096 tokens"), {"bases_view": "first", "base": 27_000, "head_dim": 128, "context": 4096}),
        (_("Half the coordinates, other answers"), {"bases_view": "first", "head_dim": 64}),
        (_("The critical dimension at 131,072 tokens"), {"bases_view": "critical", "context": 131_072}),
    )
    lesson.take_home(view, name="bases")
    lesson.way_on("decay", "attention")


show(page)
