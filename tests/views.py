"""Views as functions: what a page shows of an address, and every view that its choices lead to."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from exports.snapshot import Snapshot
from lessons.registry import PAGES
from lessons.view import View
from locales import speaking
from parameters import TABLES
from parameters.settings import Settings
from parameters.types import Choice
from tests.evaluate import settings_of

URL = "http://127.0.0.1:8501/"


def view_of(page: str, **address: str) -> View:
    return PAGES[page].view(settings_of(page, **address))


def snapshot_of(page: str, language: str = "en", /, **address: str) -> Snapshot:
    settings = settings_of(page, **address)
    with speaking(language):
        return Snapshot(page=PAGES[page], view=PAGES[page].view(settings), settings=settings, url=URL + page, language=language)


def choices(settings: Settings) -> list[str]:
    """Name the choices of a page that its view, as it is set, offers."""
    page = PAGES[settings.page]
    return [name for name in (page.choice, *page.controls(settings)) if isinstance(TABLES[page.name].get(name), Choice)]


@functools.cache
def views(page: str) -> tuple[Settings, ...]:
    """Return the settings of every combination of choices that a page offers, found by walking from one to the next."""
    found: dict[tuple[tuple[str, str], ...], Settings] = {}
    waiting = [Settings(page)]
    while waiting:
        settings = waiting.pop()
        here = tuple((name, settings.text(name)) for name in choices(settings))
        if here not in found:
            found[here] = settings
            for name, now in here:
                spec = TABLES[page][name]
                assert isinstance(spec, Choice)
                waiting += [settings.replace(**{name: option}) for option in spec.options if option != now]
    return tuple(found.values())


def each_option_once(page: str) -> Iterator[Settings]:
    """Yield settings in which each option of each choice is seen; all combinations take long."""
    known: set[tuple[str, str]] = set()
    for settings in views(page):
        here = {(name, settings.text(name)) for name in choices(settings)}
        if not here <= known:
            known |= here
            yield settings


def traces(view: View) -> list[dict[str, Any]]:
    """Return the traces of a view's figure."""
    return [dict(trace) for trace in view.figure.traces]


def look(view: View) -> str:
    """Return what the figure looks like, in one short word to compare: no diff of two long texts when a test fails."""
    shown = [view.figure.traces, view.figure.plain_layout]
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(part: Any) -> Any:
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else dict(part)
