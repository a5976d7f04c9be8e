"""The view Turns: how often every pair turns within the context, and how much of its circle it sweeps."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.speeds import coverage, speeds, wavelengths
from figures import frequencies
from figures.theme import pair_colors
from lessons.frequencies.pairs import end_pairs, law_sentence, still_in_alt, unfinished_sentence
from lessons.methods import speeds_code, width_sentence
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, counted, tex
from locales import _
from rope_core import RopeConfig


def turns_view(config: RopeConfig) -> View:
    """Show how often every pair turns within the context, and how much of its circle it sweeps."""
    columns, length = turn_columns(config), config.trained_length
    made, share = np.asarray(columns["turns"]), np.asarray(columns["share_of_circle"])
    slow = end_pairs(speeds(config))[1]
    return View(
        figure=frequencies.turns(made, share, colors=pair_colors(config.pairs), say=_),
        alt=_alt(config, made),
        sentences=_sentences(config, made, share),
        formula=(
            aligned(
                r"L / \lambda_i &= L\,\theta_i / 2\pi",
                rf"L / \lambda_{{{slow}}} &= {length} / ({tex(wavelengths(config)[slow])})",
                rf"&= {tex(made[slow])}",
            ),
        ),
        code=speeds_code(config)
        + f"turns = {length} * theta / (2 * torch.pi)  # within the trained length\n"
        + f"swept = ({length - 1} * theta / (2 * torch.pi)).clamp(max=1)  # from the first position to the last\n"
        + "result = torch.stack((turns, swept))",
        columns=columns,
        notebook_code=notebook_code(wavelengths, coverage, turn_columns, lines="columns = turn_columns(config)", config=config),
    )


def turn_columns(config: RopeConfig) -> Columns:
    """Return the turns of every pair within the trained length, and the share of its circle that it sweeps."""
    made = config.trained_length / wavelengths(config)
    return {"pair": np.arange(config.pairs), "turns": made, "share_of_circle": coverage(config)}


def _alt(config: RopeConfig, made: ndarray) -> str:
    inv_freq = speeds(config)
    fast, slow = end_pairs(inv_freq)
    return _(
        "In {length} tokens pair {first} makes {fast} turns and pair {last} {slow}; {longer} of {pairs} pairs never finish one."
    ).format(
        length=f"{config.trained_length:,}",
        first=fast,
        fast=counted(made[fast]),
        last=slow,
        slow=counted(made[slow]),
        longer=_unfinished(config),
        pairs=config.pairs,
    ) + still_in_alt(inv_freq)


def _unfinished(config: RopeConfig) -> int:
    return int((wavelengths(config) > config.trained_length).sum())


def _sentences(config: RopeConfig, made: ndarray, share: ndarray) -> tuple[str, ...]:
    inv_freq, length = speeds(config), config.trained_length
    fast, slow = end_pairs(inv_freq)
    # A method is there to keep longer texts within the angles that were met.
    new_angles = _unfinished(config) and config.scaling is None
    return (
        _(
            "{length} steps of one token turn pair {first} ({speed} rad per token) {fast} times, pair {last} {slow} times: {degrees}°."
        ).format(
            length=f"`{length:,}`",
            first=fast,
            speed=f"`{inv_freq[fast]:.6g}`",
            fast=f"`{counted(made[fast])}`",
            last=slow,
            slow=f"`{counted(made[slow])}`",
            degrees=f"`{counted(360 * made[slow])}`",
        ),
        unfinished_sentence(config) + (" " + _("A longer text turns them to angles that they have not met.") if new_angles else ""),
        _(
            "From position 0 to {end}, one step fewer, pair {last} sweeps {share} of its circle. A full bar is a whole circle, "
            "met in steps of the speed of the pair."
        ).format(end=f"`{length - 1:,}`", last=slow, share=f"`{100 * share[slow]:.4g} %`"),
        *([law_sentence(config)] if config.scaling or width_sentence(config) else []),
    )
