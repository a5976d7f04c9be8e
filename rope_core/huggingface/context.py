"""What all methods read alike: the factor, and the length that the pairs were trained on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rope_core.huggingface.collector import wording
from rope_core.huggingface.section import Section
from rope_core.scaling.base import MAX_FACTOR


@dataclass(frozen=True)
class Context:
    """What a method reads beside its own object: stated and original length at the top of the config, and the type of model."""

    max_position: int
    original: int | None
    model_type: str | None
    nested: bool


def stated_factor(rope: Section) -> float | None:
    """Read the stretch."""
    return rope.number("factor", low=1, high=MAX_FACTOR)


def trained_length(rope: Section, context: Context) -> int | None:
    """Find the trained length as transformers does: the one at the top of the config wins over the one inside; None if there is none."""
    key = "original_max_position_embeddings"
    inner, outer = rope.count(key), None if context.nested else context.original
    if inner is not None and outer is not None and inner != outer:
        rope.collector.tell(
            "warning",
            rope.name(key),
            "{key} = {value:,} and the one outside, {other:,}, disagree; the outer one counts",
            wording("keep one of them"),
            value=inner,
            other=outer,
        )
    if outer is None and key not in rope:
        rope.collector.tell(
            "warning",
            rope.name(key),
            "{key} is missing; engines silently take max_position_embeddings = {value:,} as the trained length",
            wording("add the length that the model was trained on"),
            value=context.max_position,
        )
    return inner if outer is None else outer


def compare_factor(rope: Section, factor: float | None, context: Context, original: int | None) -> None:
    """Compare the factor with the ratio of the two lengths."""
    inner = rope.values.get("original_max_position_embeddings")
    if factor is None or original is None or inner not in (None, original):  # of lengths that disagree, another warning tells
        return
    ratio = context.max_position / original
    if not math.isclose(ratio, factor, rel_tol=1e-9) and ratio != 1:
        rope.collector.tell(
            "warning",
            rope.name("factor"),
            "{key} = {value:g}, but max_position_embeddings over the trained length is {longer:,} / {original:,} = {ratio:.6g}; the"
            " factor counts",
            wording("make the three numbers agree"),
            value=factor,
            longer=context.max_position,
            original=original,
            ratio=ratio,
        )
