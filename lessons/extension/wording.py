"""What several views of the page share: sentences about lengths and attention factors, the formula of the speeds, their PyTorch lines."""

from __future__ import annotations

import numpy as np

from compute.extension import kept
from compute.speeds import attention_factor, speeds
from figures.extension.look import Upright
from lessons.extension.settings import ExtensionSettings
from lessons.methods import SHEETS, speeds_code
from lessons.wording import aligned, angle_error, tex, tokens
from locales import _


def stretch_sentence(s: ExtensionSettings) -> str:
    """Say how far the head is stretched."""
    if s.options.stated_factor:
        template = _("From {trained} in training to {target}, with the stated factor s = {stretch}.")
    elif s.length == s.trained:
        template = _("The target is not longer than the trained length of {trained}, so nothing has to be stretched: s = 1.")
    else:
        template = _("From {trained} in training to {target}: s = {stretch}.")
    return template.format(trained=tokens(s.trained), target=tokens(s.length), stretch=f"`{s.stretch:,.6g}`")


def attention_sentence(s: ExtensionSettings) -> str:
    """Say by how much the scores grow; nothing where they do not."""
    factor = attention_factor(s.chosen, s.length)
    if factor == 1:
        return ""
    template = _("Cos and sin are multiplied by A = {size}, scores of the rotated coordinates by A² = {square}.")
    return " " + template.format(size=f"`{factor:.6g}`", square=f"`{factor**2:.6g}`")


def score_error(s: ExtensionSettings, furthest: int) -> float:
    """Return how far a score of q = k = ones may be off at positions that add up to ``furthest``: speeds are rounded to float64."""
    every = max(float(speeds(config, s.length).sum()) for config in (s.head, s.chosen))
    return 2 * max(attention_factor(s.chosen, s.length), 1.0) ** 2 * angle_error(furthest * every + 4 * s.head.head_dim)


def left_out(s: ExtensionSettings) -> str:
    """Name the methods that cannot be used with this head; nothing where all can."""
    missing = [sheet.name for code, sheet in SHEETS.items() if sheet is not s.sheet and code not in s.usable]
    if not missing:
        return ""
    return " " + _("Left out, because they cannot be used with these settings: {names}.").format(names=_(", ").join(missing))


def factor_line(s: ExtensionSettings) -> str:
    """Say which stretch follows from both lengths, or is stated beside them."""
    lengths = {"target": f"`{s.length:,}`", "trained": f"`{s.trained:,}`"}
    if s.options.stated_factor:
        line = _("Factor s = {stretch}, as stated; target / context length = {target} / {trained} = {ratio}").format(
            stretch=f"`{s.options.stated_factor:,.6g}`", ratio=f"`{s.length / s.trained:,.6g}`", **lengths
        )
        return line if s.options.stated_factor >= 1 else line + " " + _("(less than 1 counts as 1)")
    line = _("Factor s = target / context length = {target} / {trained} = {stretch}").format(stretch=f"`{s.stretch:,.6g}`", **lengths)
    return line if s.target >= s.trained else line + " " + _("(a shorter target needs no stretch)")


def problem_sentence(s: ExtensionSettings) -> str:
    """Say why the chosen method cannot be used; nothing where it can."""
    if s.problem is None:
        return ""
    reason = _(s.problem.template).format(**s.problem.values)
    template = _("{method} cannot be used here: {reason}. The figure shows the head without it.")
    return template.format(method=s.sheet.name, reason=reason)


def speed_formula(s: ExtensionSettings) -> str:
    """Write how the speeds change, and one pair of them in numbers: the middle one of those that are blended, else the last."""
    plain, new, share = speeds(s.head), speeds(s.chosen, s.length), kept(s.chosen)
    blended = np.flatnonzero((share > 0) & (share < 1)) if share is not None else ()
    pair = int(blended[len(blended) // 2]) if len(blended) else s.head.pairs - 1
    symbols = s.used.extended(s) if s.used.extended else s.used.law(s.chosen, r"\theta'_i", r"\theta_i")
    lengths = "" if s.options.stated_factor else f"T / L = {s.length} / {s.trained} = "
    return aligned(
        *symbols,
        rf"s &= {lengths}{tex(s.stretch)}",
        *([] if share is None else [rf"\gamma_{{{pair}}} &= {tex(share[pair])}"]),
        rf"\theta_{{{pair}}} &= {tex(plain[pair], 9)}",
        rf"\theta'_{{{pair}}} &= {tex(new[pair], 9)}",
    )


def speeds_lines(s: ExtensionSettings) -> str:
    """Write PyTorch lines that define ``plain``, the speeds as trained, and ``theta`` and ``A`` of the chosen method."""
    return speeds_code(s.chosen, s.length) + ("plain = theta\n" if s.chosen.scaling is None else "")


def trained_mark(s: ExtensionSettings) -> Upright:
    """Mark the trained length in a figure."""
    return Upright(x=float(s.trained), name=f"L = {tokens(s.trained, '')}")
