"""Position interpolation: every speed is divided by the factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures.extension.look import Look
from lessons.methods.sheet import ONE, Row, Sheet
from locales import N_, _
from rope_core import LinearScaling, RopeConfig

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings


def lines(config: RopeConfig, _seq_len: int | None) -> str:
    """Write the division."""
    assert isinstance(config.scaling, LinearScaling)
    return f"theta = plain / {config.scaling.factor!r}  # the same as dividing every position\n{ONE}"


def sentence(s: ExtensionSettings) -> str:
    """Say how close neighbours come."""
    step = s.ratios[0]
    if step == 1:
        return _("Linear scaling divides every speed by s; at s = 1 all of them stay.")
    return _(
        "Linear scaling divides every speed by s. Neighbouring tokens are {step} rad apart in pair 0 instead of 1, closer than in "
        "training: the model needs fine-tuning."
    ).format(step=f"`{step:.6g}`")


SHEET = Sheet(
    code="linear",
    look=Look("#D04A4A", "square", "solid"),
    make=lambda _options, _head, factor: LinearScaling(factor),
    lines=lines,
    law=lambda _config, new, plain: (rf"{new} &= {plain} / s",),
    sentence=sentence,
    row=Row(
        speeds=N_("all divided by s"),
        attention_factor=N_("A = 1"),
        tuning=N_("needed"),
        when=N_("Short fine-tuning to a few times the length"),
        models=N_("Gemma 3 (global layers), LLaMA-2-7B-32K"),
        example="LLaMA-2 ×8",
        values={"base": 10_000, "head_dim": 128, "context": 4096, "target": 32_768},
    ),
)
