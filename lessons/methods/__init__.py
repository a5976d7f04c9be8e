"""The methods of context extension, a sheet each: formula, PyTorch lines, sentence, row of the table, look; and what pages make of them."""

from __future__ import annotations

import numpy as np

from compute.speeds import attention_factor, ratios
from lessons.methods import dynamic, linear, llama3, longrope, none, ntk, proportional, yarn
from lessons.methods.sheet import Sheet
from lessons.wording import width_symbol
from locales import _
from parameters.methods import describe
from rope_core import RopeConfig, Scaling

SHEETS: dict[str, Sheet] = {
    sheet.code: sheet
    for sheet in (
        linear.SHEET, ntk.SHEET, dynamic.SHEET, yarn.SHEET, yarn.PARTS, llama3.SHEET, longrope.SHEET, proportional.SHEET, none.SHEET,
    )
}  # fmt: skip
"""In the order of their buttons."""
START = """
import math
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
# radians per token of every pair
{name} = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
"""


def sheet_of(scaling: Scaling | None) -> Sheet:
    """Return the sheet of a method; YaRN by turns with A = 1 is NTK-by-parts."""
    if scaling is None:
        return none.SHEET
    by_turns = getattr(scaling, "ramp", "") == "rotation" and getattr(scaling, "attention_factor", None) == 1
    return yarn.PARTS if by_turns else SHEETS[scaling.rope_type]


def speeds_code(config: RopeConfig, seq_len: int | None = None) -> str:
    """Write lines that define ``theta``, the radians per token of every pair in float64, and ``A``, which multiplies cos and sin.

    They need torch and math only, and define ``d``, the width of the head, ``turning``, how much of it turns, and ``base`` besides; with
    a method also ``plain``, the speeds without it.

    Args:
        config: The head.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.
    """
    name = "theta" if config.scaling is None else "plain"
    start = START.format(d=config.head_dim, turning=config.rotary_dim, base=config.base, name=name)
    return start + sheet_of(config.scaling).lines(config, seq_len)


def scaling_sentence(config: RopeConfig) -> str:
    """Say what the method does to speeds and scores, and for which sequences that holds; nothing where there is none."""
    if config.scaling is None:
        return ""
    ratio = ratios(config)
    divisors = 1 / ratio[ratio > 0]
    changed = divisors[np.abs(divisors - 1) > 1e-12]
    clauses = [
        _("{kept} of {pairs} pairs keep the speed of the plain law").format(
            kept=f"`{len(divisors) - len(changed)}`", pairs=f"`{len(ratio)}`"
        )
    ]
    if len(changed):
        low, high = f"`{changed.min():.5g}`", f"`{changed.max():.5g}`"
        by = low if low == high else _("{low} to {high}").format(low=low, high=high)
        clauses.append(_("the speeds of {count} are divided by {by}").format(count=f"`{len(changed)}`", by=by))
    if len(divisors) < len(ratio):
        first = int(np.flatnonzero(ratio == 0)[0])
        clauses.append(_("{count} stand still, from pair {first} on").format(count=f"`{len(ratio) - len(divisors)}`", first=first))
    sentence = _("{method}: {clauses}.").format(method=describe(config.scaling), clauses=_("; ").join(clauses))
    return " ".join((sentence[:1].upper() + sentence[1:], *_attention(config), *_length(config)))


def _attention(config: RopeConfig) -> tuple[str, ...]:
    factor = attention_factor(config)
    if factor == 1:
        return ()
    template = _("Cos and sin are multiplied by A = {factor}, scores of the rotated coordinates by A² = {square}.")
    return (template.format(factor=f"`{factor:.6g}`", square=f"`{factor**2:.6g}`"),)


def _length(config: RopeConfig) -> tuple[str, ...]:
    if config.scaling is None or not config.scaling.length_dependent:
        return ()
    template = _("Shown are the speeds of sequences up to {length} tokens; longer ones have others.")
    return (template.format(length=f"`{config.trained_length:,}`"),)


def width_sentence(config: RopeConfig) -> str:
    """Say how much of the head turns; nothing where all of it does."""
    if config.rotary_dim == config.head_dim:
        return ""
    return _("Of d = {d} coordinates dᵣ = {turning} turn.").format(d=f"`{config.head_dim}`", turning=f"`{config.rotary_dim}`")


def law_tex(config: RopeConfig) -> tuple[str, ...]:
    """Write the law of the speeds: symbols, with the numbers of the method beside them."""
    d, sheet = width_symbol(config), sheet_of(config.scaling)
    width = () if d == "d" else (rf"d_r &= {config.rotary_dim}",)
    return (*sheet.law(config, r"\theta_i", rf"b^{{-2i/{d}}}"), *sheet.numbers(config), *width)
