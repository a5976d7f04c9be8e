"""The keys at the top of a config that engines read, in all their spellings; keys that other programs read; and likely misspellings."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache

from rope_core.huggingface.families import data
from rope_core.huggingface.section import Section, printable, shown, wording

WIDTHS = ("head_dim", "attention_head_dim", "kv_channels", "head_size")
HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
COUNTS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers", "num_transformer_layers")
LENGTHS = (
    *("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_sequence_length", "n_ctx", "max_seq_length"),
    *("model_max_length", "encoder_seq_length", "max_context_length"),
)
SHARES = (
    *("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction", "rope_pct", "rope_percentage", "rotary_percent", "rotary_percentage"),
)
TEXT_PARTS = (
    *("text_config", "llm_config", "language_config", "thinker_config", "lm_config", "language_model_config", "decoder"),
    *("pretrained_config", "vlm_config", "text_model_config"),
)
"""Keys under which multimodal models keep the config of their text part; a ``decoder`` need not be an object. The config of an engine of
TensorRT-LLM keeps the model under ``pretrained_config``."""
INTERLEAVE_FLAGS = ("rope_interleave", "rotary_emb_interleaved", "rotary_interleaved", "rope_interleaved", "rope_traditional")
BASES = ("rope_theta", "rotary_emb_base", "rope_base", "rotary_base", "rotary_embedding_base", "rope_freq_constant")
GLOBAL_BASES, LOCAL_BASES = ("global_rope_theta",), ("local_rope_theta", "rope_local_base_freq", "swa_rope_theta")
OBJECTS = ("rope_scaling", "rope_parameters", "rotary_scaling")
"""Names of the rope object; the last one is TensorRT-LLM's."""
ROTARY = (*BASES, *GLOBAL_BASES, *LOCAL_BASES, "compress_rope_theta", *OBJECTS, "rope_ratio", "layer_rope_theta")
"""Keys about rotation: a config class uses its whole default only if none of them is present."""
WIDTHS_THAT_ROTATE = (*SHARES, "rotary_dim", "rotary_embedding_dim", "qk_rope_head_dim")
POSITION_TYPES = ("position_embedding_type", "position_embeddings_type", "pos_emb", "position_encoding_type")
LAYER_PATTERNS = (
    *("layer_types", "compress_ratios", "hybrid_layer_pattern", "global_attn_every_n_layers", "full_attention_interval"),
    *("sliding_window_pattern", "_sliding_window_pattern", "no_rope_layers", "no_rope_layer_interval", "sliding_window"),
)
"""Keys that determine the type of each layer."""
KNOWN_KEYS = {
    *(*ROTARY, *LENGTHS, *SHARES, *INTERLEAVE_FLAGS, *HIDDEN, *HEADS, *WIDTHS, *COUNTS, *LAYER_PATTERNS, *POSITION_TYPES),
    *("original_max_position_embeddings", "qk_rope_head_dim", "qk_nope_head_dim", "global_head_dim", "per_layer_config"),
    *("rotary_dim", "rotary_embedding_dim", "rope_scaling_layers", "partial_rotary_factors", "orig_max_position_embeddings", "rotary"),
    *("rotary_value", "rope_type", "rope_version", "rope_dim", "rotary_embedding", "rope_emb", "use_rope"),
}

MOST_MISSPELT = 20
"""More of them are not mistakes but another kind of file."""
CLOSE, CLOSER = 0.6, 0.92
"""Similarity to a known key from which a key counts as a misspelling; the lower one for keys that start like rotary keys."""
SURE = 0.85
"""Similarity above which nothing else can be meant."""


def known_key(key: str, table: str = "top") -> Mapping[str, object] | None:
    """Return what is known of a key that another program reads: its reader, what it means, and whether it is followed here."""
    found: Mapping[str, object] | None = data("known_keys.toml")[table].get(key)
    return found


def states_rotation(config: Section) -> bool:
    """Return whether a config has any key about rotation."""
    return any(key in config for key in (*ROTARY, *WIDTHS_THAT_ROTATE, "rotary", "rope_type", *INTERLEAVE_FLAGS)) or says_rotary(config)


def says_rotary(config: Section) -> bool:
    """Return whether a config names rotation as its position encoding."""
    kinds = (config.values.get(key) for key in POSITION_TYPES)
    return any(isinstance(kind, str) and any(word in kind.lower() for word in ("rope", "rotary")) for kind in kinds)


def likely_misspellings(config: Section) -> dict[str, str]:
    """Return the unknown keys of a config that are probably misspelt, each with the known key that it resembles."""
    unread = (key for key, value in config.values.items() if key not in KNOWN_KEYS and value is not None and len(key) <= 60)
    return {key: close for key in unread if known_key(key) is None and (close := _closest_key(key))}


def report_misspelt(config: Section) -> None:
    """Warn of keys that look like rotary settings and that no engine reads."""
    misspelt = {key: close for key, close in likely_misspellings(config).items() if key not in config.collector.explained}
    for key, close in [*misspelt.items()][:MOST_MISSPELT]:
        rule = wording("{key} = {value} is not a key that engines read")
        config.collector.warn(key, rule, wording("did you mean {close}?"), value=shown(config.values[key]), close=close)


def report_foreign(config: Section, table: str = "top") -> None:
    """Say whose the keys of other programs are: a note if they are followed here, a warning if they would change speeds and are not."""
    for key in (key for key in config.values if key in data("known_keys.toml")[table]):
        known = known_key(key, table) or {}
        if key not in config or config.name(key) in config.collector.explained or config.name(key) in config.collector.rejected:
            continue
        value, means = shown(config.values[key]), str(known["means"])
        if known.get("read"):
            rule = wording("{key} is a key of {reader}; it is read as {other}")
            config.collector.note(config.name(key), rule, reader=known["reader"], other=means)
        elif means and config.values[key] is not False:
            rule = wording("{key} = {value} is read by {reader} alone; other engines pass over it")
            fix = wording("write {other} if that is meant")
            config.collector.warn(config.name(key), rule, fix, value=value, reader=known["reader"], other=means.replace("<value>", value))
        elif not means:
            rule = wording("{key} = {value} is read by {reader} alone; it does not enter these speeds")
            config.collector.note(config.name(key), rule, value=value, reader=known["reader"])


def reject_misspelt(config: Section, keys: tuple[str, ...]) -> bool:
    """Reject a config that has one of some keys only under a misspelt name, for which a default would be wrong; return whether it has."""
    name = next((key for key in keys if key not in config and _surely(config.collector.misspellings.get(key, ""), key)), None)
    if name is not None:
        wrong = config.collector.misspellings[name]
        config.collector.explained.add(wrong)
        rule = wording("{key} is missing; {close} looks like it, and no engine reads that")
        config.collector.reject(name, rule, wording("is {close} misspelt?"), close=printable(wrong))
    return name is not None


def _surely(wrong: str, right: str) -> bool:
    return sorted(wrong) == sorted(right) or difflib.SequenceMatcher(None, wrong, right).ratio() > SURE


@lru_cache(maxsize=4096)
def _closest_key(key: str) -> str | None:
    """Return the known key that an unknown one resembles; cached, because the comparison is slow and most configs share their keys."""
    cutoff = CLOSE if key.startswith(("rope", "rotary", "partial_rot", "original_max")) else CLOSER
    close = next(iter(difflib.get_close_matches(key, sorted(KNOWN_KEYS), n=1, cutoff=CLOSE)), None)
    if close is None or sorted(close) == sorted(key):  # transposed letters
        return close
    return close if difflib.SequenceMatcher(None, close, key).ratio() >= cutoff else None
