"""The type of every layer, and which layers are rotated and scaled."""

from __future__ import annotations

from rope_core.huggingface.families import family_defaults, model_types, note_default
from rope_core.huggingface.keys import COUNTS
from rope_core.huggingface.section import Section, is_name, shown, wording

MOST_LAYERS = 10_000
MOST_TYPES = 16
FULL, SLIDING, ALL = "full_attention", "sliding_attention", "all"
COMPRESSED = {4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}
"""The names of DeepSeek-V4's layer types, by compression ratio."""
PATTERN_KEYS = ("sliding_window_pattern", "_sliding_window_pattern")
MODERNBERT = ("modernbert", "modernbert-decoder")


def layer_types(config: Section, model_type: str | None) -> tuple[str, ...]:
    """Return the type of every layer, ``"all"`` for models with one type; empty if the number of layers is unknown."""
    key = config.first(COUNTS)
    count = 0 if key is None else config.count(key, high=MOST_LAYERS) or 0
    stated = config.items("layer_types", MOST_LAYERS)
    if stated is not None:
        return _stated_types(config, stated, count)
    ratios = config.items("compress_ratios", MOST_LAYERS)
    if ratios is not None and model_type == "deepseek_v4":
        return tuple(map(_compression, ratios))[: count or None]
    hybrid = config.items("hybrid_layer_pattern", MOST_LAYERS)
    if hybrid is not None and _all_binary(config, "hybrid_layer_pattern", hybrid, count):
        return tuple(SLIDING if value else FULL for value in hybrid)
    if key is None and (default := family_defaults(model_type).get("num_hidden_layers")):
        count = note_default(config, COUNTS[0], default, model_type)
    return _patterned(config, model_type, count)


def stated_count(config: Section) -> int | None:
    """Return the number of layers, if a config states it."""
    key = config.first(COUNTS)
    return None if key is None else config.count(key, high=MOST_LAYERS)


def stated_layers(config: Section, model_type: str | None) -> int:
    """Return the number of layers of a model in which nothing rotates, 0 if it is not stated as a valid number; nothing is reported."""
    key = config.first(COUNTS)
    stated = family_defaults(model_type).get("num_hidden_layers", 0) if key is None else config.values[key]
    return stated if isinstance(stated, int) and not isinstance(stated, bool) and 0 < stated <= MOST_LAYERS else 0


def has_no_window(config: Section) -> bool:
    """Return whether a config states that no layer has a sliding window."""
    return "sliding_window" in config.values and config.values["sliding_window"] is None


def rotated_layers(config: Section, model_type: str | None, count: int) -> list[bool] | None:
    """Return which layers are rotated; None if all are. Despite its name, 1 in ``no_rope_layers`` means that a layer is."""
    stated = config.items("no_rope_layers", MOST_LAYERS)
    if stated:
        if not _all_binary(config, "no_rope_layers", stated, stated_count(config) or 0):
            return None
        config.collector.note("no_rope_layers", "in {key}, 1 means that a layer turns and 0 that it does not")
        return [value == 1 for value in stated]
    if model_type not in model_types("skipping") and "no_rope_layer_interval" not in config:
        return None
    every = config.count("no_rope_layer_interval") or 4
    config.collector.note("no_rope_layer_interval", "one layer in every {every} does not turn: the last of each group", every=every)
    return [bool((index + 1) % every) for index in range(count)]


def scaled_layers(config: Section, count: int) -> list[bool] | None:
    """Return which layers the scaling applies to, as in Molmo 2; None if all."""
    stated = config.items("rope_scaling_layers", MOST_LAYERS)
    if stated is None:
        return None
    if not all(isinstance(index, int) and 0 <= index < MOST_LAYERS for index in stated):
        rule = wording("{key} must be a list of numbers of layers, got {value}")
        config.collector.reject("rope_scaling_layers", rule, wording("count the layers from 0"), value=shown(stated))
        return None
    return [index in stated for index in range(count)]


def _compression(ratio: object) -> str:
    known = COMPRESSED.get(ratio, "compress") if isinstance(ratio, int) else "compress"
    return known if ratio else SLIDING


def _all_binary(config: Section, key: str, entries: list[object], count: int) -> bool:
    """Return whether a list has 0 or 1 for every layer: other entries are an error, a wrong length is a warning."""
    if not all(value in (0, 1) for value in entries):
        rule = wording("{key} must be a list of 0 and 1, got {value}")
        config.collector.reject(key, rule, wording("write 0 or 1 for every layer"), value=shown(entries))
        return False
    compare_length(config, key, len(entries), count)
    return True


def compare_length(config: Section, key: str, entries: int, count: int) -> None:
    """Warn of a list without one entry for every layer, if a config states the number of layers."""
    if count and entries != count:
        rule = wording("{key} has {value} entries for {count} layers")
        config.collector.warn(key, rule, wording("give one entry for every layer"), value=entries, count=count)


def _stated_types(config: Section, stated: list[object], count: int) -> tuple[str, ...]:
    names = tuple(name for name in stated if isinstance(name, str) and is_name(name))
    if len(names) < len(stated) or len(set(names)) > MOST_TYPES:
        rule = wording("{key} must be a list of names, at most {limit} different ones, got {value}")
        config.collector.reject("layer_types", rule, wording("write a name for every layer"), limit=MOST_TYPES, value=shown(stated))
        return ()
    compare_length(config, "layer_types", len(names), count)
    return names


def _patterned(config: Section, model_type: str | None, count: int) -> tuple[str, ...]:
    """Derive the types from a periodic pattern: which layers have full attention."""
    if model_type in MODERNBERT:
        every = config.count("global_attn_every_n_layers") or 3
        if "global_attn_every_n_layers" not in config:
            note_default(config, "global_attn_every_n_layers", every, model_type)
        return tuple(SLIDING if index % every else FULL for index in range(count))
    if model_type == "mimo_v2_flash":
        return tuple(FULL if index == 0 or (index + 1) % 6 == 0 else SLIDING for index in range(count))
    if "full_attention_interval" in config:
        every = config.count("full_attention_interval") or 1
        return tuple("linear_attention" if (index + 1) % every else FULL for index in range(count))
    key = config.first((*PATTERN_KEYS, *(("global_attn_every_n_layers",) if model_type == "afmoe" else ())))
    pattern = None if key is None else config.values[key]
    if isinstance(pattern, str) and pattern and set(pattern) <= {"L", "G"}:
        return tuple(SLIDING if pattern[index % len(pattern)] == "L" else FULL for index in range(count))
    stride = _stride(config, key, model_type)
    return (ALL,) * count if stride is None else tuple(SLIDING if (index + 1) % stride else FULL for index in range(count))


def _stride(config: Section, key: str | None, model_type: str | None) -> int | None:
    """Read the length of a group of layers, of which all but the last have a sliding window; None if no layer has."""
    default = family_defaults(model_type).get("sliding_pattern")
    if model_type in model_types("full_unrotated") and has_no_window(config):
        return None
    if key is None:
        return None if default is None else note_default(config, "sliding_window_pattern", default, model_type)
    stated = config.values[key]
    if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0:
        return stated
    rule = wording("{key} must be a whole number above 0, or a string of L and G, got {value}")
    config.collector.reject(key, rule, wording("write how many layers a group has"), value=shown(stated))
    return default
