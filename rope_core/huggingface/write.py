"""``to_huggingface``: settings as a config.json states them."""

from __future__ import annotations

import math
from typing import Any

from rope_core.axes import MROPE_AXES, mrope_axes
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.beside import HEIGHT_FIRST
from rope_core.huggingface.rope import HfRope
from rope_core.scaling import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    Scaling,
    YarnScaling,
)


def to_huggingface(rope: RopeConfig | HfRope, *, version: int = 5) -> dict[str, Any]:
    """Write settings as transformers reads them; ``parse_config`` of the answer gives them back.

    Args:
        rope: One head, or a whole model as ``parse_config`` gives it.
        version: Of transformers: 5 writes ``rope_parameters``, 4 ``rope_theta`` and ``rope_scaling``.

    Returns:
        ``head_dim``, ``max_position_embeddings`` and the rope object, with ``rope_interleave`` where neighbours form a pair. NTK-aware
        scaling has no name there: its larger base is written, which gives the same speeds.

    Raises:
        RopeConfigError: If transformers has no words for the settings: layers that differ in version 4, lengths or layouts that differ, or
            YaRN by turns with an attention factor of its own.
    """
    if version not in (4, 5):
        raise RopeConfigError("version must be 4 or 5, got {value!r}", value=version)
    if isinstance(rope, RopeConfig):
        return _outer(rope) | _rope_keys(rope, version)
    if not isinstance(rope, HfRope):
        raise RopeConfigError("rope must be a RopeConfig or an HfRope, got {value}", value=type(rope).__name__)
    return _model(rope, version)


def _model(rope: HfRope, version: int) -> dict[str, Any]:
    turning = [config for config in rope.layers.values() if config is not None]
    if len({(config.max_position, config.layout) for config in turning}) > 1:
        raise RopeConfigError("a config has one length and one layout for all layers; these differ")
    main, document = rope.main, _named(rope)
    document |= {} if main is None else _outer(main, latent=rope.softmax_factor != 1)
    if rope.layer_types:
        document["layer_types"] = list(rope.layer_types)
    if main is not None and len(rope.layers) == 1:
        document |= _rope_keys(main, version)
        document["rope_parameters" if version == 5 else "rope_scaling"] |= _section(rope)
        return document
    if version == 4:
        raise RopeConfigError("rope_scaling of transformers 4 has no place for layers that differ; write rope_parameters of version 5")
    document["rope_parameters"] = {name: None if each is None else _nested(each, rope) for name, each in rope.layers.items()}
    return document


def _named(rope: HfRope) -> dict[str, Any]:
    """Name the type of model where a rule of its code decides: the softmax scale, or an order of axes that no flag describes."""
    decides = rope.softmax_factor != 1 or (rope.pair_axes is not None and _described(rope.pair_axes) is None)
    return {"model_type": rope.model_type} if decides and rope.model_type else {}


def _nested(config: RopeConfig, rope: HfRope) -> dict[str, Any]:
    own_width = {} if rope.main is None or config.head_dim == rope.main.head_dim else {"head_dim": config.head_dim}
    parameters: dict[str, Any] = _rope_keys(config, 5)["rope_parameters"]
    return parameters | own_width | (_section(rope) if config == rope.main else {})


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


def _outer(config: RopeConfig, *, latent: bool = False) -> dict[str, Any]:
    width: dict[str, Any] = {"head_dim": config.head_dim}
    if latent and config.rotary_dim < config.head_dim:
        width = {"qk_rope_head_dim": config.rotary_dim, "qk_nope_head_dim": config.head_dim - config.rotary_dim}
    interleaved = {"rope_interleave": config.layout == "interleaved"} if latent or config.layout == "interleaved" else {}
    return width | {"max_position_embeddings": config.max_position} | interleaved


def _rope_keys(config: RopeConfig, version: int) -> dict[str, Any]:
    base, method = config.base, _method(config.scaling)
    if isinstance(config.scaling, NtkScaling):
        base *= config.scaling.factor ** (config.rotary_dim / (config.rotary_dim - 2))
        if not math.isfinite(base):
            raise RopeConfigError(
                "the base of NTK scaling must stay within the range of float64, got a factor of {value:g}", value=config.scaling.factor
            )
    share = {} if config.rotary_dim == config.head_dim else {"partial_rotary_factor": _share(config.rotary_dim, config.head_dim)}
    if version == 5:
        return {"rope_parameters": {"rope_theta": base, "rope_type": "default"} | share | method}
    scaling = method or {"rope_type": "default"}
    return {"rope_theta": base} | share | {"rope_scaling": scaling}


def _method(scaling: Scaling | None) -> dict[str, Any]:
    match scaling:
        case LinearScaling() | DynamicNtkScaling():
            return {"rope_type": scaling.rope_type, "factor": scaling.factor}
        case YarnScaling():
            return _yarn(scaling)
        case Llama3Scaling():
            return _bands(scaling.factor, scaling.low_freq_factor, scaling.high_freq_factor, scaling.original_max_position)
        case LongRopeScaling():
            lists = {"rope_type": "longrope", "short_factor": list(scaling.short_factor), "long_factor": list(scaling.long_factor)}
            numbers = {"original_max_position_embeddings": scaling.original_max_position}
            return lists | numbers | _stated({"factor": scaling.factor, "attention_factor": scaling.attention_factor})
        case ProportionalScaling():
            return {"rope_type": "proportional", "partial_rotary_factor": scaling.rotary_fraction, "factor": scaling.factor}
        case _:
            return {}


def _yarn(scaling: YarnScaling) -> dict[str, Any]:
    if scaling.ramp == "rotation":
        if scaling.attention_factor != 1 or scaling.original_max_position is None:
            raise RopeConfigError(
                "YaRN by turns can be written only as llama3, with an attention factor of 1 and a trained length, got {value!r}",
                value=scaling,
            )
        return _bands(scaling.factor, scaling.beta_slow, scaling.beta_fast, scaling.original_max_position)
    numbers = {
        "original_max_position_embeddings": scaling.original_max_position,
        "attention_factor": scaling.attention_factor,
        "mscale": scaling.mscale,
        "mscale_all_dim": scaling.mscale_all_dim,
        "truncate": None if scaling.truncate else False,
    }
    betas = {"beta_fast": scaling.beta_fast, "beta_slow": scaling.beta_slow}
    return {"rope_type": "yarn", "factor": scaling.factor} | betas | _stated(numbers)


def _bands(factor: float, few: float, many: float, length: int) -> dict[str, Any]:
    bands = {"low_freq_factor": few, "high_freq_factor": many}
    return {"rope_type": "llama3", "factor": factor} | bands | {"original_max_position_embeddings": length}


def _stated(numbers: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in numbers.items() if value is not None}


def _share(rotary_dim: int, head_dim: int) -> float:
    """Give a share that engines, which cut off the fraction, turn back into the width."""
    share = rotary_dim / head_dim
    return share if int(head_dim * share) == rotary_dim else math.nextafter(share, 1)
