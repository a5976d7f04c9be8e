"""Linear scaling, also called position interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.errors import require_number
from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import MAX_FACTOR, Head


@dataclass(frozen=True)
class LinearScaling:
    """Slow every pair by ``factor``; the same as dividing every position by it.

    The step of pair 0 shrinks from 1 to ``1 / factor`` rad, so a model needs fine-tuning.

    Attributes:
        factor: The stretch, at least 1.

    Source: Position Interpolation, arXiv 2306.15595.
    """

    rope_type: ClassVar[str] = "linear"
    length_dependent: ClassVar[bool] = False
    original_max_position: ClassVar[None] = None

    factor: float

    def __post_init__(self) -> None:
        """Check the factor, and keep it as a plain float."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        object.__setattr__(self, "factor", float(self.factor))

    def check(self, head: Head) -> None:
        """Accept every head."""

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Divide the geometric law by the factor, whatever the length."""
        return geometric_frequencies(head.rotary_dim, head.base, device=device) / self.factor

    def magnitude(self, head: Head, seq_len: int | None) -> float:
        """Leave lengths as they are."""
        return 1.0
