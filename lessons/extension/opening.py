"""Heads as settings of the page about context extension: every value comes back from them, or the page is not offered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compute.speeds import attention_factor, speeds
from lessons.extension.settings import ExtensionSettings, option_names, read_extension
from lessons.methods import sheet_of
from parameters.head_config import scaled_head
from parameters.presets import head_settings
from parameters.settings import Settings
from parameters.shared import SHARED
from parameters.types import SUPPORTED, Value, write
from rope_core import LinearScaling, LongRopeScaling, NtkScaling, ProportionalScaling, RopeConfig, RopeConfigError, Scaling


def extension_values(config: RopeConfig) -> dict[str, Value] | None:
    """Write a head with its method as the page has it, with the length that gives its factor; None if the page cannot show it."""
    sheet, (trained, factor) = sheet_of(config.scaling), _stretch(config)
    target = max(round(trained * factor), trained)
    names = (*sheet.options, *(sheet.attention.options if sheet.attention else ()))
    values: dict[str, Value] = {name: _value(config.scaling, name) for name in names}
    if not (values.get("mscale", 1) and values.get("mscale_all_dim", 1)):
        del values["mscale"], values["mscale_all_dim"]
    if sheet.bounds:  # their factor need not be what the stated length makes of the trained one
        target = min(config.max_position, SUPPORTED) if config.max_position > trained else target
        values["stated_factor"] = 0 if target / trained == factor else factor
    head = head_settings(config, trained, "")  # the page has a method of its own
    row = head | {"ext_view": "unseen", "method": sheet.code, "target": target} | values
    settings, problems = Settings.read("extension", {name: write(value) for name, value in row.items()})
    return row if not problems and _is_same(read_extension(settings, option_names(settings)), config) else None


def method_values(head: RopeConfig, scaling: Scaling) -> dict[str, Value] | None:
    """Write a method as the page has it, beside a head without one; None if the page cannot show it."""
    try:
        config = scaled_head(head, scaling)
        if isinstance(scaling, LinearScaling | NtkScaling):  # which state no trained length: there, the head has the stretched one
            config = replace(config, max_position=round(head.max_position * scaling.factor))
    except RopeConfigError:
        return None
    row = extension_values(config)
    if row is None or row["context"] != head.max_position:
        return None
    return {name: value for name, value in row.items() if name not in SHARED and name != "ext_view"}


def _stretch(config: RopeConfig) -> tuple[int, float]:
    """Return trained length and factor."""
    trained, scaling = config.trained_length, config.scaling
    match scaling:
        case LinearScaling(factor=factor) | NtkScaling(factor=factor):
            return max(1, round(config.max_position / factor)), factor  # the stated length is the stretched one
        case LongRopeScaling(factor=None):
            return trained, config.max_position / trained
        case None | ProportionalScaling():
            return trained, 1.0
    return trained, float(getattr(scaling, "factor", 1))


def _value(scaling: Scaling | None, name: str) -> Value:
    """Return a parameter of the page as a method has it."""
    match name:
        case "dynamic_factor":
            return float(getattr(scaling, "factor", 1))
        case "truncate":
            return "on" if getattr(scaling, name, True) else "off"
        case "short_factor" | "long_factor":
            return ", ".join(map(repr, getattr(scaling, name, ())))
        case "attention_rule":
            numbers = [getattr(scaling, field, None) for field in ("mscale", "mscale_all_dim")]
            return "ratio" if all(numbers) and getattr(scaling, "attention_factor", None) is None else "paper"
    value: Value | None = getattr(scaling, name, None)
    return value or 0


def _is_same(s: ExtensionSettings, config: RopeConfig) -> bool:
    """Whether the page, set so, gives every pair its speed, and the same A."""
    if s.problem or s.head.rotary_dim != config.rotary_dim:
        return False
    try:
        rows = [(speeds(each, s.length), speeds(each)) for each in (s.chosen, config)]
    except RopeConfigError:
        return False
    same = all(np.allclose(one, other, rtol=1e-12, atol=0) for one, other in zip(*rows, strict=True))
    factors = [attention_factor(each, s.length) for each in (s.chosen, config)]
    return same and abs(factors[0] - factors[1]) < 1e-12
