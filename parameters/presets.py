"""Models of the catalogue as settings of the shared parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from locales import _
from parameters.head_config import rotary_width, scaled_head
from parameters.methods import LONGEST, from_text, to_text
from parameters.problems import rule
from parameters.settings import Settings
from parameters.shared import SHARED
from parameters.types import Number, Value
from rope_core import LongRopeScaling, RopeConfig, RopeConfigError, catalogue_models


@lru_cache(maxsize=1)
def model_settings() -> Mapping[str, Mapping[str, Value]]:
    """Return the shared parameters of every model that they can hold, by its name; the context is no longer than a sliding window."""
    found = {model.name: shared_settings(model.rope.within_window(model.config)) for model in catalogue_models() if model.config}
    return MappingProxyType({name: MappingProxyType(row) for name, row in found.items() if row is not None})


def shared_settings(config: RopeConfig) -> dict[str, Value] | None:
    """Write a config as shared parameters; None if they cannot hold it."""
    scaling = config.scaling
    if isinstance(scaling, LongRopeScaling) and scaling.factor is None:
        # The parameters hold the trained length alone, so the stretch that A is made of has to be said.
        scaling = replace(scaling, factor=max(1.0, config.max_position / scaling.original_max_position))
    row = head_settings(config, config.trained_length, to_text(scaling))
    numbers = [(spec, row[name]) for name, spec in SHARED.items() if isinstance(spec, Number)]
    fits = all(spec.accepts(float(value)) for spec, value in numbers) and len(str(row["scaling"])) <= LONGEST
    return row if fits and _comes_back(config, row) else None


def obstacle(config: RopeConfig) -> str:
    """Say which value of a config no page can be set to, and what it may be; empty if it is none of the numbers of a head."""
    row = head_settings(config, config.trained_length, "")
    wrong = (name for name, spec in SHARED.items() if isinstance(spec, Number) and not spec.accepts(float(row[name])))
    name = next(wrong, None)
    if name is None:
        return ""
    template = _("{label} must be {rule}, and here it is {value}")
    return template.format(label=_(SHARED[name].label), rule=rule(SHARED[name]), value=f"`{row[name]:,}`")


def head_settings(config: RopeConfig, trained: int, scaling: str) -> dict[str, Value]:
    """Write a head as shared parameters, whatever they can hold."""
    share = config.rotary_dim / config.head_dim
    row: dict[str, Value] = {"base": config.base, "head_dim": config.head_dim, "rotary": share, "layout": config.layout}
    return row | {"context": trained, "scaling": scaling}


def agreeing(settings: Settings) -> list[str]:
    """Name the models that have the shared parameters of a page."""
    return [name for name, row in model_settings().items() if _agrees(row, settings)]


def _agrees(row: Mapping[str, Value], settings: Settings) -> bool:
    if any(settings[name] != row[name] for name in ("base", "head_dim", "context", "layout", "scaling")):
        return False
    width = settings.whole("head_dim")
    return rotary_width(width, settings.number("rotary")) == rotary_width(width, float(row["rotary"]))


def _comes_back(config: RopeConfig, row: Mapping[str, Value]) -> bool:
    """Whether the parameters give a head of the same width that turns, with its scaling."""
    width = rotary_width(config.head_dim, float(row["rotary"]))
    plain, scaling = replace(config, rotary_dim=width, max_position=config.trained_length, scaling=None), from_text(str(row["scaling"]))
    try:
        again = plain if scaling is None else scaled_head(plain, scaling)
    except RopeConfigError:
        return False
    return again.rotary_dim == config.rotary_dim
