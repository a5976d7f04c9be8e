"""The lengths that a config states, and the factor between them: stated context and trained length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rope_core.errors import RopeConfigError, require_number
from rope_core.huggingface.families import family_defaults, is_known, note_default
from rope_core.huggingface.keys import LENGTHS
from rope_core.huggingface.section import Section, wording
from rope_core.scaling.base import MAX_FACTOR

DEFAULT_LENGTH = 4096
STATED = ("max_trained_positions", *LENGTHS)


@dataclass(frozen=True)
class Context:
    """What a method reads in addition to its rope object.

    Attributes:
        max_position: The stated length.
        original: The trained length at the top of the config.
        model_type: As the config states it.
        nested: Whether the rope object applies to one layer type only.
        length_known: Whether the stated length could be read; if not, nothing is compared with its substitute.
    """

    max_position: int
    original: int | None
    model_type: str | None
    nested: bool
    length_known: bool = True


def stated_length(config: Section, model_type: str | None) -> int:
    """Read the context length; without one, use that of the config class, else a usual one, with a note."""
    stated = config.first(STATED)
    if stated is not None:
        return config.count(stated) or DEFAULT_LENGTH
    default = family_defaults(model_type).get("max_position")
    if default is not None:
        return note_default(config, LENGTHS[0], int(default), model_type)
    rule = wording("{key} is missing; {value:,} tokens are taken as the context")
    add = config.collector.note if is_known(model_type) else config.collector.assume
    add(LENGTHS[0], rule, wording("add max_position_embeddings"), value=DEFAULT_LENGTH)
    return DEFAULT_LENGTH


def length_known(config: Section) -> bool:
    """Return whether a config states its length as a valid number."""
    stated = config.first(STATED)
    return stated is not None and stated not in config.collector.rejected


def stated_factor(rope: Section) -> float | None:
    """Read the extension factor; a number below 1 is probably its inverse, as llama.cpp states it."""
    value = rope.values.get("factor")
    if isinstance(value, int | float) and not isinstance(value, bool) and 1 / MAX_FACTOR <= value < 1:
        try:
            require_number(rope.name("factor"), value, low=1)
        except RopeConfigError as error:
            fix = wording("write {inverse} if {value} is the share of the speed, as llama.cpp has it")
            rope.collector.reject_error(rope.name("factor"), error, fix, inverse=f"{1 / value:g}")
        return None
    return rope.number("factor", low=1, high=MAX_FACTOR)


def trained_length(rope: Section, context: Context) -> int | None:
    """Read the trained length as transformers does: the key at the top of the config overrides the inner one; None if there is neither."""
    key = "original_max_position_embeddings"
    inner, outer = rope.count(key), None if context.nested else context.original
    if inner is not None and outer is not None and inner != outer:
        rule = wording("{key} = {value:,} and the one outside, {other:,}, disagree; the outer one counts")
        rope.collector.warn(rope.name(key), rule, wording("keep one of them"), value=inner, other=outer)
    reported = key in rope.collector.rejected or not {key, rope.name(key)}.isdisjoint(rope.collector.misspellings)
    if outer is None and key not in rope and not reported:
        _warn_of_missing_length(rope, context)
    return inner if outer is None else outer


def _warn_of_missing_length(rope: Section, context: Context) -> None:
    rule = wording("{key} is missing; engines silently take max_position_embeddings as the trained length")
    if context.length_known:
        rule = wording("{key} is missing; engines silently take max_position_embeddings = {value:,} as the trained length")
    fix = wording("add the length that the model was trained on")
    rope.collector.warn(rope.name("original_max_position_embeddings"), rule, fix, value=context.max_position)


def compare_factor(rope: Section, factor: float | None, context: Context, original: int | None, *, strict: bool = True) -> None:
    """Compare the factor with the ratio of the two lengths; not strictly, a note instead of a warning, if released models differ.

    Qwen states its trained length at both places and leaves the factor to the engine; Llama 3.1 uses a factor of 8 for 16 times the length.
    """
    inner = rope.values.get("original_max_position_embeddings")
    if factor is None or original is None or inner not in (None, original):  # two trained lengths have a warning of their own
        return
    ratio = context.max_position / original
    if not context.length_known or math.isclose(ratio, factor, rel_tol=1e-9):
        return
    values: dict[str, Any] = {"value": factor, "longer": context.max_position, "original": original, "ratio": ratio}
    if ratio == 1:
        rule = wording("{key} = {value:g}, but max_position_embeddings is the trained length, {original:,}, too; the factor counts")
        rope.collector.note(rope.name("factor"), rule, **values)
        return
    rule = wording(
        "{key} = {value:g}, but max_position_embeddings over the trained length is {longer:,} / {original:,} = {ratio:.6g}; the"
        " factor counts"
    )
    if strict:
        rope.collector.warn(rope.name("factor"), rule, wording("make the three numbers agree"), **values)
    else:
        rope.collector.note(rope.name("factor"), rule, **values)
