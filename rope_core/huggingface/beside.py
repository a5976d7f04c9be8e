"""What a config says beside the speeds: axes of the pairs, the softmax scale, keys that nobody reads."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache

from torch.nn.functional import pad

from rope_core.axes import mrope_axes
from rope_core.bases import first_negative
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.frequencies import inverse_frequencies
from rope_core.huggingface.collector import Collector, shown, wording
from rope_core.huggingface.families import model_types
from rope_core.huggingface.geometry import HEADS, HIDDEN, INTERLEAVE_FLAGS, LENGTHS, SHARES, WIDTHS
from rope_core.huggingface.layer_names import COUNTS, RHYTHMS
from rope_core.huggingface.layers import SPOKEN
from rope_core.huggingface.section import Section
from rope_core.scaling import ProportionalScaling, YarnScaling, yarn_attention_factor

LONGEST_SEARCH = 1_048_576
MOST_COSINES = 2**26
"""About 0.2 s: a million distances of 64 pairs. Wider heads are searched less far."""

INTERLEAVED_SECTIONS = ("qwen3_vl", "qwen3_5", "qwen3_omni", "qwen3_next_vl")
HEIGHT_FIRST = "ernie4_5_vl"
KNOWN_KEYS = {
    *(*SPOKEN, *LENGTHS, *SHARES, *INTERLEAVE_FLAGS, *HIDDEN, *HEADS, *WIDTHS, *COUNTS, *RHYTHMS),
    *("original_max_position_embeddings", "qk_rope_head_dim", "qk_nope_head_dim", "global_head_dim", "per_layer_config"),
    *("rotary_dim", "rotary_value", "rotary_emb_scale_base", "rope_type", "rope_version", "rope_dim", "rotary_embedding", "rope_emb"),
    *("rope_scaling_layers", "layer_rope_theta"),
}
MOST_MISSPELT = 20
"""More of them are no mistakes but another kind of file."""
CLOSE, CLOSER = 0.6, 0.92
"""How alike a key must be to one that engines read: less if it begins like one."""


def pair_axes(
    config: Section, ropes: Mapping[str, Section], settings: Mapping[str, RopeConfig | None], model_type: str | None
) -> tuple[str, ...] | None:
    """Give the axis of every pair, from the first rope object that has sections; None for ordinary positions."""
    for name, rope in ropes.items():
        if "mrope_section" not in rope:
            continue
        key = rope.name("mrope_section")
        if (model_type or "").startswith(HEIGHT_FIRST):
            return _height_first(rope, settings[name])
        flags = [rope.flag(flag) for flag in ("mrope_interleaved", "interleaved") if flag in rope]
        interleaved = flags[0] if flags else (model_type or "").startswith(INTERLEAVED_SECTIONS)
        section = rope.items("mrope_section", 3)
        if section is None:
            return None
        try:
            axes = mrope_axes(section, interleaved=bool(interleaved))  # type: ignore[arg-type]
        except RopeConfigError as error:
            config.collector.pass_on(key, error, wording("write three counts of pairs, such as [16, 24, 24]"))
            return None
        return _fitting(rope, axes, settings[name])
    return None


def _height_first(rope: Section, rotated: RopeConfig | None) -> tuple[str, ...] | None:
    """Read the sections of ERNIE 4.5 VL: height and width in turn over the fast pairs, time over the slow ones."""
    stated = rope.items("mrope_section", 3)
    if stated is None:
        return None
    section = [count for count in stated if isinstance(count, int) and 0 <= count <= 4096]
    if len(section) != 3 or section[0] != section[1]:
        rule = wording("{key} must be three counts of pairs, the first two alike, got {value}")
        fix = wording("write three counts of pairs, such as [22, 22, 20]")
        rope.collector.deny(rope.name("mrope_section"), rule, fix, value=shown(stated))
        return None
    return _fitting(rope, ("h", "w") * section[0] + ("t",) * section[2], rotated)


def _fitting(rope: Section, axes: tuple[str, ...], rotated: RopeConfig | None) -> tuple[str, ...]:
    if rotated is not None and len(axes) != rotated.pairs:
        rule = wording("{key} must add up to the {pairs} pairs, got {value}")
        fix = wording("change the counts, or the width that turns")
        rope.collector.deny(rope.name("mrope_section"), rule, fix, pairs=rotated.pairs, value=len(axes))
    return axes


def softmax_factor(config: Section, settings: Mapping[str, RopeConfig | None], model_type: str | None) -> float:
    """Give m squared of DeepSeek: its scores hold coordinates that do not turn, so the softmax takes what cos and sin cannot."""
    latent = model_type in model_types("scaled_softmax") or (model_type is None and "qk_rope_head_dim" in config)
    for rotated in settings.values():
        scaling = rotated.scaling if rotated else None
        if not latent and model_type is None and isinstance(scaling, YarnScaling) and scaling.mscale_all_dim:
            rule = wording("{key} = {value:g} would enter the softmax scale of latent attention, which nothing here says this is")
            config.collector.tell("note", "mscale_all_dim", rule, wording("add model_type"), value=scaling.mscale_all_dim)
        if latent and isinstance(scaling, YarnScaling) and scaling.mscale_all_dim:
            factor = yarn_attention_factor(scaling.factor, scaling.mscale_all_dim) ** 2
            rule = wording("{key} = {value:g} multiplies the softmax scale by {factor:.9g}, outside of cos and sin")
            config.collector.tell("note", "mscale_all_dim", rule, value=scaling.mscale_all_dim, factor=factor)
            return factor
    return 1.0


def note_first_negative(collector: Collector, main: RopeConfig | None) -> None:
    """Say where the criterion of arXiv 2405.14591 fails within the context; coordinates that stand still have cosines of 1."""
    if main is None or isinstance(main.scaling, ProportionalScaling):
        return
    reach = min(main.max_position, LONGEST_SEARCH, max(1, 2 * MOST_COSINES // main.head_dim))
    speeds = pad(inverse_frequencies(main, main.max_position), (0, (main.head_dim - main.rotary_dim) // 2))
    distance = first_negative(speeds, reach)
    if distance is not None:
        collector.tell(
            "note",
            "rope_theta",
            "the sum of the cosines of all pairs is first below 0 at distance {distance:,}, inside the context of {context:,}"
            " tokens; many models live with that",
            distance=distance,
            context=main.max_position,
        )


def likely_keys(config: Section) -> dict[str, str]:
    """Give the keys of a config that look like misspellings, with the keys that engines read."""
    unread = (key for key, value in config.values.items() if key not in KNOWN_KEYS and value is not None and len(key) <= 60)
    return {key: close for key in unread if (close := _likely(key))}


def report_misspelt(config: Section) -> None:
    """Name keys that look like rotary settings and that no engine reads."""
    told = {key: close for key, close in likely_keys(config).items() if key not in config.collector.explained}
    for key, close in [*told.items()][:MOST_MISSPELT]:
        rule = wording("{key} = {value} is not a key that engines read")
        config.collector.tell("warning", key, rule, wording("did you mean {close}?"), value=shown(config.values[key]), close=close)


@lru_cache(maxsize=4096)
def _likely(key: str) -> str | None:
    """Give the key that engines read and that this one looks like; most keys of most configs are the same, and asking is slow."""
    cutoff = CLOSE if key.startswith(("rope", "rotary", "partial_rot", "original_max")) else CLOSER
    close = next(iter(difflib.get_close_matches(key, sorted(KNOWN_KEYS), n=1, cutoff=CLOSE)), None)
    if close is None or sorted(close) == sorted(key):  # two letters changed places
        return close
    return close if difflib.SequenceMatcher(None, close, key).ratio() >= cutoff else None
