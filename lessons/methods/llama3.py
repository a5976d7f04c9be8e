"""Llama 3: bands by turns, and narrower."""

from __future__ import annotations

from figures.extension.look import Look
from lessons.methods.bands import BLEND, banded_sentence, blend_tex, turns_ramp, turns_tex
from lessons.methods.options import MethodOptions
from lessons.methods.sheet import ONE, Lines, Row, Sheet
from locales import N_
from rope_core import Llama3Scaling, RopeConfig


def make(options: MethodOptions, head: RopeConfig, factor: float) -> Llama3Scaling:
    """Make the method with its two bounds."""
    return Llama3Scaling(
        factor, low_freq_factor=options.low_freq_factor, high_freq_factor=options.high_freq_factor, original_max_position=head.max_position
    )


def lines(config: RopeConfig, _seq_len: int | None) -> str:
    """Write the ramp and the blend."""
    llama = config.scaling
    assert isinstance(llama, Llama3Scaling)
    ramp = turns_ramp(llama.low_freq_factor, llama.high_freq_factor)
    return BLEND.format(factor=llama.factor, trained=llama.original_max_position, ramp=ramp) + ONE


def law(config: RopeConfig, new: str, plain: str) -> Lines:
    """Write the blend and the ramp."""
    llama = config.scaling
    assert isinstance(llama, Llama3Scaling)
    return (*blend_tex(new, plain), turns_tex(llama.low_freq_factor, llama.high_freq_factor))


def numbers(config: RopeConfig) -> Lines:
    """Write the factor and the trained length."""
    assert isinstance(config.scaling, Llama3Scaling)
    return (rf"s &= {config.scaling.factor:.10g},\; L = {config.trained_length}",)


SHEET = Sheet(
    code="llama3",
    look=Look("#7A62D8", "triangle-up", "dashdot"),
    make=make,
    lines=lines,
    law=law,
    numbers=numbers,
    sentence=banded_sentence,
    options=("high_freq_factor", "low_freq_factor"),
    bounds=("low_freq_factor", "high_freq_factor"),
    row=Row(
        speeds=N_("kept, blended or divided by s, by turns, in narrower bands"),
        attention_factor=N_("A = 1"),
        tuning=N_("part of the training"),
        when=N_("Training on to a longer context"),
        models=N_("Llama 3.1 to 3.3, EXAONE 4.0, Apertus"),
        example="Llama 3.1 ×8",
        values={"base": 500_000, "head_dim": 128, "context": 8192, "target": 131_072, "stated_factor": 8},
    ),
)
