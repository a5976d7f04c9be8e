"""Which coordinates of a head form a pair.

Shapes: P = rotary_dim / 2 pairs; the layout ``half`` pairs ``(i, i + P)``, ``interleaved`` pairs ``(2 i, 2 i + 1)``.
"""

from __future__ import annotations

import torch
from jaxtyping import Int64
from torch import Tensor

from rope_core.config import Layout
from rope_core.devices import or_cpu
from rope_core.errors import require_width


def layout_permutation(rotary_dim: int, *, device: torch.device | None = None) -> Int64[Tensor, " rotary_dim"]:
    """Return the permutation of coordinates that converts one layout into the other: ``half(x[idx]) == interleaved(x)[idx]``.

    Even indices first, then odd ones. Its inverse is ``torch.argsort(idx)``, not the permutation itself.

    Args:
        rotary_dim: Rotated width, even.
        device: Device of the result; the CPU if None.

    Returns:
        ``(rotary_dim,)`` int64 indices of coordinates. In a partly rotated head they apply to the first coordinates only.

    Raises:
        RopeConfigError: If ``rotary_dim`` is not a positive even integer.

    Source: the conversion of Llama checkpoints in transformers, which permutes the rows of the projections this way.
    """
    rotary_dim = require_width("rotary_dim", rotary_dim)
    return torch.arange(rotary_dim, device=or_cpu(device)).reshape(-1, 2).T.flatten()


def pair_halves(x: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """Return views of the first and the second coordinate of every pair: ``(..., 2 P)`` to two ``(..., P)``."""
    if layout == "half":
        first, second = x.chunk(2, dim=-1)
        return first, second
    return x[..., 0::2], x[..., 1::2]
