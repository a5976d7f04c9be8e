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
    """Divide the speed of every pair by ``factor``; the same as dividing every position by it.

    Pair 0 turns by ``1 / factor`` rad per token instead of 1, so a model needs fine-tuning.

    Attributes:
        factor: The extension factor, at least 1.

    Source: Position Interpolation, arXiv 2306.15595.
    """

    rope_type: ClassVar[str] = "linear"
    length_dependent: ClassVar[bool] = False
    original_max_position: ClassVar[None] = None

    factor: float

    def __post_init__(self) -> None:
        """Check the factor and store it as a plain float."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        object.__setattr__(self, "factor", float(self.factor))

    def check(self, head: Head) -> None:
        """Accept every head."""

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return the geometric law divided by the factor, for any length."""
        return geometric_frequencies(head.rotary_dim, head.base, device=device) / self.factor

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return 1: this method does not scale the vectors."""
        return 1.0
