"""What the chosen method is set to, beside the lengths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from parameters.extension import LISTS, PHI_LISTS
from parameters.settings import Settings
from rope_core.scaling.yarn import Ramp


@dataclass(frozen=True, kw_only=True)
class MethodOptions:
    """Options of a method, under the names of their parameters; methods other than the chosen one have these defaults.

    Attributes:
        stated_factor: s as a config states it; 0 leaves it to the lengths.
        short_factor: Divisors; empty means those of Phi-3.5-mini.
        long_factor: The same for texts beyond the trained length.
    """

    stated_factor: float = 0.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    ramp: Ramp = "index"
    truncate: bool = True
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    dynamic_factor: float = 2.0
    rotary_fraction: float = 0.25
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()


USUAL = MethodOptions()


def read_options(settings: Settings, names: Iterable[str]) -> MethodOptions:
    """Return the options that some parameters set; the others have their defaults."""
    return MethodOptions(**{name: _option(settings, name) for name in names if name in MethodOptions.__dataclass_fields__})


def _option(settings: Settings, name: str) -> Any:
    match name:
        case "ramp":
            return settings.text(name)
        case "truncate":
            return settings.text(name) == "on"
        case "short_factor" | "long_factor":
            return () if settings.vector(name) == LISTS[name].parse(LISTS[name].default) else settings.vector(name)
        case "attention_factor" | "mscale" | "mscale_all_dim":
            return settings.number(name) or None
    return settings.number(name)


def divisors(options: MethodOptions, name: str, pairs: int) -> tuple[float, ...]:
    """Return a list as it was typed, or that of Phi-3.5-mini.

    Where the pairs are not 48, that list is spread over them, to four decimals: an illustration.
    """
    typed: tuple[float, ...] = getattr(options, name)
    real = PHI_LISTS[name]
    if typed or pairs == len(real):
        return typed or real
    return tuple(np.interp(np.linspace(0, len(real) - 1, pairs), np.arange(len(real)), real).round(4).tolist())
