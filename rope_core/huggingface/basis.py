"""Whether settings are known, stated or assumed; and what is worth a word because nothing in the config says it."""

from __future__ import annotations

from collections.abc import Mapping

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import is_known, model_types
from rope_core.huggingface.keys import INTERLEAVE_FLAGS, states_rotation
from rope_core.huggingface.layer_rope import LayerRope
from rope_core.huggingface.rope import Basis
from rope_core.huggingface.section import Collector, Section, shown, wording

LLAMA_31 = (500_000.0, 131_072)
"""Base and stated length of Llama 3.1, whose config would be incomplete without its method."""


def basis(collector: Collector, model_type: str | None, form: str | None) -> Basis:
    """Return how far settings can be relied on."""
    if collector.assumed:
        return "assumed"
    return "known" if is_known(model_type) or form not in (None, "MLX") else "stated"


def require_some_word(config: Section, model_type: str | None, form: str | None, layers: Mapping[str, LayerRope | None]) -> None:
    """Warn that a rotation is assumed, if neither the config nor what is known of its model says that there is one."""
    if form is None and model_type is not None and not is_known(model_type) and not states_rotation(config) and any(layers.values()):
        rule = wording("{key} = {value} is not known here, and nothing in the config says that queries rotate; plain RoPE is assumed")
        config.collector.assume("model_type", rule, wording("look into the code of the model"), value=shown(model_type))


def refuse_other_angles(model_type: str | None) -> None:
    """Refuse models whose angles are not positions times speeds.

    Raises:
        RopeConfigError: If the model is one.
    """
    if model_type in model_types("axial_refused"):
        raise RopeConfigError(
            "{model} rotates by angles that are learned, or by places in space, so there is no table of speeds", model=shown(model_type)
        )


def note_layout(config: Section, model_type: str | None) -> None:
    """Note that the layout of an unknown model is the usual one, because its config does not state it."""
    if model_type is not None and not is_known(model_type) and config.first(INTERLEAVE_FLAGS) is None:
        rule = wording("the config does not say which coordinates form a pair; the halves of the head are taken, as in most models")
        config.collector.note("rope_interleave", rule)


def warn_of_growth(config: Section, model_type: str | None, length: int) -> None:
    """Warn of the dynamic NTK of the first Qwen, whose larger bases beyond its length no method here computes."""
    if model_type == "qwen" and config.values.get("use_dynamic_ntk") is True:
        rule = wording(
            "{key} = true: beyond {value:,} tokens the code of Qwen takes a larger base, with an alpha of 3 up to twice that length and of"
            " 7 up to four times; these speeds are those of shorter texts"
        )
        config.collector.warn("use_dynamic_ntk", rule, wording("look at lengths up to {value:,}"), value=length)


def note_shape(config: Section, model_type: str | None, settings: Mapping[str, RopeConfig | None]) -> None:
    """Note that a config reads like that of Llama 3.1 without its method."""
    for head in settings.values():
        if model_type == "llama" and head is not None and head.scaling is None and (head.base, head.max_position) == LLAMA_31:
            rule = wording(
                "base 500,000 and 131,072 tokens are those of Llama 3.1, whose config has rope_type llama3 besides; without it the speeds"
                " are plain"
            )
            config.collector.note("rope_scaling", rule)
            return
