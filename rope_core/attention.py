"""Scores and weights of one attention layer.

Shapes: S queries, T keys, D = head_dim; leading axes ``...`` are batch and heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from rope_core.errors import RopeConfigError, require_floating, require_integers, require_number, to_int64
from rope_core.operands import require_same_device


def relative_distances(query_positions: Tensor, key_positions: Tensor) -> Int64[Tensor, "S T"]:
    """Return query position - key position for every pair of tokens.

    Args:
        query_positions: ``(S,)`` integers.
        key_positions: ``(T,)`` integers.

    Returns:
        ``(S, T)`` int64, in tokens: positive where the key comes before the query.

    Raises:
        RopeConfigError: If positions are not one-dimensional integer tensors.
    """
    for name, positions in (("query_positions", query_positions), ("key_positions", key_positions)):
        require_integers(name, positions)
        if positions.ndim != 1:
            raise RopeConfigError("{field} must have one axis, got shape {shape}", field=name, shape=tuple(positions.shape))
    return to_int64("query_positions", query_positions).unsqueeze(-1) - to_int64("key_positions", key_positions)  # (S, T)


def attention_scores(q: Tensor, k: Tensor, *, bias: Tensor | None = None, scale: float | None = None) -> Float[Tensor, "... S T"]:
    """Return the scores before the softmax: ``q @ k.T * scale + bias``.

    Args:
        q: ``(..., S, D)``, encoded with its positions where the encoding acts on vectors.
        k: ``(..., T, D)``.
        bias: ``(..., S, T)``, broadcast to the scores, added after scaling, where the encoding acts on scores.
        scale: A number, or a tensor without axes; ``1 / sqrt(D)`` if None; T5 uses 1.

    Returns:
        ``(..., S, T)``.

    Raises:
        RopeConfigError: If dtypes, widths, shapes or devices do not match, or ``scale`` is not a number.

    Source: "Attention Is All You Need", arXiv 1706.03762, eq. 1.
    """
    for name, x in (("q", q), ("k", k)):
        require_floating(name, x)
    if q.ndim < 2 or k.ndim < 2 or q.shape[-1] != k.shape[-1]:
        raise RopeConfigError("q and k must be (..., S, head_dim) of one width, got shapes {q} and {k}", q=tuple(q.shape), k=tuple(k.shape))
    _check_operands(q, k, scale)
    scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)  # (..., S, T)
    return scores if bias is None else scores + _checked_bias(bias, scores)


def _check_operands(q: Tensor, k: Tensor, scale: object) -> None:
    require_same_device("k", k, where="q", other=q)
    if q.dtype != k.dtype:
        raise RopeConfigError("q and k must have one dtype, got {q} and {k}", q=q.dtype, k=k.dtype)
    if not _broadcasts(q.shape[:-2], k.shape[:-2]):
        raise RopeConfigError("the leading axes of q and k must broadcast, got shapes {q} and {k}", q=tuple(q.shape), k=tuple(k.shape))
    if isinstance(scale, Tensor) and scale.ndim == 0:
        require_floating("scale", scale)
    elif scale is not None:
        require_number("scale", scale)


def _checked_bias(bias: Tensor, scores: Tensor) -> Tensor:
    """Return a bias that can be added to scores without making them larger."""
    require_floating("bias", bias)
    require_same_device("bias", bias, where="q", other=scores)
    if bias.ndim > scores.ndim or any(have not in (1, want) for have, want in zip(bias.shape[::-1], scores.shape[::-1], strict=False)):
        shapes = {"bias": tuple(bias.shape), "scores": tuple(scores.shape)}
        raise RopeConfigError("bias must broadcast to the scores (..., S, T), got shape {bias} for {scores}", **shapes)
    return bias


def _broadcasts(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(a == b or 1 in (a, b) for a, b in zip(one[::-1], other[::-1], strict=False))


def attention_weights(scores: Tensor, *, causal: bool) -> Float[Tensor, "... S T"]:
    """Turn scores into weights: softmax over the keys, where a causal query attends to its own position and those before it.

    Args:
        scores: ``(..., S, T)``; query s and key t of the same index are the same token when causal.
        causal: Whether later keys are masked.

    Returns:
        ``(..., S, T)``; every row sums to 1, masked keys have weight 0.

    Raises:
        RopeConfigError: If scores are not a floating-point tensor of at least two axes.

    Source: "Attention Is All You Need", arXiv 1706.03762, eq. 1 and section 3.2.3.
    """
    require_floating("scores", scores)
    if scores.ndim < 2:
        raise RopeConfigError("scores must be (..., S, T), got shape {shape}", shape=tuple(scores.shape))
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(later, -math.inf)
    return scores.softmax(-1)
