"""Frequencies: how fast does each pair turn, and what does the base change?"""

from __future__ import annotations

from dataclasses import replace

from lessons.frequencies.alike import period_view, return_view
from lessons.frequencies.laws import laws_view
from lessons.frequencies.speeds import speeds_view, turns_view
from lessons.frequencies.sweep import sweep_view
from lessons.page import Page, Try
from lessons.view import View
from locales import N_, _
from parameters.head_config import model_head, plain_head
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on: a sweep of the base and other laws are about the plain law and the whole head."""
    match settings["freq_view"]:
        case "speeds" | "turns":
            return ("base", "head_dim", "rotary", "context", "scaling")
        case "sweep":
            return ("base", "head_dim", "context")
        case "equal" if settings["equal_speed"] == "period":
            return ("equal_speed", "equal_period", "base", "head_dim")
        case "equal":
            return ("equal_speed", "base", "head_dim")
        case _:
            return ("base", "head_dim")


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(label=_("All pairs alike: the code repeats"), values={"freq_view": "equal", "equal_speed": "period", "equal_period": 32}),
        Try(label=_("One rad per token: nearly, never"), values={"freq_view": "equal", "equal_speed": "one"}),
        Try(label=_("Base 500,000 for 8,192 tokens"), values={"freq_view": "turns", "base": 500_000, "context": 8192}),
        Try(label=_("Why not a linear law?"), values={"freq_view": "laws"}),
    )


def view(settings: Settings) -> View:
    """Show speeds, turns within the context, a sweep of the base, one speed for all, or other laws."""
    choice = settings["freq_view"]
    if choice in ("speeds", "turns"):
        config, notices = model_head(settings)
        return replace(speeds_view(config) if choice == "speeds" else turns_view(config), notices=notices)
    config = plain_head(settings)
    match choice:
        case "sweep":
            return sweep_view(config)
        case "equal" if settings["equal_speed"] == "period":
            return period_view(config, settings.whole("equal_period"))
        case "equal":
            return return_view(config)
        case _:
            return laws_view(config)


PAGE = Page(
    name="frequencies",
    section=N_("Explore"),
    title=N_("Frequencies"),
    question=N_("How fast does each pair turn, and what does the base change?"),
    icon=":material/speed:",
    choice="freq_view",
    view=view,
    controls=controls,
    live=lambda _: "base",
    tries=tries,
    onward=("decay", "bases"),
)
