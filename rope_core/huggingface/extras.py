"""What a config states in addition to the speeds: the axes of the pairs, and the softmax scale; and what follows from the speeds."""

from __future__ import annotations

from collections.abc import Mapping

from torch.nn.functional import pad

from rope_core.axes import mrope_axes
from rope_core.bases import first_negative
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.frequencies import inverse_frequencies
from rope_core.huggingface.families import model_types
from rope_core.huggingface.section import Collector, Section, shown, wording
from rope_core.scaling import ProportionalScaling, YarnScaling, yarn_attention_factor

LONGEST_SEARCH = 1_048_576
MOST_COSINES = 2**26
"""About 0.2 s: a million distances of 64 pairs. For wider heads fewer distances are searched."""

INTERLEAVED_SECTIONS = ("qwen3_vl", "qwen3_5", "qwen3_omni", "qwen3_next_vl")
HEIGHT_FIRST = "ernie4_5_vl"


def pair_axes(
    config: Section, ropes: Mapping[str, Section], settings: Mapping[str, RopeConfig | None], model_type: str | None
) -> tuple[str, ...] | None:
    """Return the axis of every pair, from the first rope object with ``mrope_section``; None for ordinary positions."""
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
            config.collector.reject_error(key, error, wording("write three counts of pairs, such as [16, 24, 24]"))
            return None
        return _checked_count(rope, axes, settings[name])
    return None


def _height_first(rope: Section, config: RopeConfig | None) -> tuple[str, ...] | None:
    """Read the sections of ERNIE 4.5 VL: height and width alternate over the fast pairs, time takes the slow ones."""
    stated = rope.items("mrope_section", 3)
    if stated is None:
        return None
    section = [count for count in stated if isinstance(count, int) and 0 <= count <= 4096]
    if len(section) != 3 or section[0] != section[1]:
        rule = wording("{key} must be three counts of pairs, the first two alike, got {value}")
        fix = wording("write three counts of pairs, such as [22, 22, 20]")
        rope.collector.reject(rope.name("mrope_section"), rule, fix, value=shown(stated))
        return None
    return _checked_count(rope, ("h", "w") * section[0] + ("t",) * section[2], config)


def _checked_count(rope: Section, axes: tuple[str, ...], config: RopeConfig | None) -> tuple[str, ...]:
    """Return the axes, and report an error if their number is not that of the pairs."""
    if config is not None and len(axes) != config.pairs:
        rule = wording("{key} must add up to the {pairs} pairs, got {value}")
        fix = wording("change the counts, or the width that turns")
        rope.collector.reject(rope.name("mrope_section"), rule, fix, pairs=config.pairs, value=len(axes))
    return axes


def softmax_factor(config: Section, settings: Mapping[str, RopeConfig | None], model_type: str | None) -> float:
    """Return the factor on the softmax scale: in DeepSeek the square of a YaRN factor, because part of its scores is not rotated."""
    latent = model_type in model_types("scaled_softmax") or (model_type is None and "qk_rope_head_dim" in config)
    for head in settings.values():
        scaling = head.scaling if head else None
        if not latent and model_type is None and isinstance(scaling, YarnScaling) and scaling.mscale_all_dim:
            rule = wording("{key} = {value:g} would enter the softmax scale of latent attention, which nothing here says this is")
            config.collector.note("mscale_all_dim", rule, wording("add model_type"), value=scaling.mscale_all_dim)
        if latent and isinstance(scaling, YarnScaling) and scaling.mscale_all_dim:
            factor = yarn_attention_factor(scaling.factor, scaling.mscale_all_dim) ** 2
            rule = wording("{key} = {value:g} multiplies the softmax scale by {factor:.9g}, outside of cos and sin")
            config.collector.note("mscale_all_dim", rule, value=scaling.mscale_all_dim, factor=factor)
            return factor
    return 1.0


def note_first_negative(collector: Collector, main: RopeConfig, reach: int) -> None:
    """Note where the criterion of arXiv 2405.14591 fails within the longest distance; unrotated coordinates count as cosines of 1."""
    if isinstance(main.scaling, ProportionalScaling):
        return
    limit = min(reach, LONGEST_SEARCH, max(1, 2 * MOST_COSINES // main.head_dim))
    speeds = pad(inverse_frequencies(main, main.max_position), (0, (main.head_dim - main.rotary_dim) // 2))
    distance = first_negative(speeds, limit)
    if distance is not None:
        rule = wording(
            "the sum of the cosines of all pairs is first below 0 at distance {distance:,}, inside the context of {context:,}"
            " tokens; many models live with that"
        )
        collector.note("rope_theta", rule, distance=distance, context=reach)
