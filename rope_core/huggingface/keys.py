"""The keys at the top of a config that engines read, in all their spellings, and unknown keys that are likely misspellings of them."""

from __future__ import annotations

import difflib
from functools import lru_cache

from rope_core.huggingface.section import Section, printable, shown, wording

WIDTHS = ("head_dim", "kv_channels", "attention_head_dim")
HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
COUNTS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
LENGTHS = (
    *("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_sequence_length", "n_ctx", "max_seq_length"),
    "model_max_length",
)
SHARES = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction", "rope_pct", "rope_percentage")
INTERLEAVE_FLAGS = ("rope_interleave", "rotary_emb_interleaved", "rotary_interleaved", "rope_interleaved")
BASES = ("rope_theta", "rotary_emb_base", "rope_base", "rotary_base")
GLOBAL_BASES, LOCAL_BASES = ("global_rope_theta",), ("local_rope_theta", "rope_local_base_freq", "swa_rope_theta")
ROTARY = (*BASES, *GLOBAL_BASES, *LOCAL_BASES, "compress_rope_theta", "rope_scaling", "rope_parameters", "rope_ratio")
"""Keys about rotation: a config class uses its whole default only if none of them is present."""
LAYER_PATTERNS = (
    *("layer_types", "compress_ratios", "hybrid_layer_pattern", "global_attn_every_n_layers", "full_attention_interval"),
    *("sliding_window_pattern", "_sliding_window_pattern", "no_rope_layers", "no_rope_layer_interval", "sliding_window"),
)
"""Keys that determine the type of each layer."""
KNOWN_KEYS = {
    *(*ROTARY, *LENGTHS, *SHARES, *INTERLEAVE_FLAGS, *HIDDEN, *HEADS, *WIDTHS, *COUNTS, *LAYER_PATTERNS),
    *("original_max_position_embeddings", "qk_rope_head_dim", "qk_nope_head_dim", "global_head_dim", "per_layer_config"),
    *("rotary_dim", "rotary_value", "rotary_emb_scale_base", "rope_type", "rope_version", "rope_dim", "rotary_embedding", "rope_emb"),
    *("rope_scaling_layers", "layer_rope_theta"),
}

MOST_MISSPELT = 20
"""More of them are not mistakes but another kind of file."""
CLOSE, CLOSER = 0.6, 0.92
"""Similarity to a known key from which a key counts as a misspelling; the lower one for keys that start like rotary keys."""
SURE = 0.85
"""Similarity above which nothing else can be meant."""


def likely_misspellings(config: Section) -> dict[str, str]:
    """Return the unknown keys of a config that are probably misspelt, each with the known key that it resembles."""
    unread = (key for key, value in config.values.items() if key not in KNOWN_KEYS and value is not None and len(key) <= 60)
    return {key: close for key in unread if (close := _closest_key(key))}


def report_misspelt(config: Section) -> None:
    """Warn of keys that look like rotary settings and that no engine reads."""
    misspelt = {key: close for key, close in likely_misspellings(config).items() if key not in config.collector.explained}
    for key, close in [*misspelt.items()][:MOST_MISSPELT]:
        rule = wording("{key} = {value} is not a key that engines read")
        config.collector.warn(key, rule, wording("did you mean {close}?"), value=shown(config.values[key]), close=close)


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
