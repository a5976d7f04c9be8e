"""What methods by parts share: speeds between kept and divided, pair by pair."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import Head


def blended_frequencies(head: Head, factor: float, kept: Tensor) -> Tensor:
    """Keep a share of the speed of every pair and divide the rest of it by ``factor``.

    Args:
        head: Gives the geometric law.
        factor: The stretch.
        kept: ``(P,)`` shares: 1 leaves a pair alone, exactly, and 0 divides it by the whole factor.

    Returns:
        ``(P,)`` radians per token, on the device of ``kept``.
    """
    plain = geometric_frequencies(head.rotary_dim, head.base, device=kept.device)
    return torch.lerp(plain / factor, plain, kept)  # exact at both ends, and everywhere where the factor is 1


def kept_by_turns(head: Head, length: float, few: float, many: float, *, device: torch.device | None) -> Tensor:
    """Keep pairs of at least ``many`` turns within ``length`` tokens, none of at most ``few``, and a share, linear in turns, between.

    Where both are equal, there is nothing between: the pair that makes exactly so many turns is kept.
    """
    turns = geometric_frequencies(head.rotary_dim, head.base, device=device) * (length / (2 * math.pi))
    if few == many:
        return (turns >= many).to(turns.dtype)
    return ((turns - few) / (many - few)).clamp(0, 1)
