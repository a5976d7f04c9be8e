"""``to_huggingface``: settings as a config.json states them."""

from __future__ import annotations

from typing import Any

from rope_core.axes import MROPE_AXES, mrope_axes
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.beside import HEIGHT_FIRST
from rope_core.huggingface.differing import differing, is_latent
from rope_core.huggingface.families import model_types
from rope_core.huggingface.head import rope_keys, width_keys
from rope_core.huggingface.rope import HfRope


def to_huggingface(rope: RopeConfig | HfRope, *, version: int = 5) -> dict[str, Any]:
    """Write settings as transformers reads them; ``parse_config`` of the answer gives them back.

    Args:
        rope: One head, or a whole model as ``parse_config`` gives it.
        version: Of transformers: 5 writes ``rope_parameters``, 4 ``rope_theta`` and ``rope_scaling``.

    Returns:
        The keys to put into the ``config.json`` of the model: width of the head, ``max_position_embeddings`` and the rope object, with
        ``rope_interleave`` where neighbours form a pair. A model that names its ``model_type`` gets what its config class reads: how much
        of the head turns where the class would take another part, and for layers that differ ``layer_types``, ``no_rope_layers`` or a
        second base. NTK-aware scaling has no name there: its larger base is written, which gives the same speeds.

    Raises:
        RopeConfigError: If transformers has no words for the settings: layers that differ in version 4 where the model has no second
            base there, lengths or layouts that differ, or YaRN by turns with an attention factor of its own.
    """
    if version not in (4, 5):
        raise RopeConfigError("version must be 4 or 5, got {value!r}", value=version)
    if isinstance(rope, RopeConfig):
        return width_keys(rope) | rope_keys(rope, version)
    if not isinstance(rope, HfRope):
        raise RopeConfigError("rope must be a RopeConfig or an HfRope, got {value}", value=type(rope).__name__)
    return _model(rope, version)


def _model(rope: HfRope, version: int) -> dict[str, Any]:
    turning = [config for config in rope.layers.values() if config is not None]
    if len({(config.max_position, config.layout) for config in turning}) > 1:
        raise RopeConfigError("a config has one length and one layout for all layers; these differ")
    if rope.main is None:
        return _unrotated(rope)
    axes = _section(rope)
    if len(rope.layers) > 1 or rope.attention_types:
        return _named(rope) | differing(rope, version, axes)
    latent = is_latent(rope)
    keys = rope_keys(rope.main, version, rope.model_type, latent=latent, axes=axes)
    return _named(rope) | width_keys(rope.main, latent=latent) | _count(rope) | keys


def _count(rope: HfRope) -> dict[str, Any]:
    """Count layers that are all alike: transformers has no name for their type, and refuses ours."""
    return {"num_hidden_layers": len(rope.layer_types)} if rope.layer_types else {}


def _unrotated(rope: HfRope) -> dict[str, Any]:
    """Say that nothing turns: by the type of model where its code decides, else by the name of another encoding."""
    if rope.model_type in model_types("unrotated"):
        return {"model_type": rope.model_type} | _count(rope)
    return {"position_embedding_type": "nope"} | _count(rope)


def _named(rope: HfRope) -> dict[str, Any]:
    """Name the type of model where a rule of its code decides: the softmax scale, or an order of axes that no flag describes."""
    decides = rope.softmax_factor != 1 or (rope.pair_axes is not None and _described(rope.pair_axes) is None)
    return {"model_type": rope.model_type} if decides and rope.model_type else {}


def _section(rope: HfRope) -> dict[str, Any]:
    if rope.pair_axes is None:
        return {}
    described = _described(rope.pair_axes)
    if described is not None:
        return described
    height, width, time = (rope.pair_axes.count(axis) for axis in "hwt")
    if not (rope.model_type or "").startswith(HEIGHT_FIRST) or rope.pair_axes != ("h", "w") * height + ("t",) * time or height != width:
        raise RopeConfigError("pair_axes must be an order that mrope_section can state, got {value!r}", value="".join(rope.pair_axes)[:100])
    return {"mrope_section": [height, width, time]}


def _described(axes: tuple[str, ...]) -> dict[str, Any] | None:
    """Describe the axes of all pairs by their section and one flag; None if that cannot be."""
    section = [axes.count(axis) for axis in MROPE_AXES]
    if sum(section) != len(axes) or not any(section):
        return None
    for interleaved in (False, True):
        try:
            if mrope_axes(section, interleaved=interleaved) == axes:
                return {"mrope_section": section, "mrope_interleaved": interleaved}
        except RopeConfigError:  # sections that cannot be dealt out in turn
            continue
    return None
