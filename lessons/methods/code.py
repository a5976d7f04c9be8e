"""The PyTorch lines that give the speeds of any head: the plain law, and every method that changes it."""

from __future__ import annotations

from lessons.methods.registry import sheet_of
from rope_core import RopeConfig

START = """
import math
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
# radians per token of every pair
{name} = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
"""


def speeds_code(config: RopeConfig, seq_len: int | None = None) -> str:
    """Write lines that define ``theta``, the radians per token of every pair in float64, and ``A``, which multiplies cos and sin.

    They need torch and math only, and define ``d``, the width of the head, ``turning``, how much of it turns, and ``base`` besides; with
    a method also ``plain``, the speeds without it.

    Args:
        config: The head.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.
    """
    name = "theta" if config.scaling is None else "plain"
    start = START.format(d=config.head_dim, turning=config.rotary_dim, base=config.base, name=name)
    return start + sheet_of(config.scaling).lines(config, seq_len)
