"""Layers that differ, in the keys that the config class of their model reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import family_rope, model_types
from rope_core.huggingface.head import rope_keys, width_keys
from rope_core.huggingface.layer_names import FULL, SLIDING
from rope_core.huggingface.rope import HfRope

LAYERED = {FULL, SLIDING}
COMPRESSING = {"main", "compress"}
SKIPPING = {"rope", "nope"}
PARTLY_SCALED = {"scaled", "unscaled"}
"""The last two are names of ours: the classes of such models count layers instead."""


def differing(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any]:
    """Write a model whose layers differ; ``axes`` is what its rope object says about M-RoPE.

    Raises:
        RopeConfigError: If version 4 has no keys for them.
    """
    for form in (_skipping, _partly_scaled, _all_compressed, _one_turns):
        document = form(rope, version, axes)
        if document is not None:
            return document
    if version == 5:
        return _nested(rope, axes)
    second = None if axes else _second_base(rope)
    if second is None:
        raise RopeConfigError("rope_scaling of transformers 4 has no place for layers that differ; write rope_parameters of version 5")
    return second


def is_latent(rope: HfRope) -> bool:
    """Say whether the coordinates that turn come from a projection of their own, whose width has a key of its own."""
    return rope.latent or rope.softmax_factor != 1 or rope.model_type in model_types("scaled_softmax")


def _skipping(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Layers that skip the rotation, as in Llama 4 and SmolLM3: 1 means that a layer turns."""
    turning = rope.layers.get("rope")
    if rope.layers.keys() != SKIPPING or turning is None or not rope.layer_types:
        return None
    skips = {"no_rope_layers": [int(name == "rope") for name in rope.layer_types]}
    return width_keys(turning) | skips | rope_keys(turning, version, rope.model_type, axes=axes)


def _partly_scaled(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Layers that the scaling does not reach, as in Molmo 2."""
    scaled, plain = rope.layers.get("scaled"), rope.layers.get("unscaled")
    if rope.layers.keys() != PARTLY_SCALED or scaled is None or plain != replace(scaled, scaling=None) or not rope.layer_types:
        return None
    reached = [index for index, name in enumerate(rope.layer_types) if name == "scaled"]
    layers = {"num_hidden_layers": len(rope.layer_types), "rope_scaling_layers": reached}
    return width_keys(scaled) | layers | rope_keys(scaled, version, rope.model_type, axes=axes)


def _all_compressed(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """A DeepSeek-V4 without plain layers: its class still looks for the base of the compressed ones beside the rope object."""
    if rope.model_type != "deepseek_v4" or len(rope.layers) > 1 or SLIDING in rope.attention_types or rope.main is None:
        return None
    keys = width_keys(rope.main) | _types(rope) | rope_keys(rope.main, version, rope.model_type, axes=axes)
    keys.pop("rope_theta", None)
    return keys | {"compress_rope_theta": rope.main.base}


def _one_turns(rope: HfRope, version: int, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Layers that turn alike beside others that do not: their class takes one rope object, and knows which type never turns."""
    turning, *others = {config for config in rope.layers.values() if config is not None}
    still = {name for name, config in rope.layers.items() if config is None} - model_types("plain_layers")
    by_rule = still == {FULL} and rope.model_type in model_types("full_unrotated")
    if others or (still and not by_rule) or (_takes_nested(rope.model_type) and len(rope.layers) > 1):
        return None
    named, latent = {"model_type": rope.model_type} if by_rule else {}, is_latent(rope)
    return (
        named | width_keys(turning, latent=latent) | _types(rope) | rope_keys(turning, version, rope.model_type, latent=latent, axes=axes)
    )


def _takes_nested(model_type: str | None) -> bool:
    return any(value is None or isinstance(value, Mapping) for value in family_rope(model_type).values())


def _nested(rope: HfRope, axes: dict[str, Any]) -> dict[str, Any]:
    """One rope object for each type of layer; a wider head of full attention stands beside them, as in Gemma 4."""
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
    return width_keys(main) | width | _types(rope) | {"rope_parameters": settings}


def _types(rope: HfRope) -> dict[str, Any]:
    """Name the type of every layer as its class does."""
    types = rope.attention_types or rope.layer_types
    return {"layer_types": list(types)} if types else {}


def _second_base(rope: HfRope) -> dict[str, Any] | None:
    """Write two bases in version 4; None for a model whose class has no key for the second one."""
    names = COMPRESSING if rope.model_type == "deepseek_v4" else LAYERED
    far, near = rope.main, rope.layers.get("main" if names is COMPRESSING else SLIDING)
    if rope.layers.keys() != names or far is None or near is None or near != replace(far, base=near.base, scaling=None):
        return None
    keys = width_keys(far) | rope_keys(far, 4, rope.model_type)
    match rope.model_type:
        case "deepseek_v4":
            keys |= {"rope_theta": near.base, "compress_rope_theta": far.base}
        case "olmo3" if near.base == far.base:
            keys["model_type"] = rope.model_type  # whose code scales full attention alone
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
    return keys | _types(rope)
