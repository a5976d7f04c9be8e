"""Proportional rotation: slow pairs stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compute.speeds import speeds
from figures.extension.look import Look
from lessons.methods.sheet import ONE, Lines, Row, Sheet
from lessons.wording import pairs
from locales import N_, _
from rope_core import ProportionalScaling, RopeConfig

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings


def lines(config: RopeConfig, _seq_len: int | None) -> str:
    """Write the cut."""
    scaling = config.scaling
    assert isinstance(scaling, ProportionalScaling)
    divided = ".clone()" if scaling.factor == 1 else f" / {scaling.factor!r}"
    return f"theta = plain{divided}\ntheta[int({scaling.rotary_fraction!r} * d // 2) :] = 0  # these pairs stand still\n{ONE}"


def law(config: RopeConfig, new: str, plain: str) -> Lines:
    """Write both kinds of pairs."""
    turning = int((speeds(config) > 0).sum())
    divided = " / s" if _factor(config) != 1 else ""
    return (rf"{new} &= {plain}{divided}, \quad i < {turning}", rf"{new} &= 0, \quad i \ge {turning}")


def _factor(config: RopeConfig) -> float:
    assert isinstance(config.scaling, ProportionalScaling)
    return config.scaling.factor


def sentence(s: ExtensionSettings) -> str:
    """Count the pairs that turn."""
    if s.ratios.all():
        return _("Every pair turns as before: a share of 1 cuts nothing off, and no factor s enters.")
    if not s.ratios.any():
        return _("So small a share leaves no pair that turns: the score knows no position.")
    return _(
        "Of {pairs} only the fastest turn as before, here {turning}; the others stand still, at every length: what a slow pair "
        "would have told of far distances is given up, and no factor s enters."
    ).format(turning=f"`{int((s.ratios > 0).sum())}`", pairs=pairs(s.head.pairs))


SHEET = Sheet(
    code="proportional",
    look=Look("#C04FA8", "triangle-down", "dashdot"),
    make=lambda options, _head, _factor: ProportionalScaling(rotary_fraction=options.rotary_fraction),
    lines=lines,
    law=law,
    numbers=lambda config: (rf"s &= {_factor(config):.10g}",) if _factor(config) != 1 else (),
    sentence=sentence,
    options=("rotary_fraction",),
    row=Row(
        speeds=N_("slow pairs stand still"),
        attention_factor=N_("A = 1"),
        tuning=N_("part of the training"),
        when=N_("Layers that see far and need not tell how far"),
        models=N_("Gemma 4 (global layers)"),
        example="Gemma 4",
        values={"base": 1_000_000, "head_dim": 512, "context": 262_144, "target": 262_144, "rotary_fraction": 0.25},
    ),
)
