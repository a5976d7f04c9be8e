"""NTK-aware scaling: a larger base, fixed for all lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.devices import or_cpu
from rope_core.errors import RopeConfigError, require_number
from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import MAX_FACTOR, Head


def stretched_frequencies(head: Head, stretch: float, *, device: torch.device | None) -> Tensor:
    """Divide the speed of the last pair by exactly ``stretch``, of pair 0 by 1, and of those between by powers of ``stretch``.

    That is the geometric law with the base ``base * stretch ** (d / (d - 2))``, d = rotary_dim. That base itself is not computed: it can
    leave the range of float64, and torch.compile and torch.export could not check one that depends on a dynamic length.

    Source: bloc97, "NTK-Aware Scaled RoPE", 2023.
    """
    share = torch.linspace(0, 1, head.rotary_dim // 2, dtype=torch.float64, device=or_cpu(device))  # (P,) exponents 2 i / (d - 2)
    return geometric_frequencies(head.rotary_dim, head.base, device=device) * stretch**-share


def require_last_pair(head: Head, method: str) -> None:
    """Require a second pair: with a single one, d / (d - 2) divides by zero."""
    if head.rotary_dim == 2:
        raise RopeConfigError("rotary_dim must be at least 4 for {method} scaling, got {value}", method=method, value=head.rotary_dim)


@dataclass(frozen=True)
class NtkScaling:
    """Raise the base so that the speed of the last pair is divided by ``factor`` and that of the first is kept.

    Attributes:
        factor: The extension factor, at least 1.

    Source: bloc97, "NTK-Aware Scaled RoPE", 2023. Not a ``rope_type`` of transformers, whose configs state the larger base instead.
    """

    rope_type: ClassVar[str] = "ntk"
    length_dependent: ClassVar[bool] = False
    original_max_position: ClassVar[None] = None

    factor: float

    def __post_init__(self) -> None:
        """Check the factor and store it as a plain float."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        object.__setattr__(self, "factor", float(self.factor))

    def check(self, head: Head) -> None:
        """Reject a head with a single pair."""
        require_last_pair(head, "NTK-aware")

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return the geometric law with the larger base, for any length."""
        return stretched_frequencies(head, self.factor, device=device)

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return 1: this method does not scale the vectors."""
        return 1.0
