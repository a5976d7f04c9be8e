"""The rope object, base and head width of each layer type."""

from __future__ import annotations

from collections.abc import Mapping

from rope_core.huggingface.document import require_few_keys
from rope_core.huggingface.families import family_defaults, family_rope, model_types
from rope_core.huggingface.gather import Gathered
from rope_core.huggingface.geometry import WIDEST
from rope_core.huggingface.keys import BASES, GLOBAL_BASES, LOCAL_BASES, OBJECTS, ROTARY
from rope_core.huggingface.layer_rope import LayerRope, Layers, Read
from rope_core.huggingface.layer_types import ALL, FULL, MOST_TYPES, SLIDING, has_no_window, rotated_layers, scaled_layers
from rope_core.huggingface.per_layer import read_per_layer
from rope_core.huggingface.rope_object import ROPE_KEYS
from rope_core.huggingface.section import Section, is_name, shown, wording


def read_layers(config: Section, found: Gathered, model_type: str | None, types: tuple[str, ...]) -> Read:
    """Return the rope of every layer type, and the type of every layer as the rope object names it.

    ``types`` are those of ``layer_types``; both are empty if neither the config nor the model class states the number of layers.
    """
    rope = _rope_object(config, model_type)
    if found.bases is not None or found.shares is not None:
        return read_per_layer(config, found, rope, types) or ({ALL: LayerRope(rope)}, types)
    if any(isinstance(value, Mapping) and key not in ROPE_KEYS for key, value in rope.values.items()) or _only_null(rope.values):
        return _complete(config, *_nested(config, rope, types, model_type))
    return _complete(config, *_flat(config, rope, types, model_type))


def _only_null(rope: Mapping[str, object]) -> bool:
    return bool(rope) and all(value is None for value in rope.values()) and not rope.keys() & ROPE_KEYS


def _rope_object(config: Section, model_type: str | None) -> Section:
    objects: dict[str, Mapping[str, object]] = {}
    for key in OBJECTS:
        value = config.values.get(key)
        if isinstance(value, Mapping):
            require_few_keys(key, value)
            objects[key] = value
        elif value is not None:
            _reject_non_object(config, key, value)
    if (
        objects.keys() >= {"rope_scaling", "rope_parameters"}
        and objects["rope_scaling"]
        and objects["rope_scaling"] != objects["rope_parameters"]
    ):
        rule = wording("{key} and rope_parameters are both there and differ; transformers 5 takes {key}")
        config.collector.warn("rope_scaling", rule, wording("keep one of them"))
    if not any(key in config for key in ROTARY) and (default := family_rope(model_type)):
        rule = wording("{key} is missing; the settings are those of the config class of {model}")
        config.collector.note("rope_parameters", rule, model=model_type)
        return Section(default, config.collector, "rope_parameters")
    name, found = next(((key, value) for key, value in objects.items() if value), ("rope_parameters", {}))
    return Section(found, config.collector, config.places.get(name, name))


def _reject_non_object(config: Section, key: str, value: object) -> None:
    rule = wording("{key} must be an object or null, got {value}")
    config.collector.reject(key, rule, wording("write its keys in braces"), value=shown(value))


def _nested(config: Section, rope: Section, types: tuple[str, ...], model_type: str | None) -> Read:
    """Read one rope object for each layer type; null for layers without rotation."""
    layers: Layers = {}
    for name, value in rope.values.items():
        if not isinstance(value, Mapping | None) or name in ROPE_KEYS:
            if name in types:
                _reject_non_object(config, rope.name(name), value)
                layers[name] = None
            elif value is not None and not _repeated(name, value, rope):
                rule = wording("{key} = {value} is not read beside the settings of single types of layers")
                rope.collector.warn(rope.name(name), rule, wording("write it into each of them"), value=shown(value))
            continue
        if not is_name(name) or len(layers) == MOST_TYPES:
            rule = wording("{key} must hold settings for at most {limit} types of layers with short names, got {value}")
            config.collector.reject(rope.where, rule, wording("keep those that layers have"), limit=MOST_TYPES, value=shown(name))
            break
        layers[name] = None if value is None else _nested_rope(config, rope, name, value, types, model_type)
    return layers, _renamed(types, layers)


def _repeated(name: str, value: object, rope: Section) -> bool:
    """Return whether a value beside the settings of single types of layers says only what one of those says."""
    return any(isinstance(inner, Mapping) and inner.get(name) == value for inner in rope.values.values())


def _nested_rope(
    config: Section, rope: Section, name: str, value: Mapping[str, object], types: tuple[str, ...], model_type: str | None
) -> LayerRope:
    require_few_keys(rope.name(name), value)
    inner = Section(value, config.collector, rope.name(name))
    local = family_defaults(model_type).get("local_base") if SLIDING in name else None
    base_keys = LOCAL_BASES if local else (*LOCAL_BASES, *BASES) if SLIDING in name else (*GLOBAL_BASES, *BASES)
    width = inner.count("head_dim", high=WIDEST) or _layer_width(config, name, types)
    if width is None and name == FULL:
        width = config.count("global_head_dim", high=WIDEST)
        width = family_defaults(model_type).get("full_head_dim") if width is None else width
    return LayerRope(inner, base_keys, default_base=local, head_dim=width, nested=True)


def _layer_width(config: Section, name: str, types: tuple[str, ...]) -> int | None:
    """Return the head width that ``per_layer_config``, as transformers 5 saves Gemma 4, states for all layers of a type."""
    overrides = config.values.get("per_layer_config")
    if not isinstance(overrides, Mapping):
        if overrides is not None:
            _reject_non_object(config, "per_layer_config", overrides)
        return None
    rows = {int(key): value for key, value in overrides.items() if key.isascii() and key.isdigit() and len(key) < 6}
    of_type = [rows.get(index) for index, each in enumerate(types) if each == name]
    found = {
        Section(row, config.collector, f"per_layer_config.{index}").count("head_dim", high=WIDEST)
        for index, row in rows.items()
        if isinstance(row, Mapping) and index < len(types) and types[index] == name
    }
    return found.pop() if len(found) == 1 and None not in of_type else None


def _renamed(types: tuple[str, ...], layers: Mapping[str, object]) -> tuple[str, ...]:
    """Rename layer types as the rope object does: DeepSeek-V4 has ``main`` for sliding layers, ``compress`` for all others."""
    if layers.keys() == {"main", "compress"}:
        return tuple(name if name in layers else "main" if name == SLIDING else "compress" for name in types)
    if len(layers) == 1:
        only = next(iter(layers))
        return tuple(only if name == ALL else name for name in types)
    return types


def _complete(config: Section, layers: Layers, types: tuple[str, ...]) -> Read:
    """Reconcile layers and types: a type without an entry is not rotated, and without types the layers cannot be assigned."""
    if len(layers) > 1 and types and ALL not in layers and set(types) == {ALL}:
        rule = wording("{key} is missing, so the config does not say which layers take which settings")
        config.collector.warn("layer_types", rule, wording("add {key}, one name for every layer"))
        types = ()
    for name in dict.fromkeys(types):
        if name not in layers:
            layers[name] = None
            if name not in model_types("plain_layers"):
                rule = wording("layers of type {name} have no entry in the rope settings; they are taken as not rotated")
                config.collector.warn("layer_types", rule, wording("add an entry, or null"), name=shown(name))
    return layers, types


def _flat(config: Section, rope: Section, types: tuple[str, ...], model_type: str | None) -> Read:
    """Read one rope object, which in some models applies to some layers only."""
    whole, defaults = LayerRope(rope), family_defaults(model_type)
    if "local_base" in defaults or config.first(GLOBAL_BASES + LOCAL_BASES[:2]):
        return _dual(config, rope, model_type), types
    if "compress_rope_theta" in config or model_type == "deepseek_v4":
        layers = _compressed(config, rope)
        return layers, _renamed(types, layers)
    if "swa_rope_theta" in config:
        return {FULL: whole, SLIDING: LayerRope(_subset(rope, "partial_rotary_factor"), base_keys=("swa_rope_theta",))}, types
    unscaled = LayerRope(_subset(rope, "rope_theta", "partial_rotary_factor"))
    if model_type == "olmo3" and rope.values:
        config.collector.note(rope.where, "{key} reaches the full-attention layers alone")
        return {FULL: whole, SLIDING: unscaled}, types
    rotated = rotated_layers(config, model_type, len(types))
    if rotated is not None:
        return {"rope": whole, "nope": None}, tuple("rope" if on else "nope" for on in rotated)
    scaled = scaled_layers(config, len(types))
    if scaled is not None and not all(scaled):
        return {"scaled": whole, "unscaled": unscaled}, tuple("scaled" if on else "unscaled" for on in scaled)
    layers = {name: None if name in model_types("plain_layers") else whole for name in dict.fromkeys(types) or {ALL: None}}
    windowed = "sliding_window" in config or SLIDING in layers or model_type == "afmoe"
    if model_type in model_types("full_unrotated") and windowed and not has_no_window(config):
        config.collector.note("layer_types", "full-attention layers of {model} have no position encoding", model=model_type)
        layers = {SLIDING: whole, **layers, FULL: None}
    return layers, types


def _subset(rope: Section, *keys: str) -> Section:
    """Return a rope object with some of its keys, such as those that apply to unscaled layers."""
    return Section({key: rope.values[key] for key in keys if key in rope}, rope.collector, rope.where)


def _compressed(config: Section, rope: Section) -> Layers:
    """Read the two bases of DeepSeek-V4: its sliding layers are unscaled, its compressed ones scaled."""
    read = any(rope.values.get(key) in ("yarn", "longrope") for key in ("rope_type", "type"))
    inner = Section({"attention_factor": 1.0, **rope.values} if read else rope.values, config.collector, rope.where)
    if rope.values:
        config.collector.note(rope.where, "{key} reaches the compressed layers alone, with an attention factor of 1")
    main = LayerRope(_subset(rope, "partial_rotary_factor"), default_base=10_000.0)
    return {"main": main, "compress": LayerRope(inner, base_keys=("compress_rope_theta",), default_base=160_000.0)}


def _dual(config: Section, rope: Section, model_type: str | None) -> Layers:
    """Read two bases, as in Gemma 3 and ModernBERT: one for full-attention layers, a smaller one for sliding ones."""
    full_only = model_type in model_types("scaled_full_only") or "rope_local_base_freq" in config
    inner = {key: value for key, value in rope.values.items() if key == "partial_rotary_factor" or not (full_only or key == "rope_theta")}
    sliding = Section(inner, config.collector, rope.where)
    if full_only and "type" in rope and "rope_type" not in rope and rope.values["type"] not in ("default", "mrope"):
        rule = wording(
            "{key} is the old spelling, which transformers 5 passes over without a word in models with two bases: it would not scale"
        )
        config.collector.warn(rope.name("type"), rule, wording('write "rope_type"'))
    local = family_defaults(model_type).get("local_base", 10_000.0)
    return {FULL: LayerRope(rope, base_keys=(*GLOBAL_BASES, *BASES)), SLIDING: LayerRope(sliding, LOCAL_BASES, default_base=local)}
