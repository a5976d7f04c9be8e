"""Rows of models as settings of other pages: every value is carried over, or the page is not offered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.extension_setting import BANDED, Knobs
from lessons.extension_setting import Setting as Extension
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
    inverse_frequencies,
)
from ui.heads import rotated_width
from ui.kinds import SUPPORTED, Choice, Number, Vector
from ui.parameters import PARAMETERS
from ui.presets import settings as shared_settings

Row = dict[str, float | str]
NAMES_OF_KNOBS = ("attention_factor", "mscale", "mscale_all_dim")


def elsewhere(config: RopeConfig) -> dict[str, Row]:
    """Give the parameters that open a head on each page that can show it, by the name of the page."""
    shared = shared_settings(config)
    pages: dict[str, Row] = {}
    if (extension := extension_settings(config)) is not None:
        pages["extension"] = extension
    if shared is not None:
        pages["frequencies"] = shared | {"freq_view": "speeds"}
        pages["decay"] = shared | {"decay_view": "score", "vectors": "ones"}
    return pages


def extension_settings(config: RopeConfig) -> Row | None:
    """Write a head with its method as that page has it, with the length that gives its factor; None if that page cannot show it."""
    trained, factor, method, knobs = _method(config)
    target = max(round(trained * factor), trained)
    if method in BANDED:  # their factor need not be what the stated length makes of the trained one
        target = min(config.max_position, SUPPORTED) if config.max_position > trained else target
        knobs["stated_factor"] = 0 if target / trained == factor else factor
    row: Row = {
        "base": config.base,
        "head_dim": config.head_dim,
        "rotary": config.rotary_dim / config.head_dim,
        "layout": config.layout,
        "context": trained,
        "scaling": "",  # that page has a method of its own
        "ext_view": "ratio",
        "method": method,
        "target": target,
        **knobs,
    }
    return row if all(_allowed(name, value) for name, value in row.items()) and _comes_back(config, row) else None


def _method(config: RopeConfig) -> tuple[int, float, str, Row]:
    """Give trained length, factor, method and its knobs."""
    trained, scaling = config.trained_length, config.scaling
    match scaling:
        case LinearScaling(factor=factor) | NtkScaling(factor=factor):
            # The stated length is the stretched one.
            return max(1, round(config.max_position / factor)), factor, scaling.rope_type, {}
        case DynamicNtkScaling(factor=factor):
            return trained, factor, "dynamic", {"dynamic_factor": factor}
        case YarnScaling(factor=factor):
            parts = scaling.ramp == "rotation" and scaling.attention_factor == 1
            ends: Row = {"beta_fast": scaling.beta_fast, "beta_slow": scaling.beta_slow}
            return trained, factor, "parts" if parts else "yarn", ends if parts else ends | _yarn(scaling)
        case Llama3Scaling(factor=factor):
            return trained, factor, "llama3", {"low_freq_factor": scaling.low_freq_factor, "high_freq_factor": scaling.high_freq_factor}
        case LongRopeScaling():
            factor = config.max_position / trained if scaling.factor is None else scaling.factor
            return trained, factor, "longrope", _longrope(scaling)
        case ProportionalScaling():
            return trained, 1, "proportional", {"rotary_fraction": scaling.rotary_fraction}
    return trained, 1, "none", {}


def _yarn(scaling: YarnScaling) -> Row:
    ratio = bool(scaling.mscale and scaling.mscale_all_dim)
    return {
        "ramp": scaling.ramp,
        "truncate": "on" if scaling.truncate else "off",
        "attention_rule": "ratio" if ratio and scaling.attention_factor is None else "paper",
        "attention_factor": scaling.attention_factor or 0,
        **({"mscale": scaling.mscale, "mscale_all_dim": scaling.mscale_all_dim} if ratio else {}),  # type: ignore[dict-item]
    }


def _longrope(scaling: LongRopeScaling) -> Row:
    lists: Row = {name: ", ".join(map(repr, getattr(scaling, name))) for name in ("short_factor", "long_factor")}
    return lists | {"attention_factor": scaling.attention_factor or 0}


def _allowed(name: str, value: float | str) -> bool:
    spec = PARAMETERS[name]
    if isinstance(spec, Number):
        return isinstance(value, float | int) and spec.accepts(value, spec.high)
    if isinstance(spec, Vector):
        return spec.parse(str(value)) is not None
    return value in spec.options if isinstance(spec, Choice) else True


def _comes_back(config: RopeConfig, row: Row) -> bool:
    """Whether that page, set so, gives every pair its speed, and the same A."""
    lists = {
        name: tuple(spec.parse(str(row[name])) or ())
        for name in ("short_factor", "long_factor")
        if name in row and isinstance(spec := PARAMETERS[name], Vector)
    }
    numbers = {name: row[name] for name in Knobs.__dataclass_fields__ if name in row and name not in (*lists, "truncate")}
    knobs = Knobs(**numbers, **lists, truncate=row.get("truncate", "on") == "on")  # type: ignore[arg-type]
    head = replace(config, max_position=int(row["context"]), scaling=None)
    there = Extension(head=head, method=str(row["method"]), target=int(row["target"]), knobs=knobs)
    if there.problem or rotated_width(config.head_dim, float(row["rotary"])) != config.rotary_dim:
        return False
    try:
        pairs = [(inverse_frequencies(each, there.length), inverse_frequencies(each)) for each in (there.chosen, config)]
    except RopeConfigError:
        return False
    same_speeds = all(np.allclose(one, other, rtol=1e-12, atol=0) for one, other in zip(*pairs, strict=True))
    sizes = [each.scaling.magnitude(each, there.length) if each.scaling else 1.0 for each in (there.chosen, config)]
    return same_speeds and abs(sizes[0] - sizes[1]) < 1e-12
