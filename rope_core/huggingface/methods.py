"""From one rope object, ``rope_scaling`` or ``rope_parameters``, to a method of context extension."""

from __future__ import annotations

from rope_core.errors import EXACT_INTEGERS, RopeConfigError
from rope_core.huggingface.collector import wording
from rope_core.huggingface.context import Context, compare_factor, stated_factor, trained_length
from rope_core.huggingface.families import model_types
from rope_core.huggingface.longrope import read_longrope
from rope_core.huggingface.rope_type import read_type
from rope_core.huggingface.section import Section
from rope_core.huggingface.spelling import ORIGINAL, READ_BY, report_keys
from rope_core.huggingface.yarn import read_yarn
from rope_core.scaling import DynamicNtkScaling, LinearScaling, Llama3Scaling, NtkScaling, ProportionalScaling, Scaling
from rope_core.scaling.base import MAX_FACTOR


def read_method(rope: Section, context: Context) -> tuple[str, Scaling | None]:
    """Give the name of the method and its settings; None for plain RoPE, or where an error was found."""
    name = read_type(rope, context.model_type)
    if name is None:
        return "default", None
    if name == "default" and not any(key in rope for key in ("rope_type", "type")):
        return name, None  # judged with its missing name
    also = _of_family(rope, name, context.model_type)
    report_keys(rope, name, also)
    try:
        return name, READERS["alpha" if "alpha" in also else name](rope, context)
    except RopeConfigError as error:  # single values were judged before: this is about two together
        field = str(error.values.get("field") or error.template.split(maxsplit=1)[0])
        path = rope.name(field if field in READ_BY[name] else "rope_type")
        rope.collector.pass_on(path, error, wording("correct one of the numbers"), field=path)
        return name, None


def _of_family(rope: Section, name: str, model_type: str | None) -> set[str]:
    """Give the keys that the code of this family reads beside those of the method."""
    if name == "dynamic" and "alpha" in rope and (model_type is None or model_type.startswith("hunyuan")):
        return {"alpha"}
    if name == "longrope" and model_type in model_types("two_attention_factors"):
        return {"short_mscale", "long_mscale"}
    return set()


def _linear(rope: Section, context: Context) -> Scaling | None:
    factor = stated_factor(rope)
    return None if factor is None else LinearScaling(factor)


def _alpha(rope: Section, context: Context) -> Scaling | None:
    alpha = rope.number("alpha", low=1, high=MAX_FACTOR)
    rule = wording("{key} makes the base fixed, larger by alpha to the power d / (d - 2), as in the Hunyuan models")
    rope.collector.tell("note", rope.name("alpha"), rule)
    return None if alpha is None else NtkScaling(alpha)


def _dynamic(rope: Section, context: Context) -> Scaling | None:
    factor = stated_factor(rope)
    if factor is None:
        return None
    rule = wording("dynamic NTK starts to change the speeds beyond max_position_embeddings = {value:,} tokens")
    rope.collector.tell("note", rope.name("rope_type"), rule, value=context.max_position)
    return DynamicNtkScaling(factor)


def _llama3(rope: Section, context: Context) -> Scaling | None:
    low, high = (rope.number(key, above=0, high=EXACT_INTEGERS) for key in ("low_freq_factor", "high_freq_factor"))
    factor, original = stated_factor(rope), trained_length(rope, context)
    if original is not None and original <= context.max_position:
        compare_factor(rope, factor, context, original, strict=False)
    elif original is not None and context.length_known:
        rule = wording("{key} = {value:,} is longer than max_position_embeddings = {other:,}")
        fix = wording("the trained length comes first, the stretched one stands in max_position_embeddings")
        rope.collector.tell("warning", rope.name(ORIGINAL), rule, fix, value=original, other=context.max_position)
    if low is None or high is None:
        return None
    return Llama3Scaling(factor or 1.0, low_freq_factor=low, high_freq_factor=high, original_max_position=original or context.max_position)


def _proportional(rope: Section, context: Context) -> Scaling | None:
    share, factor = rope.number("partial_rotary_factor", low=0, high=1), stated_factor(rope)
    if "partial_rotary_factor" not in rope:
        rule = wording("{key} is missing; {value:g} is taken, as in transformers")
        rope.collector.tell("note", rope.name("partial_rotary_factor"), rule, value=1.0)
    return ProportionalScaling(rotary_fraction=1.0 if share is None else share, factor=1.0 if factor is None else factor)


def _default(rope: Section, context: Context) -> Scaling | None:
    return None


READERS = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "alpha": _alpha,
    "yarn": read_yarn,
    "llama3": _llama3,
    "longrope": read_longrope,
    "proportional": _proportional,
}
"""By name; ``alpha`` is what Hunyuan writes as dynamic."""
