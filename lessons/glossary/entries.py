"""The glossary: symbols and terms from ``entries.toml``, looked up by text or by the formulas that show them, and written as text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from lessons.view import Fold, Part, Prose
from locales import CATALOGUES, _, language
from parameters.problems import quoted
from parameters.settings import Settings

FILE = Path(__file__).with_name("entries.toml")
MOST = 5
"""Entries that stand above the figure; the others are in the list below it."""
OUR_LINK = re.compile(r"\[([^]]+)]\([\w./]*\?[^)]*\blang=[\w-]+\)")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A symbol, a term, or both; see the head of the file.

    Attributes:
        key: Its name in links.
        symbol: As text shows it.
        term: In English.
        meaning: One sentence, in English.
        pages: Where it is used.
        tex: Regular expression that finds the symbol in formulas of these pages.
        names: In code and in configs.
    """

    key: str
    symbol: str
    term: str
    meaning: str
    pages: tuple[str, ...]
    tex: str = ""
    names: tuple[str, ...] = ()

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """What finds the symbol; a letter inside of a longer word or of a command is no symbol."""
        if not self.tex:
            return None
        parts = ((r"(?<![A-Za-z\\])" if part[0].isalpha() else "") + f"(?:{part})" for part in _split(self.tex))
        return re.compile(f"(?:{'|'.join(parts)})(?:(?<![A-Za-z])|(?![A-Za-z]))")

    def titles(self) -> tuple[str, ...]:
        """Return all that it is called: its key, symbol, names, and term in English, Chinese and the reader's language."""
        return (self.key, self.symbol, *self.names, self.term, chinese(self.term), _(self.term))


def _split(tex: str) -> list[str]:
    """Split alternatives at the outermost level: each has its own bound to the left."""
    parts, depth = [""], 0
    for character in tex:
        depth += (character in "([") - (character in ")]")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _entry(row: dict[str, Any]) -> Entry:
    return Entry(**row | {name: tuple(row.get(name, ())) for name in ("pages", "names")})


GROUPS = MappingProxyType(
    {group["name"]: tuple(map(_entry, group["entries"])) for group in tomllib.loads(FILE.read_text(encoding="utf-8"))["groups"]}
)
"""All entries by the English name of their group, in the order of the file."""
ENTRIES = MappingProxyType({entry.key: entry for entries in GROUPS.values() for entry in entries})


def chinese(term: str) -> str:
    """Translate a term into Chinese, whatever the page speaks."""
    return CATALOGUES["zh-CN"].gettext(term)


def in_formulas(page: str, formulas: Sequence[str]) -> list[Entry]:
    """Return the entries whose symbols stand in formulas of a page; the glossary itself may show any."""
    return list(_found(page, re.sub(r"\d+", "1", "\n".join(formulas))))


@lru_cache(maxsize=1000)
def _found(page: str, text: str) -> tuple[Entry, ...]:
    """Find entries in a text that has one number in place of all: a drag changes numbers, and no symbol."""
    mine = [entry for entry in ENTRIES.values() if page in entry.pages or page == "glossary"]
    return tuple(entry for entry in mine if entry.pattern and entry.pattern.search(text))


def matches(text: str) -> list[Entry]:
    """Return the entries that are called like a text; if there is none, those whose title has it, then those whose meaning has it."""
    wanted = " ".join(text.casefold().split())
    if not wanted:
        return []
    titles = {key: [title.casefold() for title in entry.titles()] for key, entry in ENTRIES.items()}
    if called := [ENTRIES[key] for key, mine in titles.items() if wanted in mine]:
        return called
    titled = [ENTRIES[key] for key, mine in titles.items() if any(wanted in title for title in mine)]
    return titled + [entry for entry in ENTRIES.values() if entry not in titled and wanted in _(entry.meaning).casefold()]


def link(entry: Entry) -> str:
    """Return the address of an entry, relative to any page."""
    return f"glossary?term={quote(entry.key)}&lang={language()}"


def symbols_line(page: str, formulas: Sequence[str], *, linked: bool = True) -> str:
    """Write what each symbol in the formulas of a page means, with links that say more; empty where there is no symbol."""
    named = [f"`{entry.symbol}` [{_(entry.term)}]({link(entry)})" for entry in in_formulas(page, formulas)]
    line = _("Symbols: {symbols}").format(symbols=" · ".join(named)) if named else ""
    return line if linked else without_links(line)


def without_links(markdown: str) -> str:
    """Leave only the words of links to pages of the app: where it is embedded they would lead nowhere."""
    return OUR_LINK.sub(r"\1", markdown)


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
