"""Position encodings that RoPE is compared with.

Shapes: S positions, P pairs of coordinates.
"""

from __future__ import annotations

import torch
from jaxtyping import Float64
from torch import Tensor

from rope_core.errors import RopeConfigError, require_floating, require_integers


def sinusoidal_encoding(positions: Tensor, inv_freq: Tensor) -> Float64[Tensor, "S width"]:
    """Tabulate the additive code of the first Transformer: sines on even coordinates, cosines on odd ones.

    Args:
        positions: ``(S,)`` integers.
        inv_freq: ``(P,)`` radians per token; ``geometric_frequencies(width, 10_000)`` in the paper.

    Returns:
        ``(S, 2 P)`` on the device of ``positions``, to be added to vectors of that width.

    Raises:
        RopeConfigError: If positions are not a row of integers, or speeds not a row of floats.

    Source: "Attention Is All You Need", arXiv 1706.03762, section 3.5.
    """
    require_integers("positions", positions)
    require_floating("inv_freq", inv_freq)
    for name, value in (("positions", positions), ("inv_freq", inv_freq)):
        if value.ndim != 1:
            raise RopeConfigError("{field} must have one axis, got shape {shape}", field=name, shape=tuple(value.shape))
    angles = positions.to(torch.float64).unsqueeze(-1) * inv_freq.to(positions.device, torch.float64)  # (S, P)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)  # (S, 2 P)
