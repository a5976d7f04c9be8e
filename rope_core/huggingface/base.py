"""The base of the geometric law, in all the places where configs state it."""

from __future__ import annotations

from rope_core.huggingface.families import family_defaults, is_known
from rope_core.huggingface.keys import BASES
from rope_core.huggingface.layer_rope import LayerRope
from rope_core.huggingface.section import Section, shown, wording

DEFAULT_BASE = 10_000.0


def read_base(config: Section, layer: LayerRope, model_type: str | None) -> float | None:
    """Return the base, looked up as in transformers: in the rope object, then outside it, then in the config class."""
    inner, outer_key = layer.rope.number("rope_theta"), config.first(layer.base_keys)
    outer = None if outer_key is None else config.number(outer_key)
    _compare_bases(config, layer, outer_key, outer)
    if "rope_ratio" in config and outer_key is None:
        outer_key, outer = "rope_ratio", _base_of_ratio(config)
    if inner is not None and outer is not None and inner != outer and not layer.nested:
        rule = wording("{key} = {value:g} and the {other} outside, {otherwise:g}, disagree; the inner one counts")
        path, fix = layer.rope.name("rope_theta"), wording("keep one of them")
        config.collector.warn(path, rule, fix, value=inner, other=outer_key, otherwise=outer)
    if outer_key is None and "rope_theta" not in layer.rope:
        return _default_base(config, layer, model_type)
    base, name = (outer, outer_key) if inner is None else (inner, layer.rope.name("rope_theta"))
    if base is not None and base <= 1:
        rule = wording("{key} must give a base above 1, got {value:g}")
        config.collector.reject(str(name), rule, wording("correct the number"), value=base)
        return None
    return base


def _compare_bases(config: Section, layer: LayerRope, counts: str | None, value: float | None) -> None:
    """Warn of two spellings of the base that disagree."""
    for key in layer.base_keys:
        stated = config.values.get(key)
        number = isinstance(stated, int | float) and not isinstance(stated, bool)
        if key in BASES and counts in BASES and key != counts and value is not None and number and stated != value:
            rule = wording("{key} = {value:g} and {other} = {otherwise} disagree; {key} counts")
            config.collector.warn(counts, rule, wording("keep one of them"), value=value, other=key, otherwise=shown(stated))
            config.collector.explained.add(key)


def warn_of_unused_base(config: Section, nested: list[LayerRope]) -> None:
    """Warn of a base outside the settings of single layer types if none of these has it."""
    for key in dict.fromkeys(filter(None, (config.first(layer.base_keys) for layer in nested))):
        if key in config.collector.rejected:
            continue
        inside = {layer.rope.name("rope_theta"): layer.rope.values.get("rope_theta") for layer in nested if key in layer.base_keys}
        outside = config.values[key]
        if inside and None not in inside.values() and outside not in inside.values():
            path, value = next(iter(inside.items()))
            rule = wording("{key} = {value} and the {other} outside, {otherwise}, disagree; the inner one counts")
            fix = wording("keep one of them")
            config.collector.warn(path, rule, fix, value=shown(value), other=key, otherwise=shown(outside))


def _base_of_ratio(config: Section) -> float | None:
    ratio = config.number("rope_ratio", above=0, high=1e300)
    if ratio is None:
        return None
    config.collector.note("rope_ratio", "{key} = {value:g} makes the base 10,000 times that", value=ratio)
    return DEFAULT_BASE * ratio


def _default_base(config: Section, layer: LayerRope, model_type: str | None) -> float:
    known = family_defaults(model_type)
    value = float(layer.default_base or known.get("base") or DEFAULT_BASE)
    if known and (layer.default_base or known.get("base")):
        rule = wording("{key} is missing; {value:,g} is what the config class of {model} takes")
        config.collector.note(layer.base_keys[0], rule, value=value, model=model_type)
    else:
        rule = wording("{key} is missing; {value:,g}, the usual default of engines, is taken")
        add = config.collector.note if layer.default_base or is_known(model_type) else config.collector.assume
        add(layer.base_keys[0], rule, wording("add the base that the model was trained with"), value=value)
    return value
