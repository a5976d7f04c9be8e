"""The scaling of Llama 3.1 and later: three bands of wavelengths."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.errors import EXACT_INTEGERS, RopeConfigError, require_count, require_number
from rope_core.scaling.base import MAX_FACTOR, Head
from rope_core.scaling.ramps import blended_frequencies, kept_by_turns


@dataclass(frozen=True)
class Llama3Scaling:
    """Keep short wavelengths, divide the speeds of long ones by ``factor``, and interpolate between, linearly in the number of turns.

    Attributes:
        factor: The extension factor, at least 1.
        low_freq_factor: Pairs with fewer turns than this within the trained length are divided.
        high_freq_factor: Pairs with more turns than this are kept; if both are equal, as in Llama 4 Scout, there is a hard cutoff.
        original_max_position: The trained length in tokens.

    Source: meta-llama/llama-models, ``apply_scaling``; the rule is NTK-by-parts without an attention factor.
    """

    rope_type: ClassVar[str] = "llama3"
    length_dependent: ClassVar[bool] = False

    factor: float
    _: KW_ONLY
    low_freq_factor: float
    high_freq_factor: float
    original_max_position: int

    def __post_init__(self) -> None:
        """Check every field and store numbers as plain Python numbers."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        for name in ("low_freq_factor", "high_freq_factor"):
            require_number(name, getattr(self, name), above=0, high=EXACT_INTEGERS)
        if self.high_freq_factor < self.low_freq_factor:
            raise RopeConfigError(
                "high_freq_factor must be at least low_freq_factor = {low:g}, got {value!r}",
                low=float(self.low_freq_factor),
                value=self.high_freq_factor,
            )
        length = require_count("original_max_position", self.original_max_position, high=EXACT_INTEGERS)
        object.__setattr__(self, "original_max_position", int(length))
        for name in ("factor", "low_freq_factor", "high_freq_factor"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def check(self, head: Head) -> None:
        """Accept every head."""

    def kept(self, head: Head, *, device: torch.device | None = None) -> Tensor:
        """Return ``(P,)`` float64 shares: 1 for a pair whose speed is kept, 0 for one whose speed is divided by the factor."""
        return kept_by_turns(head, self.original_max_position, self.low_freq_factor, self.high_freq_factor, device=device)

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return speeds between kept and divided, for any length."""
        return blended_frequencies(head, self.factor, self.kept(head, device=device))

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return 1: this method does not scale the vectors."""
        return 1.0
