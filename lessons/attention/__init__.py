"""Attention: what does a head see?"""

from __future__ import annotations

from lessons.attention.views import controls, view
from lessons.page import Page, Try
from locales import N_, _
from parameters.settings import Settings


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    alike = {"attention_view": "weights", "alike": "alike"}
    return (
        Try(label=_("All tokens alike: only position is left"), values=alike | {"attention_view": "scores", "encoding": "rope"}),
        Try(label=_("An added code is not flat"), values={"attention_view": "diagonals", "encoding": "sinusoidal"}),
        Try(label=_("ALiBi looks close by"), values=alike | {"encoding": "alibi", "alibi_head": 2}),
        Try(label=_("No encoding, no mask"), values=alike | {"encoding": "none", "causal": "full"}),
    )


PAGE = Page(
    name="attention",
    section=N_("Learn"),
    title=N_("Attention"),
    question=N_("What does a head see?"),
    icon=":material/visibility:",
    choice="attention_view",
    view=view,
    controls=controls,
    live=lambda _: "tokens_seen",
    tries=tries,
    onward=("decay", "bases"),
)
