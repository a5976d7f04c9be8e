"""Rows of models as settings of other pages: every value is carried over, or the page is not offered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from compute.speeds import attention_factor, speeds
from lessons.extension.settings import ExtensionSettings, option_names, read_extension
from lessons.methods import SHEETS
from parameters.head_config import rotary_width
from parameters.presets import shared_settings
from parameters.settings import Settings
from parameters.types import SUPPORTED, Value
from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    YarnScaling,
)

Values = dict[str, Value]


@lru_cache(maxsize=256)
def elsewhere(config: RopeConfig) -> Mapping[str, Mapping[str, Value]]:
    """Return the parameters that open a head on each page that can show it, by the name of the page."""
    shared = shared_settings(config)
    pages: dict[str, Values] = {}
    if (extension := extension_settings(config)) is not None:
        pages["extension"] = extension
    if shared is not None:
        pages["frequencies"] = shared | {"freq_view": "speeds"}
        pages["decay"] = shared | {"decay_view": "score", "vectors": "ones"}
    return MappingProxyType(pages)


def extension_settings(config: RopeConfig) -> Values | None:
    """Write a head with its method as that page has it, with the length that gives its factor; None if that page cannot show it."""
    trained, factor, method, options = _method(config)
    target = max(round(trained * factor), trained)
    if SHEETS[method].bounds:  # their factor need not be what the stated length makes of the trained one
        target = min(config.max_position, SUPPORTED) if config.max_position > trained else target
        options["stated_factor"] = 0 if target / trained == factor else factor
    values: Values = {
        "base": config.base,
        "head_dim": config.head_dim,
        "rotary": config.rotary_dim / config.head_dim,
        "layout": config.layout,
        "context": trained,
        "scaling": "",  # that page has a method of its own
        "ext_view": "ratio",
        "method": method,
        "target": target,
        **options,
    }
    return values if _comes_back(config, values) else None


def _method(config: RopeConfig) -> tuple[int, float, str, Values]:
    """Return trained length, factor, method and its options."""
    trained, scaling = config.trained_length, config.scaling
    match scaling:
        case LinearScaling(factor=factor) | NtkScaling(factor=factor):
            # The stated length is the stretched one.
            return max(1, round(config.max_position / factor)), factor, scaling.rope_type, {}
        case DynamicNtkScaling(factor=factor):
            return trained, factor, "dynamic", {"dynamic_factor": factor}
        case YarnScaling(factor=factor):
            parts = scaling.ramp == "rotation" and scaling.attention_factor == 1
            ends: Values = {"beta_fast": scaling.beta_fast, "beta_slow": scaling.beta_slow}
            return trained, factor, "parts" if parts else "yarn", ends if parts else ends | _yarn(scaling)
        case Llama3Scaling(factor=factor):
            return trained, factor, "llama3", {"low_freq_factor": scaling.low_freq_factor, "high_freq_factor": scaling.high_freq_factor}
        case LongRopeScaling():
            factor = config.max_position / trained if scaling.factor is None else scaling.factor
            return trained, factor, "longrope", _longrope(scaling)
        case ProportionalScaling():
            return trained, 1, "proportional", {"rotary_fraction": scaling.rotary_fraction}
    return trained, 1, "none", {}


def _yarn(scaling: YarnScaling) -> Values:
    options: Values = {
        "ramp": scaling.ramp,
        "truncate": "on" if scaling.truncate else "off",
        "attention_rule": "paper",
        "attention_factor": scaling.attention_factor or 0,
    }
    if scaling.mscale and scaling.mscale_all_dim:
        rule = "ratio" if scaling.attention_factor is None else "paper"
        options |= {"attention_rule": rule, "mscale": scaling.mscale, "mscale_all_dim": scaling.mscale_all_dim}
    return options


def _longrope(scaling: LongRopeScaling) -> Values:
    lists: Values = {name: ", ".join(map(repr, getattr(scaling, name))) for name in ("short_factor", "long_factor")}
    return lists | {"attention_factor": scaling.attention_factor or 0}


def _comes_back(config: RopeConfig, values: Values) -> bool:
    """Whether that page may be set so, and then gives every pair its speed, and the same A."""
    try:
        there = _read(Settings("extension").replace(**values))
    except ValueError:  # outside of what that page can be set to
        return False
    if there.problem or rotary_width(config.head_dim, float(values["rotary"])) != config.rotary_dim:
        return False
    try:
        pairs = [(speeds(each, there.length), speeds(each)) for each in (there.chosen, config)]
    except RopeConfigError:
        return False
    same_speeds = all(np.allclose(one, other, rtol=1e-12, atol=0) for one, other in zip(*pairs, strict=True))
    factors = [attention_factor(each, there.length) for each in (there.chosen, config)]
    return same_speeds and abs(factors[0] - factors[1]) < 1e-12


def _read(settings: Settings) -> ExtensionSettings:
    return read_extension(settings, (*option_names(settings), "short_factor", "long_factor"))
