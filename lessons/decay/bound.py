"""The view Bounds: what falls, on the whole, is a bound on the score."""

from __future__ import annotations

import numpy as np

from compute.bins import log_bins, log_integers
from compute.scores import Band, Bounds, bounds, score_band
from figures import decay
from lessons.decay.code import BOUND_CODE, bound_tex, head_code, score_text
from lessons.decay.score import vectors_code
from lessons.decay.settings import DecaySettings
from lessons.methods import scaling_sentence
from lessons.view import Columns, View
from lessons.wording import aligned
from locales import _


def bound_view(given: DecaySettings) -> View:
    """Show RoFormer's bound with the score, and its relative curve."""
    vectors = given.vectors()
    band, bound = score_band(given.config, *vectors, given.reach), bounds(given.config, *vectors, given.reach)
    return View(
        figure=decay.bounds(
            band.distances,
            band.low,
            band.high,
            bound.distances,
            bound.bound,
            bound.relative,
            middle=band.constant if given.still else None,
            say=_,
        ),
        alt=_alt(given, band, bound),
        sentences=_sentences(given, band, bound),
        formula=(aligned(*bound_tex(given, band, float(bound.bound[-1]))),),
        code=head_code(given) + BOUND_CODE.format(reach=given.reach, plus="still + " if given.still else ""),
        columns=bound_columns(band, bound),
        notebook_code=vectors_code(
            given,
            log_bins,
            log_integers,
            Band,
            score_band,
            Bounds,
            bounds,
            bound_columns,
            lines="columns = bound_columns(score_band(config, q, k, reach), bounds(config, q, k, reach))",
        ),
    )


def bound_columns(band: Band, bound: Bounds) -> Columns:
    """Return the bound and the relative curve, and the range of the score in bins of distances."""
    curves = {"distance": bound.distances, "bound": bound.bound, "relative": bound.relative}
    return curves | {"bin": band.distances, "lowest": band.low, "highest": band.high}


def _alt(given: DecaySettings, band: Band, bound: Bounds) -> str:
    if given.still:
        sentence = _("The score lies within {first} of {constant} at distance 1 and within {last} of it at {reach}; there it is {end}.")
    else:
        sentence = _("The bound on the size of the score is {first} at distance 1 and {last} at {reach}; the score there is {end}.")
    return sentence.format(
        first=score_text(bound.bound[0]),
        last=score_text(bound.bound[-1]),
        reach=f"{given.reach:,}",
        end=score_text(band.at_end),
        constant=score_text(band.constant),
    )


def _sentences(given: DecaySettings, band: Band, bound: Bounds) -> tuple[str, ...]:
    # A rise within rounding is none: with a single pair the bound is constant.
    rises = int((np.diff(bound.bound) > 1e-9 * bound.bound.max()).sum())
    scaling = scaling_sentence(given.config)
    return (
        _at_both_ends(given, band, bound),
        _(
            "With many pairs of different speeds the bound tends to get smaller with distance, but nothing makes it fall "
            "steadily: from one drawn distance to the next it rises {rises} times in {steps}."
        ).format(rises=f"`{rises}`", steps=f"`{len(bound.distances) - 1}`"),
        _(
            "RoFormer's relative curve, mean |Sⱼ|, is the shape of the bound without score units; at distance 0 it is "
            "(P + 1) / 2 = {zero}, with P = {pairs} pairs."
        ).format(zero=f"`{(given.config.pairs + 1) / 2:g}`", pairs=f"`{given.config.pairs}`"),
        *((scaling,) if scaling else ()),
    )


def _at_both_ends(given: DecaySettings, band: Band, bound: Bounds) -> str:
    if given.still:
        sentence = _(
            "From {constant}, which coordinates that do not turn add at every distance, the score is at most {first} away at distance 1 "
            "and {last} at {reach}, where it is {end}. Whatever the distance, no score of these q and k is larger in size than {ceiling}."
        )
    else:
        sentence = _(
            "The bound is {first} at distance 1 and {last} at {reach}, where the score is {end}. Whatever the distance, "
            "no score of these q and k is larger in size than {ceiling}."
        )
    return sentence.format(
        first=f"`{score_text(bound.bound[0])}`",
        last=f"`{score_text(bound.bound[-1])}`",
        reach=f"`{given.reach:,}`",
        end=f"`{score_text(band.at_end)}`",
        ceiling=f"`{score_text(abs(band.constant) + band.ceiling)}`",
        constant=f"`{score_text(band.constant)}`",
    )
