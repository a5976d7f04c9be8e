"""LongRoPE: one divisor per pair, found by search, in two lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rope_core.errors import EXACT_INTEGERS, RopeConfigError, require_count, require_number
from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import MAX_FACTOR, Head


@dataclass(frozen=True)
class LongRopeScaling:
    """Divide the speed of each pair by its own number: one list up to the trained length, another beyond it.

    A sequence uses one list for all its positions: keys cached with the short list do not match queries rotated with the long one. A, the
    square root of ``1 + ln(factor) / ln(L)``, multiplies cos and sin with either.

    Attributes:
        short_factor: P divisors for sequences of at most ``original_max_position`` tokens.
        long_factor: P divisors for longer ones.
        original_max_position: The trained length L in tokens, at least 2.
        factor: The extension factor in A; None means ``max_position`` of the head over L.
        attention_factor: A itself, if a config states it.

    Source: LongRoPE, arXiv 2402.13753, as Phi-3 and transformers compute it.
    """

    rope_type: ClassVar[str] = "longrope"
    length_dependent: ClassVar[bool] = True

    _: KW_ONLY
    short_factor: tuple[float, ...]
    long_factor: tuple[float, ...]
    original_max_position: int
    factor: float | None = None
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        """Check every field; lists become tuples of plain floats, so that the settings are hashable."""
        for name in ("short_factor", "long_factor"):
            object.__setattr__(self, name, _divisors(name, getattr(self, name)))
        length = require_count("original_max_position", self.original_max_position, low=2, high=EXACT_INTEGERS)  # A divides by ln L
        object.__setattr__(self, "original_max_position", int(length))
        for name in ("factor", "attention_factor"):
            value = getattr(self, name)
            if value is not None:
                require_number(name, value, above=0, high=MAX_FACTOR)
                object.__setattr__(self, name, float(value))

    def check(self, head: Head) -> None:
        """Require one divisor per pair in both lists."""
        for name in ("short_factor", "long_factor"):
            if len(getattr(self, name)) != head.rotary_dim // 2:
                raise RopeConfigError(
                    "{field} must have one entry for each of the {pairs} pairs, got {value}",
                    field=name,
                    pairs=head.rotary_dim // 2,
                    value=len(getattr(self, name)),
                )

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return the geometric law divided by the list for this length."""
        plain = geometric_frequencies(head.rotary_dim, head.base, device=device)
        short, long = (
            torch.tensor(divisors, dtype=torch.float64, device=plain.device) for divisors in (self.short_factor, self.long_factor)
        )
        if seq_len is None:
            return plain / short
        # Compared as a tensor: a Python branch would specialise a length that torch.export keeps dynamic.
        is_long = torch.scalar_tensor(seq_len, dtype=torch.float64, device=plain.device) > self.original_max_position
        return plain / torch.where(is_long, long, short)

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return A, the same for both lists."""
        if self.attention_factor is not None:
            return self.attention_factor
        factor = head.max_position / self.original_max_position if self.factor is None else self.factor
        return math.sqrt(1 + math.log(factor) / math.log(self.original_max_position)) if factor > 1 else 1.0


def _divisors(name: str, values: object) -> tuple[float, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise RopeConfigError("{field} must be a list of numbers, got {value}", field=name, value=type(values).__name__)
    for index, value in enumerate(values):
        require_number(f"{name}[{index}]", value, low=1 / MAX_FACTOR, high=MAX_FACTOR)
    return tuple(map(float, values))
