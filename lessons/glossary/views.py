"""Glossary: where the symbols stand among the speeds of the pairs and their wavelengths, and what every one of them means."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy import ndarray

from compute.speeds import speeds, wavelengths
from figures.glossary import Mark, marked
from lessons.glossary.entries import matches
from lessons.methods import speeds_code
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, counted, tex
from locales import _
from parameters.head_config import plain_head
from parameters.settings import Settings
from rope_core import RopeConfig


def view(settings: Settings) -> View:
    """Show the speeds of the pairs or their wavelengths; entries that a search finds are framed."""
    found = [entry.key for entry in matches(settings.text("term"))]
    return (speeds_view if settings["glossary_view"] == "speeds" else lengths_view)(plain_head(settings), found)


def speeds_view(config: RopeConfig, found: Collection[str]) -> View:
    """Mark what has to do with the speeds."""
    inv_freq, last = speeds(config), config.pairs - 1
    ratio = config.base ** (2 / config.head_dim)
    titles = _("pair i (0 is the fastest)"), _("speed θ<sub>i</sub> (rad per token, log axis)")
    return View(
        figure=marked(inv_freq, _speed_marks(config, inv_freq), found, titles=titles, exponents=(-10.2, 1.2)),
        alt=_("Speeds of {pairs} pairs with their symbols: pair 0 turns by 1 rad per token, pair {last} by {slow}.").format(
            pairs=config.pairs, last=last, slow=f"{inv_freq[last]:.6g}"
        ),
        sentences=(
            _(
                "The speed θᵢ is how far pair i turns from one token to the next: pair 0 by {fast} rad at every base, pair {last}, the "
                "slowest, by {slow} rad."
            ).format(fast="`1`", last=last, slow=f"`{inv_freq[last]:.6g}`"),
            _("The head width d = {d} makes P = d / 2 = {pairs} pairs. The base b = {base} sets the step from one to the next.").format(
                d=f"`{config.head_dim}`", pairs=f"`{config.pairs}`", base=f"`{config.base:,.10g}`"
            ),
        ),
        formula=(
            aligned(r"\theta_i &= b^{-2i/d}", rf"\theta_{{{last}}} &= {config.base:.10g}^{{-{2 * last}/{config.head_dim}}}"),
            aligned(rf"b^{{2/d}} &= {tex(ratio, 9)}", rf"\theta_{{{last}}} &= {tex(inv_freq[last], 9)}"),
        ),
        code=speeds_code(config) + "result = theta",
        **computed(pair_columns, config, "theta"),
    )


def pair_columns(config: RopeConfig, quantity: str) -> Columns:
    """Return the speed of every pair, ``theta``, or its wavelength."""
    return {"pair": np.arange(config.pairs), quantity: speeds(config) if quantity == "theta" else wavelengths(config)}


def _speed_marks(config: RopeConfig, inv_freq: ndarray) -> list[Mark]:
    last, ratio = config.pairs - 1, config.base ** (2 / config.head_dim)
    marks = [
        Mark(keys=("pair-0",), text=_("pair 0: θ<sub>0</sub> = 1"), pair=0, value=1, right=30, down=-22),
        Mark(keys=("speed",), text="θ<sub>i</sub> = b<sup>−2i/d</sup>", pair=last // 2, value=inv_freq[last // 2], right=35, down=-35),
        Mark(
            keys=("head-dim", "pair", "pairs"),
            text=_("d = {d} coordinates, P = {pairs} pairs").format(d=config.head_dim, pairs=config.pairs),
            pair=last / 2,
            value=10**-9.6,
            anchor="center",
        ),
    ]
    if not last:
        return marks
    slower = _("from pair to pair slower by b<sup>2/d</sup> = {ratio}").format(ratio=f"{ratio:.4g}")
    text = _("pair {last}: θ<sub>{last}</sub> = {speed}").format(last=last, speed=f"{inv_freq[last]:.3g}")
    down = -80 if inv_freq[last] < 1e-5 else 45  # from the end of the axis
    return [*marks, Mark(keys=("base",), text=slower, pair=0, value=10**-8.4), _last_mark(text, inv_freq, down)]


def lengths_view(config: RopeConfig, found: Collection[str]) -> View:
    """Mark what has to do with the wavelengths and the context."""
    turn, last, length = wavelengths(config), config.pairs - 1, config.max_position
    longer = int(np.count_nonzero(turn > length))
    titles = _("pair i (0 is the fastest)"), _("wavelength λ<sub>i</sub> (tokens, log axis)")
    return View(
        figure=marked(turn, _length_marks(turn, length), found, titles=titles, exponents=(-0.4, 11.4), length=length),
        alt=_(
            "Wavelengths of {pairs} pairs with their symbols, from {short} to {long} tokens; {longer} are longer than L = {length}."
        ).format(pairs=config.pairs, short=counted(turn[0]), long=counted(turn[last]), longer=longer, length=f"{length:,}"),
        sentences=(
            _("The wavelength λᵢ is how many tokens pair i needs for one turn: {short} in pair 0, {long} in pair {last}.").format(
                short=f"`{counted(turn[0])}`", long=f"`{counted(turn[last])}`", last=last
            ),
            _within_context(config, longer),
        ),
        formula=(
            aligned(
                r"\lambda_i &= 2\pi / \theta_i",
                rf"\lambda_{{{last}}} &= {tex(turn[last], 9)}",
                rf"L / \lambda_{{{last}}} &= {tex(length / turn[last])}",
            ),
        ),
        code=speeds_code(config) + "result = 2 * torch.pi / theta",
        **computed(pair_columns, config, "wavelength"),
    )


def _length_marks(turn: ndarray, length: int) -> list[Mark]:
    last = len(turn) - 1
    wave = "λ<sub>i</sub> = 2π / θ<sub>i</sub>"
    trained = _("context length L = {length}").format(length=f"{length:,}")
    marks = [
        Mark(keys=("turn", "pair-0"), text=_("pair 0: λ<sub>0</sub> = 2π"), pair=0, value=turn[0], right=30, down=22),
        Mark(keys=("wavelength",), text=wave, pair=last // 2, value=turn[last // 2], right=-25, down=-75, anchor="right"),
        Mark(keys=("context-length", "trained-length"), text=trained, pair=0, value=length, right=12, down=-24),
    ]
    if last:
        text = _("pair {last}: λ<sub>{last}</sub> = {length}").format(last=last, length=counted(turn[last]))
        marks.append(_last_mark(text, turn, 60 if turn[last] > 1e3 else -45))
    if turn[last] > length:
        text = _("above L: less than one turn")
        marks.append(Mark(keys=("unseen-angle", "turns"), text=text, pair=last / 2, value=10**10.9, anchor="center"))
    return marks


def _last_mark(text: str, values: ndarray, down: int) -> Mark:
    last = len(values) - 1
    return Mark(keys=("last-pair",), text=text, pair=last, value=values[last], right=-5, down=down, anchor="right")


def _within_context(config: RopeConfig, longer: int) -> str:
    """Say how many pairs have angles that do not occur in training."""
    length, pairs = f"`{config.max_position:,}`", f"`{config.pairs}`"
    if not longer:
        return _("Within the context length L = {length} every one of the {pairs} pairs makes at least one turn.").format(
            length=length, pairs=pairs
        )
    return _(
        "Within the context length L = {length} there are pairs that make less than one turn: {longer} of {pairs}. A longer text "
        "turns them to unseen angles."
    ).format(length=length, longer=f"`{longer}`", pairs=pairs)
