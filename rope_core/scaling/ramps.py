"""Interpolation, pair by pair, between kept and divided speeds: shared by YaRN and Llama 3."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from rope_core.laws import geometric_frequencies
from rope_core.scaling.base import Head


def blended_frequencies(head: Head, factor: float, kept: Tensor) -> Tensor:
    """Return the speeds of the geometric law, each interpolated between divided by ``factor`` and kept.

    Args:
        head: Determines the geometric law.
        factor: The extension factor.
        kept: ``(P,)`` shares: 1 keeps a speed exactly, 0 divides it by the factor.

    Returns:
        ``(P,)`` radians per token, on the device of ``kept``.
    """
    plain = geometric_frequencies(head.rotary_dim, head.base, device=kept.device)
    return torch.lerp(plain / factor, plain, kept)  # exact at both ends, and everywhere if the factor is 1


def kept_by_turns(head: Head, length: float, few: float, many: float, *, device: torch.device | None) -> Tensor:
    """Return 1 for pairs of at least ``many`` turns in ``length`` tokens, 0 for at most ``few``, and between them a share linear in turns.

    If both are equal, a pair of exactly that many turns is kept.
    """
    turns = geometric_frequencies(head.rotary_dim, head.base, device=device) * (length / (2 * math.pi))
    if few == many:
        return (turns >= many).to(turns.dtype)
    return ((turns - few) / (many - few)).clamp(0, 1)
