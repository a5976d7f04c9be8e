"""The view All alike: with one speed for all pairs the code repeats, or nearly."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.laws import mean_cosines
from compute.speeds import speeds
from figures import laws
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, rounding, tex
from locales import _
from rope_core import RopeConfig

PERIODS = 3
NEAR = 1000


def period_view(config: RopeConfig, period: int) -> View:
    """Show one speed for all pairs, 2 pi / T with an integer T: positions T apart have the same code."""
    stop = PERIODS * period + 1
    numbers = computed(period_columns, config, period, stop)
    _distance, equal, own = numbers["columns"].values()
    return View(
        figure=laws.period(np.arange(stop, dtype=np.float32), equal, own, length=period, base=config.base, say=_),
        alt=_(
            "With one speed for all pairs the mean cosine is {start} at distance 0 and {back} at {period}; with the speeds of RoPE it is "
            "{own} there."
        ).format(start=f"{equal[0]:.6f}", back=f"{equal[period]:.6f}", period=f"{period:,}", own=f"{own[period]:.6f}"),
        sentences=_period_sentences(equal, own, period),
        formula=(
            aligned(
                r"\theta &= 2\pi / T, \quad s(r) = \cos r\theta",
                rf"\theta &= 2\pi / {period} = {tex(math.tau / period)}",
                rf"s({period}) &= {equal[period]:.6f}",
            ),
        ),
        code=START_CODE.format(d=config.head_dim, base=config.base) + PERIOD_CODE.format(period=period, stop=stop),
        **numbers,
    )


def period_columns(config: RopeConfig, period: int, stop: int) -> Columns:
    """Return the mean cosines at distances below ``stop``, with a turn in ``period`` tokens for all pairs, and with the speeds of RoPE."""
    equal, own = mean_cosines(config, math.tau / period, stop)
    return {"distance": np.arange(stop), "one_speed": equal, "rope": own}


def _period_sentences(equal: ndarray, own: ndarray, period: int) -> tuple[str, ...]:
    best = 1 + int(own[1:].argmax())
    return (
        _(
            "All pairs turn by 2π / {period} = {speed} rad per token, so tokens at p and p + {period} get the same code: the mean "
            "cosines at distance {period} and 0 differ by {error} (rounding)."
        ).format(period=f"`{period:,}`", speed=f"`{math.tau / period:.6g}`", error=f"`{rounding(abs(equal[period] - equal[0]))}`"),
        _(
            "With the speeds of RoPE the mean cosine at distance {period} is {own}. From 1 to {reach} its highest is {high}, at "
            "distance {best}."
        ).format(
            period=f"`{period:,}`", own=f"`{own[period]:.6f}`", reach=f"`{len(own) - 1:,}`", high=f"`{own[best]:.10g}`", best=f"`{best:,}`"
        ),
        _("For p + T to be a position, T must be a whole number of tokens. With 1 rad per token no two positions ever get the same code."),
    )


def return_view(config: RopeConfig) -> View:
    """Show 1 rad per token for all pairs: whole positions come near each other, and never meet."""
    numbers = computed(return_columns, config, NEAR + 1)
    distances, one, own = numbers["columns"].values()
    best = int(one.argmin())
    near, full_turns = distances[best], f"{distances[best] / math.tau:.0f}"
    return View(
        figure=laws.left_over(distances.astype(float), one, own, base=config.base, say=_),
        alt=_(
            "At 1 rad per token distance {near} comes within {gap} rad of full turns, the nearest of 1 to {reach}; none is exact."
        ).format(near=near, gap=f"{one[best]:.1e}", reach=f"{NEAR:,}"),
        sentences=_return_sentences(distances, one, own),
        formula=(
            aligned(
                r"\delta(r) &= \min_k |r\,\theta - 2\pi k|, \quad \theta = 1",
                rf"\delta({near}) &= |{near} - 2\pi\cdot {full_turns}|",
                rf"&= {tex(one[best])}",
            ),
        ),
        code=START_CODE.format(d=config.head_dim, base=config.base) + RETURN_CODE.format(stop=NEAR + 1),
        **numbers,
    )


def left_over(turned: ndarray) -> ndarray:
    """Return how far the pair that is farthest from full turns is from them, in radians."""
    farthest: ndarray = np.abs(turned - math.tau * np.rint(turned / math.tau)).max(-1)
    return farthest


def return_columns(config: RopeConfig, stop: int) -> Columns:
    """Return the angles to full turns at distances below ``stop``, with 1 rad per token for all pairs, and with the speeds of RoPE."""
    distances = np.arange(1, stop)
    one, own = (left_over(distances[:, None] * inv_freq) for inv_freq in (np.ones(1), speeds(config)))
    return {"distance": distances, "one_speed": one, "rope_worst_pair": own}


def _return_sentences(distances: ndarray, one: ndarray, own: ndarray) -> tuple[str, ...]:
    best, own_best = int(one.argmin()), int(own.argmin())
    near = distances[best]
    return (
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
