"""The views Score and Bounds: the exact range of the score at every distance, and what falls, on the whole: a bound on it."""

from __future__ import annotations

import numpy as np

from compute.scores import Band, Bounds, DecaySettings, bounds, first_negative, score_band
from figures import decay
from lessons.decay.code import BOUND_CODE, bound_tex, curve_code, head_code, score_error, score_tex, score_text
from lessons.methods import scaling_sentence
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, right, tex
from locales import _


def score_view(given: DecaySettings) -> View:
    """Show the score, exact at every distance."""
    band = score_band(given.config, *given.vectors, given.reach)
    error = score_error(given, band)
    return View(
        figure=decay.score_band(band.distances, band.low, band.high, reach=given.reach, context=given.config.trained_length, say=_),
        alt=_("The score is {zero} at distance 0; from distance 1 to {reach} it lies between {low} and {high}.").format(
            zero=score_text(band.at_zero, error),
            reach=f"{given.reach:,}",
            low=score_text(band.low.min(), error),
            high=score_text(band.high.max(), error),
        ),
        sentences=_score_sentences(given, band),
        formula=(
            aligned(
                *score_tex(given, band.constant),
                rf"s(0) &= {tex(right(band.at_zero, error))}",
                rf"s({given.reach}) &= {tex(right(band.at_end, error))}",
            ),
        ),
        code=head_code(given) + curve_code(given, 1, given.reach + 1),
        **computed(band_columns, given),
    )


def band_columns(given: DecaySettings) -> Columns:
    """Return the range of the score in bins of distances."""
    band = score_band(given.config, *given.vectors, given.reach)
    return {"distance": band.distances, "lowest": band.low, "highest": band.high}


def _score_sentences(given: DecaySettings, band: Band) -> tuple[str, ...]:
    # Nothing is said of the last two for a plain head that turns as a whole.
    more, error = (_still_sentence(given, band.constant), scaling_sentence(given.config)), score_error(given, band)
    return (
        _(
            "At distance 0, which a log axis cannot show, the score is {zero}. From 1 to {reach} it lies between {low} and "
            "{high}; at {reach} it is {end}."
        ).format(
            zero=f"`{score_text(band.at_zero, error)}`",
            reach=f"`{given.reach:,}`",
            low=f"`{score_text(band.low.min(), error)}`",
            high=f"`{score_text(band.high.max(), error)}`",
            end=f"`{score_text(band.at_end, error)}`",
        ),
        _where_it_is_high(given, band),
        _("Every distance was counted. Where a bin holds many distances, the band runs from its minimum to its maximum."),
        *(sentence for sentence in more if sentence),
    )


def _where_it_is_high(given: DecaySettings, band: Band) -> str:
    if given.kind == "typed":
        return _("These are your own q and k: where their score is high or low is a matter of the numbers that you typed.")
    if given.kind == "peak" and given.peak:
        return _(
            "This key is the query turned by {peak} tokens, so all pairs agree at distance {peak} and the score is "
            "highest there: {score}. "
            "RoPE does not force a head to look close by."
        ).format(peak=f"`{given.peak:,}`", score=f"`{score_text(band.constant + band.ceiling)}`")
    negative = first_negative(given.config, given.reach) if band.low.min() < 0 else None
    if negative is None:
        return _(
            "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and does not "
            "drop below zero as far as this axis goes."
        )
    return _(
        "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and first "
        "drops below zero at distance {distance}."
    ).format(distance=f"`{negative:,}`")


def _still_sentence(given: DecaySettings, constant: float) -> str:
    if not given.still:
        return ""
    return _("Coordinates {first} to {last} do not turn: they add {constant} to the score, at every distance.").format(
        first=f"`{given.config.rotary_dim}`", last=f"`{given.config.head_dim - 1}`", constant=f"`{score_text(constant)}`"
    )


def bound_view(given: DecaySettings) -> View:
    """Show RoFormer's bound with the score, and its relative curve."""
    band, bound = score_band(given.config, *given.vectors, given.reach), bounds(given.config, *given.vectors, given.reach)
    return View(
        figure=decay.bounds(band.distances, band.low, band.high, *bound, middle=band.constant if given.still else None, say=_),
        alt=_bound_alt(given, band, bound),
        sentences=_bound_sentences(given, band, bound),
        formula=(aligned(*bound_tex(given, band, float(bound.bound[-1]))),),
        code=head_code(given) + BOUND_CODE.format(reach=given.reach, plus="still + " if given.still else ""),
        **computed(bound_columns, given),
    )


def bound_columns(given: DecaySettings) -> Columns:
    """Return the bound and the relative curve, and the range of the score in bins of distances."""
    bound, band = bounds(given.config, *given.vectors, given.reach), score_band(given.config, *given.vectors, given.reach)
    curves = {"distance": bound.distances, "bound": bound.bound, "relative": bound.relative}
    return curves | {"bin": band.distances, "lowest": band.low, "highest": band.high}


def _bound_alt(given: DecaySettings, band: Band, bound: Bounds) -> str:
    if given.still:
        sentence = _("The score lies within {first} of {constant} at distance 1 and within {last} of it at {reach}; there it is {end}.")
    else:
        sentence = _("The bound on the size of the score is {first} at distance 1 and {last} at {reach}; the score there is {end}.")
    return sentence.format(
        first=score_text(bound.bound[0]),
        last=score_text(bound.bound[-1]),
        reach=f"{given.reach:,}",
        end=score_text(band.at_end, score_error(given, band)),
        constant=score_text(band.constant),
    )


def _bound_sentences(given: DecaySettings, band: Band, bound: Bounds) -> tuple[str, ...]:
    # A rise within rounding is none: with a single pair the bound is constant.
    rises = int((np.diff(bound.bound) > 1e-9 * bound.bound.max()).sum())
    scaling = scaling_sentence(given.config)
    return (
        _at_both_ends(given, band, bound),
        _(
            "The middle panel draws the same score on an axis of its own: from distance 1 to {reach} it lies between {low} and {high}."
        ).format(reach=f"`{given.reach:,}`", low=f"`{score_text(band.low.min())}`", high=f"`{score_text(band.high.max())}`"),
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
        end=f"`{score_text(band.at_end, score_error(given, band))}`",
        ceiling=f"`{score_text(abs(band.constant) + band.ceiling)}`",
        constant=f"`{score_text(band.constant)}`",
    )
