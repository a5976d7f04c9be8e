"""Distance decay: what the score does as q and k move apart, for which q and k, and what is only a bound."""

from __future__ import annotations

import math

import numpy as np

from figures import decay
from figures.theme import pair_colors
from lessons import core_explore
from lessons.core_lines import with_config
from lessons.decay_code import (
    BOUND_CODE,
    RANDOM_CODE,
    RANDOM_REST,
    SPECTRUM_CODE,
    Setting,
    bound_tex,
    curve_code,
    head_code,
    pairs_code,
    root_words,
    score_tex,
)
from lessons.scaling_code import speeds_code
from lessons.scaling_words import scaling_sentence
from ui import compute
from ui.compute import RANDOM_PAIRS
from ui.formulas import aligned, tex
from ui.i18n import _
from ui.view import View


def score_view(setting: Setting) -> View:
    """Show the score, exact at every distance."""
    band = compute.score_band(setting.config, *setting.vectors(), setting.reach)
    top, bottom, reach = float(band.high.max()), float(band.low.min()), f"{setting.reach:,}"
    return View(
        figure=decay.score_band(
            band.distances, band.low, band.high, reach=setting.reach, context=setting.config.trained_length, words=_words(setting)
        ),
        alt=_("The score is {zero} at distance 0; from distance 1 to {reach} it lies between {low} and {high}.").format(
            zero=f"{band.at_zero:.6g}", reach=reach, low=f"{bottom:.6g}", high=f"{top:.6g}"
        ),
        sentences=(
            _(
                "At distance 0, which a log axis cannot show, the score is {zero}. From 1 to {reach} it lies between {low} and "
                "{high}; at {reach} it is {end}."
            ).format(
                zero=f"`{band.at_zero:.6g}`", reach=f"`{reach}`", low=f"`{bottom:.6g}`", high=f"`{top:.6g}`", end=f"`{band.at_end:.6g}`"
            ),
            _who_decays(setting, band),
            _("Every distance was counted. Where a bin holds many distances, the band runs from the lowest score in it to the highest."),
            *_head_sentences(setting, band),
        ),
        formula=(
            aligned(*score_tex(setting, band.constant), rf"s(0) &= {tex(band.at_zero)}", rf"s({setting.reach}) &= {tex(band.at_end)}"),
        ),
        code=head_code(setting) + curve_code(setting, 1, setting.reach + 1),
        drawn={"distance": band.distances, "lowest": band.low, "highest": band.high},
        core=_core(setting, core_explore.BAND, reach=setting.reach),
    )


def _core(setting: Setting, lines: str, **values: object) -> str:
    typed = setting.kind == "typed"
    peak = core_explore.PEAK if setting.kind == "peak" else ""
    return with_config(
        setting.config,
        lines=core_explore.VECTORS + peak + core_explore.PHASORS + lines,
        q=setting.q_typed if typed else (1.0,),
        k=setting.k_typed if typed else (1.0,),
        peak=setting.peak,
        **values,
    )


def _who_decays(setting: Setting, band: compute.Band) -> str:
    if setting.kind == "typed":
        return _("These are your own q and k: where their score is high or low is a matter of the numbers that you typed.")
    if setting.kind == "peak" and setting.peak:
        return _(
            "This key is the query turned by {peak} tokens, so all pairs agree at distance {peak} and the score is "
            "highest there: {score}. "
            "RoPE does not force a head to look close by."
        ).format(peak=f"`{setting.peak:,}`", score=f"`{band.constant + band.ceiling:.6g}`")
    negative = compute.first_negative(setting.config, setting.reach)
    if negative is None:
        return _(
            "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and does not "
            "drop below zero as far as this axis goes."
        )
    return _(
        "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and first "
        "drops below zero at distance {distance}."
    ).format(distance=f"`{negative:,}`")


def _head_sentences(setting: Setting, band: compute.Band) -> tuple[str, ...]:
    """Say what coordinates that do not turn add, and what the scaling does; nothing for a plain head that turns as a whole."""
    said = [_rest_sentence(setting, band.constant), scaling_sentence(setting.config)]
    return tuple(sentence for sentence in said if sentence)


def _rest_sentence(setting: Setting, constant: float) -> str:
    if not setting.still:
        return ""
    return _("Coordinates {first} to {last} do not turn: they add {constant} to the score, at every distance.").format(
        first=f"`{setting.config.rotary_dim}`", last=f"`{setting.config.head_dim - 1}`", constant=f"`{constant + 0.0:.6g}`"
    )


def random_view(setting: Setting, seed: int) -> View:
    """Show many random q and k: they do not decay."""
    random = compute.random_scores(setting.config, setting.reach, seed)
    config, factor = setting.config, compute.magnitude(setting.config)
    root = math.sqrt(factor**4 * config.rotary_dim + setting.still)
    root_sign, root_tex = root_words(setting, factor)
    errors = float((np.abs(random.mean) / (random.spread / math.sqrt(RANDOM_PAIRS))).max())
    narrow, wide = f"{random.spread.min():.3f}", f"{random.spread.max():.3f}"
    return View(
        figure=decay.ensemble(random.distances, random.mean, random.spread, _words(setting)),
        alt=_(
            "The mean of {count} random scores lies between {low} and {high}, their standard deviation between {narrow} and {wide}."
        ).format(count=RANDOM_PAIRS, low=f"{random.mean.min():.3f}", high=f"{random.mean.max():.3f}", narrow=narrow, wide=wide),
        sentences=(
            _(
                "For q and k drawn independently from a standard normal distribution the expected score is 0 and its standard "
                "deviation {sign} = {root}, at every distance: nothing decays."
            ).format(sign=root_sign, root=f"`{root:.4f}`"),
            _(
                "In these {count} draws the mean is at most {errors} standard errors away from 0, and the standard deviation "
                "lies between {narrow} and {wide}."
            ).format(count=f"`{RANDOM_PAIRS}`", errors=f"`{errors:.2f}`", narrow=f"`{narrow}`", wide=f"`{wide}`"),
            _(
                "Computed at {count} whole distances, as even on the log axis as whole numbers allow; the line between them "
                "only guides the eye."
            ).format(count=f"`{len(random.distances)}`"),
            *_random_sentences(setting),
        ),
        formula=(aligned(r"\mathbb{E}\,s(r) &= 0", rf"\mathrm{{sd}}\,s(r) &= {root_tex}", rf"&= {root:.6f}"),),
        code=speeds_code(config)
        + RANDOM_CODE.format(
            reach=setting.reach,
            seed=seed,
            count=RANDOM_PAIRS,
            pairs=pairs_code(setting),
            factor="A**2 * " if factor != 1 else "",
            rest=RANDOM_REST if setting.still else "",
            plus=" + still[:, None]" if setting.still else "",
        ),
        drawn=random._asdict(),
        core=with_config(config, lines=core_explore.RANDOM, seed=seed, count=RANDOM_PAIRS, reach=setting.reach),
    )


def _random_sentences(setting: Setting) -> tuple[str, ...]:
    rest = _("Coordinates {first} to {last} do not turn: they add a number of its own to each score, at every distance the same.").format(
        first=f"`{setting.config.rotary_dim}`", last=f"`{setting.config.head_dim - 1}`"
    )
    said = [rest if setting.still else "", scaling_sentence(setting.config)]
    return tuple(sentence for sentence in said if sentence)


def bound_view(setting: Setting) -> View:
    """Show what does fall, on the whole: a bound."""
    vectors = setting.vectors()
    band, bounds = compute.score_band(setting.config, *vectors, setting.reach), compute.bounds(setting.config, *vectors, setting.reach)
    first, last, end, reach = f"{bounds.bound[0]:.6g}", f"{bounds.bound[-1]:.6g}", f"{band.at_end:.6g}", f"{setting.reach:,}"
    # A rise within rounding is none: with a single pair the bound is constant.
    rises = int((np.diff(bounds.bound) > 1e-9 * bounds.bound.max()).sum())
    return View(
        figure=decay.bounds(
            band.distances,
            band.low,
            band.high,
            bounds.distances,
            bounds.bound,
            bounds.relative,
            _words(setting),
            middle=band.constant,
        ),
        alt=_bound_alt(setting).format(first=first, last=last, reach=reach, end=end, constant=f"{band.constant + 0.0:.6g}"),
        sentences=(
            _bound_sentence(setting).format(
                first=f"`{first}`",
                last=f"`{last}`",
                reach=f"`{reach}`",
                end=f"`{end}`",
                ceiling=f"`{abs(band.constant) + band.ceiling:.6g}`",
                constant=f"`{band.constant + 0.0:.6g}`",
            ),
            _(
                "With many pairs of different speeds the bound tends to get smaller with distance, but nothing makes it fall "
                "steadily: from one drawn distance to the next it rises {rises} times in {steps}."
            ).format(rises=f"`{rises}`", steps=f"`{len(bounds.distances) - 1}`"),
            _(
                "RoFormer's relative curve, mean |Sⱼ|, is the shape of the bound without score units; at distance 0 it is "
                "(P + 1) / 2 = {zero}, with P = {pairs} pairs."
            ).format(zero=f"`{(setting.config.pairs + 1) / 2:g}`", pairs=f"`{setting.config.pairs}`"),
            *((sentence,) if (sentence := scaling_sentence(setting.config)) else ()),
        ),
        formula=(aligned(*bound_tex(setting, band, float(bounds.bound[-1]))),),
        code=head_code(setting) + BOUND_CODE.format(reach=setting.reach, plus="still + " if setting.still else ""),
        drawn={"distance": bounds.distances, "bound": bounds.bound, "relative": bounds.relative}
        | {"bin": band.distances, "lowest": band.low, "highest": band.high},
        core=_core(setting, core_explore.BOUND, reach=setting.reach),
    )


def _bound_alt(setting: Setting) -> str:
    if setting.still:
        return _("The score lies within {first} of {constant} at distance 1 and within {last} of it at {reach}; there it is {end}.")
    return _("The bound on the size of the score is {first} at distance 1 and {last} at {reach}; the score there is {end}.")


def _bound_sentence(setting: Setting) -> str:
    if setting.still:
        return _(
            "From {constant}, which coordinates that do not turn add at every distance, the score is at most {first} away at distance 1 "
            "and {last} at {reach}, where it is {end}. Whatever the distance, no score of these q and k is larger in size than {ceiling}."
        )
    return _(
        "The bound is {first} at distance 1 and {last} at {reach}, where the score is {end}. Whatever the distance, "
        "no score of these q and k is larger in size than {ceiling}."
    )


def spectrum_view(setting: Setting) -> View:
    """Show the frequencies that the curve is made of, and which of them a stretch of it can tell apart."""
    lines = compute.spectrum(setting.config, *setting.vectors(), setting.reach)
    width, tokens, pairs = 2 * math.pi / setting.reach, f"{setting.reach:,}", setting.config.pairs
    moving = lines.line_speeds > 0  # a constant is no line on a log axis
    speeds, colors = np.sort(lines.line_speeds[moving]), [color for color, turns in zip(pair_colors(pairs), moving, strict=True) if turns]
    return View(
        figure=decay.spectrum(
            lines.line_speeds[moving], lines.line_amplitudes[moving], lines.speeds, lines.amplitudes, colors, _words(setting)
        ),
        alt=_("{pairs} exact lines from {slow} to {fast} rad per token; {tokens} tokens resolve steps of {width} rad per token.").format(
            pairs=len(speeds), slow=f"{speeds[0]:.4g}", fast=f"{speeds[-1]:.4g}", tokens=tokens, width=f"{width:.4g}"
        ),
        sentences=(
            _what_lines_are(setting, len(speeds)),
            _(
                "{tokens} tokens tell speeds apart that differ by {width} rad per token or more; {merged} of the {gaps} steps "
                "from one speed to the next are smaller."
            ).format(
                tokens=f"`{tokens}`",
                width=f"`{width:.4g}`",
                merged=f"`{int((np.diff(speeds) < width).sum())}`",
                gaps=f"`{len(speeds) - 1}`",
            ),
            _("{count} pairs turn less than once in {tokens} tokens: the Fourier transform sees them as one slow drift.").format(
                count=f"`{int((speeds < width).sum())}`", tokens=f"`{tokens}`"
            ),
            *((sentence,) if (sentence := scaling_sentence(setting.config)) else ()),
        ),
        formula=(
            aligned(
                r"s(r) &= \textstyle\sum_i |z_i| \cos(r\,\theta_i + \arg z_i)" + (" + c" if setting.still else ""),
                rf"\Delta\theta &= \frac{{2\pi}}{{N}} = \frac{{2\pi}}{{{setting.reach}}} = {tex(width)}",
            ),
        ),
        code=head_code(setting) + curve_code(setting, 0, setting.reach) + SPECTRUM_CODE,
        drawn={"theta": lines.line_speeds, "amplitude": lines.line_amplitudes}
        | {"resolved_speed": lines.speeds, "resolved_amplitude": lines.amplitudes},
        core=_core(setting, core_explore.SPECTRUM, tokens=setting.reach),
    )


def _what_lines_are(setting: Setting, turning: int) -> str:
    pairs = setting.config.pairs
    said = [
        _("The score curve is a sum of cosines, one a pair, {pairs} in all: the coloured lines are its exact spectrum.").format(
            pairs=f"`{turning}`"
        )
        if turning == pairs
        else _(
            "The score curve is a sum of cosines, one a pair: the coloured lines are the exact spectrum of the {turning} that turn. The "
            "other {count} pairs stand still and add the same at every distance."
        ).format(turning=f"`{turning}`", count=f"`{pairs - turning}`")
    ]
    if setting.still:
        said.append(
            _("So do the {count} coordinates outside of the pairs.").format(count=f"`{setting.still}`")
            if turning < pairs
            else _("The {count} coordinates that do not turn add a constant, which is no line.").format(count=f"`{setting.still}`")
        )
    return " ".join(said)


def _words(setting: Setting) -> decay.DecayWords:
    return decay.DecayWords(
        distance=_("distance m - n (tokens, log axis)"),
        context=_("context length {length}").format(length=f"{setting.config.trained_length:,}"),
        score=_("score"),
        highest=_("highest score in the bin"),
        lowest=_("lowest score in the bin"),
        mean=_("mean of {count} scores").format(count=RANDOM_PAIRS),
        spread=_("one standard deviation to each side"),
        bound=_("constant ± bound on the rest") if setting.still else _("± bound on the score"),
        relative=_("mean |S<sub>j</sub>| (no score units)"),
        speed=_("speed θ<sub>i</sub> (rad per token, log axis)"),
        amplitude=_("amplitude (score units)"),
        lines=_("exact lines, one a pair"),
        resolved=_("what {tokens} tokens resolve").format(tokens=f"{setting.reach:,}"),
    )
