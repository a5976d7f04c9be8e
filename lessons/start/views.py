"""Start: pairs are clock hands, a position turns them, and only the difference of two positions survives."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.speeds import speeds
from figures.clocks import clock_colors, clocks, two_hands
from figures.drawing import Drawing
from lessons.notebook import computed
from lessons.view import Columns, Prose, View
from lessons.wording import aligned, tex, turns
from locales import _
from parameters.head_config import plain_head
from parameters.settings import Settings
from rope_core import RopeConfig

FACES = 8


def view(settings: Settings) -> View:
    """Show the hands of one token, or those of two tokens some places apart."""
    config, position = plain_head(settings), settings.whole("position")
    gap = settings.whole("gap") if settings["start_view"] == "two" else None
    inv_freq = speeds(config)
    pairs = np.unique(np.linspace(0, config.pairs - 1, FACES).round().astype(int))
    numbers = computed(hands, config, pairs.tolist(), position, gap)
    columns, positions = numbers["columns"], [position] if gap is None else [position, position + gap]
    sentences = _sentences(config, inv_freq, position, 3 if gap is None else gap)
    return View(
        figure=_figure(config, inv_freq, columns, position, gap),
        alt=_alt(inv_freq, columns, position, gap),
        sentences=sentences if gap is None else (*sentences[1:], *_score_sentence(inv_freq, gap)),
        formula=(*_formula(config, inv_freq, position), *_score_formula(inv_freq, gap)),
        code=CODE.format(d=config.head_dim, base=config.base, positions=positions, pairs=pairs.tolist()),
        **numbers,
        parts=(Prose(kind="info", text=_no_promise()),),
    )


def hands(config: RopeConfig, pairs: list[int], position: int, gap: int | None) -> Columns:
    """Return the angles of some hands at a position, and with a ``gap`` those of a second token so many places after it."""
    inv_freq = speeds(config)[pairs]
    columns = {"pair": np.array(pairs), "theta": inv_freq, "angle_rad": position * inv_freq}
    return columns if gap is None else columns | {"second_angle_rad": (position + gap) * inv_freq}


def _figure(config: RopeConfig, inv_freq: ndarray, columns: Columns, position: int, gap: int | None) -> Drawing:
    pairs, theta, angle = columns["pair"], columns["theta"], columns["angle_rad"]
    labels = [f"{_pair(pair)}<br>θ<sub>{pair}</sub> = {speed:.3g}" for pair, speed in zip(pairs, theta, strict=True)]
    if gap is None:
        return clocks(angle, position=position, labels=labels, colors=clock_colors(pairs.tolist(), config.pairs))
    return two_hands(angle, gap * theta, position=position, gap=gap, score=_score(inv_freq, gap), labels=labels, say=_)


def _alt(inv_freq: ndarray, columns: Columns, position: int, gap: int | None) -> str:
    pairs = columns["pair"]
    if gap is None:
        said = _("Clock hands at position {m}; angles from the right: {angles}.")
        return said.format(m=f"{position:,}", angles=_degrees(pairs, columns["angle_rad"]))
    said = _("Two hands on each clock, {gap} tokens apart; the angle between them: {angles}. The score is {score}.")
    return said.format(gap=f"{gap:,}", angles=_degrees(pairs, gap * columns["theta"]), score=f"{_score(inv_freq, gap):.4g}")


def _score(inv_freq: ndarray, gap: int) -> float:
    """Return the score of q and k that are (1, 0) in every pair."""
    return float(np.cos(gap * inv_freq).sum())


def _score_sentence(inv_freq: ndarray, gap: int | None) -> tuple[str, ...]:
    if gap is None:
        return ()
    said = _(
        "**The score stays with it.** With q and k of (1, 0) in each of the {pairs} pairs, the score is the sum of the cosines of these "
        "angles: {score} at every position m."
    )
    return (said.format(pairs=f"`{len(inv_freq)}`", score=f"`{_score(inv_freq, gap):.4g}`"),)


def _score_formula(inv_freq: ndarray, gap: int | None) -> tuple[str, ...]:
    if gap is None:
        return ()
    return (aligned(rf"n - m &= {gap}", rf"\textstyle\sum_i \cos{{((n - m)\,\theta_i)}} &= {tex(_score(inv_freq, gap))}"),)


def _sentences(config: RopeConfig, inv_freq: ndarray, position: int, gap: int) -> tuple[str, ...]:
    last = config.pairs - 1
    if not last:
        return _of_one_pair(position, gap)
    return (
        _("**A pair is a hand.** Two numbers of a vector make a pair, an arrow in a plane of its own; {d} numbers make {pairs}.").format(
            d=f"`{config.head_dim}`", pairs=f"`{config.pairs}`"
        ),
        _(
            "**Position turns it.** At position {m} pair 0, the fastest, has turned by {fast} rad (full turns: {turns}). Pair "
            "{last}, the slowest, has turned by {slow} rad."
        ).format(
            m=f"`{position:,}`",
            fast=f"`{position * inv_freq[0]:,.2f}`",
            turns=f"`{turns(position * inv_freq[0])[0]:,}`",
            last=last,
            slow=f"`{position * inv_freq[-1]:,.8g}`",
        ),
        _(
            "**Only the difference survives.** Two tokens {gap} places apart differ by {fast} rad in pair 0 and by {slow} "
            "rad in pair {last}, "
            "wherever they stand. The attention score sees nothing else of their positions."
        ).format(gap=f"`{gap:,}`", fast=f"`{gap * inv_freq[0]:,.2f}`", slow=f"`{gap * inv_freq[-1]:,.8g}`", last=last),
    )


def _of_one_pair(position: int, gap: int) -> tuple[str, ...]:
    """Say the same of a head of two coordinates, whose one pair is neither fast nor slow."""
    return (
        _("**A pair is a hand.** The two numbers of this vector make one pair, an arrow in a plane."),
        _("**Position turns it.** At position {m} it has turned by {m} rad (full turns: {turns}).").format(
            m=f"`{position:,}`", turns=f"`{turns(position)[0]:,}`"
        ),
        _(
            "**Only the difference survives.** Two tokens {gap} places apart differ by {gap} rad, wherever they stand. The attention "
            "score sees nothing else of their positions."
        ).format(gap=f"`{gap:,}`"),
    )


def _formula(config: RopeConfig, inv_freq: ndarray, position: int) -> tuple[str, ...]:
    last = config.pairs - 1
    return (
        aligned(
            r"\theta_i &= b^{-2i/d}", rf"\theta_{{{last}}} &= {config.base:.10g}^{{-{2 * last}/{config.head_dim}}} = {tex(inv_freq[-1])}"
        ),
        aligned(r"\varphi_i(m) &= m\,\theta_i", rf"\varphi_{{{last}}}({position}) &= {tex(position * inv_freq[-1])}"),
    )


def _no_promise() -> str:
    return _(
        "What RoPE does not promise: the formula gives an angle for every position, but a score depends on distances, and a model has "
        "only met those within the length of its training. Over longer distances, pairs too slow to have finished a turn reach angles "
        "that are new to the model, and it usually gets worse there unless it is adapted."
    )


def _pair(index: int) -> str:
    return _("pair {i}").format(i=index)


def _degrees(pairs: ndarray, angle: ndarray) -> str:
    return _(", ").join(_("pair {i}: {degrees}°").format(i=pair, degrees=turns(each)[1]) for pair, each in zip(pairs, angle, strict=True))


CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # rad per token
positions = torch.tensor({positions})
# A row a token, a column a hand.
result = torch.outer(positions, theta[{pairs}])
"""
