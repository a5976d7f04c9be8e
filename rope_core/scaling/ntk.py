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
    """Slow the last pair by exactly ``stretch``, pair 0 not at all and those between by its powers.

    That is the geometric law with the base ``base * stretch ** (d / (d - 2))``, d = rotary_dim. That base itself is not computed: it can
    leave the range of float64, and torch.compile and torch.export could not check one that hangs on an open length.

    Source: bloc97, "NTK-Aware Scaled RoPE", 2023.
    """
    share = torch.linspace(0, 1, head.rotary_dim // 2, dtype=torch.float64, device=or_cpu(device))  # (P,) of the slowing, 2 i / (d - 2)
    return geometric_frequencies(head.rotary_dim, head.base, device=device) * stretch**-share


def require_last_pair(head: Head, method: str) -> None:
    """Require a second pair: with a single one, d / (d - 2) divides by zero."""
    if head.rotary_dim == 2:
        raise RopeConfigError("rotary_dim must be at least 4 for {method} scaling, got {value}", method=method, value=head.rotary_dim)


@dataclass(frozen=True)
class NtkScaling:
    """Raise the base so that the last pair slows by ``factor`` and the first not at all.

    Attributes:
        factor: The stretch, at least 1.

    Source: bloc97, "NTK-Aware Scaled RoPE", 2023. Not a ``rope_type`` of transformers: there one writes the larger base.
    """

    rope_type: ClassVar[str] = "ntk"
    length_dependent: ClassVar[bool] = False
    original_max_position: ClassVar[None] = None

    factor: float

    def __post_init__(self) -> None:
        """Check the factor, and keep it as a plain float."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        object.__setattr__(self, "factor", float(self.factor))

    def check(self, head: Head) -> None:
        """Refuse a head with a single pair."""
        require_last_pair(head, "NTK-aware")

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Use the geometric law with the larger base, whatever the length."""
        return stretched_frequencies(head, self.factor, device=device)

    def magnitude(self, head: Head, seq_len: int | None) -> float:
        """Leave lengths as they are."""
        return 1.0
