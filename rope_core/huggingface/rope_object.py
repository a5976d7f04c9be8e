"""The method that a rope object names, and which of its keys that method reads: the others are missing, unread or misspelt."""

from __future__ import annotations

import difflib

from rope_core.huggingface.geometry import MOST_PAIRS
from rope_core.huggingface.keys import known_key, report_foreign
from rope_core.huggingface.other_methods import OTHER_NAMES
from rope_core.huggingface.section import Section, printable, shown, wording

ORIGINAL = "original_max_position_embeddings"
READ_BY: dict[str, set[str]] = {
    "default": set(),
    "linear": {"factor"},
    "dynamic": {"factor"},
    "yarn": {"factor", ORIGINAL, "beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim"},
    "llama3": {"factor", "low_freq_factor", "high_freq_factor", ORIGINAL},
    "longrope": {"factor", "short_factor", "long_factor", ORIGINAL, "attention_factor"},
    "proportional": {"factor"},
    "ntk": {"factor", "mixed_b"},
    "ntk_alpha": {"alpha", "factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "xdrope_section"},
}
"""The keys that engines read, by method; those of Hunyuan's state YaRN's numbers too, and pass over them."""
IN_TRANSFORMERS = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")
REQUIRED: dict[str, tuple[str, ...]] = {
    "linear": ("factor",),
    "dynamic": ("factor",),
    "yarn": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor"),
    "longrope": ("short_factor", "long_factor"),
    "ntk": ("factor",),
    "ntk_alpha": ("alpha",),
}
ALWAYS_READ = {"rope_type", "type", "rope_theta", "partial_rotary_factor"}
READ_ELSEWHERE = {
    *("mrope_section", "mrope_interleaved", "interleaved", "head_dim", "llama_4_scaling_beta", "max_position_embeddings"),
    "xdrope_section",
}
"""Keys of rope objects that are independent of the method."""
OF_FAMILIES = {"alpha", "short_mscale", "long_mscale"}
"""Keys that only the code of one family reads: Hunyuan, Phi-3.5-MoE."""
ROPE_KEYS = ALWAYS_READ | READ_ELSEWHERE | OF_FAMILIES | set().union(*READ_BY.values())

OLD_NAMES = ("su", "mrope")
"""Old names of LongRoPE, and of plain RoPE with several position numbers."""
SAME_METHOD = {("default", "mrope"), ("longrope", "su")}
"""``rope_type`` and ``type`` that mean the same."""
LISTS = {"short_factor", "long_factor"}

ALIKE, CONTAINED = 0.75, 0.76
"""Similarity from which two spellings can be of one key; and the similarity of a key and a part of it: ``scaling_factor``, ``low_freq``."""
SHORTEST_PART = 6
SYNONYMS = {"scale": "factor", "scaling": "factor", "ratio": "factor"}


def read_type(rope: Section, model_type: str | None) -> str | None:
    """Return the name of the method in its current spelling; None if there is no such method, which is an error.

    The other keys are checked even then, so that a misspelt name does not hide their errors.
    """
    new, old = rope.text("rope_type"), rope.text("type")
    if (new is None and "rope_type" in rope) or (old is None and "type" in rope):
        _check_values(rope, "")
        return None
    if new is None and old is None:
        return _untyped(rope)
    if new and old and new != old and (new, old) not in SAME_METHOD and new in (*READ_BY, *OLD_NAMES, *OTHER_NAMES):
        rule = wording("{key} = {value} and rope_type = {other} disagree; rope_type counts")
        rope.collector.warn(rope.name("type"), rule, wording("remove {key}"), value=shown(old), other=shown(new))
    return _known_type(rope, new or old or "default", rope.name("rope_type" if new else "type"), model_type)


def report_keys(rope: Section, name: str, also: set[str]) -> None:
    """Report which keys of a method are missing and which keys are not read; a misspelt key is reported once."""
    required = () if "alpha" in also else tuple(key for key in REQUIRED.get(name, ()) if not _is_present(rope, name, key))
    pairs = _misspellings(rope, READ_BY[name] | also | ALWAYS_READ | READ_ELSEWHERE, required)
    for key in required:
        _reject_missing(rope, name, key, next((wrong for wrong, right in pairs.items() if right == key), None))
    optional = {wrong: right for wrong, right in pairs.items() if right not in required}
    rope.collector.misspellings.update({rope.name(right): wrong for wrong, right in optional.items()})
    _warn_of_unread(rope, name, [key for key in _unknown_keys(rope) if key not in pairs or key in optional], optional)
    report_foreign(rope, "rope")
    _warn_of_leftovers(rope, name, [key for key in rope.values if key in rope and key in ROPE_KEYS - READ_BY[name] - also])


def _known_type(rope: Section, name: str, key: str, model_type: str | None) -> str | None:
    if name == "mrope":
        return "default"
    if name == "su":
        rule = wording('"su" is the old name of "longrope"; transformers 5 does not read it')
        rope.collector.warn(key, rule, wording('write "rope_type": "longrope"'))
        return "longrope"
    if name == "yarn" and model_type in ("phi3", "phi3_v") and "short_factor" in rope:
        return "longrope"  # as the config class of Phi-3 renames it
    if name in OTHER_NAMES:
        _note_other_name(rope, name, key, model_type)
        return OTHER_NAMES[name].method
    if name in READ_BY:
        return name
    if name in ("glm", "axial"):
        rule = wording("{key} = {value} is a name that no engine is known to read; plain RoPE is taken")
        rope.collector.assume(key, rule, wording("name the method"), value=shown(name))
        return "default"
    names = [*IN_TRANSFORMERS, *(other for other in OTHER_NAMES if other not in ("grok", "no_scaling"))]
    close = difflib.get_close_matches(name.lower(), names, n=1)
    rope.collector.reject(
        key,
        "{key} must be one of {known}, got {value}",
        wording("did you mean {close}?") if close else wording("write one of these names"),
        known=", ".join(names),
        value=shown(name),
        close=close[0] if close else "",
    )
    _check_values(rope, close[0] if close else "")
    return None


def _note_other_name(rope: Section, name: str, key: str, model_type: str | None) -> None:
    """Warn of a method that transformers does not know under its name; some of our own names stand for what a config states otherwise."""
    if name in ("grok", "no_scaling", "ntk_alpha") or (name == "xdrope" and (model_type or "").startswith("hunyuan")):
        return
    method, readers = OTHER_NAMES[name]
    rule = wording("{key} = {value} is a name of {reader}, which transformers does not know")
    fix = wording('write "rope_type": "{close}"') if method in IN_TRANSFORMERS else wording("use such an engine, or state a larger base")
    rope.collector.warn(key, rule, fix, value=shown(name), reader=readers, close=method)


def _untyped(rope: Section) -> str:
    """Warn of an object without a method, for which engines use plain RoPE; a key whose value is a method is likely misspelt."""
    wrong = next((key for key in _unknown_keys(rope) if rope.values[key] in (*READ_BY, *OLD_NAMES, *OTHER_NAMES)), None)
    idle = [key for key in rope.values if key in rope and key in ROPE_KEYS - ALWAYS_READ - READ_ELSEWHERE and key != ORIGINAL]
    if wrong is None and not idle:
        report_keys(rope, "default", set())
        return "default"
    rope.collector.warn(
        rope.name("rope_type"),
        "{key} is missing, so engines take plain RoPE and {other} does nothing",
        wording("is {close} misspelt?") if wrong else wording("name the method"),
        other=", ".join(sorted(idle)) or printable(wrong or ""),
        close=printable(wrong or ""),
    )
    if wrong is not None:
        rope.collector.explained.add(rope.name(wrong))
    _check_values(rope, "" if wrong is None else str(rope.values[wrong]))
    return "default"


def _check_values(rope: Section, likely_name: str) -> None:
    """Check the values of all methods' keys, and the spelling of keys against the likely method; none can be missing."""
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
    keys = [key for key in _unknown_keys(rope) if rope.name(key) not in rope.collector.explained]
    _warn_of_unread(rope, likely_name, keys, _misspellings(rope, READ_BY.get(likely_name, ROPE_KEYS) | READ_ELSEWHERE, ()))


def _unknown_keys(rope: Section) -> list[str]:
    """Return the keys that no method reads, nor any other program."""
    return [key for key in rope.values if key in rope and key not in ROPE_KEYS and known_key(key, "rope") is None]


def _is_present(rope: Section, name: str, key: str) -> bool:
    return key in rope or (name == "yarn" and key == "factor" and key in rope.values)


def _misspellings(rope: Section, readable: set[str], required: tuple[str, ...]) -> dict[str, str]:
    """Pair unknown keys with missing ones, most similar first.

    A required key without a similar unknown one is paired with one whose value has the right type: ``scale`` for ``factor``.
    """
    unknown, absent = _unknown_keys(rope), sorted(key for key in readable if key not in rope)
    scores = sorted(((_similarity(wrong, right), wrong, right) for wrong in unknown for right in absent), reverse=True)
    pairs: dict[str, str] = {}
    for score, wrong, right in scores:
        if score >= ALIKE and wrong not in pairs and right not in pairs.values():
            pairs[wrong] = right
    for right in required:
        kind = (list, tuple) if right in LISTS else (int, float)
        free = [wrong for wrong in unknown if wrong not in pairs and isinstance(rope.values[wrong], kind)]
        if free and right not in pairs.values():
            pairs[free[0]] = right
    return pairs


def _similarity(wrong: str, right: str) -> float:
    ratio = 1.0 if SYNONYMS.get(wrong) == right else difflib.SequenceMatcher(None, wrong, right).ratio()
    part, whole = sorted((wrong, right), key=len)
    return max(ratio, CONTAINED if len(part) >= SHORTEST_PART and part in whole else 0.0)


def _reject_missing(rope: Section, name: str, key: str, close: str | None) -> None:
    """Reject an object without a required key, and name its likely misspelling."""
    rope.collector.reject(
        rope.name(key),
        "{key} is missing; rope_type {name} needs it",
        wording("is {close} misspelt?") if close else wording("add {key}"),
        name=name,
        close=printable(close or ""),
    )


def _warn_of_unread(rope: Section, name: str, keys: list[str], misspellings: dict[str, str]) -> None:
    rule = (
        wording("{key} = {value} is not read for rope_type {name}") if name else wording("{key} = {value} is not a key that engines read")
    )
    for key in keys:
        fix = wording("did you mean {close}?") if key in misspellings else wording("remove it")
        value = shown(rope.values[key])
        rope.collector.warn(rope.name(key), rule, fix, value=value, name=name, close=misspellings.get(key, ""))


def _warn_of_leftovers(rope: Section, name: str, keys: list[str]) -> None:
    """Warn of keys of other methods, which engines silently ignore: in one finding, because they came together."""
    left = [key for key in keys if key not in ALWAYS_READ | READ_ELSEWHERE and not (key == ORIGINAL and name == "default")]
    if len(left) == 1:
        _warn_of_unread(rope, name, left, {})
    elif left:
        rule = wording("{key} and {other} are not read for rope_type {name}")
        fix = wording("remove them, or name the method that reads them")
        rope.collector.warn(rope.name(left[0]), rule, fix, other=", ".join(left[1:]), name=name)
