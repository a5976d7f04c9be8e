"""Sentences about lengths and attention factors that several views of the page share."""

from __future__ import annotations

from compute.speeds import attention_factor
from lessons.extension.settings import ExtensionSettings
from lessons.methods.registry import SHEETS
from lessons.methods.sheet import tokens
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
    template = _("Cos and sin are multiplied by A = {size}, scores of what turns by A² = {square}.")
    return " " + template.format(size=f"`{factor:.6g}`", square=f"`{factor**2:.6g}`")


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
