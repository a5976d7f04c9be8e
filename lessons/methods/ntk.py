"""NTK-aware scaling: a larger base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures.extension.look import Look
from lessons.methods.sheet import ONE, Lines, Row, Sheet
from lessons.wording import width_symbol
from locales import N_, _
from rope_core import NtkScaling, RopeConfig

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings

POWERS = "theta = plain * stretch ** -torch.linspace(0, 1, turning // 2, dtype=torch.float64)\n"


def lines(config: RopeConfig, _seq_len: int | None) -> str:
    """Write the powers of the factor."""
    assert isinstance(config.scaling, NtkScaling)
    return f"stretch = {config.scaling.factor!r}  # pair 0 stays, the last one slows by all of it\n{POWERS}{ONE}"


def law(config: RopeConfig, new: str, plain: str) -> Lines:
    """Write the powers of the factor."""
    return (rf"{new} &= {plain}\,s^{{-2i/({width_symbol(config)}-2)}}",)


def extended(s: ExtensionSettings) -> Lines:
    """Write the law, and the larger base that it amounts to."""
    d = width_symbol(s.head)
    return (rf"\theta'_i &= \theta_i\, s^{{-2i/({d}-2)}} = (b')^{{-2i/{d}}}", rf"b' &= b\, s^{{{d}/({d}-2)}}")


def sentence(s: ExtensionSettings) -> str:
    """Name the base that it amounts to."""
    last, base = s.head.pairs - 1, f"`{s.larger_base:,.6g}`"
    if s.stretch == 1:
        return _("NTK-aware scaling changes nothing at s = 1: the base stays {base}.").format(base=base)
    if last == 1:
        return _("NTK-aware scaling leaves pair 0 alone and divides the speed of pair 1 by s: the same as base {base}.").format(base=base)
    return _(
        "NTK-aware scaling leaves pair 0 alone and divides the speed of pair {last} by s, those between by powers of it: the same as "
        "base {base}."
    ).format(last=last, base=base)


SHEET = Sheet(
    code="ntk",
    look=Look("#A07A00", "diamond", "dash"),
    make=lambda _options, _head, factor: NtkScaling(factor),
    lines=lines,
    law=law,
    extended=extended,
    sentence=sentence,
    row=Row(
        speeds=N_("a larger base: pair 0 stays, the last is divided by s"),
        attention_factor=N_("A = 1"),
        tuning=N_("not for small s"),
        when=N_("A quick try without training; may leave some pairs at unseen angles"),
        models=N_("none as a method: models such as Code Llama are trained with a larger base"),
        example="Llama 2 ×8",
        values={"base": 10_000, "head_dim": 128, "context": 4096, "target": 32_768},
    ),
)
