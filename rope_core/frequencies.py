"""The angular speed of each pair of a config.

Shapes: P = rotary_dim / 2 pairs, fastest first.
``seq_len=None`` means the trained length; a length is never inferred from positions.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from rope_core.config import RopeConfig, require_config
from rope_core.errors import EXACT_INTEGERS, require_count
from rope_core.laws import geometric_frequencies


def inverse_frequencies(config: RopeConfig, seq_len: int | None = None, *, device: torch.device | None = None) -> Float64[Tensor, " P"]:
    """Return the speed theta_i of every pair.

    Args:
        config: The head; its scaling method may change the geometric law.
        seq_len: Length of the sequence in tokens, for methods that depend on it.
        device: Device of the result; the CPU if None.

    Returns:
        ``(P,)`` radians per token.

    Raises:
        RopeConfigError: If ``seq_len`` is not a positive integer that float64 represents exactly.

    Source: RoFormer, arXiv 2104.09864, section 3.2.2; scaling methods cite their own sources.
    """
    require_config(config)
    if seq_len is not None:
        seq_len = require_count("seq_len", seq_len, high=EXACT_INTEGERS)
    if config.scaling is None:
        return geometric_frequencies(config.rotary_dim, config.base, device=device)
    return config.scaling.inverse_frequencies(config, seq_len, device=device)


def attention_factor(config: RopeConfig, seq_len: int | None = None) -> float:
    """Return A, which multiplies cos and sin, and so every score by ``A * A``; 1 unless the scaling method sets it.

    Args:
        config: The head; its scaling method may scale the rotated vectors.
        seq_len: Length of the sequence in tokens, for methods that depend on it; None means the trained length.

    Returns:
        A, dimensionless, above 0.

    Raises:
        RopeConfigError: If ``seq_len`` is not a positive integer that float64 represents exactly.

    Source: YaRN, arXiv 2309.00071, section 3.4; LongRoPE, arXiv 2402.13753, as Phi-3 computes it.
    """
    require_config(config)
    if seq_len is not None:
        seq_len = require_count("seq_len", seq_len, high=EXACT_INTEGERS)
    return 1.0 if config.scaling is None else config.scaling.attention_factor_for(config, seq_len)


def wavelengths(config: RopeConfig, seq_len: int | None = None, *, device: torch.device | None = None) -> Float64[Tensor, " P"]:
    """Return lambda_i = 2 pi / theta_i, the number of tokens in one full turn of each pair.

    Args:
        config: The head; its scaling method may change the geometric law.
        seq_len: Length of the sequence in tokens, for methods that depend on it; None means the trained length.
        device: Device of the result; the CPU if None.

    Returns:
        ``(P,)`` tokens, shortest first; infinite for a pair of speed 0.

    Raises:
        RopeConfigError: If ``seq_len`` is not a positive integer that float64 represents exactly.

    Source: YaRN, arXiv 2309.00071, section 3.
    """
    return 2 * math.pi / inverse_frequencies(config, seq_len, device=device)
