"""``to_huggingface``: settings as the keys of a config.json, for models whose layers agree or differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rope_core.axes import MROPE_AXES, mrope_axes
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.extras import HEIGHT_FIRST
from rope_core.huggingface.families import family_rope, model_types, unrotated_types
from rope_core.huggingface.layer_types import FULL, SLIDING
from rope_core.huggingface.rope import HfRope
from rope_core.huggingface.windows import window_keys
from rope_core.huggingface.write_head import rope_keys, width_keys

LAYERED = {FULL, SLIDING}
COMPRESSING = {"main", "compress"}
SKIPPING = {"rope", "nope"}
PARTLY_SCALED = {"scaled", "unscaled"}
"""The last two are our own names: the classes of such models list the layers by index instead."""


def to_huggingface(rope: RopeConfig | HfRope, *, version: int = 5) -> dict[str, Any]:
    """Return settings in the form that transformers reads; ``parse_config`` of the result returns the same settings.

    Args:
        rope: One head, or a whole model as returned by ``parse_config``.
        version: Major version of transformers: 5 uses ``rope_parameters``, 4 ``rope_theta`` and ``rope_scaling``.

    Returns:
        The keys for the ``config.json`` of the model: width of the head, ``max_position_embeddings`` and the rope object, with
        ``rope_interleave`` for the interleaved layout. A model with a ``model_type`` gets the keys that its config class reads: the
        rotated share where it differs from the default of the class, and for layers that differ ``layer_types``, ``no_rope_layers`` or a
        second base. NTK-aware scaling has no name there: its larger base is written, which gives the same speeds.

    Raises:
        RopeConfigError: If transformers cannot express the settings: layers that differ in version 4 if the model has no key for a second
            base there, lengths or layouts that differ, or YaRN with the rotation ramp and an attention factor other than 1.
    """
    if version not in (4, 5):
        raise RopeConfigError("version must be 4 or 5, got {value!r}", value=version)
    if isinstance(rope, RopeConfig):
        return width_keys(rope) | rope_keys(rope, version)
    if not isinstance(rope, HfRope):
        raise RopeConfigError("rope must be a RopeConfig or an HfRope, got {value}", value=type(rope).__name__)
    return _write_model(rope, version) | window_keys(rope)


def _write_model(rope: HfRope, version: int) -> dict[str, Any]:
    rotated = [config for config in rope.layers.values() if config is not None]
    if len({(config.max_position, config.layout) for config in rotated}) > 1:
        raise RopeConfigError("a config has one length and one layout for all layers; these differ")
    if rope.main is None:
        return _write_unrotated(rope)
    axes = _axes_keys(rope)
    if len(rope.layers) > 1 or rope.attention_types:
        return _model_type_key(rope) | _write_layers(rope, version, axes)
    latent = _is_latent(rope)
    keys = rope_keys(rope.main, version, rope.model_type, latent=latent, axes=axes)
    return _model_type_key(rope) | width_keys(rope.main, latent=latent) | _count_key(rope) | keys


def _count_key(rope: HfRope) -> dict[str, Any]:
    """Return the number of layers that all agree: transformers has no name for their type, and rejects ours."""
    return {"num_hidden_layers": len(rope.layer_types)} if rope.layer_types else {}


def _write_unrotated(rope: HfRope) -> dict[str, Any]:
    """Return the keys for no rotation: the model type if its code determines that, else another position encoding."""
    if rope.model_type in unrotated_types():
        return {"model_type": rope.model_type} | _count_key(rope)
    return {"position_embedding_type": "nope"} | _count_key(rope)


def _model_type_key(rope: HfRope) -> dict[str, Any]:
    """Return the model type if its code matters: for the softmax scale, or for an order of axes that no flag describes."""
    matters = rope.softmax_factor != 1 or (rope.pair_axes is not None and _section_keys(rope.pair_axes) is None)
    return {"model_type": rope.model_type} if matters and rope.model_type else {}


def _is_latent(rope: HfRope) -> bool:
    """Return whether the rotated coordinates come from a separate projection, whose width has its own key."""
    return rope.latent or rope.softmax_factor != 1 or rope.model_type in model_types("scaled_softmax")


def _axes_keys(rope: HfRope) -> dict[str, Any]:
    """Return the keys of the rope object for M-RoPE."""
    if rope.pair_axes is None:
        return {}
    keys = _section_keys(rope.pair_axes)
    if keys is not None:
        return keys
    height, width, time = (rope.pair_axes.count(axis) for axis in "hwt")
    if not (rope.model_type or "").startswith(HEIGHT_FIRST) or rope.pair_axes != ("h", "w") * height + ("t",) * time or height != width:
        raise RopeConfigError("pair_axes must be an order that mrope_section can state, got {value!r}", value="".join(rope.pair_axes)[:100])
    return {"mrope_section": [height, width, time]}


def _section_keys(axes: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the section and flag that describe the axes of all pairs; None if there are none."""
    section = [axes.count(axis) for axis in MROPE_AXES]
    if sum(section) != len(axes) or not any(section):
        return None
    for interleaved in (False, True):
        try:
            if mrope_axes(section, interleaved=interleaved) == axes:
                return {"mrope_section": section, "mrope_interleaved": interleaved}
        except RopeConfigError:  # sections that cannot be interleaved
            continue
    return None


def _write_layers(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any]:
    """Return a model whose layers differ, in the keys that its config class reads; ``axes`` are those for M-RoPE."""
    for form in (_skipping, _partly_scaled, _all_compressed, _one_rope):
        document = form(rope, version, axes)
        if document is not None:
            return document
    if version == 5:
        return _nested(rope, axes)
    second = None if axes else _second_base(rope)
    if second is None:
        raise RopeConfigError("rope_scaling of transformers 4 has no place for layers that differ; write rope_parameters of version 5")
    return second


def _skipping(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Return layers of which some skip the rotation, as in Llama 4 and SmolLM3: 1 means that a layer is rotated."""
    rotated = rope.layers.get("rope")
    if rope.layers.keys() != SKIPPING or rotated is None or not rope.layer_types:
        return None
    skips = {"no_rope_layers": [int(name == "rope") for name in rope.layer_types]}
    return width_keys(rotated) | skips | rope_keys(rotated, version, rope.model_type, axes=axes)


def _partly_scaled(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Return layers of which only some are scaled, as in Molmo 2."""
    scaled, plain = rope.layers.get("scaled"), rope.layers.get("unscaled")
    if rope.layers.keys() != PARTLY_SCALED or scaled is None or plain != replace(scaled, scaling=None) or not rope.layer_types:
        return None
    indices = [index for index, name in enumerate(rope.layer_types) if name == "scaled"]
    layers = {"num_hidden_layers": len(rope.layer_types), "rope_scaling_layers": indices}
    return width_keys(scaled) | layers | rope_keys(scaled, version, rope.model_type, axes=axes)


def _all_compressed(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Return a DeepSeek-V4 without plain layers: its class still expects the base of compressed layers outside the rope object."""
    if rope.model_type != "deepseek_v4" or len(rope.layers) > 1 or SLIDING in rope.attention_types or rope.main is None:
        return None
    keys = width_keys(rope.main) | _types_key(rope) | rope_keys(rope.main, version, rope.model_type, axes=axes)
    keys.pop("rope_theta", None)
    return keys | {"compress_rope_theta": rope.main.base}


def _one_rope(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Return rotated layers that agree and others without rotation: their class reads one rope object, and knows which type has none."""
    rotated, *others = {config for config in rope.layers.values() if config is not None}
    unrotated = {name for name, config in rope.layers.items() if config is None} - model_types("plain_layers")
    by_rule = unrotated == {FULL} and rope.model_type in model_types("full_unrotated")
    if others or (unrotated and not by_rule) or (_reads_nested(rope.model_type) and len(rope.layers) > 1):
        return None
    named, latent = {"model_type": rope.model_type} if by_rule else {}, _is_latent(rope)
    keys = rope_keys(rotated, version, rope.model_type, latent=latent, axes=axes)
    return named | width_keys(rotated, latent=latent) | _types_key(rope) | keys


def _reads_nested(model_type: str | None) -> bool:
    return any(value is None or isinstance(value, Mapping) for value in family_rope(model_type).values())


def _nested(rope: HfRope, axes: dict[str, Any]) -> dict[str, Any]:
    """Return one rope object for each layer type; a wider head of full attention has its own key outside them, as in Gemma 4."""
    main = rope.main
    assert main is not None
    narrow = {config.head_dim for name, config in rope.layers.items() if name != FULL and config is not None}
    wider = main == rope.layers.get(FULL) and len(narrow) == 1 and main.head_dim not in narrow
    head_dim = narrow.pop() if wider else main.head_dim
    settings: dict[str, Any] = {}
    for name, config in rope.layers.items():
        if config is None:
            settings[name] = None
            continue
        own = {} if config.head_dim == head_dim or (wider and name == FULL) else {"head_dim": config.head_dim}
        settings[name] = rope_keys(config, 5, rope.model_type, axes=axes if config == main else {})["rope_parameters"] | own
    width = {"head_dim": head_dim, "global_head_dim": main.head_dim} if wider else {}
    return width_keys(main) | width | _types_key(rope) | {"rope_parameters": settings}


def _types_key(rope: HfRope) -> dict[str, Any]:
    """Return the type of every layer as the model class names it."""
    types = rope.attention_types or rope.layer_types
    return {"layer_types": list(types)} if types else {}


def _second_base(rope: HfRope) -> dict[str, Any] | None:
    """Return two bases for version 4; None for a model whose class has no key for the second one."""
    names = COMPRESSING if rope.model_type == "deepseek_v4" else LAYERED
    far, near = rope.main, rope.layers.get("main" if names is COMPRESSING else SLIDING)
    if rope.layers.keys() != names or far is None or near is None or near != replace(far, base=near.base, scaling=None):
        return None
    keys = width_keys(far) | rope_keys(far, 4, rope.model_type)
    match rope.model_type:
        case "deepseek_v4":
            keys |= {"rope_theta": near.base, "compress_rope_theta": far.base}
        case "olmo3" if near.base == far.base:
            keys["model_type"] = rope.model_type  # its code scales full attention only
        case "mimo_v2_flash" if far.scaling is None:
            del keys["rope_scaling"]
            keys["swa_rope_theta"] = near.base
            return keys | {"hybrid_layer_pattern": [int(name == SLIDING) for name in rope.layer_types]}
        case "modernbert" | "modernbert-decoder" if far.scaling is None:
            del keys["rope_scaling"]
            keys |= {"global_rope_theta": keys.pop("rope_theta"), "local_rope_theta": near.base}
        case name if name in model_types("local_base_freq"):
            keys["rope_local_base_freq"] = near.base
        case _:
            return None
    return keys | _types_key(rope)
