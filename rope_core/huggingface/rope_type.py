"""The name of a method, and the keys that engines read beside it."""

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


def read_type(rope: Section, model_type: str | None) -> str | None:
    """Give the name of the method under its new spelling; None if there is no such method, which is an error.

    The numbers beside a name that is nearly one are still judged: a misspelt name must not hide them.
    """
    new, old = rope.text("rope_type"), rope.text("type")
    if (new is None and "rope_type" in rope) or (old is None and "type" in rope):
        return None
    if new and old and new != old and (new, old) != ("default", "mrope"):
        rope.collector.tell(
            "warning",
            rope.name("type"),
            "{key} = {value} and rope_type = {other} disagree; rope_type counts",
            wording("remove {key}"),
            value=shown(old),
            other=shown(new),
        )
    name, key = new or old or "default", rope.name("rope_type" if new else "type")
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
        wording("did you mean {close}?") if close else "",
        known=", ".join(READ_BY),
        value=shown(name),
        close=close[0] if close else "",
    )
    if close:
        for read in sorted(READ_BY[close[0]] - {"short_factor", "long_factor", "truncate"}):
            rope.number(read, low=0)
        report_unread(rope, close[0], set())
    return None


def report_missing(rope: Section, name: str, also: tuple[str, ...] = ()) -> None:
    """Refuse an object without the keys that a method cannot do without; a likely misspelling of one is named beside it."""
    for key in (*REQUIRED.get(name, ()), *also):
        if key in rope or (name == "yarn" and key == "factor" and key in rope.values):
            continue
        unread = [other for other in rope.values if other not in ROPE_KEYS and other in rope]
        close = difflib.get_close_matches(key, unread, n=1, cutoff=0.75)
        rope.collector.explained.update(rope.name(other) for other in close)
        rope.collector.deny(
            rope.name(key),
            "{key} is missing; rope_type {name} needs it",
            wording("is {close} misspelt?") if close else wording("add {key}"),
            name=name,
            close=printable(close[0]) if close else "",
        )


def report_unread(rope: Section, name: str, also: set[str]) -> None:
    """Name keys that an engine passes over without a word."""
    read = READ_BY[name] | also
    if name == "default" and "rope_type" not in rope and "type" not in rope:
        idle = [key for key in rope.values if key in rope and key in ROPE_KEYS - ALWAYS_READ - READ_ELSEWHERE and key != ORIGINAL]
        if idle:
            rule = wording("{key} is missing, so engines take plain RoPE and {other} does nothing")
            rope.collector.tell("warning", rope.name("rope_type"), rule, wording("name the method"), other=", ".join(sorted(idle)))
            read = read | set(idle)
    for key, value in rope.values.items():
        if key in read | ALWAYS_READ | READ_ELSEWHERE or value is None or rope.name(key) in rope.collector.explained:
            continue
        if key == ORIGINAL and name == "default":
            continue
        close = [] if key in ROPE_KEYS else difflib.get_close_matches(key, read, n=1, cutoff=0.75)
        rope.collector.tell(
            "warning",
            rope.name(key),
            "{key} = {value} is not read for rope_type {name}",
            wording("did you mean {close}?") if close else wording("remove it"),
            value=shown(value),
            name=name,
            close=close[0] if close else "",
        )
