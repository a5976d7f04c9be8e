"""The pages, in the order of the lessons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lessons.attention import PAGE as ATTENTION
from lessons.bases import PAGE as BASES
from lessons.decay import PAGE as DECAY
from lessons.extension import PAGE as EXTENSION
from lessons.frequencies import PAGE as FREQUENCIES
from lessons.glossary import PAGE as GLOSSARY
from lessons.head import PAGE as HEAD
from lessons.models import PAGE as MODELS
from lessons.page import Page
from lessons.pair import PAGE as PAIR
from lessons.start import PAGE as START

PAGES: Mapping[str, Page] = MappingProxyType(
    {page.name: page for page in (START, PAIR, HEAD, ATTENTION, FREQUENCIES, DECAY, BASES, EXTENSION, MODELS, GLOSSARY)}
)


def following(name: str) -> Page:
    """Return the page after another one in this order; after the last comes the first."""
    names = list(PAGES)
    return PAGES[names[(names.index(name) + 1) % len(names)]]
