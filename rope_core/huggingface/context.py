"""What all methods read alike: the factor, and the length that the pairs were trained on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rope_core.huggingface.collector import wording
from rope_core.huggingface.section import Section
from rope_core.scaling.base import MAX_FACTOR


@dataclass(frozen=True)
class Context:
    """What a method reads beside its own object: stated and original length at the top of the config, and the type of model.

    ``length_known`` is false where the stated length was refused or is missing: nothing is compared with what stands in for it.
    """

    max_position: int
    original: int | None
    model_type: str | None
    nested: bool
    length_known: bool = True


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
    told = key in rope.collector.refused or not {key, rope.name(key)}.isdisjoint(rope.collector.meant)
    if outer is None and key not in rope and not told:
        _report_untold_length(rope, context)
    return inner if outer is None else outer


def _report_untold_length(rope: Section, context: Context) -> None:
    rule = wording("{key} is missing; engines silently take max_position_embeddings as the trained length")
    if context.length_known:
        rule = wording("{key} is missing; engines silently take max_position_embeddings = {value:,} as the trained length")
    fix = wording("add the length that the model was trained on")
    rope.collector.tell("warning", rope.name("original_max_position_embeddings"), rule, fix, value=context.max_position)


def compare_factor(rope: Section, factor: float | None, context: Context, original: int | None, *, strict: bool = True) -> None:
    """Compare the factor with the ratio of the two lengths; a note where released models are known to differ.

    Qwen states its trained length at both places and leaves the factor to the engine; Llama 3.1 stretches by 8 for 16 times the length.
    """
    inner = rope.values.get("original_max_position_embeddings")
    if factor is None or original is None or inner not in (None, original):  # of lengths that disagree, another warning tells
        return
    ratio = context.max_position / original
    if not context.length_known or math.isclose(ratio, factor, rel_tol=1e-9):
        return
    values: dict[str, Any] = {"value": factor, "longer": context.max_position, "original": original, "ratio": ratio}
    if ratio == 1:
        rule = wording("{key} = {value:g}, but max_position_embeddings is the trained length, {original:,}, too; the factor counts")
        rope.collector.tell("note", rope.name("factor"), rule, **values)
        return
    rule = wording(
        "{key} = {value:g}, but max_position_embeddings over the trained length is {longer:,} / {original:,} = {ratio:.6g}; the"
        " factor counts"
    )
    fix = wording("make the three numbers agree") if strict else ""
    rope.collector.tell("warning" if strict else "note", rope.name("factor"), rule, fix, **values)
