"""The geometry of a head: its width, how much of it is rotated, and in which layout."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from rope_core.config import Layout
from rope_core.huggingface.families import family_defaults, model_types, note_default
from rope_core.huggingface.keys import HEADS, HIDDEN, INTERLEAVE_FLAGS, SHARES, WIDTHS, reject_misspelt
from rope_core.huggingface.lengths import stated_length
from rope_core.huggingface.section import Section, printable, shown, wording
from rope_core.huggingface.widths import own_rotary_width, own_width

WIDEST = 65_536
MOST_PAIRS = WIDEST // 2
ROTARY_WIDTHS = ("rotary_dim", "rotary_embedding_dim")


@dataclass(frozen=True)
class Geometry:
    """The shape of a head as a config states it.

    Attributes:
        head_dim: Full width of a query or key; None after an error.
        rotary_dim: Rotated width, if stated as a number of coordinates: GPT-J, MiniMax, latent attention.
        latent: Whether that number is ``qk_rope_head_dim``: coordinates of a separate projection.
        share: Rotated width as a share of the head, if stated that way.
        layout: Which coordinates form a pair.
        max_position: The stated length.
    """

    head_dim: int | None
    rotary_dim: int | None
    latent: bool
    share: float | None
    layout: Layout
    max_position: int


def read_geometry(config: Section, model_type: str | None, length: int | None = None) -> Geometry:
    """Read the keys that all layers share; ``length`` replaces the stated one."""
    latent = "qk_rope_head_dim" in config
    key = "qk_rope_head_dim" if latent else config.first(ROTARY_WIDTHS) or "rotary_dim"
    rotary = config.count(key, high=WIDEST) or own_rotary_width(config, model_type)
    if rotary is not None and key == "rotary_dim" and model_type in model_types("ignores_rotary_dim"):
        rule = wording("{key} = {value} is not read by the class of {model} in transformers 5, which turns the whole head; so it is here")
        config.collector.warn("rotary_dim", rule, wording("write partial_rotary_factor"), value=rotary, model=model_type)
        rotary = None
    default = family_defaults(model_type).get("rotary_dim")
    if default is not None and "rotary_dim" not in config.values and not reject_misspelt(config, ("rotary_dim",)):
        rotary = note_default(config, "rotary_dim", int(default), model_type)  # null means the whole head
    head_dim, share = _head_dim(config, model_type), _share(config)
    layout = _layout(config, model_type)
    return Geometry(head_dim, rotary, latent, share, layout, stated_length(config, model_type) if length is None else length)


def rotary_width(rope: Section, config: Section, geometry: Geometry, head_dim: int | None, model_type: str | None) -> int | None:
    """Return the width that one rope object rotates; None if it is unknown, or invalid, which is an error."""
    share = rope.number("partial_rotary_factor")
    if share is not None:
        share = _within_one(config, rope.name("partial_rotary_factor"), share)
    if geometry.latent:  # a share would only repeat the same width
        return None if geometry.rotary_dim is None else _even_width(config, geometry.rotary_dim, head_dim, "qk_rope_head_dim")
    if share is not None and geometry.share is not None and share != geometry.share and not rope.where.count("."):
        rule = wording("{key} = {value} and the one outside, {other}, disagree; the inner one counts")
        fix = wording("keep one of them")
        config.collector.warn(rope.name("partial_rotary_factor"), rule, fix, value=share, other=geometry.share)
    inner, share = share is not None, geometry.share if share is None else share
    if share is None and geometry.rotary_dim is not None:
        return _even_width(config, geometry.rotary_dim, head_dim, "rotary_dim")
    if {rope.name("partial_rotary_factor"), *SHARES, "rotary_dim"} & config.collector.rejected:
        return None  # the rotated width is unknown, so nothing else is checked against it
    if share is None and config.first(SHARES) is None and reject_misspelt(config, SHARES):
        return None
    if share is None:
        share = _default_share(config, model_type)
    if head_dim is None:
        return None
    key = rope.name("partial_rotary_factor") if inner else config.first(SHARES) or "partial_rotary_factor"
    width = int(head_dim * share)
    if geometry.rotary_dim is not None and width != geometry.rotary_dim:
        rule = wording("{key} = {other} and partial_rotary_factor, which makes {value} of {width}, disagree; {value} counts")
        fix = wording("keep one of them")
        config.collector.warn("rotary_dim", rule, fix, other=geometry.rotary_dim, value=width, width=head_dim)
    return _even_width(config, width, head_dim, "head_dim" if share == 1 else key)


def _head_dim(config: Section, model_type: str | None) -> int | None:
    nope, rope = config.count("qk_nope_head_dim", high=WIDEST), config.count("qk_rope_head_dim", high=WIDEST)
    latent = ("qk_rope_head_dim", "qk_nope_head_dim")
    if all(key in config for key in latent) and None in (nope, rope):
        return None
    own = own_width(config, model_type)
    if own is not None:
        return own
    stated = config.first(WIDTHS)
    if (stated is None or config.first(latent)) and reject_misspelt(config, latent):
        return None
    if nope and rope:
        rule = wording(
            "latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first"
        )
        config.collector.note("qk_rope_head_dim", rule, rope=rope, width=nope + rope)
        return nope + rope
    if stated is not None:
        return config.count(stated, high=WIDEST)
    if reject_misspelt(config, WIDTHS):
        return None
    default = family_defaults(model_type).get("head_dim")
    if default is not None:
        return note_default(config, "head_dim", int(default), model_type)
    hidden = _model_size(config, HIDDEN, "hidden_size", model_type)
    heads = _model_size(config, HEADS, "num_attention_heads", model_type)
    missing = [name for name, size in (("hidden_size", hidden), ("num_attention_heads", heads)) if size == 0]
    for names in _grouped_by_misspelling(config, missing):
        _reject_missing(config, names)
    return _quotient(config, hidden, heads) if hidden and heads else None


def _model_size(config: Section, keys: tuple[str, ...], name: str, model_type: str | None) -> int | None:
    """Read a number that the head width is computed from, or use the default of the family; return 0 if there is neither."""
    stated, default = config.first(keys), family_defaults(model_type).get(name, 0)
    if stated is not None:
        return config.count(stated, high=2**31)
    if default and reject_misspelt(config, keys):
        return None
    return note_default(config, name, default, model_type) if default else 0


def _grouped_by_misspelling(config: Section, missing: list[str]) -> list[list[str]]:
    """Group missing sizes for reporting: each that has a likely misspelling alone, the others together."""
    alone = [name for name in missing if _misspelt_size(config, name)]
    others = [name for name in missing if name not in alone]
    return [*([name] for name in alone), *([others] if others else [])]


def _misspelt_size(config: Section, name: str) -> list[str]:
    """Return the key that looks like a spelling of a model size, if there is one."""
    keys = [key for key in config.values if key in config]
    spellings = HIDDEN if name == "hidden_size" else HEADS
    return [found for each in spellings for found in difflib.get_close_matches(each, keys, n=1, cutoff=0.75)][:1]


def _reject_missing(config: Section, names: list[str]) -> None:
    """Reject a config without a head width, and name keys that look like misspellings of what is missing."""
    close = [found for name in names for found in _misspelt_size(config, name)]
    config.collector.explained.update(close)
    config.collector.reject(
        "head_dim",
        "{key} is missing, and so is what it could be computed from: {parts}",
        wording("is {close} misspelt?") if close else wording("add head_dim, the width of one query"),
        parts=", ".join(names),
        close=", ".join(map(printable, close)),
    )


def _quotient(config: Section, hidden: int, heads: int) -> int | None:
    if hidden < heads or hidden // heads > WIDEST:
        rule = wording("{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}")
        config.collector.reject("hidden_size", rule, wording("correct one of the numbers"), high=WIDEST, hidden=hidden, heads=heads)
        return None
    if hidden % heads:
        rule = wording("{key} = {hidden} is no multiple of num_attention_heads = {heads}; engines round the head width down to {value}")
        config.collector.warn("hidden_size", rule, wording("add head_dim"), hidden=hidden, heads=heads, value=hidden // heads)
    return hidden // heads


def _share(config: Section) -> float | None:
    stated = [key for key in SHARES if key in config]
    values = {key: config.number(key) for key in stated}
    if not stated or (first := values[stated[0]]) is None:
        return None
    other = next((key for key, value in values.items() if value not in (None, first)), None)
    if other is not None:
        rule, fix = wording("{key} = {value} and {other} = {otherwise} disagree; the first counts"), wording("keep one of them")
        config.collector.warn(stated[0], rule, fix, value=shown(first), other=other, otherwise=shown(values[other]))
    return _within_one(config, stated[0], first)


def _within_one(config: Section, key: str, share: float) -> float | None:
    """Return a share, or reject a number that is not one."""
    if 0 < share <= 1:
        return share
    rule = wording("{key} must be above 0 and at most 1, got {value:g}")
    config.collector.reject(key, rule, wording("write the part of the head that turns, such as 0.5"), value=share)
    return None


def _default_share(config: Section, model_type: str | None) -> float:
    if _two_positions(config, model_type):
        if config.values.get("position_encoding_2d") is False:
            return 1.0
        rule = wording(
            "two positions for every token: half of the head turns by its place in the text, half by its place in the answer, with the same"
            " speeds"
        )
        config.collector.note("position_encoding_2d", rule)
        return 0.5
    if model_type in ("chatglm", "chatglm3"):
        config.collector.note("kv_channels", "half of {key} turns, as the code of {model} has it", model=model_type)
        return 0.5
    default = family_defaults(model_type).get("partial_rotary_factor")
    if default is None or default > 1:
        return 1.0
    rule = wording("{key} is missing; {value:g} is what the config class of {model} takes")
    config.collector.note("partial_rotary_factor", rule, model=model_type, value=default)
    return float(default)


def _two_positions(config: Section, model_type: str | None) -> bool:
    """Return whether a config is that of the first ChatGLM, whose name its successors kept."""
    return model_type == "chatglm" and ("position_encoding_2d" in config or "inner_hidden_size" in config)


def _even_width(config: Section, width: int, head_dim: int | None, key: str) -> int | None:
    """Return a rotated width, or reject one that is odd, zero or wider than the head."""
    if head_dim is not None and width > head_dim:
        rule = wording("{key} must be at most the head width {width}, got {value}")
        config.collector.reject(key, rule, wording("make it at most {width}"), width=head_dim, value=width)
        return None
    if width % 2 or width == 0:
        rule = wording("{key} must give an even number of coordinates to turn in pairs, got {value}")
        config.collector.reject(key, rule, wording("make it even"), value=width)
        return None
    return width


def _layout(config: Section, model_type: str | None) -> Layout:
    stated = config.first(INTERLEAVE_FLAGS)
    if stated is not None:
        return "interleaved" if config.flag(stated) else "half"
    if _two_positions(config, model_type):
        return "half"
    return "interleaved" if model_type in model_types("interleaved") else "half"
