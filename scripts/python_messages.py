"""Let translators see the texts of Python files: an extraction method of Babel that also looks into f-strings.

Babel's own method reads tokens, and before Python 3.12 an f-string is one token.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import BinaryIO


def extract(
    fileobj: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, str]
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """Yield the arguments of every call of a keyword, as a function or a method; Babel takes those that are messages."""
    for node in ast.walk(ast.parse(fileobj.read())):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in keywords:
                yield node.lineno, name, tuple(map(_text, node.args)), []


def _text(argument: ast.expr) -> str | None:
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None
