"""Start: what is RoPE, in one moving picture?"""

from __future__ import annotations

from lessons.page import Page, Try
from lessons.start.views import view
from locales import N_, _
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    gap = ("gap",) if settings["start_view"] == "two" else ()
    return ("position", *gap, "base", "head_dim")


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(label=_("Two tokens, 5 apart"), values={"start_view": "two", "gap": 5}),
        Try(label=_("Position one million"), values={"start_view": "one", "position": 1_000_000}),
        Try(label=_("Base 500,000: every hand but the first is slower"), values={"base": 500_000, "position": 10_000}),
        Try(label=_("Only four pairs"), values={"head_dim": 8}),
    )


PAGE = Page(
    name="start",
    section=N_("Learn"),
    title=N_("Start"),
    question=N_("What is RoPE, in one moving picture?"),
    icon=":material/schedule:",
    choice="start_view",
    view=view,
    controls=controls,
    live=lambda _: "position",
    tries=tries,
    onward=("pair", "decay"),
    opening={"position": 0},
    intro=N_(
        "RoPE, rotary position embedding, tells attention where a token stands by turning its query and its key. Each pair of "
        "coordinates is a clock hand: position m turns hand i by m θᵢ radians, anticlockwise from the right."
    ),
)
