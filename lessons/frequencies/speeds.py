"""The views Speeds and Turns: speed and wavelength of every pair, and how often it turns within the context."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy import ndarray

from compute.speeds import coverage, end_pairs, speeds, wavelengths
from figures import frequencies
from lessons.methods import law_tex, scaling_sentence, speeds_code, width_sentence
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, counted, pairs, tex, tokens
from locales import _
from rope_core import RopeConfig


def speeds_view(config: RopeConfig) -> View:
    """Show speed and wavelength of every pair."""
    inv_freq, turn = speeds(config), wavelengths(config)
    slow = end_pairs(inv_freq)[1]
    return View(
        figure=frequencies.speeds(inv_freq, turn, context=config.trained_length, say=_),
        alt=_speeds_alt(config, inv_freq, turn),
        sentences=(_fastest_and_slowest(inv_freq, turn), unfinished_sentence(config), law_sentence(config)),
        formula=(
            aligned(*law_tex(config), *_numbers_of_pairs(config, inv_freq)),
            aligned(r"\lambda_i &= 2\pi / \theta_i", rf"\lambda_{{{slow}}} &= {tex(turn[slow], 9)}"),
        ),
        code=speeds_code(config) + "result = torch.stack((theta, 2 * torch.pi / theta))  # speed and wavelength",
        **computed(speed_columns, config),
    )


def speed_columns(config: RopeConfig) -> Columns:
    """Return speed and wavelength of every pair."""
    return {"pair": np.arange(config.pairs), "theta": speeds(config), "wavelength": wavelengths(config)}


def _speeds_alt(config: RopeConfig, inv_freq: ndarray, turn: ndarray) -> str:
    fast, slow = end_pairs(inv_freq)
    return _(
        "{pairs}, from {fast} to {slow} rad per token; one turn takes {short} to {long} tokens. Pairs that take longer than the "
        "context of {context}: {longer}."
    ).format(
        pairs=pairs(config.pairs, ""),
        fast=f"{inv_freq[fast]:.6g}",
        slow=f"{inv_freq[slow]:.6g}",
        short=counted(turn[fast]),
        long=counted(turn[slow]),
        longer=int((turn > config.trained_length).sum()),
        context=tokens(config.trained_length, ""),
    ) + still_in_alt(inv_freq)


def _fastest_and_slowest(inv_freq: ndarray, turn: ndarray) -> str:
    fast, slow = end_pairs(inv_freq)
    if len(inv_freq) == 1:
        sentence = _("The only pair turns by {fast} rad per token: one turn in {short} tokens.")
    elif (inv_freq == 0).any():
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


def turns_view(config: RopeConfig) -> View:
    """Show how often every pair turns within the context, and how much of its circle it sweeps."""
    numbers, length = computed(turn_columns, config), config.trained_length
    _pair, made, share = numbers["columns"].values()
    slow = end_pairs(speeds(config))[1]
    return View(
        figure=frequencies.turns(made, share, say=_),
        alt=_turns_alt(config, made),
        sentences=_turns_sentences(config, made, share),
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
        **numbers,
    )


def turn_columns(config: RopeConfig) -> Columns:
    """Return the turns of every pair within the trained length, and the share of its circle that it sweeps."""
    made = config.trained_length / wavelengths(config)
    return {"pair": np.arange(config.pairs), "turns": made, "share_of_circle": coverage(config)}


def _turns_alt(config: RopeConfig, made: ndarray) -> str:
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


def _turns_sentences(config: RopeConfig, made: ndarray, share: ndarray) -> tuple[str, ...]:
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


def still_in_alt(inv_freq: ndarray) -> str:
    """Say how many pairs stand still; nothing where all turn."""
    count = int((inv_freq == 0).sum())
    return " " + _("Of these, {count} stand still.").format(count=count) if count else ""


def unfinished_sentence(config: RopeConfig) -> str:
    """Say which pairs never finish a turn within the context length, and at which speeds."""
    if config.scaling is None:
        return _unfinished_sentence(config)
    plain = _unfinished(replace(config, scaling=None, max_position=config.trained_length))
    speeds_used = _("That is at the scaled speeds; at those of the plain law there are {count} such pairs.").format(count=f"`{plain}`")
    return f"{_unfinished_sentence(config)} {speeds_used}"


def _unfinished_sentence(config: RopeConfig) -> str:
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
