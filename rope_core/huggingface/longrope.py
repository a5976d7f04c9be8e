"""LongRoPE, from a rope object."""

from __future__ import annotations

from rope_core.errors import RopeConfigError, require_number
from rope_core.huggingface.collector import wording
from rope_core.huggingface.context import Context, compare_factor, trained_length
from rope_core.huggingface.families import model_types
from rope_core.huggingface.geometry import MOST_PAIRS
from rope_core.huggingface.section import Section
from rope_core.scaling import LongRopeScaling
from rope_core.scaling.base import MAX_FACTOR


def read_longrope(rope: Section, context: Context) -> LongRopeScaling | None:
    """Read its settings; None if one of the lists is missing or wrong."""
    short, long = (_divisors(rope, key) for key in ("short_factor", "long_factor"))
    original = trained_length(rope, context)
    factor, attention = (rope.number(key, above=0, high=MAX_FACTOR) for key in ("factor", "attention_factor"))
    compare_factor(rope, factor, context, original)
    if attention is None:
        attention = _phi_magnitude(rope, context)
    if attention is None and "factor" not in rope and original is not None and context.length_known:
        rule = wording("{key} is missing; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers")
        rope.collector.tell("note", rope.name("factor"), rule, value=context.max_position / original)
    if short is None or long is None:
        return None
    return LongRopeScaling(
        short_factor=short,
        long_factor=long,
        original_max_position=original or context.max_position,
        factor=factor,
        attention_factor=attention,
    )


def _divisors(rope: Section, key: str) -> tuple[float, ...] | None:
    """Read a list of positive numbers; the first that is none is named."""
    values = rope.items(key, MOST_PAIRS)
    if values is None:
        return None
    numbers: list[float] = []
    for index, value in enumerate(values):
        try:
            require_number(f"{rope.name(key)}[{index}]", value, low=1 / MAX_FACTOR, high=MAX_FACTOR)
        except RopeConfigError as error:
            rope.collector.pass_on(rope.name(key), error, wording("correct the number"))
            return None
        numbers.append(float(value))  # type: ignore[arg-type]  # just required
    return tuple(numbers)


def _phi_magnitude(rope: Section, context: Context) -> float | None:
    """Read the two magnitudes of Phi-3.5-MoE, which are one number in the released model."""
    if context.model_type not in model_types("two_attention_factors"):
        return None
    short, long = (rope.number(key, above=0, high=MAX_FACTOR) for key in ("short_mscale", "long_mscale"))
    if short is not None and long is not None and short != long:
        rope.collector.tell(
            "warning",
            rope.name("long_mscale"),
            "{key} = {value:g} multiplies cos and sin beyond the trained length, short_mscale = {other:g} below it; the second is taken"
            " for both here",
            wording("check which one the engine takes"),
            value=long,
            other=short,
        )
    return long if short is None else short
