"""From one rope object, ``rope_scaling`` or ``rope_parameters``, to a method of context extension."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass

from rope_core.errors import RopeConfigError
from rope_core.huggingface.collector import Section, shown
from rope_core.scaling import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    Scaling,
    YarnScaling,
)

MOST_PAIRS = 32_768
ALWAYS_READ = {"rope_type", "type", "rope_theta", "partial_rotary_factor"}
READ_ELSEWHERE = {"mrope_section", "mrope_interleaved", "interleaved", "head_dim", "llama_4_scaling_beta", "max_position_embeddings"}
"""Keys that stand in rope objects and are no business of the method."""

READ_BY = {
    "default": set(),
    "linear": {"factor"},
    "dynamic": {"factor", "alpha"},
    "yarn": {
        "factor",
        "original_max_position_embeddings",
        "beta_fast",
        "beta_slow",
        "truncate",
        "attention_factor",
        "mscale",
        "mscale_all_dim",
    },
    "llama3": {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"},
    "longrope": {"factor", "short_factor", "long_factor", "original_max_position_embeddings", "attention_factor"},
    "proportional": {"factor"},
}
"""The keys that engines read, by method."""


@dataclass(frozen=True)
class Context:
    """What a method reads beside its own object: stated and original length at the top of the config, and the type of model."""

    max_position: int
    original: int | None
    model_type: str | None
    nested: bool


def read_method(rope: Section, context: Context) -> tuple[str, Scaling | None]:
    """Give the name of the method and its settings; None for plain RoPE, or where an error was found."""
    name = _type(rope, context)
    if name is None:
        return "default", None
    _report_unread(rope, name)
    try:
        return name, READERS[name](rope, context)
    except RopeConfigError as error:
        rope.collector.refuse(rope.name(str(error.values.get("field", "rope_type"))), error)
        return name, None


def _type(rope: Section, context: Context) -> str | None:
    new, old = rope.text("rope_type"), rope.text("type")
    if new and old and new != old and (new, old) != ("default", "mrope"):
        rope.collector.add(
            "warning",
            rope.name("type"),
            "{key} = {value} and rope_type = {other} disagree; rope_type counts",
            "remove {key}",
            value=shown(old),
            other=shown(new),
        )
    name = new or old or "default"
    if name == "mrope":
        return "default"
    if name == "su":
        rope.collector.add(
            "warning",
            rope.name("rope_type" if new else "type"),
            '"su" is the old name of "longrope"; transformers 5 does not read it',
            'write "rope_type": "longrope"',
        )
        return "longrope"
    if name == "yarn" and context.model_type in ("phi3", "phi3_v") and "short_factor" in rope:
        return "longrope"  # as the config class of Phi-3 renames it
    if name not in READERS:
        close = difflib.get_close_matches(name, READERS, n=1)
        rope.collector.error(
            rope.name("rope_type" if new else "type"),
            "{key} must be one of {known}, got {value}",
            "did you mean {close}?" if close else "",
            known=", ".join(READERS),
            value=shown(name),
            close=close[0] if close else "",
        )
        return None
    return name


def _report_unread(rope: Section, name: str) -> None:
    """Name keys that an engine passes over without a word."""
    read = READ_BY[name]
    for key, value in rope.values.items():
        if key in read | ALWAYS_READ | READ_ELSEWHERE or value is None:
            continue
        if key == "original_max_position_embeddings" and name == "default":
            continue
        close = difflib.get_close_matches(key, read, n=1, cutoff=0.75)
        rope.collector.add(
            "warning",
            rope.name(key[:100]),
            "{key} = {value} is not read for rope_type {name}",
            "did you mean {close}?" if close else "remove it",
            value=shown(value),
            name=name,
            close=close[0] if close else "",
        )


def _required(rope: Section, key: str, name: str) -> float | None:
    if key in rope:
        return rope.number(key)
    rope.collector.error(rope.name(key), "{key} is missing; rope_type {name} needs it", "add {key}", name=name)
    return None


def _original(rope: Section, context: Context) -> int | None:
    """Find the trained length as transformers does: the one at the top of the config wins over the one inside; None if there is none."""
    inner = rope.count("original_max_position_embeddings")
    outer = None if context.nested else context.original
    if inner is not None and outer is not None and inner != outer:
        rope.collector.add(
            "warning",
            rope.name("original_max_position_embeddings"),
            "{key} = {value:,} and the one outside, {other:,}, disagree; the outer one counts",
            "keep one of them",
            value=inner,
            other=outer,
        )
    if outer is not None or inner is not None:
        return outer if outer is not None else inner
    if rope.values.get("original_max_position_embeddings") is None:
        rope.collector.add(
            "warning",
            rope.name("original_max_position_embeddings"),
            "{key} is missing; engines silently take max_position_embeddings = {value:,} as the trained length",
            "add the length that the model was trained on",
            value=context.max_position,
        )
    return None


def _compare(rope: Section, factor: float | None, context: Context, original: int | None) -> None:
    """Compare the factor with the ratio of the two lengths."""
    if factor is None or original is None:
        return
    ratio = context.max_position / original
    if not math.isclose(ratio, factor, rel_tol=1e-9) and ratio != 1:
        rope.collector.add(
            "warning",
            rope.name("factor"),
            "{key} = {value:g}, but max_position_embeddings over the trained length is {longer:,} / {original:,} = {ratio:.6g}; the"
            " factor counts",
            "make the three numbers agree",
            value=factor,
            longer=context.max_position,
            original=original,
            ratio=ratio,
        )


def _linear(rope: Section, context: Context) -> Scaling | None:
    factor = _required(rope, "factor", "linear")
    return None if factor is None else LinearScaling(factor)


def _dynamic(rope: Section, context: Context) -> Scaling | None:
    if "alpha" in rope:
        alpha = rope.number("alpha")
        rope.collector.add(
            "note", rope.name("alpha"), "{key} makes the base fixed, larger by alpha to the power d / (d - 2), as in the Hunyuan models"
        )
        return None if alpha is None else NtkScaling(alpha)
    factor = _required(rope, "factor", "dynamic")
    if factor is not None:
        rope.collector.add(
            "note",
            rope.name("rope_type"),
            "dynamic NTK starts to change the speeds beyond max_position_embeddings = {value:,} tokens",
            value=context.max_position,
        )
    return None if factor is None else DynamicNtkScaling(factor)


def _yarn(rope: Section, context: Context) -> Scaling | None:
    original = _original(rope, context)
    factor = rope.number("factor")
    if rope.values.get("factor") is None:
        if "factor" not in rope.values:
            _required(rope, "factor", "yarn")
            return None
        factor = context.max_position / (original or context.max_position)
        rope.collector.add(
            "note",
            rope.name("factor"),
            "{key} is null; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers",
            value=factor,
        )
    _compare(rope, factor, context, original)
    truncate = rope.flag("truncate")
    if context.nested and truncate is not None:
        rope.collector.add(
            "warning" if truncate is False else "note",
            rope.name("truncate"),
            "{key} is not read by transformers 5 inside settings of one layer type; it is followed here",
        )
    numbers = {key: rope.number(key) for key in ("beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim")}
    _explain_magnitude(rope, numbers)
    if factor is None or rope.collector.failed():
        return None
    return YarnScaling(
        factor,
        original_max_position=original,
        beta_fast=numbers["beta_fast"] or 32.0,
        beta_slow=numbers["beta_slow"] or 1.0,
        truncate=truncate is not False,
        attention_factor=numbers["attention_factor"],
        mscale=numbers["mscale"],
        mscale_all_dim=numbers["mscale_all_dim"],
    )


def _explain_magnitude(rope: Section, numbers: dict[str, float | None]) -> None:
    stated = [key for key in ("mscale", "mscale_all_dim") if numbers[key] is not None]
    if numbers["attention_factor"] is not None and stated:
        rope.collector.add(
            "note",
            rope.name("attention_factor"),
            "{key} = {value:g} is the factor itself; {other} is not read beside it",
            value=numbers["attention_factor"],
            other=stated[0],
        )
    elif stated and not (numbers["mscale"] and numbers["mscale_all_dim"]):
        rope.collector.add(
            "note",
            rope.name(stated[-1]),
            "mscale and mscale_all_dim count only if both are there and not 0; the attention factor falls back to 0.1 ln(factor) + 1",
        )


def _llama3(rope: Section, context: Context) -> Scaling | None:
    numbers = {key: _required(rope, key, "llama3") for key in ("factor", "low_freq_factor", "high_freq_factor")}
    original = _original(rope, context)
    factor, low, high = numbers.values()
    if factor is None or low is None or high is None:
        return None
    return Llama3Scaling(factor, low_freq_factor=low, high_freq_factor=high, original_max_position=original or context.max_position)


def _longrope(rope: Section, context: Context) -> Scaling | None:
    lists = {}
    for key in ("short_factor", "long_factor"):
        if key not in rope:
            rope.collector.error(rope.name(key), "{key} is missing; rope_type {name} needs it", "add {key}", name="longrope")
        lists[key] = rope.items(key, MOST_PAIRS)
    original = _original(rope, context)
    factor, attention = rope.number("factor"), rope.number("attention_factor")
    _compare(rope, factor, context, original)
    short, long = lists.values()
    if short is None or long is None or rope.collector.failed():
        return None
    return LongRopeScaling(
        short_factor=short,  # type: ignore[arg-type]  # its entries are checked, and named, by the class
        long_factor=long,  # type: ignore[arg-type]
        original_max_position=original or context.max_position,
        factor=factor,
        attention_factor=attention,
    )


def _proportional(rope: Section, context: Context) -> Scaling | None:
    share, factor = rope.number("partial_rotary_factor"), rope.number("factor")
    return ProportionalScaling(rotary_fraction=1.0 if share is None else share, factor=1.0 if factor is None else factor)


def _default(rope: Section, context: Context) -> Scaling | None:
    return None


READERS = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
    "proportional": _proportional,
}
