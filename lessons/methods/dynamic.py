"""Dynamic NTK: a base that grows with the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures.extension.look import Look
from lessons.methods.ntk import POWERS
from lessons.methods.sheet import ONE, Lines, Row, Sheet
from lessons.wording import tex, tokens, width_symbol
from locales import N_, _
from rope_core import DynamicNtkScaling, RopeConfig

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings

STRETCH = """factor, trained, length = {factor!r}, {trained}, {length}  # of the sequence
stretch = 1 + factor * (length - trained) / trained
"""


def lines(config: RopeConfig, seq_len: int | None) -> str:
    """Write the factor of a length, and its powers."""
    assert isinstance(config.scaling, DynamicNtkScaling)
    trained = config.max_position
    length = trained if seq_len is None else max(seq_len, trained)
    return STRETCH.format(factor=config.scaling.factor, trained=trained, length=length) + POWERS + ONE


def extended(s: ExtensionSettings) -> Lines:
    """Write the law of the target length T."""
    growth = 1 + s.options.dynamic_factor * (s.length - s.trained) / s.trained
    power = rf"\theta'_i &= \theta_i\, s_T^{{-2i/({width_symbol(s.head)}-2)}}"
    return (power, r"s_T &= 1 + f\,(T - L)/L", rf"s_T &= {tex(growth)}")


def sentence(s: ExtensionSettings) -> str:
    """Name the base of the target length, and what becomes of the last pair."""
    return _(
        "Dynamic NTK takes its base from the length of the text: for {length} it is {base}, and the speed of pair {last} is divided "
        "by {slow}."
    ).format(length=tokens(s.length), base=f"`{s.larger_base:,.6g}`", last=s.head.pairs - 1, slow=f"`{1 / s.ratios[-1]:,.6g}`")


SHEET = Sheet(
    code="dynamic",
    look=Look("#6E8B1E", "x", "dot"),
    make=lambda options, _head, _factor: DynamicNtkScaling(options.dynamic_factor),
    lines=lines,
    law=lambda _config, new, plain: (rf"{new} &= {plain} \quad (\ell \le L)",),
    numbers=lambda config: (rf"L &= {config.max_position}",),
    extended=extended,
    sentence=sentence,
    options=("dynamic_factor",),
    growing=True,
    row=Row(
        speeds=N_("a base that grows with the text"),
        attention_factor=N_("A = 1"),
        tuning=N_("made to do without"),
        when=N_("Texts longer than in training; cached keys go stale"),
        models=N_("InternLM2.5, MiniCPM 2B-128k"),
        example="InternLM2.5",
        values={"base": 1_000_000, "head_dim": 128, "context": 32_768, "target": 65_536, "dynamic_factor": 2},
    ),
)
