"""Start: pairs are clock hands, a position turns them, and only the difference of two positions survives."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from figures.clocks import ClockWords, clock_colors, clocks, two_hands
from lessons import core_learn
from lessons.core_lines import with_config
from rope_core import RopeConfig
from ui import compute
from ui.formulas import aligned, tex, turns
from ui.i18n import _
from ui.view import View

FRAMES = 61  # the position shown and the sixty that follow
FACES = 8


def view(config: RopeConfig, position: int, gap: int | None, *, frames: int = FRAMES) -> View:
    """Show the hands of one token, or with a ``gap`` those of a second token that stands so many places after it.

    With a single frame nothing can be played: while a hand moves the position, nothing should.
    """
    speeds = compute.speeds(config)
    pairs = np.unique(np.linspace(0, config.pairs - 1, FACES).round().astype(int))
    positions = position + np.arange(frames)
    angles = compute.angles(speeds[pairs], positions)
    labels = [f"{_pair(pair)}<br>θ<sub>{pair}</sub> = {speeds[pair]:.3g}" for pair in pairs]
    words = ClockWords(
        play=_("Play"),
        pause=_("Pause"),
        position=_("Shown: m ="),
        q=_("token at m"),
        k=_("token at m + {gap}").format(gap=f"{gap or 0:,}"),
    )
    lines = core_learn.START if gap is None else core_learn.START + core_learn.SECOND_HAND
    drawn = {"pair": pairs, "theta": speeds[pairs], "angle_rad": angles[0]}
    if gap is None:
        figure = clocks(positions.tolist(), angles, labels=labels, colors=clock_colors(pairs.tolist(), config.pairs), words=words)
        alt = _("Clock hands at position {m}; angles from the right: {angles}.").format(
            m=f"{position:,}", angles=_degrees(pairs, angles[0])
        )
    else:
        figure = two_hands(positions.tolist(), angles, compute.angles(speeds[pairs], positions + gap), labels=labels, words=words)
        alt = _("Two hands on each clock, {gap} tokens apart; the angle between them: {angles}.").format(
            gap=f"{gap:,}", angles=_degrees(pairs, gap * speeds[pairs])
        )
        drawn["second_angle_rad"] = (position + gap) * speeds[pairs]
    return View(
        figure=figure,
        alt=alt,
        sentences=_sentences(config, speeds, position, 3 if gap is None else gap),
        formula=_formula(config, speeds, position),
        code=CODE.format(
            d=config.head_dim,
            base=config.base,
            positions=[position] if gap is None else [position, position + gap],
            pairs=pairs.tolist(),
        ),
        drawn=drawn,
        core=with_config(config, lines=lines, pairs=pairs.tolist(), position=position, second=position + (gap or 0)),
    )


def _sentences(config: RopeConfig, speeds: ndarray, position: int, gap: int) -> tuple[str, ...]:
    last = config.pairs - 1
    return (
        _("**A pair is a hand.** Two numbers of a vector make a pair, an arrow in a plane of its own; {d} numbers make {pairs}.").format(
            d=f"`{config.head_dim}`", pairs=f"`{config.pairs}`"
        ),
        _(
            "**Position turns it.** At position {m} pair 0, the fastest, has turned by {fast} rad (full turns: {turns}). Pair "
            "{last}, the slowest, has turned by {slow} rad."
        ).format(
            m=f"`{position:,}`",
            fast=f"`{position * speeds[0]:,.2f}`",
            turns=f"`{turns(position * speeds[0])[0]:,}`",
            last=last,
            slow=f"`{position * speeds[-1]:,.8g}`",
        ),
        _(
            "**Only the difference survives.** Two tokens {gap} places apart differ by {fast} rad in pair 0 and by {slow} "
            "rad in pair {last}, "
            "wherever they stand. The attention score sees nothing else of their positions."
        ).format(gap=f"`{gap:,}`", fast=f"`{gap * speeds[0]:,.2f}`", slow=f"`{gap * speeds[-1]:,.8g}`", last=last),
    )


def _formula(config: RopeConfig, speeds: ndarray, position: int) -> tuple[str, ...]:
    last = config.pairs - 1
    return (
        aligned(
            r"\theta_i &= b^{-2i/d}",
            rf"\theta_{{{last}}} &= {config.base:.10g}^{{-{2 * last}/{config.head_dim}}} = {tex(speeds[-1])}",
        ),
        aligned(r"\varphi_i(m) &= m\,\theta_i", rf"\varphi_{{{last}}}({position}) &= {tex(position * speeds[-1])}"),
    )


def _pair(index: int) -> str:
    return _("pair {i}").format(i=index)


def _degrees(pairs: ndarray, angles: ndarray) -> str:
    return ", ".join(f"{_pair(pair)}: {turns(angle)[1]}°" for pair, angle in zip(pairs, angles, strict=True))


CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # rad per token
positions = torch.tensor({positions})
# A row a token, a column a hand.
result = torch.outer(positions, theta[{pairs}])
"""
