"""Head widths of models whose code computes them from keys of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rope_core.huggingface.families import family_defaults
from rope_core.huggingface.section import Section

SMALLEST_CLVP = 32


def own_width(config: Section, model_type: str | None) -> int | None:
    """Return the width of a head by the rule of a model's own code; None if it has no such rule, or lacks a key of it."""
    rule = _RULES.get(model_type or "")
    return None if rule is None else rule(config)


def own_rotary_width(config: Section, model_type: str | None) -> int | None:
    """Return the rotated width by the rule of a model's own code: CLVP takes it from the width of its projection."""
    if model_type != "clvp_encoder":
        return None
    known = family_defaults(model_type)
    heads = config.count("num_attention_heads") or int(known["num_attention_heads"])
    return max((config.count("projection_dim") or int(known["hidden_size"])) // (2 * heads), SMALLEST_CLVP)


def _quotient(config: Section, above: str, *below: str) -> int | None:
    """Return one number over others, rounded down; None if one of them is missing."""
    numbers = [config.count(key) for key in (above, *below)]
    if None in numbers:
        return None
    first, *others = (int(number) for number in numbers if number is not None)
    for other in others:
        first //= other
    return max(first, 1)


def _of_zamba2(config: Section) -> int | None:
    """Return twice the hidden size over the heads: attention reads the hidden state and the embedding together."""
    stated = config.count("attention_head_dim")
    once = _quotient(config, "hidden_size", "num_attention_heads")
    return stated or (2 * once if once else None)


def _of_memory(config: Section) -> int | None:
    return _quotient(config, "memory_attention_hidden_size", "memory_attention_downsample_rate", "memory_attention_num_attention_heads")


_RULES: Mapping[str, Callable[[Section], int | None]] = {
    "zamba2": _of_zamba2,
    "qwen2_vl_vision": lambda config: _quotient(config, "embed_dim", "num_heads"),
    "efficientloftr": lambda config: config.count("hidden_size"),
    **dict.fromkeys(("sam2_video", "sam3_tracker_video", "edgetam_video"), _of_memory),
}
