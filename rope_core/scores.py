"""The attention score of a query and a key as a function of their distance.

Shapes: D = head_dim, P = rotary_dim / 2 pairs, N distances. Leading axes ``...`` are queries, keys, heads: anything batched.
Distance = query position - key position. Scores are dot products: no division by ``sqrt(D)``, no softmax.
"""

from __future__ import annotations

import torch
from jaxtyping import Complex128, Float64
from torch import Tensor

from rope_core.config import RopeConfig
from rope_core.curves import CHUNK_DISTANCES, CHUNK_NUMBERS, curve, stream, unit_phasors
from rope_core.errors import require_count
from rope_core.frequencies import attention_factor
from rope_core.layouts import pair_halves
from rope_core.operands import (
    MAX_DISTANCE,
    require_at_most,
    require_distances,
    require_edges,
    require_finite,
    require_phasors,
    require_speeds,
    require_vectors,
)


def phasors(q: Tensor, k: Tensor, config: RopeConfig, *, seq_len: int | None = None) -> Complex128[Tensor, "... P"]:
    """Reduce a query and a key to one complex number a pair: ``A * A * z_q * conj(z_k)`` with ``z = x_a + 1j x_b``.

    Args:
        q: Queries before rotation, ``(..., D)``, any floating dtype.
        k: Keys before rotation, ``(..., D)``; leading axes broadcast with those of ``q``.
        config: Determines which coordinates form a pair, and the attention factor A.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.

    Returns:
        ``(..., P)`` complex128. The modulus is the most that a pair can contribute to a score, the angle sets where it peaks.

    Raises:
        RopeConfigError: If dtype, width, shape or device do not fit, or a number, of the answer too, is not finite.

    Source: RoFormer, arXiv 2104.09864, eq. 35.
    """
    require_vectors(q, k, config)
    factor = attention_factor(config, seq_len) ** 2
    z_q, z_k = (
        torch.complex(*(half.to(torch.float64) for half in pair_halves(x[..., : config.rotary_dim], config.layout))) for x in (q, k)
    )  # (..., P)
    products = factor * z_q * z_k.conj()
    require_finite("phasors", products)
    return products


def passthrough_score(q: Tensor, k: Tensor, config: RopeConfig) -> Float64[Tensor, ...]:
    """Return the share of the score from unrotated coordinates: the same at every distance, and not scaled by A.

    Args:
        q: Queries, ``(..., D)``, any floating dtype.
        k: Keys, ``(..., D)``; leading axes broadcast with those of ``q``.
        config: Determines how many coordinates are rotated.

    Returns:
        ``(...)`` float64; zeros if all coordinates are rotated.

    Raises:
        RopeConfigError: As ``phasors``.
    """
    require_vectors(q, k, config)
    score = (q[..., config.rotary_dim :].to(torch.float64) * k[..., config.rotary_dim :].to(torch.float64)).sum(-1)
    require_finite("passthrough_score", score)
    return score


def score_curve(phasors: Tensor, inv_freq: Tensor, length: int, *, start: int = 0) -> Float64[Tensor, "... N"]:
    """Evaluate ``Re sum_i phasor_i exp(1j * distance * inv_freq_i)`` at ``length`` consecutive distances.

    Args:
        phasors: ``(..., P)`` complex128.
        inv_freq: ``(P,)`` float64, radians per token.
        length: N, from 1 to 10,000,000.
        start: The first distance; may be negative (a key after its query).

    Returns:
        ``(..., N)`` float64. Add ``passthrough_score`` for the score of the whole head.

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, a number is not finite, or a distance is beyond 10,000,000.

    Source: RoFormer, arXiv 2104.09864, eq. 35; as a matrix product: ``curves``.
    """
    require_phasors(phasors, inv_freq)
    length = require_count("length", length, high=MAX_DISTANCE)
    start = require_count("start", start, low=-MAX_DISTANCE)
    require_at_most("start + length - 1", start + length - 1)
    rows = phasors.reshape(-1, phasors.shape[-1])  # (R, P)
    return curve(rows, inv_freq, start, length).reshape(*phasors.shape[:-1], length)  # (..., N)


def score_at(phasors: Tensor, inv_freq: Tensor, distances: Tensor) -> Float64[Tensor, "... n"]:
    """Evaluate the score at arbitrary distances; ``score_curve`` is far faster for consecutive ones.

    Args:
        phasors: ``(..., P)`` complex128.
        inv_freq: ``(P,)`` float64, radians per token.
        distances: ``(n,)`` integers, at most 10,000,000 in absolute value.

    Returns:
        ``(..., n)`` float64.

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, a number is not finite, or a distance is beyond 10,000,000.
    """
    require_phasors(phasors, inv_freq)
    distances = require_distances(distances, inv_freq)
    some_at_once = max(1, CHUNK_NUMBERS // (4 * len(inv_freq)))
    scores = [
        (phasors @ unit_phasors(some.to(torch.float64).unsqueeze(-1) * inv_freq).T).real for some in torch.split(distances, some_at_once)
    ]
    return torch.cat(scores, dim=-1)  # (..., n)


def score_envelope(phasors: Tensor, inv_freq: Tensor, edges: Tensor) -> tuple[Float64[Tensor, "... bins"], Float64[Tensor, "... bins"]]:
    """Return the exact lowest and highest score in each bin of integer distances ``edges[i] .. edges[i + 1] - 1``.

    Plot this rather than every k-th point: sampled every 25 tokens, a period of 6.28 aliases to one of 1183.
    Every distance is evaluated; the curve is streamed, so memory stays bounded. Gradients are not propagated: they need the whole curve.

    Args:
        phasors: ``(..., P)`` complex128.
        inv_freq: ``(P,)`` float64, radians per token.
        edges: ``(bins + 1,)`` integers, strictly increasing, from 0 to 10,000,001.

    Returns:
        ``(low, high)``, each ``(..., bins)`` float64.

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, a number is not finite, or the edges are invalid.
    """
    require_phasors(phasors, inv_freq)
    bounds = require_edges(edges).cpu()
    phasors, inv_freq = phasors.detach(), inv_freq.detach()
    rows = phasors.reshape(-1, phasors.shape[-1])  # (R, P)
    group = max(1, 8 * CHUNK_DISTANCES // min(CHUNK_DISTANCES, int(bounds[-1] - bounds[0])))
    parts = [_envelope(some, inv_freq, bounds) for some in torch.split(rows, group)]
    low, high = (torch.cat(side).reshape(*phasors.shape[:-1], len(bounds) - 1) for side in zip(*parts, strict=True))  # (..., bins)
    return low, high


def score_bound(phasors: Tensor, inv_freq: Tensor, distances: Tensor) -> Float64[Tensor, "... n"]:
    """Bound the score by ``max_i |h_(i+1) - h_i| * sum_j |S_j|``, with the phasors as h_0 .. h_(P-1) and h_P = 0.

    Abel summation: ``S_j = sum_{i<j} exp(1j * distance * inv_freq_i)``, j from 1 to P. The bound is in score units and holds at every
    distance; it tends to fall with distance, though not monotonically, and says nothing about the score itself.

    Args:
        phasors: ``(..., P)`` complex128.
        inv_freq: ``(P,)`` float64, radians per token.
        distances: ``(n,)`` integers, at most 10,000,000 in absolute value.

    Returns:
        ``(..., n)`` float64, at least ``|score|``.

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, a number is not finite, or a distance is beyond 10,000,000.

    Source: RoFormer, arXiv 2104.09864, section 3.4.3.
    """
    require_phasors(phasors, inv_freq)
    distances = require_distances(distances, inv_freq)
    steps = torch.diff(phasors, append=torch.zeros_like(phasors[..., :1]))
    bound = steps.abs().amax(-1).unsqueeze(-1) * _partial_sums(inv_freq, distances)  # (..., n)
    require_finite("score_bound", bound)
    return bound


def decay_bound(inv_freq: Tensor, distances: Tensor) -> Float64[Tensor, " n"]:
    """Return RoFormer's relative curve ``mean_j |S_j|``: the shape of ``score_bound``, not a bound in score units.

    Args:
        inv_freq: ``(P,)`` float64, radians per token.
        distances: ``(n,)`` integers, at most 10,000,000 in absolute value.

    Returns:
        ``(n,)`` float64; ``(P + 1) / 2`` at distance 0.

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, a number is not finite, or a distance is beyond 10,000,000.

    Source: RoFormer, arXiv 2104.09864, section 3.4.3 and figure 2.
    """
    require_speeds(inv_freq)
    distances = require_distances(distances, inv_freq)
    return _partial_sums(inv_freq, distances) / len(inv_freq)


def _envelope(rows: Tensor, inv_freq: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
    """Reduce the streamed curve of some rows to the bins of ``edges``, which are on the CPU."""
    low = torch.full((len(rows), len(edges) - 1), torch.inf, dtype=torch.float64, device=rows.device)  # (R, bins)
    high = -low
    for first, last, scores in stream(rows, inv_freq, int(edges[0]), int(edges[-1])):
        begin, end = torch.searchsorted(edges, edges.new_tensor([first + 1, last])).tolist()
        ends = edges.new_tensor([first, last])
        inner = torch.cat((ends[:1], edges[begin:end], ends[1:])).diff()  # tokens of this piece in each bin
        bins = torch.repeat_interleave(torch.arange(begin - 1, end, device=rows.device), inner.to(rows.device)).expand_as(scores)
        low.scatter_reduce_(1, bins, scores, "amin")
        high.scatter_reduce_(1, bins, scores, "amax")
    return low, high


def _partial_sums(inv_freq: Tensor, distances: Tensor) -> Tensor:
    """Return ``sum_j |S_j|`` at each distance, computed in batches."""
    some_at_once = max(1, CHUNK_NUMBERS // (4 * len(inv_freq)))
    sums = [
        unit_phasors(some.to(torch.float64).unsqueeze(-1) * inv_freq).cumsum(-1).abs().sum(-1)
        for some in torch.split(distances, some_at_once)
    ]
    return torch.cat(sums)  # (n,)
