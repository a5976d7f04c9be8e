"""The entries of the glossary as text: those that were looked for, and all of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui import glossary
from ui.frame import is_embedded
from ui.glossary import Entry
from ui.i18n import _, language
from ui.notices import quoted
from ui.registry import LESSONS

MOST = 5
"""Entries that stand above the figure; the others are in the list below it."""


def show_found(text: str, found: Sequence[Entry]) -> None:
    """Draw the entries that a search found, or say what else to look for."""
    if not text.strip():
        return
    if not found:
        words = _("Nothing here is called {text}. Try a symbol, such as θ, or a shorter word; the whole list stands below.")
        st.info(words.format(text=quoted(text)))
        return
    st.markdown("\n\n".join(map(_lines, found[:MOST])))
    if len(found) > MOST:
        st.caption(_("{count} more are not shown; a longer text finds fewer.").format(count=len(found) - MOST))


def show_all() -> None:
    """Draw every entry, a group to open each."""
    st.header(_("All terms"))
    for name, entries in glossary.GROUPS.items():
        with st.expander(f"{_(name)} ({len(entries)})"):
            st.markdown("\n\n".join(map(_lines, entries)))


def _lines(entry: Entry) -> str:
    """Write an entry: symbol and term, the term in other languages, then meaning, names and pages."""
    title, chinese = _(entry.term), glossary.chinese(entry.term)
    others = dict.fromkeys((f"_{entry.term}_" if entry.term != title else "", chinese if chinese != title else ""))
    head = " · ".join(filter(None, (f"`{entry.symbol}` **{title}**", *others)))
    names = _("In code and configs: {names}.").format(names=_(", ").join(f"`{name}`" for name in entry.names)) if entry.names else ""
    pages = _("Pages: {pages}.").format(pages=_(", ").join(_page(name) for name in entry.pages))
    return f"{head}  \n{' '.join(filter(None, (_(entry.meaning), names, pages)))}"


def _page(name: str) -> str:
    """Link to a page; the first one answers at the root only."""
    if is_embedded():  # a frame in another page leads nowhere
        return _(LESSONS[name].title)
    return f"[{_(LESSONS[name].title)}]({'./' if name == 'start' else name}?lang={language()})"
