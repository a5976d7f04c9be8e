"""Dynamic NTK scaling: a base that grows with the length of the sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.errors import require_number
from rope_core.scaling.base import MAX_FACTOR, Head
from rope_core.scaling.ntk import require_last_pair, stretched_frequencies


@dataclass(frozen=True)
class DynamicNtkScaling:
    """Leave sequences up to ``max_position`` unchanged and raise the base with the length beyond it.

    ``max_position`` is the trained length L here, and the effective factor for a length l is ``1 + factor * (max(l, L) - L) / L``.
    Every length has its own table: keys cached at a shorter length no longer match new queries.

    Attributes:
        factor: How fast the effective factor grows with the length, at least 1.

    Source: emozilla, "Dynamically Scaled RoPE", 2023, as transformers computes it.
    """

    rope_type: ClassVar[str] = "dynamic"
    length_dependent: ClassVar[bool] = True
    original_max_position: ClassVar[None] = None

    factor: float

    def __post_init__(self) -> None:
        """Check the factor and store it as a plain float."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        object.__setattr__(self, "factor", float(self.factor))

    def check(self, head: Head) -> None:
        """Reject a head with a single pair."""
        require_last_pair(head, "dynamic NTK")

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return the geometric law with the base for this length."""
        trained = head.max_position
        length = trained if seq_len is None else max(seq_len, trained)
        stretch = 1 + self.factor * (length - trained) / trained  # exactly 1 at the trained length
        return stretched_frequencies(head, stretch, device=device)

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return 1: this method does not scale the vectors."""
        return 1.0
