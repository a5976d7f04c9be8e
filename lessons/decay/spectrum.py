"""The view Spectrum: the frequencies that the score curve is made of, and which of them a part of it can tell apart."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.scores import DecaySettings, spectrum
from figures import decay
from figures.theme import pair_colors
from lessons.decay.code import SPECTRUM_CODE, curve_code, head_code
from lessons.methods import scaling_sentence
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, tex
from locales import _


def spectrum_view(given: DecaySettings) -> View:
    """Show the exact lines of the score curve, and its Fourier transform."""
    lines, tokens = spectrum(given.config, *given.vectors, given.reach), f"{given.reach:,}"
    moving = lines.line_speeds > 0  # a constant is no line on a log axis
    inv_freq, width = np.sort(lines.line_speeds[moving]), math.tau / given.reach
    colors = [color for color, turns in zip(pair_colors(given.config.pairs), moving, strict=True) if turns]
    return View(
        figure=decay.spectrum(
            lines.line_speeds[moving],
            lines.line_amplitudes[moving],
            lines.speeds,
            lines.amplitudes,
            tokens=given.reach,
            colors=colors,
            say=_,
        ),
        alt=_("{pairs} exact lines from {slow} to {fast} rad per token; {tokens} tokens resolve steps of {width} rad per token.").format(
            pairs=len(inv_freq), slow=f"{inv_freq[0]:.4g}", fast=f"{inv_freq[-1]:.4g}", tokens=tokens, width=f"{width:.4g}"
        ),
        sentences=_sentences(given, inv_freq),
        formula=(
            aligned(
                r"s(r) &= \textstyle\sum_i |z_i| \cos(r\,\theta_i + \arg z_i)" + (" + c" if given.still else ""),
                rf"\Delta\theta &= \frac{{2\pi}}{{N}} = \frac{{2\pi}}{{{given.reach}}} = {tex(width)}",
            ),
        ),
        code=head_code(given) + curve_code(given, 0, given.reach) + SPECTRUM_CODE,
        **computed(spectrum_columns, given),
    )


def spectrum_columns(given: DecaySettings) -> Columns:
    """Return the exact lines, and what the transform resolves."""
    lines = spectrum(given.config, *given.vectors, given.reach)
    exact = {"theta": lines.line_speeds, "amplitude": lines.line_amplitudes}
    return exact | {"resolved_speed": lines.speeds, "resolved_amplitude": lines.amplitudes}


def _sentences(given: DecaySettings, inv_freq: ndarray) -> tuple[str, ...]:
    tokens, width, scaling = f"`{given.reach:,}`", math.tau / given.reach, scaling_sentence(given.config)
    return (
        _what_lines_are(given, len(inv_freq)),
        _(
            "{tokens} tokens tell speeds apart that differ by {width} rad per token or more; {merged} of the {gaps} steps "
            "from one speed to the next are smaller."
        ).format(
            tokens=tokens, width=f"`{width:.4g}`", merged=f"`{int((np.diff(inv_freq) < width).sum())}`", gaps=f"`{len(inv_freq) - 1}`"
        ),
        _slow_drift(int((inv_freq < width).sum()), tokens),
        *((scaling,) if scaling else ()),
    )


def _slow_drift(count: int, tokens: str) -> str:
    if not count:
        return _("Every pair that turns comes round at least once in {tokens} tokens.").format(tokens=tokens)
    return _("Pairs that turn less than once in {tokens} tokens: {count}. The Fourier transform sees them as one slow drift.").format(
        count=f"`{count}`", tokens=tokens
    )


def _what_lines_are(given: DecaySettings, turning: int) -> str:
    pairs, still = given.config.pairs, f"`{given.still}`"
    if turning == pairs:
        lines = _("The score curve is a sum of cosines, one a pair, {pairs} in all: the coloured lines are its exact spectrum.").format(
            pairs=f"`{turning}`"
        )
        constant = _("The {count} coordinates that do not turn add a constant, which is no line.").format(count=still)
    else:
        lines = _(
            "The score curve is a sum of cosines, one a pair: the coloured lines are the exact spectrum of the {turning} that turn. The "
            "other {count} pairs stand still and add the same at every distance."
        ).format(turning=f"`{turning}`", count=f"`{pairs - turning}`")
        constant = _("So do the {count} coordinates outside of the pairs.").format(count=still)
    return f"{lines} {constant}" if given.still else lines
