"""A button that copies a text and says that it did."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from locales import _

FOLDER = Path(__file__).parent


def button(text: str, label: str, *, key: str) -> None:
    """Draw the button; what it says of its work is read out too."""
    data = {"text": text, "label": label, "done": _("Copied"), "failed": _("The browser does not let pages copy. Select the text instead.")}
    _component()(key=key, data=data)


@cache
def _component() -> Any:
    """Register the component: its files do not change while the server runs."""
    html, css, js = ((FOLDER / f"copy.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("rope-lab-copy", html=html, css=css, js=js, isolate_styles=False)
