"""Other laws of speed: one speed for all pairs repeats, evenly spaced speeds revive; that is why RoPE's are geometric."""

from __future__ import annotations

import math

import numpy as np

from figures import laws
from lessons import core_explore
from lessons.core_lines import with_config
from rope_core import RopeConfig
from ui import compute, compute_laws
from ui.compute import log_bins
from ui.compute_laws import LAWS_REACH, Law
from ui.formulas import aligned, rounding, tex
from ui.i18n import _
from ui.view import View

PERIODS = 3
NEAR = 1000
NAMED = (1, 10, 100)


def period_view(config: RopeConfig, period: int) -> View:
    """Give all pairs the speed 2 pi / T with an integer T: positions T apart are the same code."""
    speed, reach = math.tau / period, PERIODS * period
    equal, own = compute_laws.mean_cosines(config, speed, reach + 1)
    best = 1 + int(own[1:].argmax())
    return View(
        figure=laws.period(np.arange(reach + 1, dtype=np.float32), equal, own, period, _words(config)),
        alt=_(
            "With one speed for all pairs the mean cosine is {start} at distance 0 and {back} at {period}; with the speeds of RoPE it is "
            "{own} there."
        ).format(start=f"{equal[0]:.6f}", back=f"{equal[period]:.6f}", period=f"{period:,}", own=f"{own[period]:.6f}"),
        sentences=(
            _(
                "All pairs turn by 2π / {period} = {speed} rad per token, so tokens at p and p + {period} get the same code: the mean "
                "cosines at distance {period} and 0 differ by {error} (rounding)."
            ).format(period=f"`{period:,}`", speed=f"`{speed:.6g}`", error=f"`{rounding(abs(equal[period] - equal[0]))}`"),
            _(
                "With the speeds of RoPE the mean cosine at distance {period} is {own}. From 1 to {reach} its highest is {high}, at "
                "distance {best}."
            ).format(
                period=f"`{period:,}`", own=f"`{own[period]:.6f}`", reach=f"`{reach:,}`", high=f"`{own[best]:.10g}`", best=f"`{best:,}`"
            ),
            _(
                "For p + T to be a position, T must be a whole number of tokens. With 1 rad per token no two positions ever get "
                "the same code."
            ),
        ),
        formula=(
            aligned(
                r"\theta &= 2\pi / T, \quad s(r) = \cos r\theta",
                rf"\theta &= 2\pi / {period} = {tex(speed)}",
                rf"s({period}) &= {equal[period]:.6f}",
            ),
        ),
        code=START_CODE.format(d=config.head_dim, base=config.base) + PERIOD_CODE.format(period=period, stop=reach + 1),
        drawn={"distance": np.arange(reach + 1), "one_speed": equal, "rope": own},
        core=with_config(config, lines=core_explore.PERIOD, period=period, stop=reach + 1),
    )


def return_view(config: RopeConfig) -> View:
    """Give all pairs 1 rad per token: whole positions come near each other, and never meet."""
    distances = np.arange(1, NEAR + 1)
    one = _left_over(compute.angles(np.ones(1), distances))
    own = _left_over(compute.angles(compute.speeds(config), distances))
    best, own_best = int(one.argmin()), int(own.argmin())
    near = distances[best]
    return View(
        figure=laws.left_over(distances.astype(float), one, own, _words(config)),
        alt=_(
            "At 1 rad per token distance {near} comes within {gap} rad of full turns, the nearest of 1 to {reach}; none is exact."
        ).format(near=near, gap=f"{one[best]:.1e}", reach=f"{NEAR:,}"),
        sentences=(
            _(
                "With 1 rad per token one turn takes 2π = {turn} tokens. No number of turns is a whole number of tokens, so no two "
                "positions ever get the same code."
            ).format(turn=f"`{math.tau:.6f}`"),
            _("Nearly they do: distance {near} is {turns} turns and {gap} rad, the nearest from 1 to {reach}.").format(
                near=f"`{near}`", turns=f"`{near / math.tau:.0f}`", gap=f"`{one[best]:.1e}`", reach=f"`{NEAR:,}`"
            ),
            _(
                "With the speeds of RoPE all pairs would have to be back at once: at the best distance from 1 to {reach}, {best}, the "
                "worst pair is still {gap} rad away from where it was."
            ).format(reach=f"`{NEAR:,}`", best=f"`{distances[own_best]}`", gap=f"`{own[own_best]:.3g}`"),
        ),
        formula=(
            aligned(
                r"\delta(r) &= \min_k |r\,\theta - 2\pi k|, \quad \theta = 1",
                rf"\delta({near}) &= |{near} - 2\pi\cdot {near / math.tau:.0f}|",
                rf"&= {tex(one[best])}",
            ),
        ),
        code=START_CODE.format(d=config.head_dim, base=config.base) + RETURN_CODE.format(stop=NEAR + 1),
        drawn={"distance": distances, "one_speed": one, "rope_worst_pair": own},
        core=with_config(config, lines=core_explore.RETURN, stop=NEAR + 1),
    )


def laws_view(config: RopeConfig) -> View:
    """Compare the geometric law with a linear and a constant one."""
    law, edges = compute_laws.laws(config), log_bins(LAWS_REACH)
    middle = (edges[:-1] + edges[1:] - 1) / 2
    bands = {name: (each.low, each.high) for name, each in law.items()}
    at = {name: ", ".join(f"`{_rounded(each.curve[r])}`" for r in NAMED) for name, each in law.items()}
    slow = float(compute.speeds(config)[-1])
    return View(
        figure=laws.laws(middle, **bands, revival=_revival(config, law), words=_words(config)),
        alt=_("Mean cosine at distances 1, 10 and 100: geometric law {geometric}; linear law {linear}; one speed {constant}.").format(
            **{name: text.replace("`", "") for name, text in at.items()}
        ),
        sentences=(
            _(
                "At distances 1, 10 and 100 the mean cosine is {geometric} under the geometric law and {linear} under the linear one."
            ).format(**at),
            *_revival_sentences(config, law),
        ),
        formula=(
            aligned(
                r"\theta_i^\mathrm{geo} &= b^{-2i/d}",
                r"\theta_i^\mathrm{lin} &= 1 - i\,\delta",
                r"\delta &= (1 - \theta_{P-1}^\mathrm{geo}) / (P - 1)",
                rf"\theta_{{{config.pairs - 1}}}^\mathrm{{geo}} &= {tex(slow)}",
            ),
            aligned(
                r"s(r) &= \tfrac1P \textstyle\sum_i \cos r\theta_i",
                rf"s_\mathrm{{geo}}(100) &= {law['geometric'].curve[100]:.6f}",
                rf"s_\mathrm{{lin}}(100) &= {law['linear'].curve[100]:.6f}",
            ),
        ),
        code=START_CODE.format(d=config.head_dim, base=config.base) + LAWS_CODE.format(stop=LAWS_REACH + 1),
        drawn={"distance": middle, **{f"{name}_{side}": getattr(each, side) for name, each in law.items() for side in ("low", "high")}},
        core=with_config(config, lines=core_explore.LAWS, reach=LAWS_REACH),
    )


def _revival(config: RopeConfig, law: dict[str, Law]) -> tuple[int, float] | None:
    """Find where all pairs of the linear law agree again, if that is within reach, and the mean cosine there."""
    if config.pairs == 1 or _meeting(config) > LAWS_REACH:
        return None
    first, last = _around(config)
    best = first + int(law["linear"].curve[first : last + 1].argmax())
    return best, float(law["linear"].curve[best])


def _step(config: RopeConfig) -> float:
    return (1 - float(compute.speeds(config)[-1])) / (config.pairs - 1)


def _meeting(config: RopeConfig) -> float:
    return math.tau / _step(config)


def _around(config: RopeConfig) -> tuple[int, int]:
    return int(_meeting(config) / 2), min(int(1.5 * _meeting(config)), LAWS_REACH)


def _revival_sentences(config: RopeConfig, law: dict[str, Law]) -> tuple[str, ...]:
    if config.pairs == 1:
        return (_("With one pair all three laws are the same: {speed} rad per token.").format(speed="`1`"),)
    step, meeting, revival = f"`{_step(config):.6g}`", f"`{_meeting(config):,.1f}`", _revival(config, law)
    if revival is None:
        return (
            _(
                "The linear speeds lie {step} rad per token apart, so all pairs point the same way again near distance {meeting}, "
                "beyond what is looked at here."
            ).format(step=step, meeting=meeting),
        )
    first, last = _around(config)
    own = float(law["geometric"].curve[first : last + 1].max())
    if config.pairs == 2:
        verdict = _("With two pairs the linear and the geometric law are the same.")
    elif own < 0.9 * revival[1]:
        verdict = _("A linear law makes far tokens look near: that, not the first fall, speaks for a geometric law.")
    else:
        verdict = _("Here the geometric law comes nearly as high: for so few pairs or so small a base it is no help.")
    bound = _("Under the geometric law it is at most {high} from distance {first} to {last}.").format(
        high=f"`{own:.3f}`", first=f"`{first:,}`", last=f"`{last:,}`"
    )
    return (
        _(
            "The linear speeds lie {step} rad per token apart, so after 2π / {step} = {meeting} tokens all pairs point the same way "
            "again, though not always back to the start: near there the mean cosine reaches {high}, at distance {best}."
        ).format(step=step, meeting=meeting, high=f"`{revival[1]:.3f}`", best=f"`{revival[0]:,}`"),
        f"{bound} {verdict}",
    )


def _rounded(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # zero has no sign


def _left_over(angles: np.ndarray) -> np.ndarray:
    """Give how far the pair that is farthest from full turns is from them, in radians."""
    return np.abs(angles - math.tau * np.rint(angles / math.tau)).max(-1)


def _words(config: RopeConfig) -> laws.LawWords:
    return laws.LawWords(
        distance=_("distance (tokens)"),
        log_distance=_("distance (tokens, log axis)"),
        cosine=_("mean cosine of all pairs"),
        left_over=_("angle to full turns (rad, log axis)"),
        equal=_("one speed for all pairs"),
        own=_("speeds of RoPE, base {base}").format(base=f"{config.base:,.10g}"),
        geometric=_("geometric law (RoPE)"),
        linear=_("linear law"),
        constant=_("1 rad per token for all"),
    )


START_CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
"""
PERIOD_CODE = """equal = torch.full_like(theta, 2 * torch.pi / {period})
distances = torch.arange({stop}, dtype=torch.float64)[:, None]
result = torch.stack(((distances * equal).cos().mean(-1), (distances * theta).cos().mean(-1)))
"""
RETURN_CODE = """distances = torch.arange(1, {stop}, dtype=torch.float64)[:, None]

def left_over(speeds):  # of the pair that is farthest from full turns
    angles = distances * speeds
    return (angles - 2 * torch.pi * (angles / (2 * torch.pi)).round()).abs().amax(-1)

result = torch.stack((left_over(torch.ones_like(theta)), left_over(theta)))
"""
LAWS_CODE = """linear = torch.linspace(1, theta[-1], d // 2, dtype=torch.float64)
constant = torch.ones_like(theta)
distances = torch.arange(1, {stop}, dtype=torch.float64)[:, None]
result = torch.stack([(distances * law).cos().mean(-1) for law in (theta, linear, constant)])
"""
