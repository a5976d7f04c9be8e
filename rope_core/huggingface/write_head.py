"""The keys of a config.json for one head: its width, its base, its method of context extension."""

from __future__ import annotations

import math
from typing import Any

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import family_defaults
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

SHARES_OF_4 = {"gpt_neox": "rotary_pct", "gpt_neox_japanese": "rotary_pct"}
"""Families with their own key for the rotated share in version 4."""


def width_keys(config: RopeConfig, *, latent: bool = False) -> dict[str, Any]:
    """Return the keys outside the rope object: the width of the head, the length, the layout."""
    width: dict[str, Any] = {"head_dim": config.head_dim}
    if latent and config.rotary_dim < config.head_dim:
        width = {"qk_rope_head_dim": config.rotary_dim, "qk_nope_head_dim": config.head_dim - config.rotary_dim}
    elif latent:
        width |= {"qk_rope_head_dim": config.rotary_dim}
    interleaved = {"rope_interleave": config.layout == "interleaved"} if latent or config.layout == "interleaved" else {}
    return width | {"max_position_embeddings": config.max_position} | interleaved


def rope_keys(
    config: RopeConfig,
    version: int,
    model_type: str | None = None,
    *,
    latent: bool = False,
    axes: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the keys for base, share and method; ``axes`` are the keys of the rope object for M-RoPE.

    A latent head gets no share: its width is in ``qk_rope_head_dim``, which transformers would multiply by the share again.
    """
    base, method = config.base, _method(config.scaling)
    if isinstance(config.scaling, NtkScaling):
        base *= config.scaling.factor ** (config.rotary_dim / (config.rotary_dim - 2))
        if not math.isfinite(base):
            raise RopeConfigError(
                "the base of NTK scaling must stay within the range of float64, got a factor of {value:g}", value=config.scaling.factor
            )
    settings = {"rope_type": "default"} | method | (axes or {})
    share = {} if latent else _share(config, version, model_type)
    if version == 4:
        return {"rope_theta": base} | share | {"rope_scaling": settings}
    outside = {"rotary_dim": share.pop("rotary_dim")} if "rotary_dim" in share else {}
    return outside | {"rope_parameters": {"rope_theta": base} | share | settings}


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


def _share(config: RopeConfig, version: int, model_type: str | None) -> dict[str, Any]:
    """Return the key for the rotated share of the head, if the default of the class differs.

    Engines round the product of share and width down, so the share must not be rounded down itself.
    """
    defaults = family_defaults(model_type)
    if "rotary_dim" in defaults:
        return {"rotary_dim": config.rotary_dim}
    if config.rotary_dim == config.head_dim and "partial_rotary_factor" not in defaults:
        return {}
    share = config.rotary_dim / config.head_dim
    key = SHARES_OF_4.get(model_type or "", "partial_rotary_factor") if version == 4 else "partial_rotary_factor"
    return {key: share if int(config.head_dim * share) == config.rotary_dim else math.nextafter(share, 1)}
