"""Which code a config is for, and whether it rotates queries and keys at all."""

from __future__ import annotations

from rope_core.huggingface.families import family_defaults, model_types, stem, type_of_class, unrotated_types
from rope_core.huggingface.keys import POSITION_TYPES, says_rotary, states_rotation
from rope_core.huggingface.section import Section, shown, wording

OFF = (("alibi", True), ("use_mem_rope", False), ("use_rotary_embedding", False), ("use_rope", False), ("use_rotary", False))
"""Switches, and the value with which nothing rotates."""
ROTARY_WORDS = ("rope", "rotary", "chatglm", "yarn")
"""Position encodings that rotate, among them the names of TensorRT-LLM."""


def settle_type(config: Section) -> str | None:
    """Return the model type whose rules apply; None if a config is for code that is not known.

    A type that never rotates is not believed where the config states a rotation and names other code: Grok 2 calls itself ``git``.
    """
    stated = config.text("model_type")
    classes = _classes(config)
    if stated is None:
        found = next(filter(None, map(type_of_class, classes)), None)
        if found is not None:
            rule = wording("{key} is missing; {value} is code of {model}, so its rules are followed")
            config.collector.note("model_type", rule, value=shown(classes[0]), model=found)
        return found
    if stated not in unrotated_types() or not states_rotation(config):
        return stated
    other = bool(classes) and not stem(classes[0]).startswith(stem(stated))
    if not (other or "auto_map" in config or says_rotary(config)):
        return stated
    found = type_of_class(classes[0]) if other else None
    rule = wording("{key} = {value} never rotates in transformers, but this config states a rotation: it is for other code")
    config.collector.note("model_type", rule, value=shown(stated))
    return found


def _classes(config: Section) -> list[str]:
    """Return the names of model classes that a config gives."""
    several, one = config.values.get("architectures"), config.values.get("architecture")
    names = [*several] if isinstance(several, list | tuple) else [one]
    return [name for name in names[:8] if isinstance(name, str) and len(name) <= 100]


def never_rotates(config: Section, model_type: str | None) -> bool:
    """Return whether a model uses another position encoding, or none, with a note that says why."""
    if model_type in unrotated_types():
        key = config.first(("rope_theta", "rope_scaling", "rope_parameters", "qk_rope_head_dim"))
        if key:
            config.collector.note(key, "{key} is there, but the attention of {model} never turns a query", model=model_type)
        else:
            config.collector.note("model_type", "the attention of {model} never turns a query", model=model_type)
        return True
    key = config.first(POSITION_TYPES)
    kind = None if key is None else config.values[key]
    if isinstance(kind, str) and not any(word in kind.lower() for word in ROTARY_WORDS):
        config.collector.note(str(key), "{key} = {value} is another position encoding: no query turns", value=shown(kind))
        return True
    return _is_off(config, model_type) or _lacks_consent(config, model_type, kind)


def _is_off(config: Section, model_type: str | None) -> bool:
    switch = next((key for key, off in OFF if config.values.get(key) is off), None)
    if switch:
        config.collector.note(switch, "{key} = {value} switches the rotation off", value=shown(config.values[switch]))
        return True
    if config.values.get("qk_rope_head_dim") == 0 and not isinstance(config.values["qk_rope_head_dim"], bool):
        rule, default = wording("{key} = {value} switches the rotation off"), family_defaults(model_type)
        if default.get("base") is not None:
            config.collector.warn(
                "qk_rope_head_dim", rule, wording("correct the number, if {model} is to rotate"), value=0, model=model_type
            )
        else:
            config.collector.note("qk_rope_head_dim", rule, value=0)
        return True
    return False


def _lacks_consent(config: Section, model_type: str | None, kind: object) -> bool:
    """Return whether a model rotates only on a condition that its config does not meet."""
    if model_type == "zamba2" and config.values.get("use_mem_rope") is not True:
        rule = wording("{key} is missing; without it the attention of {model} never turns a query")
        config.collector.note("use_mem_rope", rule, model=model_type)
        return True
    if kind is None and model_type != "zamba2" and model_type in model_types("rotated_if_stated"):
        rule = wording("{key} is missing; without it the attention of {model} never turns a query")
        config.collector.note("position_embedding_type", rule, model=model_type)
        return True
    for key, value in family_defaults(model_type).get("needs", {}).items():
        if config.values.get(key) != value:
            rule = wording("the attention of {model} rotates with {key} = {value} only; this config says {other}")
            config.collector.note(key, rule, model=model_type, value=shown(value), other=shown(config.values.get(key)))
            return True
    return False
