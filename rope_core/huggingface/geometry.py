"""How wide a head is, how much of it turns, and in which layout."""

from __future__ import annotations

from dataclasses import dataclass

from rope_core.config import Layout
from rope_core.huggingface.collector import Section, shown
from rope_core.huggingface.families import family_defaults, model_types

WIDEST = 65_536
SHARES = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction", "rope_pct", "rope_percentage")
INTERLEAVE_FLAGS = ("rope_interleave", "rotary_emb_interleaved", "rotary_interleaved", "rope_interleaved")
DEFAULT_LENGTH = 4096
HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
LENGTHS = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_sequence_length", "n_ctx", "max_seq_length")


@dataclass(frozen=True)
class Geometry:
    """The shape of a head as a config states it.

    Attributes:
        head_dim: Full width of a query or key.
        rotary_dim: Width that turns, where a count states it: GPT-J, MiniMax, latent attention.
        share: Part of the width that turns, where a share states it.
        layout: Which coordinates form a pair.
        max_position: The length that the config states.
    """

    head_dim: int
    rotary_dim: int | None
    share: float | None
    layout: Layout
    max_position: int


def read_geometry(config: Section, model_type: str | None) -> Geometry | None:
    """Read all of it; None if there is no head width, which is an error."""
    rotary = _rotary_count(config)
    head_dim = _head_dim(config, model_type)
    share = _share(config)
    layout, length = _layout(config, model_type), _length(config, model_type)
    return None if head_dim is None else Geometry(head_dim, rotary, share, layout, length)


def _head_dim(config: Section, model_type: str | None) -> int | None:
    nope, rope = config.count("qk_nope_head_dim", high=WIDEST), config.count("qk_rope_head_dim", high=WIDEST)
    if nope and rope:
        config.collector.add(
            "note",
            "qk_rope_head_dim",
            "latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first",
            rope=rope,
            width=nope + rope,
        )
        return nope + rope
    for key in ("head_dim", "kv_channels", "attention_head_dim"):
        if key in config:
            return config.count(key, high=WIDEST)
    default = (family_defaults(model_type) or {}).get("head_dim")
    if default is not None:
        config.collector.add(
            "note", "head_dim", "{key} is missing; {value} is what the config class of {model} takes", model=model_type, value=int(default)
        )
        return int(default)
    hidden, heads = (next((config.count(key, high=2**31) for key in keys if key in config), None) for keys in (HIDDEN, HEADS))
    if hidden is None or heads is None:
        if not config.collector.failed():
            config.collector.error(
                "head_dim",
                "{key} is missing, and so is what it could be computed from: hidden_size and num_attention_heads",
                "add head_dim, the width of one query",
            )
        return None
    return _divided(config, hidden, heads)


def _divided(config: Section, hidden: int, heads: int) -> int | None:
    if hidden < heads or hidden // heads > WIDEST:
        config.collector.error(
            "hidden_size",
            "{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}",
            high=WIDEST,
            hidden=hidden,
            heads=heads,
        )
        return None
    if hidden % heads:
        config.collector.add(
            "warning",
            "hidden_size",
            "{key} = {hidden} is no multiple of num_attention_heads = {heads}; engines round the head width down to {value}",
            "add head_dim",
            hidden=hidden,
            heads=heads,
            value=hidden // heads,
        )
    return hidden // heads


def _rotary_count(config: Section) -> int | None:
    if "rotary_dim" in config and "qk_rope_head_dim" not in config:
        return config.count("rotary_dim", high=WIDEST)
    return config.count("qk_rope_head_dim", high=WIDEST)


def _share(config: Section) -> float | None:
    stated = [key for key in SHARES if key in config]
    values = {key: config.number(key) for key in stated}
    if len({value for value in values.values() if value is not None}) > 1:
        config.collector.add(
            "warning",
            stated[0],
            "{key} = {value} and {other} = {otherwise} disagree; the first counts",
            "keep one of them",
            value=shown(values[stated[0]]),
            other=stated[1],
            otherwise=shown(values[stated[1]]),
        )
    return values[stated[0]] if stated else None


def rotated_width(rope: Section, config: Section, geometry: Geometry, head_dim: int, model_type: str | None) -> int | None:
    """Give the width that turns in the layers of one rope object; None if it cannot be turned, which is an error."""
    share = rope.number("partial_rotary_factor")
    if share is not None and geometry.share is not None and share != geometry.share:
        config.collector.add(
            "warning",
            rope.name("partial_rotary_factor"),
            "{key} = {value} and the one outside, {other}, disagree; the inner one counts",
            "keep one of them",
            value=share,
            other=geometry.share,
        )
    share = geometry.share if share is None else share
    if share is None and geometry.rotary_dim is not None:
        return _turnable(config, geometry.rotary_dim, head_dim, "rotary_dim" if "rotary_dim" in config else "qk_rope_head_dim")
    if share is None:
        share = _default_share(config, model_type)
    if not 0 < share <= 1:
        config.collector.error("partial_rotary_factor", "{key} must be above 0 and at most 1, got {value}", value=share)
        return None
    width = int(head_dim * share)
    if geometry.rotary_dim is not None and width != geometry.rotary_dim:
        config.collector.add(
            "warning",
            "rotary_dim",
            "a rotated width of {other} is stated, and partial_rotary_factor makes {value} of {width}; {value} counts",
            "keep one of them",
            other=geometry.rotary_dim,
            value=width,
            width=head_dim,
        )
    return _turnable(config, width, head_dim, "head_dim" if share == 1 else "partial_rotary_factor")


def _turnable(config: Section, width: int, head_dim: int, key: str) -> int | None:
    if width > head_dim:
        config.collector.error(key, "{key} must be at most the head width {width}, got {value}", width=head_dim, value=width)
        return None
    if width % 2 or width == 0:
        config.collector.error(
            key, "{key} must give an even number of coordinates to turn in pairs, got {value}", "make it even", value=width
        )
        return None
    return width


def _default_share(config: Section, model_type: str | None) -> float:
    if model_type in ("chatglm", "chatglm3"):
        config.collector.add("note", "kv_channels", "half of {key} turns, as the code of {model} has it", model=model_type)
        return 0.5
    default = (family_defaults(model_type) or {}).get("partial_rotary_factor")
    if default is None or default > 1:
        return 1.0
    config.collector.add(
        "note",
        "partial_rotary_factor",
        "{key} is missing; {value} is what the config class of {model} takes",
        model=model_type,
        value=default,
    )
    return default


def _layout(config: Section, model_type: str | None) -> Layout:
    for key in INTERLEAVE_FLAGS:
        if key in config:
            return "interleaved" if config.flag(key) else "half"
    return "interleaved" if model_type in model_types("interleaved") else "half"


def _length(config: Section, model_type: str | None) -> int:
    if "max_trained_positions" in config:
        return config.count("max_trained_positions") or DEFAULT_LENGTH
    for key in LENGTHS:
        if key in config:
            return config.count(key) or DEFAULT_LENGTH
    default = (family_defaults(model_type) or {}).get("max_position")
    if default is not None:
        config.collector.add(
            "note",
            LENGTHS[0],
            "{key} is missing; {value:,} is what the config class of {model} takes",
            model=model_type,
            value=int(default),
        )
        return int(default)
    config.collector.add(
        "note",
        LENGTHS[0],
        "{key} is missing; {value:,} tokens are taken as the context",
        "add max_position_embeddings",
        value=DEFAULT_LENGTH,
    )
    return DEFAULT_LENGTH
