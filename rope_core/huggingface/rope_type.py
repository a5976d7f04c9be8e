"""The name of a method."""

from __future__ import annotations

import difflib

from rope_core.huggingface.collector import printable, shown, wording
from rope_core.huggingface.geometry import MOST_PAIRS
from rope_core.huggingface.section import Section
from rope_core.huggingface.spelling import (
    ALWAYS_READ,
    ORIGINAL,
    READ_BY,
    READ_ELSEWHERE,
    ROPE_KEYS,
    report_keys,
    report_unknown,
    unknown_keys,
)

OTHER_NAMES = ("su", "mrope")
"""Of LongRoPE, and of plain RoPE with several position numbers."""
ONE_METHOD = {("default", "mrope"), ("longrope", "su")}
"""A new name beside an old one that means the same."""
LISTS = {"short_factor", "long_factor"}


def read_type(rope: Section, model_type: str | None) -> str | None:
    """Give the name of the method under its new spelling; None if there is no such method, which is an error.

    What stands beside a name that is none is still judged: a misspelt name must not hide it.
    """
    new, old = rope.text("rope_type"), rope.text("type")
    if (new is None and "rope_type" in rope) or (old is None and "type" in rope):
        _judge(rope, "")
        return None
    if new is None and old is None:
        return _untyped(rope)
    if new and old and new != old and (new, old) not in ONE_METHOD and new in (*READ_BY, *OTHER_NAMES):
        rope.collector.tell(
            "warning",
            rope.name("type"),
            "{key} = {value} and rope_type = {other} disagree; rope_type counts",
            wording("remove {key}"),
            value=shown(old),
            other=shown(new),
        )
    return _known(rope, new or old or "default", rope.name("rope_type" if new else "type"), model_type)


def _known(rope: Section, name: str, key: str, model_type: str | None) -> str | None:
    if name == "mrope":
        return "default"
    if name == "su":
        rule = wording('"su" is the old name of "longrope"; transformers 5 does not read it')
        rope.collector.tell("warning", key, rule, wording('write "rope_type": "longrope"'))
        return "longrope"
    if name == "yarn" and model_type in ("phi3", "phi3_v") and "short_factor" in rope:
        return "longrope"  # as the config class of Phi-3 renames it
    if name in READ_BY:
        return name
    close = difflib.get_close_matches(name.lower(), READ_BY, n=1)
    rope.collector.deny(
        key,
        "{key} must be one of {known}, got {value}",
        wording("did you mean {close}?") if close else wording("write one of these names"),
        known=", ".join(READ_BY),
        value=shown(name),
        close=close[0] if close else "",
    )
    _judge(rope, close[0] if close else "")
    return None


def _untyped(rope: Section) -> str:
    """Tell that an object has no method: an engine takes plain RoPE. A key that holds the name of one is likely misspelt."""
    wrong = next((key for key in unknown_keys(rope) if rope.values[key] in (*READ_BY, *OTHER_NAMES)), None)
    idle = [key for key in rope.values if key in rope and key in ROPE_KEYS - ALWAYS_READ - READ_ELSEWHERE and key != ORIGINAL]
    if wrong is None and not idle:
        report_keys(rope, "default", set())
        return "default"
    rope.collector.tell(
        "warning",
        rope.name("rope_type"),
        "{key} is missing, so engines take plain RoPE and {other} does nothing",
        wording("is {close} misspelt?") if wrong else wording("name the method"),
        other=", ".join(sorted(idle)) or printable(wrong or ""),
        close=printable(wrong or ""),
    )
    if wrong is not None:
        rope.collector.explained.add(rope.name(wrong))
    _judge(rope, "" if wrong is None else str(rope.values[wrong]))
    return "default"


def _judge(rope: Section, name: str) -> None:
    """Judge numbers and lists of all methods, and spellings for the one that is likely meant: nothing is known to be missing."""
    for key in sorted(set().union(*READ_BY.values())):
        if key in LISTS:
            rope.items(key, MOST_PAIRS)
        elif key == "truncate":
            rope.flag(key)
        elif key == ORIGINAL:
            rope.count(key)
        elif key in ("attention_factor", "low_freq_factor", "high_freq_factor"):
            rope.number(key, above=0)
        else:
            rope.number(key, low=1 if key == "factor" else 0)
    report_unknown(rope, name)
