"""The settings of one rotary embedding."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

from rope_core.errors import EXACT_INTEGERS, RopeConfigError, require_count, require_number, require_width
from rope_core.scaling import SCALINGS, Scaling

Layout = Literal["half", "interleaved"]
"""Which coordinates form pair i: ``half`` is ``(i, i + P)``, ``interleaved`` is ``(2 i, 2 i + 1)``."""

LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def require_layout(layout: object) -> None:
    """Require one of the two layouts by name."""
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise RopeConfigError('layout must be "half" or "interleaved", got {value!r}', value=layout)


def require_config(config: object) -> None:
    """Require a ``RopeConfig``."""
    if not isinstance(config, RopeConfig):
        raise RopeConfigError("config must be a RopeConfig, got {value}", value=type(config).__name__)


@dataclass(frozen=True)
class RopeConfig:
    """Everything that determines how a head is rotated; frozen, hashable, validated on creation.

    ``rotary_dim`` is always a number afterwards, so ``dataclasses.replace`` with another ``head_dim`` keeps the old one: replace both.

    Attributes:
        head_dim: Full width of a query or key.
        base: b in the geometric law, above 1.
        rotary_dim: Width that is rotated, the first coordinates; None means all of ``head_dim``. The others pass through unchanged.
        layout: Which coordinates form a pair.
        max_position: The length that the config states, in tokens.
        scaling: A method of context extension, or None.

    Raises:
        RopeConfigError: If a value is invalid, alone or in combination with another.
    """

    head_dim: int
    _: KW_ONLY
    base: float = 10_000.0
    rotary_dim: int = None  # type: ignore[assignment]  # None only as an argument: __post_init__ replaces it by head_dim
    layout: Layout = "half"
    max_position: int = 4096
    scaling: Scaling | None = None

    def __post_init__(self) -> None:
        """Check each field, then their combination."""
        require_width("head_dim", self.head_dim)
        if self.rotary_dim is None:
            object.__setattr__(self, "rotary_dim", self.head_dim)  # type: ignore[unreachable]
        require_width("rotary_dim", self.rotary_dim)
        if self.rotary_dim > self.head_dim:
            raise RopeConfigError(
                "rotary_dim must be at most head_dim = {head_dim}, got {value}", head_dim=self.head_dim, value=self.rotary_dim
            )
        require_number("base", self.base, above=1)
        require_layout(self.layout)
        require_count("max_position", self.max_position, high=EXACT_INTEGERS)
        # Numpy numbers become plain ones: exact in products, with one repr, cache key and JSON form.
        for name, kind in (("head_dim", int), ("base", float), ("rotary_dim", int), ("max_position", int)):
            object.__setattr__(self, name, kind(getattr(self, name)))
        if self.scaling is not None:
            if not isinstance(self.scaling, tuple(SCALINGS.values())):
                raise RopeConfigError("scaling must be a scaling method or None, got {value!r}", value=self.scaling)
            self.scaling.check(self)

    @property
    def pairs(self) -> int:
        """P, the number of rotated pairs."""
        return self.rotary_dim // 2

    @property
    def trained_length(self) -> int:
        """The length that the pairs were trained on: that of the scaling method if it states one, else ``max_position``."""
        original = self.scaling.original_max_position if self.scaling else None
        return self.max_position if original is None else original
