"""What several views say of the pairs of a head."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.speeds import speeds, wavelengths
from lessons.methods import scaling_sentence, width_sentence
from locales import _
from rope_core import RopeConfig


def end_pairs(inv_freq: ndarray) -> tuple[int, int]:
    """Return the fastest pair, and the slowest of those that turn, the last of several."""
    moving = np.flatnonzero(inv_freq)
    return int(inv_freq.argmax()), int(moving[::-1][inv_freq[moving][::-1].argmin()])


def still_in_alt(inv_freq: ndarray) -> str:
    """Say how many pairs stand still; nothing where all turn."""
    count = int((inv_freq == 0).sum())
    return " " + _("Of these, {count} stand still.").format(count=count) if count else ""


def unfinished_sentence(config: RopeConfig) -> str:
    """Say which pairs never finish a turn within the trained length."""
    longer = np.flatnonzero(wavelengths(config) > config.trained_length)
    if not len(longer):
        return _("Every pair makes at least one turn in {context} steps.").format(context=f"`{config.trained_length:,}`")
    if len(longer) == config.pairs - longer[0]:
        sentence = _(
            "{longer} of {pairs} pairs never finish a turn in {context} steps: pair {first} ({speed} rad per token) and all after it."
        )
    else:  # LongRoPE's divisors need not rise
        sentence = _(
            "{longer} of {pairs} pairs never finish a turn in {context} steps; the first of them is pair {first} ({speed} rad per token)."
        )
    return sentence.format(
        longer=f"`{len(longer)}`",
        pairs=f"`{config.pairs}`",
        context=f"`{config.trained_length:,}`",
        first=longer[0],
        speed=f"`{speeds(config)[longer[0]]:.6g}`",
    )


def law_sentence(config: RopeConfig) -> str:
    """Say what sets the speeds, and how much of the head turns."""
    if config.scaling is not None:
        law = scaling_sentence(config)
    elif config.pairs == 1:
        law = _("With one pair the base changes nothing: pair 0 turns by 1 rad per token whatever the base.")
    else:
        law = _(
            "At base {base} the speed falls from each pair to the next by the factor {law} = {factor}: even steps on a log axis. Pair 0 "
            "turns by 1 rad per token whatever the base."
        ).format(
            base=f"`{config.base:,.10g}`",
            law="b^(2/d)" if config.rotary_dim == config.head_dim else "b^(2/dᵣ)",
            factor=f"`{config.base ** (2 / config.rotary_dim):.6g}`",
        )
    return f"{width_sentence(config)} {law}".strip()
