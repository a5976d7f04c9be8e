"""Frequencies: which pair turns how fast, and what does the base change?"""

from __future__ import annotations

from lessons.frequencies.views import view
from lessons.page import Page, Try
from locales import N_, _
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


PAGE = Page(
    name="frequencies",
    section=N_("Explore"),
    title=N_("Frequencies"),
    question=N_("Which pair turns how fast, and what does the base change?"),
    icon=":material/speed:",
    choice="freq_view",
    view=view,
    controls=controls,
    live=lambda _: "base",
    tries=tries,
    onward=("decay", "bases"),
)
