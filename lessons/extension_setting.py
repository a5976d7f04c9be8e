"""What the page about context extension is set to: a head, a method with its knobs, and how far it must reach."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    Scaling,
    YarnScaling,
)
from rope_core.scaling.base import MAX_FACTOR as MAX_FACTOR
from ui.i18n import _
from ui.parameters_extension import EXTENSION, PHI_LISTS

METHODS = tuple(EXTENSION["method"].options)  # type: ignore[union-attr]
BANDED = ("yarn", "parts", "llama3")
"""Methods that keep, blend and divide by wavelength."""
GROWING = ("dynamic", "longrope")
"""Methods whose speeds depend on the length of the text."""


def method_name(method: str) -> str:
    """Name a method as its button does."""
    return _(EXTENSION["method"].options[method])  # type: ignore[union-attr]


def spoken(method: str) -> str:
    """Name a method within a sentence."""
    return _("no method") if method == "none" else method_name(method)


@dataclass(frozen=True, kw_only=True)
class Knobs:
    """Settings of the chosen method; the others stand at these defaults. 0 is none, and an empty list is that of Phi-3.5-mini."""

    stated_factor: float = 0.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    ramp: str = "index"
    truncate: bool = True
    attention_factor: float = 0.0
    mscale: float = 0.0
    mscale_all_dim: float = 0.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    dynamic_factor: float = 2.0
    rotary_fraction: float = 0.25
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()


USUAL = Knobs()


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A head as it was trained, and what is to become of it.

    Attributes:
        head: Without scaling; its ``max_position`` is the trained length L.
        method: A name of ``METHODS``.
        target: The length T that is asked for; where it is shorter than L, nothing has to be stretched.
        knobs: Of the chosen method.
    """

    head: RopeConfig
    method: str
    target: int
    knobs: Knobs = field(default_factory=Knobs)

    @property
    def trained(self) -> int:
        """L, in tokens."""
        return self.head.max_position

    @property
    def length(self) -> int:
        """T, never shorter than L."""
        return max(self.target, self.trained)

    @property
    def stretch(self) -> float:
        """The factor s: what the config states, never below 1, else what the lengths make."""
        return max(1.0, self.knobs.stated_factor) if self.knobs.stated_factor else self.length / self.trained

    def scaling(self, method: str) -> Scaling | None:
        """Make a method: the chosen one with its knobs, another one as it is usual.

        Raises:
            RopeConfigError: If its settings break a rule.
        """
        return _scaling(method, self.knobs if method == self.method else USUAL, self)

    def config(self, method: str) -> RopeConfig | None:
        """Stretch the head with a method; None if it cannot be used with this head."""
        try:
            return replace(self.head, scaling=self.scaling(method))
        except RopeConfigError:
            return None

    @cached_property
    def problem(self) -> RopeConfigError | None:
        """Why the chosen method cannot be used, if it cannot."""
        try:
            replace(self.head, scaling=self.scaling(self.method))
        except RopeConfigError as error:
            return error
        return None

    @cached_property
    def magnitude(self) -> float:
        """A of the chosen method: of its settings alone, whatever the head."""
        try:
            scaling = self.scaling(self.method)
        except RopeConfigError:
            return 1.0
        return 1.0 if scaling is None else scaling.magnitude(self.head, self.length)

    @cached_property
    def used(self) -> str:
        """The method whose numbers are shown: the chosen one, or none where it cannot be used."""
        return "none" if self.problem else self.method

    @cached_property
    def chosen(self) -> RopeConfig:
        """The head with the chosen method; as it was trained where that cannot be used."""
        return self.config(self.method) or self.head


def _scaling(method: str, knobs: Knobs, setting: Setting) -> Scaling | None:
    stretch, trained, pairs = setting.stretch, setting.trained, setting.head.pairs
    match method:
        case "linear":
            return LinearScaling(stretch)
        case "ntk":
            return NtkScaling(stretch)
        case "dynamic":
            return DynamicNtkScaling(knobs.dynamic_factor)
        case "yarn":
            return YarnScaling(
                stretch,
                original_max_position=trained,
                beta_fast=knobs.beta_fast,
                beta_slow=knobs.beta_slow,
                truncate=knobs.truncate,
                ramp="index" if knobs.ramp == "index" else "rotation",
                attention_factor=knobs.attention_factor or None,
                mscale=knobs.mscale or None,
                mscale_all_dim=knobs.mscale_all_dim or None,
            )
        case "parts":
            return YarnScaling(
                stretch,
                original_max_position=trained,
                beta_fast=knobs.beta_fast,
                beta_slow=knobs.beta_slow,
                ramp="rotation",
                attention_factor=1,
            )
        case "llama3":
            return Llama3Scaling(
                stretch,
                low_freq_factor=knobs.low_freq_factor,
                high_freq_factor=knobs.high_freq_factor,
                original_max_position=trained,
            )
        case "longrope":
            return LongRopeScaling(
                short_factor=knobs.short_factor or phi_list("short_factor", pairs),
                long_factor=knobs.long_factor or phi_list("long_factor", pairs),
                original_max_position=trained,
                factor=stretch,
                attention_factor=knobs.attention_factor or None,
            )
        case "proportional":
            return ProportionalScaling(rotary_fraction=knobs.rotary_fraction)
    return None


def phi_list(name: str, pairs: int) -> tuple[float, ...]:
    """Give a list of Phi-3.5-mini where the pairs are 48, else that list spread over the pairs, to four decimals: an illustration."""
    real = PHI_LISTS[name]
    if pairs == len(real):
        return real
    return tuple(np.interp(np.linspace(0, len(real) - 1, pairs), np.arange(len(real)), real).round(4).tolist())


def own_list(name: str, typed: list[float]) -> tuple[float, ...]:
    """Give a typed list; nothing if it is the one that the box holds before anyone types."""
    spec = EXTENSION[name]
    return () if typed == spec.parse(spec.default) else tuple(typed)  # type: ignore[union-attr]
