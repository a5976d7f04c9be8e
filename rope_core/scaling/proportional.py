"""Proportional rotation: the fast pairs of the full head rotate, the slow ones do not."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.errors import RopeConfigError, require_number
from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import MAX_FACTOR, Head


@dataclass(frozen=True)
class ProportionalScaling:
    """Rotate the fastest share of the pairs at the speeds of the whole head, and leave the others at speed 0.

    Unlike a smaller ``rotary_dim``, which spreads the whole range of speeds over fewer pairs, this omits its slow end.

    Attributes:
        rotary_fraction: Share of the head that is rotated, 0 to 1; ``int(rotary_fraction * head_dim // 2)`` pairs.
        factor: Divides the speeds of the rotated pairs.

    Source: p-RoPE, arXiv 2410.06205; the rounding as Gemma 4 in transformers.
    """

    rope_type: ClassVar[str] = "proportional"
    length_dependent: ClassVar[bool] = False
    original_max_position: ClassVar[None] = None

    _: KW_ONLY
    rotary_fraction: float
    factor: float = 1.0

    def __post_init__(self) -> None:
        """Check both numbers and store them as plain floats."""
        require_number("rotary_fraction", self.rotary_fraction, low=0, high=1)
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        for name in ("rotary_fraction", "factor"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def check(self, head: Head) -> None:
        """Require a head that is rotated over its whole width: pairs of speed 0 are part of the table."""
        if head.rotary_dim != head.head_dim:
            raise RopeConfigError(
                "rotary_dim must be head_dim = {head_dim} for proportional scaling, got {value}",
                head_dim=head.head_dim,
                value=head.rotary_dim,
            )

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return the fast end of the geometric law and zeros, for any length."""
        speeds = geometric_frequencies(head.head_dim, head.base, device=device) / self.factor
        speeds[int(self.rotary_fraction * head.head_dim // 2) :] = 0
        return speeds

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return 1: this method does not scale the vectors."""
        return 1.0
