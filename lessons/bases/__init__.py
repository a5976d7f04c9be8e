"""Base and context: how large must the base be for a context length?"""

from __future__ import annotations

from lessons.bases.models import table
from lessons.bases.views import view
from lessons.page import Page, Try
from lessons.view import Fold, Part
from locales import N_, _
from parameters.settings import Settings


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(label=_("The sum at every distance"), values={"bases_view": "heat"}),
        Try(label=_("Base 27,000 for 4,096 tokens"), values={"bases_view": "first", "base": 27_000, "head_dim": 128, "context": 4096}),
        Try(label=_("Half the coordinates, other answers"), values={"bases_view": "first", "head_dim": 64}),
        Try(label=_("The critical dimension at 131,072 tokens"), values={"bases_view": "critical", "context": 131_072}),
    )


def after(_settings: Settings) -> tuple[Part, ...]:
    """Return the models, behind a heading."""
    return (Fold(key="models", title=_("The models in numbers"), parts=lambda: (table(),)),)


PAGE = Page(
    name="bases",
    section=N_("Explore"),
    title=N_("Base and context"),
    question=N_("How large must the base be for a context length?"),
    icon=":material/straighten:",
    choice="bases_view",
    view=view,
    controls=lambda _: ("base", "head_dim", "context"),
    live=lambda _: "base",
    tries=tries,
    onward=("decay", "attention"),
    slow=True,
    after=after,
)
