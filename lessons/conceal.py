"""A page while one of its questions is open: the figure, without what would tell the answer.

A step names what tells (``hide`` in its file); what speaks of everything at once is left out while any question is open: the message of the
figure, what stands under the sentences, settings to try, files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from figures.drawing import Drawing
from lessons.page import Page, Try
from lessons.view import Part, View
from locales import _
from parameters.settings import Settings

LABELS = "labels"
FIELDS: Mapping[str, tuple[str, Any]] = {
    **{name: (name, ()) for name in ("sentences", "formula")},
    **{name: (name, "") for name in ("verdict", "code")},
    "data": ("columns", {}),
}
"""What a step may hide besides: a field of a view, and what then stands there."""
HIDEABLE = (LABELS, *FIELDS)
HOVER = ("hovertemplate", "hovertext", "customdata")


def conceal(view: View, hide: Collection[str]) -> View:
    """Return a view without what ``hide`` names, and without what is never shown while a question is open."""
    return replace(
        view,
        figure=_without_labels(view.figure) if LABELS in hide else view.figure,
        alt=_("The figure of the open question; what it shows is said with the answer."),
        notebook_code="",
        parts=(),
        **dict(FIELDS[name] for name in hide if name in FIELDS),
    )


def while_open(page: Page, hide: Collection[str]) -> Page:
    """Return a page as it is while a question is open that hides parts of its views, and controls."""

    def live(settings: Settings) -> str | None:
        name = page.live(settings)
        return None if name in hide else name

    def parts(_settings: Settings) -> tuple[Part, ...]:
        return ()

    def tries(_settings: Settings) -> tuple[Try, ...]:
        return ()

    return replace(
        page,
        view=lambda settings: conceal(page.view(settings), hide),
        controls=lambda settings: tuple(name for name in page.controls(settings) if name not in hide),
        live=live,
        tries=tries,
        before=parts,
        after=parts,
    )


def _without_labels(drawing: Drawing) -> Drawing:
    """Keep of every label its first line, which names something; numbers stand below it. Nothing is said of a point under the mouse."""
    traces = [_without_hover(trace) | {"hoverinfo": "skip"} for trace in drawing.traces]
    layout = dict(drawing.plain_layout)
    if "annotations" in layout:
        layout["annotations"] = [{**label, "text": _first_line(label["text"])} for label in layout["annotations"]]
    return Drawing(traces, layout)


def _without_hover(trace: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: part for name, part in trace.items() if name not in HOVER}
    if "text" in kept:
        text = kept["text"]
        kept["text"] = _first_line(text) if isinstance(text, str) else [_first_line(each) for each in text]
    return kept


def _first_line(text: str) -> str:
    return text.partition("<br>")[0]
