"""Glossary: what does each symbol and each term mean?"""

import streamlit as st

from lessons import glossary, glossary_list
from ui import compute
from ui.glossary import matches
from ui.i18n import _
from ui.page import show
from ui.params import choice, search
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    left, right = st.columns(2)
    with left:
        mode = choice("glossary_view")
    with right:
        text = search("term")
    found = matches(text)
    glossary_list.show_found(text, found)

    def view(_base: float) -> View:
        config, keys = compute.current_config(), [entry.key for entry in found]
        return glossary.speeds_view(config, keys) if mode == "speeds" else glossary.lengths_view(config, keys)

    scene(
        "glossary",
        view,
        tries=(
            (_("What the wavelength is"), {"glossary_view": "lengths", "term": "wavelength"}),
            (_("What the base does"), {"glossary_view": "speeds", "term": "base"}),
            (_("Unseen angles"), {"glossary_view": "lengths", "term": "unseen-angle"}),
        ),
        onward=("start", "frequencies"),
        beneath=glossary_list.show_all,
    )


show(page)
