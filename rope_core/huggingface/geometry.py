"""How wide a head is, how much of it turns, and in which layout."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from rope_core.config import Layout
from rope_core.huggingface.collector import printable, shown, wording
from rope_core.huggingface.families import family_defaults, model_types
from rope_core.huggingface.layer_names import note_default
from rope_core.huggingface.section import Section

WIDEST = 65_536
MOST_PAIRS = WIDEST // 2
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
    default = family_defaults(model_type).get("rotary_dim")
    if default is not None and "rotary_dim" not in config.values and not denied_misspelt(config, ("rotary_dim",)):
        rotary = note_default(config, "rotary_dim", int(default), model_type)  # null means the whole head
    head_dim = _head_dim(config, model_type)
    share = _share(config)
    layout, length = _layout(config, model_type), _length(config, model_type)
    return Geometry(head_dim, rotary, latent, share, layout, length)


def _head_dim(config: Section, model_type: str | None) -> int | None:
    nope, rope = config.count("qk_nope_head_dim", high=WIDEST), config.count("qk_rope_head_dim", high=WIDEST)
    latent = ("qk_rope_head_dim", "qk_nope_head_dim")
    if all(key in config for key in latent) and None in (nope, rope):
        return None
    stated = config.first(WIDTHS)
    if (stated is None or config.first(latent)) and denied_misspelt(config, latent):
        return None
    if nope and rope:
        rule = wording(
            "latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first"
        )
        config.collector.tell("note", "qk_rope_head_dim", rule, rope=rope, width=nope + rope)
        return nope + rope
    if stated is not None:
        return config.count(stated, high=WIDEST)
    if denied_misspelt(config, WIDTHS):
        return None
    default = family_defaults(model_type).get("head_dim")
    if default is not None:
        return note_default(config, "head_dim", int(default), model_type)
    hidden = _outer_size(config, HIDDEN, "hidden_size", model_type)
    heads = _outer_size(config, HEADS, "num_attention_heads", model_type)
    missing = [name for name, size in (("hidden_size", hidden), ("num_attention_heads", heads)) if size == 0]
    for names in _by_misspelling(config, missing):
        _deny_missing(config, names)
    return _divided(config, hidden, heads) if hidden and heads else None


def _outer_size(config: Section, keys: tuple[str, ...], name: str, model_type: str | None) -> int | None:
    """Read a number that the head width can be computed from, or take that of the family; 0 if nobody states it."""
    stated, default = config.first(keys), family_defaults(model_type).get(name, 0)
    if stated is not None:
        return config.count(stated, high=2**31)
    if default and denied_misspelt(config, keys):
        return None
    return note_default(config, name, default, model_type) if default else 0


def _by_misspelling(config: Section, missing: list[str]) -> list[list[str]]:
    """Group what is missing: names of which a misspelling is there are told each for itself, the others together."""
    alone = [name for name in missing if _close(config, name)]
    rest = [name for name in missing if name not in alone]
    return [*([name] for name in alone), *([rest] if rest else [])]


def _close(config: Section, name: str) -> list[str]:
    """Give a key that looks like a spelling of a size of the model."""
    keys = [key for key in config.values if key in config]
    spellings = HIDDEN if name == "hidden_size" else HEADS
    return [found for each in spellings for found in difflib.get_close_matches(each, keys, n=1, cutoff=0.75)][:1]


def _deny_missing(config: Section, names: list[str]) -> None:
    """Refuse a config without a head width; a key that looks like a misspelling of what is missing is named."""
    close = [found for name in names for found in _close(config, name)]
    config.collector.explained.update(close)
    config.collector.deny(
        "head_dim",
        "{key} is missing, and so is what it could be computed from: {parts}",
        wording("is {close} misspelt?") if close else wording("add head_dim, the width of one query"),
        parts=", ".join(names),
        close=", ".join(map(printable, close)),
    )


def denied_misspelt(config: Section, keys: tuple[str, ...]) -> bool:
    """Refuse a config that has a key under a misspelt name alone: no default is what somebody meant who wrote another value."""
    name = next((key for key in keys if key not in config and _alike(config.collector.meant.get(key, ""), key)), None)
    if name is not None:
        wrong = config.collector.meant[name]
        config.collector.explained.add(wrong)
        rule = wording("{key} is missing; {close} looks like it, and no engine reads that")
        config.collector.deny(name, rule, wording("is {close} misspelt?"), close=printable(wrong))
    return name is not None


def _alike(wrong: str, right: str) -> bool:
    """Say whether a key is so likely a misspelling that nothing else can be meant."""
    return sorted(wrong) == sorted(right) or difflib.SequenceMatcher(None, wrong, right).ratio() > 0.85


def _divided(config: Section, hidden: int, heads: int) -> int | None:
    if hidden < heads or hidden // heads > WIDEST:
        rule = wording("{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}")
        config.collector.deny("hidden_size", rule, wording("correct one of the numbers"), high=WIDEST, hidden=hidden, heads=heads)
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
    if not stated or (first := values[stated[0]]) is None:
        return None
    other = next((key for key, value in values.items() if value not in (None, first)), None)
    if other is not None:
        rule, fix = wording("{key} = {value} and {other} = {otherwise} disagree; the first counts"), wording("keep one of them")
        config.collector.tell("warning", stated[0], rule, fix, value=shown(first), other=other, otherwise=shown(values[other]))
    return within_one(config, stated[0], first)


def within_one(config: Section, key: str, share: float) -> float | None:
    """Refuse a share that is none."""
    if 0 < share <= 1:
        return share
    rule = wording("{key} must be above 0 and at most 1, got {value:g}")
    config.collector.deny(key, rule, wording("write the part of the head that turns, such as 0.5"), value=share)
    return None


def length_known(config: Section) -> bool:
    """Say whether a config states its length, as a number that can be read."""
    stated = config.first(("max_trained_positions", *LENGTHS))
    return stated is not None and stated not in config.collector.refused


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
        return note_default(config, LENGTHS[0], int(default), model_type)
    rule = wording("{key} is missing; {value:,} tokens are taken as the context")
    config.collector.tell("note", LENGTHS[0], rule, wording("add max_position_embeddings"), value=DEFAULT_LENGTH)
    return DEFAULT_LENGTH
