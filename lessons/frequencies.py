"""Frequencies: how fast each pair turns, how far it comes within the context, and what the base changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from figures import frequencies
from figures.theme import pair_colors
from lessons import core_explore
from lessons.core_lines import with_config
from lessons.scaling_code import speeds_code
from lessons.scaling_words import law_tex, scaling_sentence, width_sentence
from rope_core import RopeConfig
from ui import compute, compute_laws
from ui.formulas import aligned, counted, tex
from ui.i18n import _
from ui.view import View

BASES = tuple(float(base) for base in np.geomspace(1e2, 1e9, 57))  # eight steps a decade


def speeds_view(config: RopeConfig) -> View:
    """Show speed and wavelength of every pair."""
    speeds, turn = compute.speeds(config), compute_laws.turn_lengths(config)
    fast, slow = _ends(speeds)
    longer = int((turn > config.trained_length).sum())
    return View(
        figure=frequencies.speeds(speeds, turn, config.trained_length, pair_colors(config.pairs), _words(config)),
        alt=_(
            "{pairs} pairs, from {fast} to {slow} rad per token; one turn takes {short} to {long} tokens, and {longer} pairs take "
            "longer than the context of {context} tokens."
        ).format(
            pairs=config.pairs,
            fast=f"{speeds[fast]:.6g}",
            slow=f"{speeds[slow]:.6g}",
            short=counted(turn[fast]),
            long=counted(turn[slow]),
            longer=longer,
            context=f"{config.trained_length:,}",
        )
        + _still_in_alt(speeds),
        sentences=(_fastest_and_slowest(speeds, turn), _unfinished(config, speeds, turn), _law_sentence(config)),
        formula=(
            aligned(*law_tex(config), *_numbers_of_pairs(config, speeds)),
            aligned(r"\lambda_i &= 2\pi / \theta_i", rf"\lambda_{{{slow}}} &= {tex(turn[slow], 9)}"),
        ),
        code=speeds_code(config) + "result = torch.stack((theta, 2 * torch.pi / theta))  # speed and wavelength",
        drawn={"pair": np.arange(config.pairs), "theta": speeds, "wavelength": turn},
        core=with_config(config, lines=core_explore.SPEEDS),
    )


def _ends(speeds: np.ndarray) -> tuple[int, int]:
    """Give the fastest pair, and the slowest of those that turn, the last of several."""
    moving = np.flatnonzero(speeds)
    return int(speeds.argmax()), int(moving[::-1][speeds[moving][::-1].argmin()])


def _fastest_and_slowest(speeds: np.ndarray, turn: np.ndarray) -> str:
    fast, slow = _ends(speeds)
    if (speeds == 0).any():
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
        fast=f"`{speeds[fast]:.6g}`",
        short=f"`{counted(turn[fast])}`",
        last=slow,
        slow=f"`{speeds[slow]:.6g}`",
        long=f"`{counted(turn[slow])}`",
    )


def _still_in_alt(speeds: np.ndarray) -> str:
    count = int((speeds == 0).sum())
    return " " + _("Of these, {count} stand still.").format(count=count) if count else ""


def _numbers_of_pairs(config: RopeConfig, speeds: np.ndarray) -> list[str]:
    """Write the second and the last pair with numbers: by the plain law, and what the method makes of it."""
    lines, plain = [], compute.speeds(replace(config, scaling=None))
    for i in sorted({min(1, config.pairs - 1), config.pairs - 1}):
        power = rf"{config.base:.10g}^{{-{2 * i}/{config.rotary_dim}}}"
        if config.scaling is None:
            lines.append(rf"\theta_{{{i}}} &= {power} \\ &= {tex(speeds[i], 9)}")
        else:
            lines.append(rf"{power} &= {tex(plain[i], 9)} \\ \theta_{{{i}}} &= {tex(speeds[i], 9)}")
    return lines


def turns_view(config: RopeConfig) -> View:
    """Show how often every pair turns within the context, and how much of its circle it sweeps."""
    speeds, turn, share = compute.speeds(config), compute_laws.turn_lengths(config), compute_laws.coverage(config)
    length, (fast, slow) = config.trained_length, _ends(speeds)
    made = length / turn
    longer = int((turn > length).sum())
    return View(
        figure=frequencies.turns(made, share, pair_colors(config.pairs), _words(config)),
        alt=_(
            "In {length} tokens pair {first} makes {fast} turns and pair {last} {slow}; {longer} of {pairs} pairs never finish one."
        ).format(
            length=f"{length:,}",
            first=fast,
            fast=counted(made[fast]),
            last=slow,
            slow=counted(made[slow]),
            longer=longer,
            pairs=config.pairs,
        )
        + _still_in_alt(speeds),
        sentences=(
            _(
                "{length} steps of one token turn pair {first} ({speed} rad per token) {fast} times, pair {last} {slow} times: {degrees}°."
            ).format(
                length=f"`{length:,}`",
                first=fast,
                speed=f"`{speeds[fast]:.6g}`",
                fast=f"`{counted(made[fast])}`",
                last=slow,
                slow=f"`{counted(made[slow])}`",
                degrees=f"`{counted(360 * made[slow])}`",
            ),
            # A method is there to keep longer texts within the angles that were met.
            _unfinished(config, speeds, turn)
            + (" " + _("A longer text turns them to angles that they have not met.") if longer and config.scaling is None else ""),
            _(
                "From position 0 to {end}, one step fewer, pair {last} sweeps {share} of its circle. A full bar is a whole circle, "
                "met in steps of the speed of the pair."
            ).format(end=f"`{length - 1:,}`", last=slow, share=f"`{100 * share[slow]:.4g} %`"),
            *([_law_sentence(config)] if config.scaling or width_sentence(config) else []),
        ),
        formula=(
            aligned(
                r"L / \lambda_i &= L\,\theta_i / 2\pi",
                rf"L / \lambda_{{{slow}}} &= {length} / ({tex(turn[slow])})",
                rf"&= {tex(made[slow])}",
            ),
        ),
        code=speeds_code(config)
        + f"turns = {length} * theta / (2 * torch.pi)  # within the trained length\n"
        + f"swept = ({length - 1} * theta / (2 * torch.pi)).clamp(max=1)  # from the first position to the last\n"
        + "result = torch.stack((turns, swept))",
        drawn={"pair": np.arange(config.pairs), "turns": made, "share_of_circle": share},
        core=with_config(config, lines=core_explore.TURNS),
    )


def sweep_view(config: RopeConfig) -> View:
    """Let the base run from a hundred to a billion."""
    turn, own = compute_laws.wavelengths(config.head_dim, BASES), _wavelengths(config)
    last, context = config.pairs - 1, f"{config.max_position:,}"
    longer = [int((row > config.max_position).sum()) for row in (turn[0], own, turn[-1])]
    ends = [counted(row[-1]) for row in (turn[0], turn[-1])]
    return View(
        figure=frequencies.sweep(BASES, turn, own, config.max_position, _words(config)),
        alt=_(
            "Wavelengths while the base runs from 100 to 1,000,000,000: that of pair 0 stays at {first} tokens, that of pair {last} "
            "goes from {low} to {high}."
        ).format(first=counted(turn[0, 0]), last=last, low=ends[0], high=ends[1]),
        sentences=(
            _(
                "The wavelength of pair 0 is {first} tokens at every base. That of pair {last} goes from {low} tokens at base 100 to "
                "{high} at base 1,000,000,000."
            ).format(first=f"`{counted(turn[0, 0])}`", last=last, low=f"`{ends[0]}`", high=f"`{ends[1]}`"),
            _(
                "Of {pairs} pairs, {low} take longer than {context} tokens for one turn at base 100, {own} at your base of {base}, and "
                "{high} at base 1,000,000,000."
            ).format(
                pairs=f"`{config.pairs}`",
                context=f"`{context}`",
                low=f"`{longer[0]}`",
                own=f"`{longer[1]}`",
                base=f"`{config.base:,.10g}`",
                high=f"`{longer[2]}`",
            ),
            _law_sentence(config),
        ),
        formula=(
            aligned(
                r"\lambda_i(b) &= 2\pi\,b^{2i/d} = 2\pi / \theta_i",
                rf"\lambda_{{{last}}}(10^2) &= {tex(turn[0, -1])}",
                rf"\lambda_{{{last}}}(10^9) &= {tex(turn[-1, -1])}",
            ),
        ),
        code=SWEEP_CODE.format(d=config.head_dim, frames=len(BASES)),
        drawn={"pair": np.arange(config.pairs), "wavelength_at_100": turn[0], "wavelength_at_own_base": own},
        core=with_config(config, lines=core_explore.SWEEP),
    )


def _unfinished(config: RopeConfig, speeds: np.ndarray, turn: np.ndarray) -> str:
    longer = np.flatnonzero(turn > config.trained_length)
    if not len(longer):
        return _("Every pair makes at least one turn in {context} steps.").format(context=f"`{config.trained_length:,}`")
    if len(longer) == config.pairs - longer[0]:
        sentence = _(
            "{longer} of {pairs} pairs never finish a turn in {context} steps: pair {first} ({speed} rad per token) and all after it."
        )
    else:  # LongRoPE's divisors may take turns
        sentence = _(
            "{longer} of {pairs} pairs never finish a turn in {context} steps; the first of them is pair {first} ({speed} rad per token)."
        )
    return sentence.format(
        longer=f"`{len(longer)}`",
        pairs=f"`{config.pairs}`",
        context=f"`{config.trained_length:,}`",
        first=longer[0],
        speed=f"`{speeds[longer[0]]:.6g}`",
    )


def _law_sentence(config: RopeConfig) -> str:
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


def _wavelengths(config: RopeConfig) -> np.ndarray:
    row: np.ndarray = compute_laws.wavelengths(config.head_dim, (config.base,))[0]
    return row


def _words(config: RopeConfig) -> frequencies.FrequencyWords:
    return frequencies.FrequencyWords(
        pair=_("pair i"),
        speed=_("θ<sub>i</sub> (rad per token, log)"),
        wavelength=_("λ<sub>i</sub> (tokens, log)"),
        context=_("context length {context}").format(context=f"{config.trained_length:,}"),
        turns=_("turns in the context (log)"),
        one_turn=_("one turn"),
        finished=_("makes at least one turn"),
        unfinished=_("never finishes a turn"),
        still=_("stands still: speed 0, off the log axis"),
        coverage=_("share of the circle"),
        base=_("Base b ="),
        own=_("your base, {base}").format(base=f"{config.base:,.10g}"),
        swept=_("the base that runs"),
        play=_("Play"),
        pause=_("Pause"),
    )


SWEEP_CODE = """
import torch

d = {d}
bases = torch.logspace(2, 9, {frames}, dtype=torch.float64)  # one a frame
exponents = torch.arange(0, d, 2, dtype=torch.float64) / d
result = 2 * torch.pi * bases[:, None] ** exponents  # tokens of one turn, a row a frame
"""
