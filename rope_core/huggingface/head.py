"""The settings of the layers of one type: width, base, method."""

from __future__ import annotations

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.base import DEFAULT_BASE, read_base
from rope_core.huggingface.families import family_defaults
from rope_core.huggingface.geometry import Geometry, rotary_width
from rope_core.huggingface.layer_rope import LayerRope
from rope_core.huggingface.lengths import Context
from rope_core.huggingface.methods import read_method
from rope_core.huggingface.other_methods import FixedNtk
from rope_core.huggingface.section import Section, wording
from rope_core.scaling import LongRopeScaling, Scaling


def read_head(config: Section, layer: LayerRope, geometry: Geometry, context: Context) -> RopeConfig | None:
    """Return the settings of one layer type; None after an error."""
    name, scaling = read_method(layer.rope, context)
    head_dim = layer.head_dim or geometry.head_dim
    base = read_base(config, layer, context.model_type)
    width = head_dim
    if name != "proportional":
        width = rotary_width(layer.rope, config, geometry, head_dim, context.model_type)
    if head_dim is None or width is None:
        return None
    _warn_of_ignored_share(config, layer, width < head_dim and name == "default", context.model_type)
    if isinstance(scaling, FixedNtk):
        more, scaling = scaling.resolve(width, geometry.max_position)
        base = None if base is None else base * more
    if not _lists_fit(layer.rope, scaling, width // 2):
        return None
    try:  # a rejected base must not hide other errors
        return RopeConfig(
            head_dim,
            base=base or DEFAULT_BASE,
            rotary_dim=width,
            layout=geometry.layout,
            max_position=geometry.max_position,
            scaling=scaling,
        )
    except RopeConfigError as error:
        key = layer.rope.name("rope_type") if scaling else "head_dim"
        config.collector.reject_error(key, error, wording("correct one of the numbers"), field=str(error.values.get("field", key)))
        return None


def _lists_fit(rope: Section, scaling: Scaling | None, pairs: int) -> bool:
    """Return whether both lists of LongRoPE have one entry per pair; each that has not is an error."""
    if not isinstance(scaling, LongRopeScaling):
        return True
    lengths = {"short_factor": len(scaling.short_factor), "long_factor": len(scaling.long_factor)}
    for key, length in lengths.items():
        if length != pairs:
            rule = wording("{key} must have one entry for each of the {pairs} pairs, got {value}")
            rope.collector.reject(rope.name(key), rule, wording("make the list as long as that"), pairs=pairs, value=length)
    return set(lengths.values()) == {pairs}


def _warn_of_ignored_share(config: Section, layer: LayerRope, plain_share: bool, model_type: str | None) -> None:
    """Warn of a share that the model class does not read: some classes ignore it in their plain tables."""
    stated = config.first(("partial_rotary_factor",)) or ("partial_rotary_factor" if "partial_rotary_factor" in layer.rope else None)
    if plain_share and stated and family_defaults(model_type).get("ignores_share"):
        rule = wording("{key} is not read by the class of {model} in transformers 5, which turns the whole head; it is followed here")
        config.collector.warn("partial_rotary_factor", rule, wording("check that the engine reads it"), model=model_type)
