"""How many coordinates of a head turn."""

from __future__ import annotations

from rope_core.huggingface.collector import wording
from rope_core.huggingface.families import family_defaults
from rope_core.huggingface.geometry import SHARES, Geometry, denied_misspelt, within_one
from rope_core.huggingface.section import Section


def rotated_width(rope: Section, config: Section, geometry: Geometry, head_dim: int | None, model_type: str | None) -> int | None:
    """Give the width that turns in the layers of one rope object; None if it is not known, or cannot be turned, which is an error."""
    share = rope.number("partial_rotary_factor")
    if share is not None:
        share = within_one(config, rope.name("partial_rotary_factor"), share)
    if geometry.latent:  # a share beside it repeats the same width
        return None if geometry.rotary_dim is None else _turnable(config, geometry.rotary_dim, head_dim, "qk_rope_head_dim")
    if share is not None and geometry.share is not None and share != geometry.share and not rope.where.count("."):
        rule = wording("{key} = {value} and the one outside, {other}, disagree; the inner one counts")
        fix = wording("keep one of them")
        config.collector.tell("warning", rope.name("partial_rotary_factor"), rule, fix, value=share, other=geometry.share)
    inner, share = share is not None, geometry.share if share is None else share
    if share is None and geometry.rotary_dim is not None:
        return _turnable(config, geometry.rotary_dim, head_dim, "rotary_dim")
    refused = {rope.name("partial_rotary_factor"), *SHARES, "rotary_dim"} & config.collector.refused
    if refused:  # what turns is not known, and nothing else is judged by it
        return None
    if share is None and config.first(SHARES) is None and denied_misspelt(config, SHARES):
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
        config.collector.tell("warning", "rotary_dim", rule, fix, other=geometry.rotary_dim, value=width, width=head_dim)
    return _turnable(config, width, head_dim, "head_dim" if share == 1 else key)


def _turnable(config: Section, width: int, head_dim: int | None, key: str) -> int | None:
    if head_dim is not None and width > head_dim:
        rule = wording("{key} must be at most the head width {width}, got {value}")
        config.collector.deny(key, rule, wording("make it at most {width}"), width=head_dim, value=width)
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
