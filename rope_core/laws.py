"""Laws for the angular speed of each pair, before any method of context extension.

Shapes: P = rotary_dim / 2 pairs. A law returns radians per token, fastest first, in float64.
This module does not import ``scaling``, whose methods, such as NTK-aware scaling, re-use the geometric law.
"""

from __future__ import annotations

import torch
from jaxtyping import Float64
from torch import Tensor

from rope_core.devices import or_cpu
from rope_core.errors import require_number, require_width


def geometric_frequencies(rotary_dim: int, base: float, *, device: torch.device | None = None) -> Float64[Tensor, " P"]:
    """Return ``base ** (-2 i / rotary_dim)`` for pair i: the law of RoPE.

    Args:
        rotary_dim: Rotated width, even.
        base: Above 1; 10,000 in the paper.
        device: Device of the result; the CPU if None.

    Returns:
        ``(P,)`` radians per token. The first is exactly 1, the last ``base ** (-(rotary_dim - 2) / rotary_dim)``, never ``1 / base``.

    Raises:
        RopeConfigError: If the width is not a positive even integer, or the base not a finite number above 1.

    Source: RoFormer, arXiv 2104.09864, section 3.2.2 (there i counts from 1).
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    require_number("base", base, above=1)
    exponents = torch.arange(0, rotary_dim, 2, dtype=torch.float64, device=or_cpu(device)) / rotary_dim
    return float(base) ** -exponents


def linear_frequencies(rotary_dim: int, slowest: float, *, device: torch.device | None = None) -> Float64[Tensor, " P"]:
    """Return evenly spaced speeds from 1 down to ``slowest``: not the law of RoPE, but useful for comparison.

    Args:
        rotary_dim: Rotated width, even.
        slowest: Speed of the last pair, above 0 and at most 1, in radians per token.
        device: Device of the result; the CPU if None.

    Returns:
        ``(P,)`` radians per token.

    Raises:
        RopeConfigError: If an argument is outside its range.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    require_number("slowest", slowest, above=0, high=1)
    return torch.linspace(1.0, float(slowest), rotary_dim // 2, dtype=torch.float64, device=or_cpu(device))


def constant_frequencies(rotary_dim: int, inv_freq: float, *, device: torch.device | None = None) -> Float64[Tensor, " P"]:
    """Return the same speed for every pair: positions one period apart are then indistinguishable.

    Args:
        rotary_dim: Rotated width, even.
        inv_freq: The speed of all pairs, above 0, in radians per token.
        device: Device of the result; the CPU if None.

    Returns:
        ``(P,)`` radians per token.

    Raises:
        RopeConfigError: If an argument is outside its range.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    require_number("inv_freq", inv_freq, above=0)
    return torch.full((rotary_dim // 2,), float(inv_freq), dtype=torch.float64, device=or_cpu(device))
