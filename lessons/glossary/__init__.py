"""Glossary: what does each symbol and each term mean?"""

from __future__ import annotations

from lessons.glossary.entries import all_entries, found_entries
from lessons.glossary.views import view
from lessons.page import Page, Try
from locales import N_, _
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    context = ("context",) if settings["glossary_view"] == "lengths" else ()
    return ("term", "base", "head_dim", *context)


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(label=_("What the wavelength is"), values={"glossary_view": "lengths", "term": "wavelength"}),
        Try(label=_("What the base does"), values={"glossary_view": "speeds", "term": "base"}),
        Try(label=_("Unseen angles"), values={"glossary_view": "lengths", "term": "unseen-angle"}),
    )


PAGE = Page(
    name="glossary",
    section=N_("Reference"),
    title=N_("Glossary"),
    question=N_("What does each symbol and each term mean?"),
    icon=":material/menu_book:",
    choice="glossary_view",
    view=view,
    controls=controls,
    live=lambda _: "base",
    tries=tries,
    onward=("start", "frequencies"),
    before=found_entries,
    after=all_entries,
)
