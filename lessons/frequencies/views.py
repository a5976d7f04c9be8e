"""The views of the page Frequencies, by the choice of the reader."""

from __future__ import annotations

from dataclasses import replace

from lessons.frequencies.alike import period_view, return_view
from lessons.frequencies.laws import laws_view
from lessons.frequencies.speeds import speeds_view
from lessons.frequencies.sweep import sweep_view
from lessons.frequencies.turns import turns_view
from lessons.view import View
from parameters.head_config import model_head, plain_head
from parameters.settings import Settings


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
