"""Methods of context extension under names that transformers does not know: those of vLLM, of MLX, and of the code of single models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rope_core.huggingface.lengths import Context, stated_factor
from rope_core.huggingface.section import Section, wording
from rope_core.scaling import LinearScaling, LongRopeScaling, NtkScaling, Scaling, YarnScaling, yarn_attention_factor
from rope_core.scaling.base import MAX_FACTOR


class OtherName(NamedTuple):
    """Another name of a method.

    Attributes:
        method: The method, as transformers or we call it.
        readers: Who knows the name.
    """

    method: str
    readers: str


OTHER_NAMES: Mapping[str, OtherName] = {
    "ntk": OtherName("ntk", "vLLM"),
    "ntk_alpha": OtherName("ntk_alpha", "Hunyuan"),
    "xdrope": OtherName("ntk_alpha", "vLLM"),
    "deepseek_yarn": OtherName("yarn", "vLLM, SGLang, MLX"),
    "telechat3-yarn": OtherName("yarn", "vLLM, MLX"),
    "grok": OtherName("yarn", "SGLang"),
    "openpangu": OtherName("default", "vLLM"),
    "no_scaling": OtherName("default", "MPT"),
}
TELECHAT_SLOPE = 0.07
"""In place of YaRN's 0.1 ln s + 1: TeleChat3RoPEScaledRotaryEmbedding of vLLM."""


@dataclass(frozen=True)
class FixedNtk:
    """NTK scaling as vLLM and the code of gte compute it: the last pair is exactly ``factor`` times slower, the first a little.

    Attributes:
        factor: The extension factor.
        mixed_b: The exponent of the mixed form, in which every pair has a divisor of its own; None for the plain form.

    Source: kexue.fm 9706; vLLM, ``NTKScalingRotaryEmbedding``.
    """

    factor: float
    mixed_b: float | None = None

    def resolve(self, width: int, trained: int) -> tuple[float, Scaling]:
        """Return a factor on the base, and a method, that together give the same speeds for a rotated width."""
        if self.mixed_b is None:
            return self.factor, LinearScaling(self.factor ** (2 / width))
        slope = math.log(self.factor) / (width / 2) ** self.mixed_b
        divisors = tuple(math.exp(slope * (pair + 1) ** self.mixed_b) for pair in range(width // 2))
        return 1.0, LongRopeScaling(
            short_factor=divisors, long_factor=divisors, original_max_position=max(2, trained), attention_factor=1.0
        )


def read_ntk(rope: Section, context: Context) -> FixedNtk | None:
    """Read the NTK scaling of vLLM."""
    factor, mixed = stated_factor(rope), rope.number("mixed_b", above=0, high=2)
    if factor is None:
        return None
    rule = wording("{key} = ntk makes the last pair exactly {value:g} times slower, by a larger base and a division of all speeds")
    rope.collector.note(rope.name("rope_type"), rule, value=factor)
    return FixedNtk(factor, mixed)


def read_alpha(rope: Section, context: Context) -> Scaling | None:
    """Read the fixed larger base of the Hunyuan models."""
    alpha = rope.number("alpha", low=1, high=MAX_FACTOR)
    rule = wording("{key} makes the base fixed, larger by alpha to the power d / (d - 2), as in the Hunyuan models")
    rope.collector.note(rope.name("alpha"), rule)
    return None if alpha is None else NtkScaling(alpha)


def adapt_yarn(rope: Section, scaling: YarnScaling) -> YarnScaling:
    """Return YaRN with the attention factor that the engines of another name compute."""
    name = rope.values.get("rope_type") or rope.values.get("type")
    if name == "telechat3-yarn" and scaling.attention_factor is None:
        factor = TELECHAT_SLOPE * math.log(scaling.factor) + 1
        rule = wording("{key} = {value} is YaRN with an attention factor of 0.07 ln(factor) + 1 = {factor:.9g}")
        rope.collector.note(rope.name("rope_type"), rule, value=name, factor=factor)
        return replace(scaling, attention_factor=factor)
    if name == "deepseek_yarn" and scaling.attention_factor is None:
        above = yarn_attention_factor(scaling.factor, 1.0 if scaling.mscale is None else scaling.mscale)
        below = yarn_attention_factor(scaling.factor, scaling.mscale_all_dim or 0.0)
        return replace(scaling, attention_factor=above / below)
    if name == "grok":
        rule = wording(
            "rope_type original beside settings of YaRN is read as YaRN without an attention factor; the code of SGLang keeps plain speeds"
            " under this name"
        )
        rope.collector.assume("rope_type", rule, wording("name the method that the model was trained with"))
    return scaling
