"""From a rope object, ``rope_scaling`` or ``rope_parameters``, to the settings of its method of context extension."""

from __future__ import annotations

from rope_core.errors import EXACT_INTEGERS, RopeConfigError, require_number
from rope_core.huggingface.families import model_types
from rope_core.huggingface.geometry import MOST_PAIRS
from rope_core.huggingface.lengths import Context, compare_factor, stated_factor, trained_length
from rope_core.huggingface.other_methods import FixedNtk, adapt_yarn, read_alpha, read_ntk
from rope_core.huggingface.rope_object import ORIGINAL, READ_BY, read_type, report_keys
from rope_core.huggingface.section import Section, wording
from rope_core.scaling import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    Scaling,
    YarnScaling,
)
from rope_core.scaling.base import MAX_FACTOR


def read_method(rope: Section, context: Context) -> tuple[str, Scaling | FixedNtk | None]:
    """Return the name of the method and its settings; None for plain RoPE, or after an error."""
    name = read_type(rope, context.model_type)
    if name is None:
        return "default", None
    if name == "default" and not any(key in rope for key in ("rope_type", "type")):
        return name, None  # read_type has checked the keys
    also = _family_keys(rope, name, context.model_type)
    report_keys(rope, name, also)
    try:
        return name, READERS["ntk_alpha" if "alpha" in also else name](rope, context)
    except RopeConfigError as error:  # about two values together: each was checked before
        field = str(error.values.get("field") or error.template.split(maxsplit=1)[0])
        path = rope.name(field if field in READ_BY[name] else "rope_type")
        rope.collector.reject_error(path, error, wording("correct one of the numbers"), field=path)
        return name, None


def _family_keys(rope: Section, name: str, model_type: str | None) -> set[str]:
    """Return the keys that the code of this family reads in addition to those of the method."""
    if name == "dynamic" and "alpha" in rope and (model_type is None or model_type.startswith("hunyuan")):
        return {"alpha"}
    if name == "longrope" and model_type in model_types("two_attention_factors"):
        return {"short_mscale", "long_mscale"}
    return set()


def _default(rope: Section, context: Context) -> Scaling | None:
    return None


def _linear(rope: Section, context: Context) -> Scaling | None:
    factor = stated_factor(rope)
    return None if factor is None else LinearScaling(factor)


def _dynamic(rope: Section, context: Context) -> Scaling | None:
    factor = stated_factor(rope)
    if factor is None:
        return None
    rule = wording("dynamic NTK starts to change the speeds beyond max_position_embeddings = {value:,} tokens")
    rope.collector.note(rope.name("rope_type"), rule, value=context.max_position)
    return DynamicNtkScaling(factor)


def _llama3(rope: Section, context: Context) -> Scaling | None:
    low, high = (rope.number(key, above=0, high=EXACT_INTEGERS) for key in ("low_freq_factor", "high_freq_factor"))
    factor, original = stated_factor(rope), trained_length(rope, context)
    if original is not None and original <= context.max_position:
        compare_factor(rope, factor, context, original, strict=False)
    elif original is not None and context.length_known:
        rule = wording("{key} = {value:,} is longer than max_position_embeddings = {other:,}")
        fix = wording("the trained length comes first, the stretched one stands in max_position_embeddings")
        rope.collector.warn(rope.name(ORIGINAL), rule, fix, value=original, other=context.max_position)
    if low is None or high is None:
        return None
    return Llama3Scaling(factor or 1.0, low_freq_factor=low, high_freq_factor=high, original_max_position=original or context.max_position)


def _proportional(rope: Section, context: Context) -> Scaling | None:
    share, factor = rope.number("partial_rotary_factor", low=0, high=1), stated_factor(rope)
    if "partial_rotary_factor" not in rope:
        rule = wording("{key} is missing; {value:g} is taken, as in transformers")
        rope.collector.note(rope.name("partial_rotary_factor"), rule, value=1.0)
    return ProportionalScaling(rotary_fraction=1.0 if share is None else share, factor=1.0 if factor is None else factor)


def _yarn(rope: Section, context: Context) -> YarnScaling:
    """Read YaRN; a rejected number is replaced by its default, so that the class checks the others together."""
    original, factor = trained_length(rope, context), _yarn_factor(rope, context)
    compare_factor(rope, factor, context, original)
    fast, slow = (_turns(rope, key, default) for key, default in (("beta_fast", 32.0), ("beta_slow", 1.0)))
    attention = rope.number("attention_factor", above=0, high=MAX_FACTOR)
    mscale, all_dim = (rope.number(key, low=0, high=MAX_FACTOR) for key in ("mscale", "mscale_all_dim"))
    _note_unread_scales(rope, attention, {"mscale": mscale, "mscale_all_dim": all_dim})
    truncate = rope.flag("truncate")
    if context.nested and truncate is not None:
        rule = wording("{key} is not read by transformers 5 inside settings of one layer type; it is followed here")
        if truncate:
            rope.collector.note(rope.name("truncate"), rule)
        else:
            rope.collector.warn(rope.name("truncate"), rule, wording("check that the engine reads it"))
    scaling = YarnScaling(
        1.0 if factor is None else factor,
        original_max_position=original,
        beta_fast=fast,
        beta_slow=slow,
        truncate=truncate is not False,
        attention_factor=attention,
        mscale=mscale,
        mscale_all_dim=all_dim,
    )
    return adapt_yarn(rope, scaling)


def _yarn_factor(rope: Section, context: Context) -> float | None:
    """Read the factor; null, unlike a missing key, means the ratio of the lengths."""
    if "factor" in rope or "factor" not in rope.values:
        return stated_factor(rope)
    original = context.original or rope.count(ORIGINAL) or context.max_position
    ratio = context.max_position / original
    rule = wording("{key} is null; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers")
    rope.collector.note(rope.name("factor"), rule, value=ratio)
    return ratio


def _turns(rope: Section, key: str, default: float) -> float:
    """Read a number of turns; 0 counts as missing, as in transformers."""
    turns = rope.number(key, low=0, high=EXACT_INTEGERS)
    if key not in rope:
        rope.collector.note(rope.name(key), "{key} is missing; {value:g} is taken, as in transformers", value=default)
    if turns == 0:
        rope.collector.note(rope.name(key), "{key} = 0 counts as missing; {value:g} is taken, as in transformers", value=default)
    return turns or default


def _note_unread_scales(rope: Section, attention: float | None, scales: dict[str, float | None]) -> None:
    stated = [key for key, value in scales.items() if value is not None]
    if attention is not None and stated:
        rule = wording("{key} = {value:g} is the factor itself; {other} is not read beside it")
        rope.collector.note(rope.name("attention_factor"), rule, value=attention, other=stated[0])
    elif stated and not all(scales.values()):
        rule = wording(
            "mscale and mscale_all_dim count only if both are there and not 0; the attention factor falls back to 0.1 ln(factor) + 1"
        )
        rope.collector.note(rope.name(stated[-1]), rule)


def _longrope(rope: Section, context: Context) -> LongRopeScaling | None:
    """Read LongRoPE; return None if one of the lists is missing or invalid."""
    short, long = (_divisors(rope, key) for key in ("short_factor", "long_factor"))
    original = trained_length(rope, context)
    factor, attention = (rope.number(key, above=0, high=MAX_FACTOR) for key in ("factor", "attention_factor"))
    compare_factor(rope, factor, context, original)
    if attention is None:
        attention = _phi_attention_factor(rope, context)
    if attention is None and "factor" not in rope and original is not None and context.length_known:
        rule = wording("{key} is missing; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers")
        rope.collector.note(rope.name("factor"), rule, value=context.max_position / original)
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
    """Read a list of positive numbers; the first that is invalid is reported."""
    values = rope.items(key, MOST_PAIRS)
    if values is None:
        return None
    numbers: list[float] = []
    for index, value in enumerate(values):
        try:
            require_number(f"{rope.name(key)}[{index}]", value, low=1 / MAX_FACTOR, high=MAX_FACTOR)
        except RopeConfigError as error:
            rope.collector.reject_error(rope.name(key), error, wording("correct the number"))
            return None
        numbers.append(float(value))  # type: ignore[arg-type]  # just required
    return tuple(numbers)


def _phi_attention_factor(rope: Section, context: Context) -> float | None:
    """Read the attention factors of Phi-3.5-MoE, one for each list, which are equal in the released model."""
    if context.model_type not in model_types("two_attention_factors"):
        return None
    short, long = (rope.number(key, above=0, high=MAX_FACTOR) for key in ("short_mscale", "long_mscale"))
    if short is not None and long is not None and short != long:
        rule = wording(
            "{key} = {value:g} multiplies cos and sin beyond the trained length, short_mscale = {other:g} below it; the second is taken"
            " for both here"
        )
        rope.collector.warn(rope.name("long_mscale"), rule, wording("check which one the engine takes"), value=long, other=short)
    return long if short is None else short


READERS = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "ntk": read_ntk,
    "ntk_alpha": read_alpha,
    "yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
    "proportional": _proportional,
}
"""By name; ``ntk_alpha`` is Hunyuan's form of ``dynamic``."""
