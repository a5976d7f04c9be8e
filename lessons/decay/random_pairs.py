"""The view Random q and k: the scores of many random pairs do not decay."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.scores import RANDOM_PAIRS, DecaySettings, random_scores
from compute.speeds import attention_factor
from figures import decay
from lessons.decay.code import RANDOM_CODE, RANDOM_STILL, deviation, pairs_code
from lessons.methods import scaling_sentence, speeds_code
from lessons.notebook import computed
from lessons.view import View
from lessons.wording import aligned, decimals
from locales import _


def random_view(given: DecaySettings) -> View:
    """Show the mean score of many random q and k, and its standard deviation."""
    numbers = computed(random_scores, given.config, given.reach, given.seed)
    distances, mean, spread = numbers["columns"].values()
    return View(
        figure=decay.ensemble(distances, mean, spread, count=RANDOM_PAIRS, say=_),
        alt=_(
            "The mean of {count} random scores lies between {low} and {high}, their standard deviation between {narrow} and {wide}."
        ).format(
            count=RANDOM_PAIRS,
            low=decimals(mean.min(), 3),
            high=decimals(mean.max(), 3),
            narrow=f"{spread.min():.3f}",
            wide=f"{spread.max():.3f}",
        ),
        sentences=_sentences(given, mean, spread),
        formula=(aligned(r"\mathbb{E}\,s(r) &= 0", rf"\mathrm{{sd}}\,s(r) &= {deviation(given)[1]}", rf"&= {_expected(given):.6f}"),),
        code=_code(given),
        **numbers,
    )


def _expected(given: DecaySettings) -> float:
    """Return the standard deviation of the score of q and k from a standard normal distribution."""
    return math.sqrt(attention_factor(given.config) ** 4 * given.config.rotary_dim + given.still)


def _sentences(given: DecaySettings, mean: ndarray, spread: ndarray) -> tuple[str, ...]:
    still = _("Coordinates {first} to {last} do not turn: they add a number of its own to each score, at every distance the same.").format(
        first=f"`{given.config.rotary_dim}`", last=f"`{given.config.head_dim - 1}`"
    )
    more = (still if given.still else "", scaling_sentence(given.config))
    return (
        _(
            "For q and k drawn independently from a standard normal distribution the expected score is 0 and its standard "
            "deviation {sign} = {root}, at every distance: nothing decays."
        ).format(sign=deviation(given)[0], root=f"`{_expected(given):.4f}`"),
        _drawn(mean, spread),
        _(
            "Computed at {count} whole distances, as even on the log axis as whole numbers allow; the line between them "
            "only guides the eye."
        ).format(count=f"`{len(mean)}`"),
        *(sentence for sentence in more if sentence),
    )


def _drawn(mean: ndarray, spread: ndarray) -> str:
    """Compare the draws with what is expected of them; a tiny A can make scores whose squares are 0 in float64."""
    if not spread.all():
        return _("In these {count} draws A makes the scores so small that float64 cannot tell their standard deviation from 0.").format(
            count=f"`{RANDOM_PAIRS}`"
        )
    errors = float((np.abs(mean) / (spread / math.sqrt(RANDOM_PAIRS))).max())
    return _(
        "In these {count} draws the mean lies up to {errors} standard errors away from 0, the largest of {places} deviations, one a "
        "distance. The standard deviation lies between {narrow} and {wide}."
    ).format(
        count=f"`{RANDOM_PAIRS}`",
        places=f"`{len(mean)}`",
        errors=f"`{errors:.2f}`",
        narrow=f"`{spread.min():.3f}`",
        wide=f"`{spread.max():.3f}`",
    )


def _code(given: DecaySettings) -> str:
    return speeds_code(given.config) + RANDOM_CODE.format(
        reach=given.reach,
        seed=given.seed,
        count=RANDOM_PAIRS,
        pairs=pairs_code(given),
        factor="A**2 * " if attention_factor(given.config) != 1 else "",
        still=RANDOM_STILL if given.still else "",
        plus=" + still[:, None]" if given.still else "",
    )
