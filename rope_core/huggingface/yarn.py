"""YaRN, from a rope object."""

from __future__ import annotations

from rope_core.errors import EXACT_INTEGERS
from rope_core.huggingface.collector import wording
from rope_core.huggingface.context import Context, compare_factor, stated_factor, trained_length
from rope_core.huggingface.section import Section
from rope_core.scaling import YarnScaling
from rope_core.scaling.base import MAX_FACTOR


def read_yarn(rope: Section, context: Context) -> YarnScaling:
    """Read its settings; a number that was refused leaves its default, so that the class judges the others together."""
    original, factor = trained_length(rope, context), _yarn_factor(rope, context)
    compare_factor(rope, factor, context, original)
    fast, slow = (_turns(rope, key, default) for key, default in (("beta_fast", 32.0), ("beta_slow", 1.0)))
    attention = rope.number("attention_factor", above=0, high=MAX_FACTOR)
    mscale, all_dim = (rope.number(key, low=0, high=MAX_FACTOR) for key in ("mscale", "mscale_all_dim"))
    _explain_magnitude(rope, attention, {"mscale": mscale, "mscale_all_dim": all_dim})
    truncate = rope.flag("truncate")
    if context.nested and truncate is not None:
        rope.collector.tell(
            "note" if truncate else "warning",
            rope.name("truncate"),
            "{key} is not read by transformers 5 inside settings of one layer type; it is followed here",
            "" if truncate else wording("check that the engine reads it"),
        )
    return YarnScaling(
        1.0 if factor is None else factor,
        original_max_position=original,
        beta_fast=fast,
        beta_slow=slow,
        truncate=truncate is not False,
        attention_factor=attention,
        mscale=mscale,
        mscale_all_dim=all_dim,
    )


def _yarn_factor(rope: Section, context: Context) -> float | None:
    """Read the factor; null, not a missing key, means the ratio of the lengths."""
    if "factor" in rope or "factor" not in rope.values:
        return stated_factor(rope)
    original = context.original or rope.count("original_max_position_embeddings") or context.max_position
    ratio = context.max_position / original
    rule = wording("{key} is null; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers")
    rope.collector.tell("note", rope.name("factor"), rule, value=ratio)
    return ratio


def _turns(rope: Section, key: str, default: float) -> float:
    """Read a number of turns; 0 counts as missing, as in transformers."""
    turns = rope.number(key, low=0, high=EXACT_INTEGERS)
    if key not in rope:
        rule = wording("{key} is missing; {value:g} is taken, as in transformers")
        rope.collector.tell("note", rope.name(key), rule, value=default)
    if turns == 0:
        rope.collector.tell("note", rope.name(key), "{key} = 0 counts as missing; {value:g} is taken, as in transformers", value=default)
    return turns or default


def _explain_magnitude(rope: Section, attention: float | None, scales: dict[str, float | None]) -> None:
    stated = [key for key, value in scales.items() if value is not None]
    if attention is not None and stated:
        rope.collector.tell(
            "note",
            rope.name("attention_factor"),
            "{key} = {value:g} is the factor itself; {other} is not read beside it",
            value=attention,
            other=stated[0],
        )
    elif stated and not all(scales.values()):
        rope.collector.tell(
            "note",
            rope.name(stated[-1]),
            "mscale and mscale_all_dim count only if both are there and not 0; the attention factor falls back to 0.1 ln(factor) + 1",
        )
