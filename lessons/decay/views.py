"""The views of the page Distance decay, by the choice of the reader."""

from __future__ import annotations

from dataclasses import replace

from lessons.decay.bound import bound_view
from lessons.decay.random_pairs import random_view
from lessons.decay.score import score_view
from lessons.decay.settings import DecaySettings
from lessons.decay.spectrum import spectrum_view
from lessons.view import View
from parameters.head_config import model_head
from parameters.settings import Settings

VIEWS = {"score": score_view, "random": random_view, "bound": bound_view, "spectrum": spectrum_view}


def view(settings: Settings) -> View:
    """Show the score, many random q and k, bounds on the score, or its frequencies."""
    config, notices = model_head(settings)
    return replace(VIEWS[settings.text("decay_view")](DecaySettings.read(settings, config)), notices=notices)
