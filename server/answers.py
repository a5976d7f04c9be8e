"""What a page shows of its settings, as bytes for the browser: the same for a run and for the live route, and kept for both."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple

import cachetools

from figures.drawing import Drawing
from lessons.compare import Compared, compare
from lessons.conceal import while_open
from lessons.markup import to_html
from lessons.page import Page
from lessons.quiz import steps_of
from lessons.registry import PAGES
from lessons.view import View
from locales import speaking
from parameters.settings import Settings
from server.wire import encode

MOST = 24_000_000
"""Bytes of all answers that are kept, with what they answer."""


class Question(NamedTuple):
    """What an answer depends on: settings, those that are pinned beside them, the language, whether a drag asks, and the open question.

    ``step`` is the number of the question of the page that is open, whose answer must not be told; 0 where none is.
    """

    settings: Settings
    pinned: Settings | None
    language: str
    coarse: bool
    step: int = 0


class _Kept(NamedTuple):
    data: bytes
    size: int


_KEPT: cachetools.LRUCache[Question, _Kept] = cachetools.LRUCache(MOST, getsizeof=attrgetter("size"))
_LOCK = Lock()


def kept(question: Question) -> bytes | None:
    """Return the bytes of a view, if they are kept."""
    with _LOCK:
        found = _KEPT.get(question)
    return None if found is None else found.data


def answer(question: Question, view: View | None = None, compared: Compared | None = None) -> bytes:
    """Return the bytes of a view; of one that was computed already, where it is given.

    Raises:
        RopeConfigError: If the core refuses the settings.
    """
    if (known := kept(question)) is not None:
        return known
    with speaking(question.language):
        view = view or page_of(question.settings.page, question.step).view(question.settings)
        compared = compared or compared_with(question, view)
        made = encode(_message(view, compared), coarse=question.coarse)
    with _LOCK, suppress(ValueError):  # larger than all that may be kept
        _KEPT[question] = _Kept(made, len(made) + len(repr(question)))  # a config in it may be long
    return made


def page_of(name: str, step: int) -> Page:
    """Return a page, or while a question is open, what may be seen of it."""
    page = PAGES[name]
    return while_open(page, steps_of(name)[step - 1].hide) if step else page


def compared_with(question: Question, view: View) -> Compared | None:
    """Compare a view with the pinned one, in the language of the question, if one is pinned."""
    if question.pinned is None:
        return None
    return compare(question.pinned, PAGES[question.pinned.page].view(question.pinned), question.settings, view)


def _message(view: View, compared: Compared | None) -> dict[str, Any]:
    alt = view.alt if compared is None else " ".join((view.alt, compared.alt)).strip()
    figures = [{"figure": _figure(view.figure if compared is None else compared.figure, view.figure), "alt": alt}]
    if compared is not None and compared.difference is not None:
        figures.append({"figure": _figure(compared.difference, compared.difference), "alt": compared.difference_alt})
    return {
        "figures": figures,
        "verdict": to_html(view.verdict),
        "sentences": [to_html(sentence) for sentence in view.sentences],
        "compared": "" if compared is None else compared.html,
    }


def _figure(drawing: Drawing, named: Drawing) -> dict[str, Any]:
    """Collect a figure; traces that a reader has hidden stay hidden as long as those of ``named`` keep their names."""
    layout = dict(drawing.plain_layout)
    layout.setdefault("uirevision", _axes(layout))
    layout["legend"] = {"uirevision": _traces(named.traces)} | layout.get("legend", {})
    return {"data": drawing.traces, "layout": layout}


def _axes(layout: Mapping[str, Any]) -> str:
    """Name what the axes mean: zoom stays while this does."""
    axes = {name: part for name, part in layout.items() if name.startswith(("xaxis", "yaxis", "scene"))}
    return digest({name: [axis.get("title"), axis.get("type")] for name, axis in axes.items()})


def _traces(data: Sequence[Mapping[str, Any]]) -> str:
    """Name what the traces are, but for numbers in their names: hidden ones stay hidden while this does."""
    return digest([re.sub(r"[\d.,]+", "#", trace.get("name") or "") for trace in data])


def digest(part: object) -> str:
    """Name something by its content."""
    return blake2b(json.dumps(part).encode(), digest_size=8).hexdigest()
