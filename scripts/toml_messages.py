"""Let translators see the texts of data files: an extraction method of Babel for TOML.

``scripts/messages.ini`` names the files, and for each the keys whose texts readers see:

    [toml: **/questions.toml]
    keys = question options sentence

Every string that stands under one of these keys is a message, however deep the tables are nested, and every string of a list of them.
All other strings are codes, symbols or links, and stay as they are. The code that shows a text says ``_(text)``, as for ``N_`` in Python.
A line of ``messages.ini`` is all that a new data file needs: ``make messages`` and the test of the catalogues both read it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO


def extract(
    fileobj: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, str]
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the messages of a file, as Babel wants them of an extraction method; TOML keeps no line numbers."""
    for text in texts(tomllib.load(fileobj), options["keys"].split()):
        yield 0, None, text, []


def texts(part: Any, keys: Collection[str], *, shown: bool = False) -> Iterator[str]:
    """Yield all strings below one of some keys; ``shown`` is whether ``part`` already is."""
    if isinstance(part, Mapping):
        for key, inner in part.items():
            yield from texts(inner, keys, shown=shown or key in keys)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner, keys, shown=shown)
    elif shown and isinstance(part, str) and part:
        yield part
