"""YaRN: fast pairs are kept, slow pairs slowed down, and scores scaled up slightly. NTK-by-parts is its rotation ramp alone."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Literal, get_args

import torch
from torch import Tensor

from rope_core.devices import or_cpu
from rope_core.errors import EXACT_INTEGERS, RopeConfigError, require_count, require_number
from rope_core.scaling.base import MAX_FACTOR, Head
from rope_core.scaling.ramps import blended_frequencies, kept_by_turns

Ramp = Literal["index", "rotation"]
"""What the ramp between kept and divided is linear in: the index of a pair, or its turns within the trained length."""


@dataclass(frozen=True)
class YarnScaling:
    """Keep the speeds of pairs with many turns within the trained length, divide those of pairs with few, and interpolate between.

    Every pair of more than ``beta_fast`` turns is kept and every pair of fewer than ``beta_slow`` divided by ``factor``. Cos and sin are
    multiplied by A, which is ``0.1 ln(factor) + 1`` unless a config states another value, and so every score by ``A * A``.

    Attributes:
        factor: The extension factor, target length over trained length.
        original_max_position: The trained length in tokens; None means the ``max_position`` of the head.
        beta_fast: Turns from which a pair is kept.
        beta_slow: Turns up to which a pair is divided.
        truncate: Whether to round the ends of the index ramp outwards to whole pairs; False in gpt-oss.
        ramp: ``"index"`` is what inference engines run; ``"rotation"`` is the rule of the paper, which is NTK-by-parts.
        attention_factor: A itself; None derives it from the next two fields or from the factor.
        mscale: Numerator of DeepSeek's A; used only together with ``mscale_all_dim``, and 0 counts as missing.
        mscale_all_dim: Denominator of DeepSeek's A; its effect on the softmax scale is not part of the rotation.

    Source: YaRN, arXiv 2309.00071; the index ramp as jquesnelle/yarn and transformers compute it.
    """

    rope_type: ClassVar[str] = "yarn"
    length_dependent: ClassVar[bool] = False

    factor: float
    _: KW_ONLY
    original_max_position: int | None = None
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    ramp: Ramp = "index"
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None

    def __post_init__(self) -> None:
        """Check every field and store numbers as plain floats."""
        require_number("factor", self.factor, low=1, high=MAX_FACTOR)
        for name in ("beta_fast", "beta_slow"):
            require_number(name, getattr(self, name), above=0, high=EXACT_INTEGERS)
        if self.beta_fast < self.beta_slow:
            raise RopeConfigError(
                "beta_fast must be at least beta_slow = {beta_slow:g}, got {value!r}",
                beta_slow=float(self.beta_slow),
                value=self.beta_fast,
            )
        if not isinstance(self.truncate, bool):
            raise RopeConfigError("truncate must be True or False, got {value!r}", value=self.truncate)
        _require_ramp(self.ramp)
        if self.attention_factor is not None:
            require_number("attention_factor", self.attention_factor, above=0, high=MAX_FACTOR)
        for name in ("mscale", "mscale_all_dim"):
            if getattr(self, name) is not None:
                require_number(name, getattr(self, name), low=0, high=MAX_FACTOR)
        for name in ("factor", "beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))
        if self.original_max_position is not None:
            length = require_count("original_max_position", self.original_max_position, high=EXACT_INTEGERS)
            object.__setattr__(self, "original_max_position", int(length))

    def check(self, head: Head) -> None:
        """Accept every head."""

    def length(self, head: Head) -> int:
        """Return the trained length L in tokens."""
        return head.max_position if self.original_max_position is None else self.original_max_position

    def pair_of_turns(self, head: Head, turns: float) -> float:
        """Return the fractional index at which a pair makes that many turns within the trained length; it may lie outside the head."""
        # ln(L / (2 pi turns)), two logarithms because the quotient can leave the range of float64.
        span = math.log(self.length(head)) - math.log(turns * 2 * math.pi)
        return head.rotary_dim * span / (2 * math.log(head.base))

    def ramp_ends(self, head: Head) -> tuple[float, float]:
        """Return the last index that is kept and the first that is divided, clamped as in engines; the second may lie beyond the pairs.

        For settings outside any real model, this clamping makes the two cross and reverses the intent: every pair is kept if even pair 0
        makes fewer than ``beta_slow`` turns, and every pair is divided if the index of ``beta_fast`` turns is beyond the width.
        """
        low, high = self.pair_of_turns(head, self.beta_fast), self.pair_of_turns(head, self.beta_slow)
        if self.truncate:
            low, high = float(math.floor(low)), float(math.ceil(high))
        low, high = max(low, 0.0), min(high, head.rotary_dim - 1.0)  # the width, not the number of pairs, as in the original code
        return low, high + 0.001 if low == high else high

    def kept(self, head: Head, *, device: torch.device | None = None) -> Tensor:
        """Return ``(P,)`` float64 shares: 1 for a pair whose speed is kept, 0 for one whose speed is divided by the factor."""
        if self.ramp == "rotation":
            return kept_by_turns(head, self.length(head), self.beta_slow, self.beta_fast, device=device)
        low, high = self.ramp_ends(head)
        index = torch.arange(head.rotary_dim // 2, dtype=torch.float64, device=or_cpu(device))
        return 1 - ((index - low) / (high - low)).clamp(0, 1)

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return speeds between kept and divided, for any length."""
        return blended_frequencies(head, self.factor, self.kept(head, device=device))

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return A, the same for every length."""
        if self.attention_factor is not None:
            return self.attention_factor
        if self.mscale and self.mscale_all_dim:
            return yarn_attention_factor(self.factor, self.mscale) / yarn_attention_factor(self.factor, self.mscale_all_dim)
        return yarn_attention_factor(self.factor)


def yarn_attention_factor(factor: float, mscale: float = 1.0) -> float:
    """Return ``0.1 mscale ln(factor) + 1``, which the paper fitted to the perplexity of LLaMA models.

    Source: YaRN, arXiv 2309.00071, section 3.4; the scale as DeepSeek-V2 uses it.
    """
    return 0.1 * mscale * math.log(factor) + 1.0 if factor > 1 else 1.0


def _require_ramp(ramp: object) -> None:
    if not isinstance(ramp, str) or ramp not in get_args(Ramp):
        raise RopeConfigError('ramp must be "index" or "rotation", got {value!r}', value=ramp)
