"""Which layers a config has, and which rope object, base and head width each type of layer takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rope_core.huggingface.collector import Section, shown
from rope_core.huggingface.families import family_defaults, model_types, sliding_pattern
from rope_core.huggingface.methods import ALWAYS_READ, READ_BY, READ_ELSEWHERE

MOST_LAYERS = 10_000
FULL, SLIDING, ALL = "full_attention", "sliding_attention", "all"
ROPE_KEYS = ALWAYS_READ | READ_ELSEWHERE | set().union(*READ_BY.values())
MODERNBERT = ("modernbert", "modernbert-decoder")


@dataclass(frozen=True)
class LayerRope:
    """How the layers of one type turn.

    Attributes:
        rope: Their rope object, perhaps empty.
        base_keys: Keys at the top of the config that may hold the base, first one first.
        default_base: The base where none of them is there; None means that of the family.
        head_dim: A width of their own.
        nested: Whether the object belongs to this type of layer alone.
    """

    rope: Section
    base_keys: tuple[str, ...] = ("rope_theta", "rotary_emb_base", "rope_base", "rotary_base")
    default_base: float | None = None
    head_dim: int | None = None
    nested: bool = False


def read_layers(config: Section, model_type: str | None) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    """Give the rope of every type of layer, and the type of every layer; the types are empty if their number is not stated."""
    name, found = _rope_object(config)
    rope = Section(found, config.collector, name)
    if model_type in model_types("unrotated"):
        _note_unrotated(config, model_type)
        return {ALL: None}, (ALL,) * len(_layer_types(config, model_type))
    if _is_nested(found):
        return _nested(config, rope, model_type)
    return _flat(config, rope, model_type)


def _rope_object(config: Section) -> tuple[str, Mapping[str, object]]:
    objects: dict[str, Mapping[str, object]] = {}
    for key in ("rope_scaling", "rope_parameters"):
        value = config.values.get(key)
        if isinstance(value, Mapping):
            objects[key] = value
        elif value is not None:
            config.collector.error(key, "{key} must be an object or null, got {value}", value=shown(value))
    if len(objects) == 2 and objects["rope_scaling"] and objects["rope_scaling"] != objects["rope_parameters"]:
        config.collector.add(
            "warning",
            "rope_scaling",
            "{key} and rope_parameters are both there and differ; transformers 5 takes {key}",
            "keep one of them",
        )
    return next(((key, value) for key, value in objects.items() if value), ("rope_parameters", {}))


def _is_nested(rope: Mapping[str, object]) -> bool:
    inner = [value is None or isinstance(value, Mapping) for value in rope.values()]
    return bool(inner) and all(inner) and not rope.keys() & ROPE_KEYS


def _nested(config: Section, rope: Section, model_type: str | None) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    width = config.count("global_head_dim", high=65_536)
    layers: dict[str, LayerRope | None] = {}
    for name, value in rope.values.items():
        inner = Section(value, config.collector, rope.name(name[:100])) if isinstance(value, Mapping) else None
        local = SLIDING in name
        layers[name] = None
        if inner is None:
            continue
        layers[name] = LayerRope(
            inner,
            base_keys=("rope_local_base_freq", "local_rope_theta", "swa_rope_theta") if local else LayerRope.base_keys,
            default_base=10_000.0 if local and (family_defaults(model_type) or {}).get("local_base") else None,
            head_dim=inner.count("head_dim", high=65_536) or (width if name == FULL else None),
            nested=True,
        )
    types = _layer_types(config, model_type)
    if len(layers) > 1 and not isinstance(config.values.get("layer_types"), list | tuple) and types == (ALL,) * len(types) and types:
        config.collector.add(
            "warning",
            "layer_types",
            "{key} is missing, so an engine cannot tell which layers take which settings of {rope}",
            "add {key}, one name for every layer",
            rope=rope.where,
        )
        types = ()
    return _complete(config, layers, _renamed(types, layers))


def _renamed(types: tuple[str, ...], layers: Mapping[str, object]) -> tuple[str, ...]:
    """Write types of layers as the rope object names them: DeepSeek-V4 has ``main`` for sliding layers, ``compress`` for all others."""
    if layers.keys() == {"main", "compress"}:
        return tuple(name if name in layers else "main" if name == SLIDING else "compress" for name in types)
    if len(layers) == 1:
        only = next(iter(layers))
        return tuple(only if name == ALL else name for name in types)
    return types


def _complete(
    config: Section, layers: dict[str, LayerRope | None], types: tuple[str, ...]
) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    """Add types of layers that have no entry: they turn nothing."""
    for name in dict.fromkeys(types):
        if name not in layers:
            layers[name] = None
            if name not in model_types("plain_layers"):
                config.collector.add(
                    "warning",
                    "layer_types",
                    "layers of type {name} have no entry in the rope settings; they are taken as not rotated",
                    "add an entry, or null",
                    name=shown(name),
                )
    return layers, types


def _flat(config: Section, rope: Section, model_type: str | None) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    plain = Section({key: value for key, value in rope.values.items() if key == "partial_rotary_factor"}, config.collector, rope.where)
    types = _layer_types(config, model_type)
    whole = LayerRope(rope)
    defaults = family_defaults(model_type) or {}
    if "rope_local_base_freq" in config or "local_rope_theta" in config or "local_base" in defaults:
        return _dual(config, rope, plain, types, model_type)
    if "compress_rope_theta" in config or model_type == "deepseek_v4":
        inner = Section({"attention_factor": 1.0, **rope.values} if rope.values else {}, config.collector, rope.where)
        compress = LayerRope(inner, base_keys=("compress_rope_theta",), default_base=160_000.0)
        main = LayerRope(plain, default_base=10_000.0)
        if rope.values:
            config.collector.add("note", rope.where, "{key} reaches the compressed layers alone, with an attention factor of 1")
        layers: dict[str, LayerRope | None] = {"main": main, "compress": compress}
        return layers, _renamed(types, layers)
    if "swa_rope_theta" in config:
        return {FULL: whole, SLIDING: LayerRope(plain, base_keys=("swa_rope_theta",))}, types
    if model_type == "olmo3" and rope.values:
        config.collector.add("note", rope.where, "{key} reaches the full-attention layers alone")
        no_base = Section({key: rope.values.get(key) for key in ("rope_theta", "partial_rotary_factor")}, config.collector, rope.where)
        return {FULL: whole, SLIDING: LayerRope(no_base)}, types
    return _skipped(config, whole, types, model_type)


def _skipped(
    config: Section, whole: LayerRope, types: tuple[str, ...], model_type: str | None
) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    """One rope for all layers that turn; some may not."""
    switches = _switches(config, model_type, len(types))
    if switches is not None:
        return {"rope": whole, "nope": None}, tuple("rope" if on else "nope" for on in switches)
    names = dict.fromkeys(types) or {ALL: None}
    layers: dict[str, LayerRope | None] = {name: None if name in model_types("plain_layers") else whole for name in names}
    if model_type in model_types("full_unrotated") and ("sliding_window" in config or SLIDING in layers) and not _no_window(config):
        config.collector.add("note", "layer_types", "full-attention layers of {model} have no position encoding", model=model_type)
        layers = {SLIDING: whole, **layers, FULL: None}
    return layers, types


def _no_window(config: Section) -> bool:
    return "sliding_window" in config.values and config.values["sliding_window"] is None


def _dual(
    config: Section, rope: Section, plain: Section, types: tuple[str, ...], model_type: str | None
) -> tuple[dict[str, LayerRope | None], tuple[str, ...]]:
    """Two bases, as in Gemma 3 and ModernBERT: one for full-attention layers, a smaller one for sliding ones."""
    full = LayerRope(rope, base_keys=("global_rope_theta", "rope_theta"))
    full_only = model_type in model_types("scaled_full_only") or "rope_local_base_freq" in config
    inner = {key: value for key, value in (plain if full_only else rope).values.items() if key != "rope_theta"}
    sliding = LayerRope(
        Section(inner, config.collector, rope.where), base_keys=("local_rope_theta", "rope_local_base_freq"), default_base=10_000.0
    )
    if full_only and "type" in rope and "rope_type" not in rope and rope.values["type"] not in ("default", "mrope"):
        config.collector.add(
            "warning",
            rope.name("type"),
            "{key} is the old spelling, which transformers 5 passes over without a word in models with two bases: it would not scale",
            'write "rope_type"',
        )
    return {FULL: full, SLIDING: sliding}, types


def _layer_types(config: Section, model_type: str | None) -> tuple[str, ...]:
    keys = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
    count = next((config.count(key, high=MOST_LAYERS) for key in keys if key in config), None) or 0
    stated = config.items("layer_types", MOST_LAYERS)
    if stated is not None:
        if not all(isinstance(name, str) for name in stated):
            config.collector.error("layer_types", "{key} must be a list of names, got {value}", value=shown(stated))
            return ()
        if count and len(stated) != count:
            config.collector.add(
                "warning",
                "layer_types",
                "{key} has {value} entries for {count} layers",
                "give one name for every layer",
                value=len(stated),
                count=count,
            )
        return tuple(str(name)[:100] for name in stated)
    ratios = config.items("compress_ratios", MOST_LAYERS)
    if ratios is not None and model_type == "deepseek_v4":
        return tuple("compress" if ratio else "main" for ratio in ratios)[: count or None]
    return tuple(_pattern(config, model_type, index) for index in range(count))


def _pattern(config: Section, model_type: str | None, index: int) -> str:
    """Name the type of one layer by the rule of its family."""
    if model_type in MODERNBERT:
        every = config.count("global_attn_every_n_layers") or 3
        return SLIDING if index % every else FULL
    if model_type == "mimo_v2_flash":
        return FULL if index == 0 or (index + 1) % 6 == 0 else SLIDING
    if "full_attention_interval" in config:
        every = config.count("full_attention_interval") or 1
        return "linear_attention" if (index + 1) % every else FULL
    pattern = config.values.get("sliding_window_pattern", config.values.get("_sliding_window_pattern"))
    if isinstance(pattern, str) and pattern and set(pattern) <= {"L", "G"}:
        return SLIDING if pattern[index % len(pattern)] == "L" else FULL
    stride = pattern if isinstance(pattern, int) and pattern > 0 else sliding_pattern(model_type)
    if stride is None or _no_window(config):
        return ALL
    return SLIDING if (index + 1) % stride else FULL


def _switches(config: Section, model_type: str | None, count: int) -> list[bool] | None:
    """Read which layers turn: 1 in ``no_rope_layers`` means that a layer does, whatever the key's name says."""
    stated = config.items("no_rope_layers", MOST_LAYERS)
    if stated:
        if not all(value in (0, 1) for value in stated):
            config.collector.error("no_rope_layers", "{key} must be a list of 0 and 1, got {value}", value=shown(stated))
            return None
        config.collector.add("note", "no_rope_layers", "in {key}, 1 means that a layer turns and 0 that it does not")
        return [value == 1 for value in stated]
    if model_type not in model_types("skipping") and "no_rope_layer_interval" not in config:
        return None
    every = config.count("no_rope_layer_interval") or 4
    config.collector.add("note", "no_rope_layer_interval", "every layer of {every} without a rotation: the last of each group", every=every)
    return [bool((index + 1) % every) for index in range(count)]


def _note_unrotated(config: Section, model_type: str | None) -> None:
    keys = [key for key in ("rope_theta", "rope_scaling", "rope_parameters", "qk_rope_head_dim") if key in config]
    if keys:
        config.collector.add("note", keys[0], "{key} is there, but the attention of {model} never turns a query", model=model_type)
    else:
        config.collector.add("note", "model_type", "the attention of {model} never turns a query", model=model_type)
