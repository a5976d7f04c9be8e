"""Position encodings for comparison with RoPE.

Shapes: S positions, T keys, H heads, P pairs of coordinates. Distance = query position - key position.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from rope_core.errors import (
    WIDEST,
    RopeConfigError,
    require_count,
    require_floating,
    require_integers,
    require_number,
    to_int64,
)
from rope_core.operands import require_moderate

T5_BUCKETS, T5_MAX_DISTANCE = 32, 128


def sinusoidal_encoding(positions: Tensor, inv_freq: Tensor) -> Float64[Tensor, "S width"]:
    """Tabulate the additive encoding of the original Transformer: sines on even coordinates, cosines on odd ones.

    Args:
        positions: ``(S,)`` integers.
        inv_freq: ``(P,)`` radians per token; ``geometric_frequencies(width, 10_000)`` in the paper.

    Returns:
        ``(S, 2 P)`` on the device of ``positions``, to be added to vectors of that width.

    Raises:
        RopeConfigError: If positions are not a vector of integers, or speeds not a vector of finite floats.

    Source: "Attention Is All You Need", arXiv 1706.03762, section 3.5.
    """
    require_integers("positions", positions)
    require_floating("inv_freq", inv_freq)
    for name, value in (("positions", positions), ("inv_freq", inv_freq)):
        if value.ndim != 1:
            raise RopeConfigError("{field} must have one axis, got shape {shape}", field=name, shape=tuple(value.shape))
    require_moderate(inv_freq)
    angles = positions.to(torch.float64).unsqueeze(-1) * inv_freq.to(positions.device, torch.float64)  # (S, P)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)  # (S, 2 P)


def alibi_slopes(heads: int) -> Float64[Tensor, " H"]:
    """Return the slope of each head: ``2 ** (-8 h / H)`` for h = 1 .. H where H is a power of two.

    Other numbers of heads use the slopes of the next lower power of two, then every other slope of the next higher one.

    Args:
        heads: H, from 1 to 65,536.

    Returns:
        ``(H,)`` score units per token, on the CPU.

    Raises:
        RopeConfigError: If ``heads`` is not an integer in that range.

    Source: ALiBi, arXiv 2108.12409, section 3, and the reference implementation for other numbers of heads.
    """
    heads = require_count("heads", heads, high=WIDEST)
    power = 1 << (heads.bit_length() - 1)
    slopes = [2.0 ** (-8 * (head + 1) / power) for head in range(power)]
    slopes += [2.0 ** (-4 * (2 * head + 1) / power) for head in range(heads - power)]
    return torch.tensor(slopes, dtype=torch.float64, device="cpu")


def alibi_bias(distances: Tensor, slope: float) -> Float64[Tensor, ...]:
    """Return what ALiBi adds to the scores of one head: ``-slope * |distance|``.

    Args:
        distances: ``(...)`` integers.
        slope: In score units per token, see ``alibi_slopes``.

    Returns:
        ``(...)`` on the device of ``distances``.

    Raises:
        RopeConfigError: If distances are not integers, or the slope not a finite number.

    Source: ALiBi, arXiv 2108.12409. The paper is causal; the absolute distance is the usual bidirectional form.
    """
    require_integers("distances", distances)
    require_number("slope", slope)
    return -slope * to_int64("distances", distances).abs().to(torch.float64)


def t5_buckets(distances: Tensor, *, causal: bool) -> Int64[Tensor, ...]:
    """Map distances to the 32 buckets of T5, each with one learned bias per head.

    Up to 15 tokens back each distance has its own bucket when causal, up to 7 in either direction when not; larger ones share buckets
    of equal width on a log axis, the last of which begins at 113 tokens when causal, at 91 when not.

    Args:
        distances: ``(...)`` integers.
        causal: Whether keys after the query are masked; if so they get bucket 0.

    Returns:
        ``(...)`` from 0 to 31, on the device of ``distances``.

    Raises:
        RopeConfigError: If distances are not integers.

    Source: T5, arXiv 1910.10683, ``_relative_position_bucket``. T5 does not divide scores by ``sqrt(D)``.
    """
    require_integers("distances", distances)
    distances = to_int64("distances", distances)
    if causal:
        return _one_sided(distances.clamp(min=0), T5_BUCKETS)
    half = T5_BUCKETS // 2
    # In T5, keys after the query use the upper half of the buckets.
    return _one_sided(distances.abs(), half) + half * (distances < 0)


def _one_sided(distances: Tensor, buckets: int) -> Tensor:
    exact = buckets // 2
    ratio = (distances.clamp(min=1).to(torch.float64) / exact).log() / math.log(T5_MAX_DISTANCE / exact)
    shared = exact + (ratio * (buckets - exact)).to(torch.int64)
    return torch.where(distances < exact, distances, shared.clamp(max=buckets - 1))
