"""Rotate a pair: why does only the distance survive?"""

from __future__ import annotations

from lessons.page import Page, Try
from lessons.pair.views import view
from locales import N_, _
from parameters.head_config import plain_head
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    vectors = {"plane": ("m", "n", "q", "k"), "positions": ("q", "at"), "shift": ("shift", "m", "n", "q", "k")}
    speed = ("degrees",) if settings["speed"] == "own" else ("pair", "base", "head_dim")
    return (*vectors[settings.text("pair_view")], "speed", *speed)


def live(settings: Settings) -> str | None:
    """Name the number that can be played: the query's position, or the shift of both."""
    return {"plane": "m", "shift": "shift"}.get(settings.text("pair_view"))


def tries(settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    slowest = plain_head(settings).pairs - 1
    return (
        Try(
            label=_("30° a token: distance 12 looks like 0"), values={"pair_view": "plane", "speed": "own", "degrees": 30, "m": 12, "n": 0}
        ),
        Try(label=_("The key after the query"), values={"pair_view": "plane", "m": 2, "n": 7}),
        Try(label=_("The slowest pair, 10,000 tokens on"), values={"speed": "pair", "pair": slowest, "m": 10_000}),
        Try(label=_("Shift both"), values={"pair_view": "shift"}),
    )


PAGE = Page(
    name="pair",
    section=N_("Learn"),
    title=N_("Rotate a pair"),
    question=N_("Why does only the distance survive?"),
    icon=":material/rotate_left:",
    choice="pair_view",
    view=view,
    controls=controls,
    live=live,
    tries=tries,
    onward=("head", "decay"),
)
