"""The numbers of a view as CSV, under lines that say what they are; no text in it is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from exports.snapshot import Snapshot
from lessons.columns import column
from lessons.view import Columns
from locales import _, speaking

CELL = r"(?:^|(?<=[,;|\t\r\n]))"
"""Where a cell begins, whatever a spreadsheet takes for the mark between two."""
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
RUNS = re.compile(rf"{CELL}(?!\s*{NUMBER}\s*(?:$|[,;|\])}}]))(?=[\s\"]*[=+\-@＝＋－＠]|'|[\t\r\n])")
"""A cell that a spreadsheet would run, or that looks as if it were marked already; a negative number is none."""
MARKED = re.compile(rf"{CELL}'")


def write_csv(snapshot: Snapshot) -> bytes:
    """Write the file; what stands above the numbers begins with #."""
    with speaking(snapshot.language):
        lines = [f"# {line}" for line in _header(snapshot)]
    return "\n".join([*lines, number_lines(snapshot.view.columns)]).encode()


def harmless(text: str) -> str:
    """Put an apostrophe before each part of a text that a spreadsheet would run as a formula (OWASP, CSV injection)."""
    return RUNS.sub("'", text)


def original(text: str) -> str:
    """Take the apostrophes of ``harmless`` out again."""
    return MARKED.sub("", text)


def _header(snapshot: Snapshot) -> Iterator[str]:
    """Say what the numbers are: page, link, settings, layout, and the unit of each column."""
    yield f"{snapshot.maker}: {snapshot.title}"
    yield _("link: {link}").format(link=snapshot.link.replace(",", "%2C"))
    for name, text, label, words in snapshot.rows:
        value, shown = harmless(_one_line(text)), harmless(_one_line(words))
        yield f"{name} = {value} ({label}{'' if words == text else f': {shown}'})"
    if "layout" not in [row.name for row in snapshot.rows]:
        yield _("layout = any (no number here depends on which coordinates form a pair)")
    for name in snapshot.view.columns:
        yield _("column {name}: {unit}").format(name=harmless(_one_line(name)), unit=_(column(name).unit))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def number_lines(columns: Columns) -> str:
    """Write columns under their names."""
    return _lines([[harmless(_one_line(name)) for name in columns]]) + number_rows(columns)


def number_rows(columns: Columns) -> str:
    """Write columns with every digit that a float64 needs to come back the same."""
    texts = ([repr(float(value)) for value in each] for each in columns.values())
    return _lines(zip_longest(*texts, fillvalue=""))  # curves on axes of their own differ in length


def _lines(rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
