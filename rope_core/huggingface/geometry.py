"""How wide a head is, how much of it turns, and in which layout."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from rope_core.config import Layout
from rope_core.huggingface.collector import printable, shown, wording
from rope_core.huggingface.families import family_defaults, model_types
from rope_core.huggingface.section import Section

WIDEST = 65_536
SHARES = ("partial_rotary_factor", "rotary_pct", "rotary_emb_fraction", "rope_pct", "rope_percentage")
INTERLEAVE_FLAGS = ("rope_interleave", "rotary_emb_interleaved", "rotary_interleaved", "rope_interleaved")
DEFAULT_LENGTH = 4096
WIDTHS = ("head_dim", "kv_channels", "attention_head_dim")
HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
LENGTHS = (
    *("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_sequence_length", "n_ctx", "max_seq_length"),
    "model_max_length",
)


@dataclass(frozen=True)
class Geometry:
    """The shape of a head as a config states it.

    Attributes:
        head_dim: Full width of a query or key; None after an error.
        rotary_dim: Width that turns, where a count states it: GPT-J, MiniMax, latent attention.
        latent: Whether that count is ``qk_rope_head_dim``: coordinates of a projection of their own.
        share: Part of the width that turns, where a share states it.
        layout: Which coordinates form a pair.
        max_position: The length that the config states.
    """

    head_dim: int | None
    rotary_dim: int | None
    latent: bool
    share: float | None
    layout: Layout
    max_position: int


def read_geometry(config: Section, model_type: str | None) -> Geometry:
    """Read all of it."""
    latent = "qk_rope_head_dim" in config
    rotary = config.count("qk_rope_head_dim" if latent else "rotary_dim", high=WIDEST)
    head_dim = _head_dim(config, model_type)
    share = _share(config)
    layout, length = _layout(config, model_type), _length(config, model_type)
    return Geometry(head_dim, rotary, latent, share, layout, length)


def _head_dim(config: Section, model_type: str | None) -> int | None:
    nope, rope = config.count("qk_nope_head_dim", high=WIDEST), config.count("qk_rope_head_dim", high=WIDEST)
    if nope and rope:
        rule = wording(
            "latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first"
        )
        config.collector.tell("note", "qk_rope_head_dim", rule, rope=rope, width=nope + rope)
        return nope + rope
    stated = config.first(WIDTHS)
    if stated is not None:
        return config.count(stated, high=WIDEST)
    default = family_defaults(model_type).get("head_dim")
    if default is not None:
        return _taken(config, "head_dim", int(default), model_type)
    hidden = _outer_size(config, HIDDEN, "hidden_size", model_type)
    heads = _outer_size(config, HEADS, "num_attention_heads", model_type)
    missing = [name for name, size in (("hidden_size", hidden), ("num_attention_heads", heads)) if size == 0]
    if missing:
        _deny_missing(config, missing)
    return _divided(config, hidden, heads) if hidden and heads else None


def _outer_size(config: Section, keys: tuple[str, ...], name: str, model_type: str | None) -> int | None:
    """Read a number that the head width can be computed from, or take that of the family; 0 if nobody states it."""
    stated, default = config.first(keys), family_defaults(model_type).get(name, 0)
    if stated is not None:
        return config.count(stated, high=2**31)
    return _taken(config, name, default, model_type) if default else 0


def _deny_missing(config: Section, names: list[str]) -> None:
    """Refuse a config without a head width; a key that looks like a misspelling of what is missing is named."""
    close = [
        found
        for name in names
        for found in difflib.get_close_matches(name, (key for key in config.values if key in config), n=1, cutoff=0.75)
    ]
    config.collector.explained.update(close)
    config.collector.deny(
        "head_dim",
        "{key} is missing, and so is what it could be computed from: {parts}",
        wording("is {close} misspelt?") if close else wording("add head_dim, the width of one query"),
        parts=", ".join(names),
        close=", ".join(map(printable, close)),
    )


def _taken(config: Section, key: str, value: int, model_type: str | None) -> int:
    rule = wording("{key} is missing; {value:,} is what the config class of {model} takes")
    config.collector.tell("note", key, rule, value=value, model=model_type)
    return value


def _divided(config: Section, hidden: int, heads: int) -> int | None:
    if hidden < heads or hidden // heads > WIDEST:
        rule = wording("{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}")
        config.collector.deny("hidden_size", rule, high=WIDEST, hidden=hidden, heads=heads)
        return None
    if hidden % heads:
        config.collector.tell(
            "warning",
            "hidden_size",
            "{key} = {hidden} is no multiple of num_attention_heads = {heads}; engines round the head width down to {value}",
            wording("add head_dim"),
            hidden=hidden,
            heads=heads,
            value=hidden // heads,
        )
    return hidden // heads


def _share(config: Section) -> float | None:
    stated = [key for key in SHARES if key in config]
    values = {key: config.number(key) for key in stated}
    if len({value for value in values.values() if value is not None}) > 1:
        config.collector.tell(
            "warning",
            stated[0],
            "{key} = {value} and {other} = {otherwise} disagree; the first counts",
            wording("keep one of them"),
            value=shown(values[stated[0]]),
            other=stated[1],
            otherwise=shown(values[stated[1]]),
        )
    return values[stated[0]] if stated else None


def rotated_width(rope: Section, config: Section, geometry: Geometry, head_dim: int, model_type: str | None) -> int | None:
    """Give the width that turns in the layers of one rope object; None if it cannot be turned, which is an error."""
    share = rope.number("partial_rotary_factor")
    if geometry.latent:  # a share beside it repeats the same width
        return None if geometry.rotary_dim is None else _turnable(config, geometry.rotary_dim, head_dim, "qk_rope_head_dim")
    if share is not None and geometry.share is not None and share != geometry.share and not rope.where.count("."):
        config.collector.tell(
            "warning",
            rope.name("partial_rotary_factor"),
            "{key} = {value} and the one outside, {other}, disagree; the inner one counts",
            wording("keep one of them"),
            value=share,
            other=geometry.share,
        )
    inner, share = share is not None, geometry.share if share is None else share
    if share is None and geometry.rotary_dim is not None:
        return _turnable(config, geometry.rotary_dim, head_dim, "rotary_dim")
    if share is None:
        share = _default_share(config, model_type)
    key = rope.name("partial_rotary_factor") if inner else config.first(SHARES) or "partial_rotary_factor"
    if not 0 < share <= 1:
        config.collector.deny(key, "{key} must be above 0 and at most 1, got {value:g}", value=share)
        return None
    width = int(head_dim * share)
    if geometry.rotary_dim is not None and width != geometry.rotary_dim:
        config.collector.tell(
            "warning",
            "rotary_dim",
            "{key} = {other} and partial_rotary_factor, which makes {value} of {width}, disagree; {value} counts",
            wording("keep one of them"),
            other=geometry.rotary_dim,
            value=width,
            width=head_dim,
        )
    return _turnable(config, width, head_dim, "head_dim" if share == 1 else key)


def _turnable(config: Section, width: int, head_dim: int, key: str) -> int | None:
    if width > head_dim:
        config.collector.deny(key, "{key} must be at most the head width {width}, got {value}", width=head_dim, value=width)
        return None
    if width % 2 or width == 0:
        rule = wording("{key} must give an even number of coordinates to turn in pairs, got {value}")
        config.collector.deny(key, rule, wording("make it even"), value=width)
        return None
    return width


def _default_share(config: Section, model_type: str | None) -> float:
    if model_type in ("chatglm", "chatglm3"):
        config.collector.tell("note", "kv_channels", "half of {key} turns, as the code of {model} has it", model=model_type)
        return 0.5
    default = family_defaults(model_type).get("partial_rotary_factor")
    if default is None or default > 1:
        return 1.0
    rule = wording("{key} is missing; {value:g} is what the config class of {model} takes")
    config.collector.tell("note", "partial_rotary_factor", rule, model=model_type, value=default)
    return float(default)


def _layout(config: Section, model_type: str | None) -> Layout:
    stated = config.first(INTERLEAVE_FLAGS)
    if stated is not None:
        return "interleaved" if config.flag(stated) else "half"
    return "interleaved" if model_type in model_types("interleaved") else "half"


def _length(config: Section, model_type: str | None) -> int:
    stated = config.first(("max_trained_positions", *LENGTHS))
    if stated is not None:
        return config.count(stated) or DEFAULT_LENGTH
    default = family_defaults(model_type).get("max_position")
    if default is not None:
        return _taken(config, LENGTHS[0], int(default), model_type)
    rule = wording("{key} is missing; {value:,} tokens are taken as the context")
    config.collector.tell("note", LENGTHS[0], rule, wording("add max_position_embeddings"), value=DEFAULT_LENGTH)
    return DEFAULT_LENGTH
