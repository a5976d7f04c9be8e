"""LongRoPE: a divisor for every pair, in two lists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from figures.extension.look import Look
from lessons.methods.options import MethodOptions, divisors
from lessons.methods.sheet import Attention, Lines, Row, Sheet
from lessons.wording import tex
from locales import N_, _
from rope_core import LongRopeScaling, RopeConfig

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings

PHI_FACTOR = math.sqrt(1 + math.log(32) / math.log(4096))
"""A of Phi-3.5-mini: 131,072 tokens over 4,096."""
DIVIDE = """divisors = torch.tensor([  # {which}
{divisors}], dtype=torch.float64)
theta = plain / divisors
A = {factor}  # multiplies cos and sin
"""


def make(options: MethodOptions, head: RopeConfig, factor: float) -> LongRopeScaling:
    """Make the method with lists that fit the head."""
    return LongRopeScaling(
        short_factor=divisors(options, "short_factor", head.pairs),
        long_factor=divisors(options, "long_factor", head.pairs),
        original_max_position=head.max_position,
        factor=factor,
        attention_factor=options.attention_factor,
    )


def lines(config: RopeConfig, seq_len: int | None) -> str:
    """Write the list that a text of this length uses, and A."""
    longrope = config.scaling
    assert isinstance(longrope, LongRopeScaling)
    trained = longrope.original_max_position
    long = seq_len is not None and seq_len > trained
    texts = [repr(divisor) for divisor in (longrope.long_factor if long else longrope.short_factor)]
    stretch = config.max_position / trained if longrope.factor is None else longrope.factor
    if longrope.attention_factor is not None:
        factor = repr(longrope.attention_factor)
    else:
        factor = "1.0" if stretch <= 1 else f"math.sqrt(1 + math.log({stretch!r}) / math.log({trained}))"
    return DIVIDE.format(
        which=f"of sequences beyond {trained} tokens" if long else f"of sequences up to {trained} tokens",
        divisors="".join(f"    {', '.join(texts[start : start + 8])},\n" for start in range(0, len(texts), 8)),
        factor=factor,
    )


def numbers(config: RopeConfig) -> Lines:
    """Write the last divisor."""
    assert isinstance(config.scaling, LongRopeScaling)
    return (rf"c_{{{config.pairs - 1}}} &= {tex(config.scaling.short_factor[-1])}",)


def sentence(s: ExtensionSettings) -> str:
    """Say between which numbers the divisors lie, and whose list they are."""
    if s.head.pairs > 1:
        template = _("LongRoPE divides every pair by a number of its own, here from {low} to {high}.")
    else:
        template = _("LongRoPE divides every pair by a number of its own, here the only one by {low}.")
    low, high = (f"`{1 / ratio:.5g}`" for ratio in (s.ratios.max(), s.ratios.min()))
    return f"{template.format(low=low, high=high)} {_whose_list(s)}"


def _whose_list(s: ExtensionSettings) -> str:
    name = "long_factor" if s.length > s.trained else "short_factor"
    if getattr(s.options, name):
        return _("This is {name} as you typed it.").format(name=f"`{name}`")
    if s.head.pairs == 48:
        return _("This is {name} of Phi-3.5-mini, whose own factor is 32 and whose own A is {size}.").format(
            name=f"`{name}`", size=f"`{PHI_FACTOR:.3f}`"
        )
    return _(
        "No real model stands behind these numbers: {name} of Phi-3.5-mini, made for 48 pairs, is interpolated over {pairs} as an "
        "illustration."
    ).format(name=f"`{name}`", pairs=f"`{s.head.pairs}`")


def at_one(options: MethodOptions, trained: int) -> LongRopeScaling:
    """Make the method at the factor 1."""
    return LongRopeScaling(
        short_factor=(1.0,), long_factor=(1.0,), original_max_position=trained, factor=1, attention_factor=options.attention_factor
    )


def attention_code(_options: MethodOptions, trained: int) -> str:
    """Write A at stretches s."""
    return f"(1 + s.log() / math.log({trained})).sqrt()" if trained > 1 else "torch.ones_like(s)"


def attention_sentence(_options: MethodOptions, trained: int) -> str:
    """Say where A comes from."""
    return _(
        "LongRoPE's rule is A = √(1 + ln s / ln L), under both of its lists alike; it depends on the trained length L = {trained}."
    ).format(trained=f"`{trained:,}`")


SHEET = Sheet(
    code="longrope",
    look=Look("#A5663F", "star", "dot"),
    make=make,
    lines=lines,
    law=lambda _config, new, plain: (rf"{new} &= {plain} / c_i",),
    numbers=numbers,
    sentence=sentence,
    options=("short_factor", "long_factor"),
    growing=True,
    attention=Attention(
        options=("attention_factor",),
        at_one=at_one,
        law=lambda _options: (r"A &= \sqrt{1 + \ln s / \ln L}",),
        code=attention_code,
        sentence=attention_sentence,
    ),
    row=Row(
        speeds=N_("each divided by a number of its own; two lists"),
        attention_factor=N_("√(1 + ln s / ln L)"),
        tuning=N_("needed, with a search"),
        when=N_("Very long contexts from a short training"),
        models=N_("Phi-3, Phi-3.5, Phi-4-mini"),
        example="Phi-3.5-mini",
        values={"base": 10_000, "head_dim": 96, "context": 4096, "target": 131_072},
    ),
)
