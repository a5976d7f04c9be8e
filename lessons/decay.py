"""Distance decay: what the score does as q and k move apart, for which q and k, and what is only a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from figures import decay
from figures.theme import pair_colors
from rope_core import RopeConfig
from ui import compute
from ui.compute import RANDOM_PAIRS, Vector
from ui.formulas import aligned, tex
from ui.i18n import _
from ui.lesson import View


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A head, how far to look, and which q and k: ``ones``, ``peak`` (at a distance) or ``typed``."""

    config: RopeConfig
    reach: int
    kind: str
    peak: int
    q_typed: Vector
    k_typed: Vector

    def vectors(self) -> tuple[Vector, Vector]:
        """Give q and k in full width."""
        q, k = compute.head_vectors(self.config, self.kind, self.peak, self.q_typed, self.k_typed)
        return tuple(q.tolist()), tuple(k.tolist())


def score_view(setting: Setting) -> View:
    """Show the score, exact at every distance."""
    band = compute.score_band(setting.config, *setting.vectors(), setting.reach)
    top, bottom, reach = float(band.high.max()), float(band.low.min()), f"{setting.reach:,}"
    return View(
        figure=decay.score_band(
            band.distances, band.low, band.high, reach=setting.reach, context=setting.config.max_position, words=_words(setting)
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
        ),
        formula=(aligned(SCORE_TEX, rf"s(0) &= {tex(band.at_zero)}", rf"s({setting.reach}) &= {tex(band.at_end)}"),),
        code=_head_code(setting) + CURVE_CODE.format(start=1, stop=setting.reach + 1),
        drawn={"distance": band.distances, "lowest": band.low, "highest": band.high},
    )


def _who_decays(setting: Setting, band: compute.Band) -> str:
    if setting.kind == "typed":
        return _("These are your own q and k: where their score is high or low is a matter of the numbers that you typed.")
    if setting.kind == "peak" and setting.peak:
        return _(
            "This key is the query turned by {peak} tokens, so all pairs agree at distance {peak} and the score is "
            "highest there: {score}. "
            "RoPE does not force a head to look close by."
        ).format(peak=f"`{setting.peak:,}`", score=f"`{band.ceiling:.6g}`")
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


def random_view(setting: Setting, seed: int) -> View:
    """Show many random q and k: they do not decay."""
    random = compute.random_scores(setting.config, setting.reach, seed)
    root = math.sqrt(setting.config.head_dim)
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
                "deviation √d = {root}, at every distance: nothing decays."
            ).format(root=f"`{root:.4f}`"),
            _(
                "In these {count} draws the mean is at most {errors} standard errors away from 0, and the standard deviation "
                "lies between {narrow} and {wide}."
            ).format(count=f"`{RANDOM_PAIRS}`", errors=f"`{errors:.2f}`", narrow=f"`{narrow}`", wide=f"`{wide}`"),
            _(
                "Computed at {count} whole distances, as even on the log axis as whole numbers allow; the line between them "
                "only guides the eye."
            ).format(count=f"`{len(random.distances)}`"),
        ),
        formula=(aligned(r"\mathbb{E}\,s(r) &= 0", rf"\mathrm{{sd}}\,s(r) &= \sqrt d = \sqrt{{{setting.config.head_dim}}} = {root:.6f}"),),
        code=RANDOM_CODE.format(
            d=setting.config.head_dim, base=setting.config.base, reach=setting.reach, seed=seed, count=RANDOM_PAIRS, pairs=_pairs(setting)
        ),
        drawn=random._asdict(),
    )


def bound_view(setting: Setting) -> View:
    """Show what does fall, on the whole: a bound."""
    vectors = setting.vectors()
    band, bounds = compute.score_band(setting.config, *vectors, setting.reach), compute.bounds(setting.config, *vectors, setting.reach)
    first, last, end, reach = f"{bounds.bound[0]:.6g}", f"{bounds.bound[-1]:.6g}", f"{band.at_end:.6g}", f"{setting.reach:,}"
    # A rise within rounding is none: with a single pair the bound is constant.
    rises = int((np.diff(bounds.bound) > 1e-9 * bounds.bound.max()).sum())
    return View(
        figure=decay.bounds(band.distances, band.low, band.high, bounds.distances, bounds.bound, bounds.relative, _words(setting)),
        alt=_("The bound on the size of the score is {first} at distance 1 and {last} at {reach}; the score there is {end}.").format(
            first=first, last=last, reach=reach, end=end
        ),
        sentences=(
            _(
                "The bound is {first} at distance 1 and {last} at {reach}, where the score is {end}. Whatever the distance, "
                "no score of these q and k is larger in size than {ceiling}."
            ).format(first=f"`{first}`", last=f"`{last}`", reach=f"`{reach}`", end=f"`{end}`", ceiling=f"`{band.ceiling:.6g}`"),
            _(
                "With many pairs of different speeds the bound tends to get smaller with distance, but nothing makes it fall "
                "steadily: from one drawn distance to the next it rises {rises} times in {steps}."
            ).format(rises=f"`{rises}`", steps=f"`{len(bounds.distances) - 1}`"),
            _(
                "RoFormer's relative curve, mean |Sⱼ|, is the shape of the bound without score units; at distance 0 it is "
                "(d/2 + 1) / 2 = {zero}."
            ).format(zero=f"`{(setting.config.pairs + 1) / 2:g}`"),
        ),
        formula=(
            aligned(
                r"|s(r)| &\le \max_i |z_{i+1} - z_i| \; \textstyle\sum_j |S_j(r)|",
                r"z_{d/2} &= 0",
                r"S_j(r) &= \textstyle\sum_{i<j} e^{\mathrm{i}\,r\theta_i}",
                rf"|s({setting.reach})| &= {tex(abs(band.at_end))} \le {tex(float(bounds.bound[-1]))}",
            ),
        ),
        code=_head_code(setting) + BOUND_CODE.format(reach=setting.reach),
        drawn={"distance": bounds.distances, "bound": bounds.bound, "relative": bounds.relative}
        | {"bin": band.distances, "lowest": band.low, "highest": band.high},
    )


def spectrum_view(setting: Setting) -> View:
    """Show the frequencies that the curve is made of, and which of them a stretch of it can tell apart."""
    lines = compute.spectrum(setting.config, *setting.vectors(), setting.reach)
    width, tokens, pairs = 2 * math.pi / setting.reach, f"{setting.reach:,}", setting.config.pairs
    return View(
        figure=decay.spectrum(
            lines.line_speeds, lines.line_amplitudes, lines.speeds, lines.amplitudes, pair_colors(pairs), _words(setting)
        ),
        alt=_("{pairs} exact lines from {slow} to {fast} rad per token; {tokens} tokens resolve steps of {width} rad per token.").format(
            pairs=pairs, slow=f"{lines.line_speeds[-1]:.4g}", fast=f"{lines.line_speeds[0]:.4g}", tokens=tokens, width=f"{width:.4g}"
        ),
        sentences=(
            _("The score curve is a sum of cosines, one a pair, {pairs} in all: the coloured lines are its exact spectrum.").format(
                pairs=f"`{pairs}`"
            ),
            _(
                "{tokens} tokens tell speeds apart that differ by {width} rad per token or more; {merged} of the {gaps} steps "
                "from pair to pair are smaller."
            ).format(
                tokens=f"`{tokens}`",
                width=f"`{width:.4g}`",
                merged=f"`{int((-np.diff(lines.line_speeds) < width).sum())}`",
                gaps=f"`{pairs - 1}`",
            ),
            _("{count} pairs turn less than once in {tokens} tokens: the Fourier transform sees them as one slow drift.").format(
                count=f"`{int((lines.line_speeds < width).sum())}`", tokens=f"`{tokens}`"
            ),
        ),
        formula=(
            aligned(
                r"s(r) &= \textstyle\sum_i |z_i| \cos(r\,\theta_i + \arg z_i)",
                rf"\Delta\theta &= \frac{{2\pi}}{{N}} = \frac{{2\pi}}{{{setting.reach}}} = {tex(width)}",
            ),
        ),
        code=_head_code(setting) + CURVE_CODE.format(start=0, stop=setting.reach) + SPECTRUM_CODE,
        drawn={"theta": lines.line_speeds, "amplitude": lines.line_amplitudes}
        | {"resolved_speed": lines.speeds, "resolved_amplitude": lines.amplitudes},
    )


def _words(setting: Setting) -> decay.DecayWords:
    return decay.DecayWords(
        distance=_("distance m - n (tokens, log axis)"),
        context=_("context length {length}").format(length=f"{setting.config.max_position:,}"),
        score=_("score"),
        highest=_("highest score in the bin"),
        lowest=_("lowest score in the bin"),
        mean=_("mean of {count} scores").format(count=RANDOM_PAIRS),
        spread=_("one standard deviation to each side"),
        bound=_("± bound on the score"),
        relative=_("mean |S<sub>j</sub>| (no score units)"),
        speed=_("speed θ<sub>i</sub> (rad per token, log axis)"),
        amplitude=_("amplitude (score units)"),
        lines=_("exact lines, one a pair"),
        resolved=_("what {tokens} tokens resolve").format(tokens=f"{setting.reach:,}"),
    )


def _pairs(setting: Setting) -> str:
    """Write the two coordinates of every pair as PyTorch slices."""
    pairs = setting.config.pairs
    return f"x[..., :{pairs}], x[..., {pairs}:]" if setting.config.layout == "half" else "x[..., 0::2], x[..., 1::2]"


def _head_code(setting: Setting) -> str:
    numbers = ([1.0], [1.0]) if setting.kind != "typed" else (list(setting.q_typed), list(setting.k_typed))
    turn = f" * torch.exp(1j * {setting.peak} * theta)" if setting.kind == "peak" else ""
    return HEAD_CODE.format(
        d=setting.config.head_dim, base=setting.config.base, pairs=_pairs(setting), q=numbers[0], k=numbers[1], turn=turn
    )


SCORE_TEX = r"s(r) &= \mathrm{Re}\sum_i z_i\, e^{\mathrm{i}\,r\theta_i}, \quad z_i = q_i\,\bar k_i"
HEAD_CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # radians per token

def pairs(numbers):  # a pair is one complex number; fewer than d numbers are repeated
    x = torch.tensor(numbers, dtype=torch.float64).repeat(d)[:d]
    return torch.complex({pairs})

q = pairs({q})
k = pairs({k}){turn}
z = q * k.conj()
"""
CURVE_CODE = """
def scores(r):
    return (z * torch.exp(1j * r[:, None] * theta)).sum(-1).real

distances = torch.arange({start}, {stop}, dtype=torch.float64)
result = torch.cat([scores(some) for some in distances.split(4096)])
"""
SPECTRUM_CODE = """lines = z.abs()  # exact, at the speeds theta
result = 2 / len(result) * torch.fft.rfft(result).abs()[1:]  # the grey line, before binning
"""
BOUND_CODE = """steps = torch.diff(z, append=torch.zeros(1)).abs().max()
r = torch.tensor([1, {reach}], dtype=torch.float64)  # first and last of the figure
result = steps * torch.exp(1j * r[:, None] * theta).cumsum(-1).abs().sum(-1)
"""
RANDOM_CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # radians per token
seed = torch.Generator().manual_seed({seed})
x = torch.randn(2, {count}, d, dtype=torch.float64, generator=seed)
q, k = torch.complex({pairs})
r = torch.tensor([1, {reach}], dtype=torch.float64)  # first and last of the figure
z = (q * k.conj())[:, None]
scores = (z * torch.exp(1j * r[:, None] * theta)).sum(-1).real
result = scores.mean(0)
"""
