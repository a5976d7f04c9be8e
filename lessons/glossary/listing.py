"""The entries of the glossary as text: those that were searched for, and all of them."""

from __future__ import annotations

from functools import partial

from lessons.glossary.entries import GROUPS, Entry, chinese, matches
from lessons.view import Fold, Part, Prose
from locales import _, language
from parameters.problems import quoted
from parameters.settings import Settings

MOST = 5
"""Entries that stand above the figure; the others are in the list below it."""


def found_entries(settings: Settings) -> tuple[Part, ...]:
    """Return the entries that a search finds, or what else to look for."""
    text = settings.text("term")
    found = matches(text)
    if not text.strip():
        return ()
    if not found:
        words = _("Nothing here is called {text}. Try a symbol, such as θ, or a shorter word; the whole list stands below.")
        return (Prose(text=words.format(text=quoted(text)), kind="info"),)
    entries = Prose(text="\n\n".join(map(_lines, found[:MOST])))
    if len(found) <= MOST:
        return (entries,)
    more = _("{count} more are not shown; a longer text finds fewer.").format(count=len(found) - MOST)
    return entries, Prose(text=more, kind="caption")


def all_entries(_settings: Settings) -> tuple[Part, ...]:
    """Return every entry, each group in a fold."""
    folds = (
        Fold(key=f"group{index}", title=f"{_(name)} ({len(entries)})", parts=partial(_group, entries))
        for index, (name, entries) in enumerate(GROUPS.items())
    )
    return Prose(text=_("All terms"), kind="heading"), *folds


def _group(entries: tuple[Entry, ...]) -> tuple[Part, ...]:
    return (Prose(text="\n\n".join(map(_lines, entries))),)


def _lines(entry: Entry) -> str:
    """Write an entry: symbol and term, the term in other languages, then meaning, names and pages."""
    title, in_chinese = _(entry.term), chinese(entry.term)
    others = dict.fromkeys((f"_{entry.term}_" if entry.term != title else "", in_chinese if in_chinese != title else ""))
    head = " · ".join(filter(None, (f"`{entry.symbol}` **{title}**", *others)))
    names = _("In code and configs: {names}.").format(names=_(", ").join(f"`{name}`" for name in entry.names)) if entry.names else ""
    pages = _("Pages: {pages}.").format(pages=_(", ").join(_page(name) for name in entry.pages))
    return f"{head}  \n{' '.join(filter(None, (_(entry.meaning), names, pages)))}"


def _page(name: str) -> str:
    """Link to a page; the first one answers at the root only."""
    from lessons.registry import PAGES  # which imports this page

    return f"[{_(PAGES[name].title)}]({'./' if name == 'start' else name}?lang={language()})"
