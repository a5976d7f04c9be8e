"""The view Speeds: speed and wavelength of every pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy import ndarray

from compute.speeds import speeds, wavelengths
from figures import frequencies
from figures.theme import pair_colors
from lessons.frequencies.pairs import end_pairs, law_sentence, still_in_alt, unfinished_sentence
from lessons.methods import law_tex, speeds_code
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, counted, tex
from locales import _
from rope_core import RopeConfig


def speeds_view(config: RopeConfig) -> View:
    """Show speed and wavelength of every pair."""
    inv_freq, turn = speeds(config), wavelengths(config)
    slow = end_pairs(inv_freq)[1]
    return View(
        figure=frequencies.speeds(inv_freq, turn, context=config.trained_length, colors=pair_colors(config.pairs), say=_),
        alt=_alt(config, inv_freq, turn),
        sentences=(_fastest_and_slowest(inv_freq, turn), unfinished_sentence(config), law_sentence(config)),
        formula=(
            aligned(*law_tex(config), *_numbers_of_pairs(config, inv_freq)),
            aligned(r"\lambda_i &= 2\pi / \theta_i", rf"\lambda_{{{slow}}} &= {tex(turn[slow], 9)}"),
        ),
        code=speeds_code(config) + "result = torch.stack((theta, 2 * torch.pi / theta))  # speed and wavelength",
        columns=speed_columns(config),
        notebook_code=notebook_code(speeds, wavelengths, speed_columns, lines="columns = speed_columns(config)", config=config),
    )


def speed_columns(config: RopeConfig) -> Columns:
    """Return speed and wavelength of every pair."""
    return {"pair": np.arange(config.pairs), "theta": speeds(config), "wavelength": wavelengths(config)}


def _alt(config: RopeConfig, inv_freq: ndarray, turn: ndarray) -> str:
    fast, slow = end_pairs(inv_freq)
    return _(
        "{pairs} pairs, from {fast} to {slow} rad per token; one turn takes {short} to {long} tokens, and {longer} pairs take "
        "longer than the context of {context} tokens."
    ).format(
        pairs=config.pairs,
        fast=f"{inv_freq[fast]:.6g}",
        slow=f"{inv_freq[slow]:.6g}",
        short=counted(turn[fast]),
        long=counted(turn[slow]),
        longer=int((turn > config.trained_length).sum()),
        context=f"{config.trained_length:,}",
    ) + still_in_alt(inv_freq)


def _fastest_and_slowest(inv_freq: ndarray, turn: ndarray) -> str:
    fast, slow = end_pairs(inv_freq)
    if (inv_freq == 0).any():
        sentence = _(
            "Pair {first}, the fastest, turns by {fast} rad per token: one turn in {short} tokens. Pair {last}, the slowest of those "
            "that turn, by {slow} rad per token: one turn in {long} tokens."
        )
    else:
        sentence = _(
            "Pair {first}, the fastest, turns by {fast} rad per token: one turn in {short} tokens. Pair {last}, the slowest, turns by "
            "{slow} rad per token: one turn in {long} tokens."
        )
    return sentence.format(
        first=fast,
        fast=f"`{inv_freq[fast]:.6g}`",
        short=f"`{counted(turn[fast])}`",
        last=slow,
        slow=f"`{inv_freq[slow]:.6g}`",
        long=f"`{counted(turn[slow])}`",
    )


def _numbers_of_pairs(config: RopeConfig, inv_freq: ndarray) -> list[str]:
    """Write the second and the last pair with numbers: by the plain law, and what the method makes of it."""
    lines, plain = [], speeds(replace(config, scaling=None))
    for i in sorted({min(1, config.pairs - 1), config.pairs - 1}):
        power = rf"{config.base:.10g}^{{-{2 * i}/{config.rotary_dim}}}"
        if config.scaling is None:
            lines.append(rf"\theta_{{{i}}} &= {power} \\ &= {tex(inv_freq[i], 9)}")
        else:
            lines.append(rf"{power} &= {tex(plain[i], 9)} \\ \theta_{{{i}}} &= {tex(inv_freq[i], 9)}")
    return lines
