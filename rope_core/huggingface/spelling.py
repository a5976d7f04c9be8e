"""The keys that engines read in a rope object, by method; which are missing, which are not read, and which may be meant."""

from __future__ import annotations

import difflib

from rope_core.huggingface.collector import printable, shown, wording
from rope_core.huggingface.section import Section

READ_BY: dict[str, set[str]] = {
    "default": set(),
    "linear": {"factor"},
    "dynamic": {"factor"},
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

REQUIRED: dict[str, tuple[str, ...]] = {
    "linear": ("factor",),
    "dynamic": ("factor",),
    "yarn": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor"),
    "longrope": ("short_factor", "long_factor"),
}
ALWAYS_READ = {"rope_type", "type", "rope_theta", "partial_rotary_factor"}
READ_ELSEWHERE = {"mrope_section", "mrope_interleaved", "interleaved", "head_dim", "llama_4_scaling_beta", "max_position_embeddings"}
"""Keys that stand in rope objects and are no business of the method."""
ORIGINAL = "original_max_position_embeddings"
OF_FAMILIES = {"alpha", "short_mscale", "long_mscale"}
"""Keys that the code of single families reads: Hunyuan, Phi-3.5-MoE."""

ROPE_KEYS = ALWAYS_READ | READ_ELSEWHERE | OF_FAMILIES | set().union(*READ_BY.values())

ALIKE, HOLDS = 0.75, 0.76
"""How alike two spellings of one key are at least; and how alike a key and a part of it count: ``scaling_factor``, ``low_freq``."""
SHORTEST_PART = 6
SYNONYMS = {"scale": "factor", "scaling": "factor", "ratio": "factor"}


def report_keys(rope: Section, name: str, also: set[str]) -> None:
    """Tell which keys of a method are missing and which are passed over; a key under a wrong name is told once."""
    required = () if "alpha" in also else tuple(key for key in REQUIRED.get(name, ()) if not _is_there(rope, name, key))
    pairs = _meant(rope, READ_BY[name] | also | ALWAYS_READ | READ_ELSEWHERE, required)
    for key in required:
        _deny_missing(rope, name, key, next((wrong for wrong, right in pairs.items() if right == key), None))
    optional = {wrong: right for wrong, right in pairs.items() if right not in required}
    rope.collector.meant.update({rope.name(right): wrong for wrong, right in optional.items()})
    _report_strangers(rope, name, [key for key in unknown_keys(rope) if key not in pairs or key in optional], optional)
    _report_leftover(rope, name, [key for key in rope.values if key in rope and key in ROPE_KEYS - READ_BY[name] - also])


def report_unknown(rope: Section, name: str) -> None:
    """Tell keys that no method knows, beside a name of which ``name`` is only likely meant."""
    keys = [key for key in unknown_keys(rope) if rope.name(key) not in rope.collector.explained]
    _report_strangers(rope, name, keys, _meant(rope, READ_BY.get(name, ROPE_KEYS) | READ_ELSEWHERE, ()))


def unknown_keys(rope: Section) -> list[str]:
    """Give the keys that no method reads."""
    return [key for key in rope.values if key in rope and key not in ROPE_KEYS]


def _is_there(rope: Section, name: str, key: str) -> bool:
    return key in rope or (name == "yarn" and key == "factor" and key in rope.values)


def _meant(rope: Section, readable: set[str], required: tuple[str, ...]) -> dict[str, str]:
    """Pair unknown keys with keys that are not there, the most alike first.

    A key that is needed and that no other looks like takes one with a value of its kind: ``scale`` for ``factor``.
    """
    unknown, absent = unknown_keys(rope), sorted(key for key in readable if key not in rope)
    scores = sorted(((_likeness(wrong, right), wrong, right) for wrong in unknown for right in absent), reverse=True)
    pairs: dict[str, str] = {}
    for score, wrong, right in scores:
        if score >= ALIKE and wrong not in pairs and right not in pairs.values():
            pairs[wrong] = right
    for right in required:
        kind = (list, tuple) if right in ("short_factor", "long_factor") else (int, float)
        free = [wrong for wrong in unknown if wrong not in pairs and isinstance(rope.values[wrong], kind)]
        if free and right not in pairs.values():
            pairs[free[0]] = right
    return pairs


def _likeness(wrong: str, right: str) -> float:
    ratio = 1.0 if SYNONYMS.get(wrong) == right else difflib.SequenceMatcher(None, wrong, right).ratio()
    part, whole = sorted((wrong, right), key=len)
    return max(ratio, HOLDS if len(part) >= SHORTEST_PART and part in whole else 0.0)


def _deny_missing(rope: Section, name: str, key: str, close: str | None) -> None:
    """Refuse an object without a key that a method cannot do without; a likely misspelling of it is named beside it."""
    rope.collector.deny(
        rope.name(key),
        "{key} is missing; rope_type {name} needs it",
        wording("is {close} misspelt?") if close else wording("add {key}"),
        name=name,
        close=printable(close or ""),
    )


def _report_strangers(rope: Section, name: str, keys: list[str], meant: dict[str, str]) -> None:
    rule = (
        wording("{key} = {value} is not read for rope_type {name}") if name else wording("{key} = {value} is not a key that engines read")
    )
    for key in keys:
        fix = wording("did you mean {close}?") if key in meant else wording("remove it")
        value = shown(rope.values[key])
        rope.collector.tell("warning", rope.name(key), rule, fix, value=value, name=name, close=meant.get(key, ""))


def _report_leftover(rope: Section, name: str, keys: list[str]) -> None:
    """Name keys of other methods, which an engine passes over without a word: all of them at once, for they came together."""
    left = [key for key in keys if key not in ALWAYS_READ | READ_ELSEWHERE and not (key == ORIGINAL and name == "default")]
    if len(left) == 1:
        _report_strangers(rope, name, left, {})
    elif left:
        rule = wording("{key} and {other} are not read for rope_type {name}")
        fix = wording("remove them, or name the method that reads them")
        rope.collector.tell("warning", rope.name(left[0]), rule, fix, other=", ".join(left[1:]), name=name)
