"""Sentences as HTML: strong words and code; everything else is text, whoever wrote it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

MARKS = re.compile(r"[\\`*_\[\]<>$~:#|!]")
CODE = re.compile(r"`([^`]*)`")


def to_html(sentence: str) -> str:
    """Write a sentence with ``**strong words**`` and `` `code` `` as HTML; inside code nothing is marked."""
    text = html.escape(sentence)
    pieces = CODE.split(text)  # text and code in turn
    marks = sum(piece.count("**") for piece in pieces[::2])
    tags = iter(("<strong>", "</strong>") * (marks // 2) + ("**",) * (marks % 2))
    pieces[::2] = [re.sub(r"\*\*", lambda _: next(tags), piece) for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return "".join(pieces)


def escaped(text: str) -> str:
    """Write a text, whoever wrote it, as Markdown that shows it as it is."""
    return MARKS.sub(r"\\\g<0>", text)


def table_to_html(columns: Mapping[str, Sequence[object]]) -> str:
    """Write a table as HTML; its cells are text."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in zip(*columns.values(), strict=True))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"
