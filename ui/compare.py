"""Pin the current settings as A and move on as B: the buttons beside the title. A is a second address in the link."""

from __future__ import annotations

import streamlit as st

from lessons.compare import read_pin, write_pin
from locales import _
from parameters.problems import Problem
from parameters.settings import Settings
from ui import visit


def pinned(page: str) -> tuple[Settings | None, tuple[Problem, ...]]:
    """Return A, if one is pinned on this page, and what the link says wrongly of it."""
    found = read_pin(visit.visit().address.get("pin", ""), page)
    return (None, (found,)) if isinstance(found, Problem) else (found, ())


def button(settings: Settings, a: Settings | None) -> None:
    """Offer to pin what is shown, or to unpin A."""
    if a is None:
        text = write_pin(settings)
        st.button(
            _("Compare"),
            key="pin",
            on_click=visit.change,
            kwargs={"pin": text},
            icon=":material/keep:",
            type="tertiary",
            disabled=not text or visit.is_kept_config(visit.visit().address),
            help=_("Keep this setting as A, and move on: both are drawn, with the difference in numbers."),
        )
    else:
        st.button(
            _("Unpin A"),
            key="unpin",
            on_click=visit.change,
            kwargs={"pin": ""},
            icon=":material/keep_off:",
            type="tertiary",
            help=_("Draw the current setting alone again."),
        )
