"""Everything that a reader can set: declared once, one table a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from parameters.extension import EXTENSION
from parameters.models import MODELS
from parameters.pages import ATTENTION, BASES, DECAY, FREQUENCIES, GLOSSARY, HEAD, PAIR, START
from parameters.shared import SHARED
from parameters.types import Parameter

TABLES: Mapping[str, Mapping[str, Parameter]] = {
    "start": START,
    "pair": PAIR,
    "head": HEAD,
    "attention": ATTENTION,
    "frequencies": FREQUENCIES,
    "decay": DECAY,
    "bases": BASES,
    "extension": EXTENSION,
    "models": MODELS,
    "glossary": GLOSSARY,
}
PARAMETERS: Mapping[str, Parameter] = SHARED | {name: spec for table in TABLES.values() for name, spec in table.items()}
"""All of them by the name that a link carries; a name belongs to one page, or to all."""


@cache
def parameters_of(page: str) -> Mapping[str, Parameter]:
    """Return what a page can be set to: the shared parameters, then its own."""
    return MappingProxyType(SHARED | dict(TABLES[page]))
