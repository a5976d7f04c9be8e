"""Where the scripts of the pages lie."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from lessons.registry import PAGES

FIRST = next(iter(PAGES))
FOLDER = Path(__file__).resolve().parent.parent / "pages"


def path(page: str) -> Path:
    """Return the script of a page."""
    return FOLDER / f"{page}.py"


@cache
def link(page: str, title: str) -> StreamlitPage:
    """Return what the navigation shows of a page: ten of them would be a part of every run."""
    return st.Page(path(page), title=title, url_path=page, default=page == FIRST)
