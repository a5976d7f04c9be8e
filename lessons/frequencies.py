"""Frequencies: how fast each pair turns, how far it comes within the context, and what the base changes."""

from __future__ import annotations

import numpy as np

from figures import frequencies
from figures.theme import pair_colors
from rope_core import RopeConfig
from ui import compute, compute_laws
from ui.formulas import aligned, counted, tex
from ui.i18n import _
from ui.lesson import View

BASES = tuple(float(base) for base in np.geomspace(1e2, 1e9, 57))  # eight steps a decade


def speeds_view(config: RopeConfig) -> View:
    """Show speed and wavelength of every pair."""
    speeds, turn = compute.speeds(config), _wavelengths(config)
    last, longer = config.pairs - 1, int((turn > config.max_position).sum())
    return View(
        figure=frequencies.speeds(speeds, turn, config.max_position, pair_colors(config.pairs), _words(config)),
        alt=_(
            "{pairs} pairs, from {fast} to {slow} rad per token; one turn takes {short} to {long} tokens, and {longer} pairs take "
            "longer than the context of {context} tokens."
        ).format(
            pairs=config.pairs,
            fast=f"{speeds[0]:.6g}",
            slow=f"{speeds[-1]:.6g}",
            short=counted(turn[0]),
            long=counted(turn[-1]),
            longer=longer,
            context=f"{config.max_position:,}",
        ),
        sentences=(
            _(
                "Pair 0, the fastest, turns by {fast} rad per token: one turn in {short} tokens. Pair {last}, the slowest, turns by "
                "{slow} rad per token: one turn in {long} tokens."
            ).format(
                fast=f"`{speeds[0]:.6g}`",
                short=f"`{counted(turn[0])}`",
                last=last,
                slow=f"`{speeds[-1]:.6g}`",
                long=f"`{counted(turn[-1])}`",
            ),
            _unfinished(config, speeds, turn),
            _law_sentence(config),
        ),
        formula=(
            aligned(
                r"\theta_i &= b^{-2i/d}",
                *(
                    rf"\theta_{{{i}}} &= {config.base:.10g}^{{-{2 * i}/{config.head_dim}}} \\ &= {tex(speeds[i], 9)}"
                    for i in sorted({min(1, last), last})
                ),
            ),
            aligned(r"\lambda_i &= 2\pi / \theta_i", rf"\lambda_{{{last}}} &= {tex(turn[-1], 9)}"),
        ),
        code=_code(config, "result = torch.stack((theta, 2 * torch.pi / theta))  # speed and wavelength"),
        drawn={"pair": np.arange(config.pairs), "theta": speeds, "wavelength": turn},
    )


def turns_view(config: RopeConfig) -> View:
    """Show how often every pair turns within the context, and how much of its circle it sweeps."""
    speeds, turn, share = compute.speeds(config), _wavelengths(config), compute_laws.coverage(config)
    length, last = config.max_position, config.pairs - 1
    made = length / turn
    longer = int((turn > length).sum())
    return View(
        figure=frequencies.turns(made, share, pair_colors(config.pairs), _words(config)),
        alt=_("In {length} tokens pair 0 makes {fast} turns and pair {last} {slow}; {longer} of {pairs} pairs never finish one.").format(
            length=f"{length:,}", fast=counted(made[0]), last=last, slow=counted(made[-1]), longer=longer, pairs=config.pairs
        ),
        sentences=(
            _("{length} steps of one token turn pair 0 ({speed} rad per token) {fast} times, pair {last} {slow} times: {degrees}°.").format(
                length=f"`{length:,}`",
                speed=f"`{speeds[0]:.6g}`",
                fast=f"`{counted(made[0])}`",
                last=last,
                slow=f"`{counted(made[-1])}`",
                degrees=f"`{counted(360 * made[-1])}`",
            ),
            _unfinished(config, speeds, turn) + (" " + _("A longer text turns them to angles that they have not met.") if longer else ""),
            _(
                "From position 0 to {end}, one step fewer, pair {last} sweeps {share} of its circle. A full bar is a whole circle, "
                "met in steps of the speed of the pair."
            ).format(end=f"`{length - 1:,}`", last=last, share=f"`{100 * share[-1]:.4g} %`"),
        ),
        formula=(
            aligned(
                r"L / \lambda_i &= L\,\theta_i / 2\pi",
                rf"L / \lambda_{{{last}}} &= {length} / ({tex(turn[-1])})",
                rf"&= {tex(made[-1])}",
            ),
        ),
        code=_code(
            config,
            f"turns = {length} * theta / (2 * torch.pi)  # within the context\n"
            f"swept = ({length - 1} * theta / (2 * torch.pi)).clamp(max=1)  # from the first position to the last\n"
            "result = torch.stack((turns, swept))",
        ),
        drawn={"pair": np.arange(config.pairs), "turns": made, "share_of_circle": share},
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
    )


def _unfinished(config: RopeConfig, speeds: np.ndarray, turn: np.ndarray) -> str:
    longer = np.flatnonzero(turn > config.max_position)
    if not len(longer):
        return _("Every pair makes at least one turn in {context} steps.").format(context=f"`{config.max_position:,}`")
    return _(
        "{longer} of {pairs} pairs never finish a turn in {context} steps: pair {first} ({speed} rad per token) and all after it."
    ).format(
        longer=f"`{len(longer)}`",
        pairs=f"`{config.pairs}`",
        context=f"`{config.max_position:,}`",
        first=longer[0],
        speed=f"`{speeds[longer[0]]:.6g}`",
    )


def _law_sentence(config: RopeConfig) -> str:
    if config.pairs == 1:
        return _("With one pair the base changes nothing: pair 0 turns by 1 rad per token whatever the base.")
    return _(
        "At base {base} the speed falls from each pair to the next by the factor b^(2/d) = {factor}: even steps on a log axis. Pair 0 "
        "turns by 1 rad per token whatever the base."
    ).format(base=f"`{config.base:,.10g}`", factor=f"`{config.base ** (2 / config.head_dim):.6g}`")


def _wavelengths(config: RopeConfig) -> np.ndarray:
    row: np.ndarray = compute_laws.wavelengths(config.head_dim, (config.base,))[0]
    return row


def _words(config: RopeConfig) -> frequencies.FrequencyWords:
    return frequencies.FrequencyWords(
        pair=_("pair i"),
        speed=_("θ<sub>i</sub> (rad per token, log)"),
        wavelength=_("λ<sub>i</sub> (tokens, log)"),
        context=_("context length {context}").format(context=f"{config.max_position:,}"),
        turns=_("turns in the context (log)"),
        one_turn=_("one turn"),
        finished=_("makes at least one turn"),
        unfinished=_("never finishes a turn"),
        coverage=_("share of the circle"),
        base=_("Base b ="),
        own=_("your base, {base}").format(base=f"{config.base:,.10g}"),
        swept=_("the base that runs"),
        play=_("Play"),
        pause=_("Pause"),
    )


def _code(config: RopeConfig, last_line: str) -> str:
    return CODE.format(d=config.head_dim, base=config.base) + last_line


CODE = """
import torch

d, base = {d}, {base!r}
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
"""
SWEEP_CODE = """
import torch

d = {d}
bases = torch.logspace(2, 9, {frames}, dtype=torch.float64)  # one a frame
exponents = torch.arange(0, d, 2, dtype=torch.float64) / d
result = 2 * torch.pi * bases[:, None] ** exponents  # tokens of one turn, a row a frame
"""
