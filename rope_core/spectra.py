"""The frequencies in a score curve, and how much of its circle each pair covers.

Shapes: P pairs, N tokens, F = N // 2 + 1 bins. Frequencies are radians per token, as ``inv_freq``; lambda = 2 pi / frequency tokens.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from rope_core.errors import RopeConfigError, require_count
from rope_core.operands import MAX_DISTANCE, require_dtype, require_finite, require_phasors, require_speeds


def line_spectrum(phasors: Tensor, inv_freq: Tensor) -> tuple[Float64[Tensor, " P"], Float64[Tensor, "... P"], Float64[Tensor, "... P"]]:
    """Return the exact spectral lines of a score curve: ``score = sum_i amplitude_i * cos(distance * frequency_i + phase_i)``.

    One line per pair, in the order of the pairs. Lines of equal speed are not merged: their sum depends on amplitudes *and* phases.

    Args:
        phasors: ``(..., P)`` complex128.
        inv_freq: ``(P,)`` float64, radians per token.

    Returns:
        ``(frequency, amplitude, phase)``: ``(P,)`` radians per token, ``(..., P)`` score units, ``(..., P)`` radians in [-pi, pi].

    Raises:
        RopeConfigError: If dtypes, shapes or devices do not match, or a number is not finite.
    """
    require_phasors(phasors, inv_freq)
    return inv_freq.clone(), phasors.abs(), phasors.angle()


def curve_spectrum(curve: Tensor) -> tuple[Float64[Tensor, " F"], Float64[Tensor, "... F"]]:
    """Return the one-sided real Fourier transform of a curve, without a window.

    A pure cosine of amplitude a at a bin centre gives a, a constant a gives ``|a|`` at frequency 0. Between bin centres a line leaks into
    its neighbours, and lines closer than ``2 pi / N`` merge: that is the resolution of N tokens, not an error of the transform.

    Args:
        curve: ``(..., N)`` float64 at consecutive distances, N from 1 to 10,000,000.

    Returns:
        ``(frequency, amplitude)``: ``(F,)`` radians per token from 0 to at most pi, and ``(..., F)`` in the units of the curve.

    Raises:
        RopeConfigError: If dtype or shape are wrong, or a number is not finite.
    """
    require_dtype("curve", curve, torch.float64)
    if curve.ndim == 0 or not 1 <= curve.shape[-1] <= MAX_DISTANCE:
        raise RopeConfigError("curve must hold 1 to {limit} tokens, got shape {value}", limit=MAX_DISTANCE, value=tuple(curve.shape))
    require_finite("curve", curve)
    tokens = curve.shape[-1]
    # MKL raises an error for a transform of no rows.
    spectrum = torch.fft.rfft(curve) if curve.numel() else curve.new_zeros(*curve.shape[:-1], tokens // 2 + 1)
    amplitude = spectrum.abs() * (2 / tokens)  # (..., F)
    # Frequency 0, and pi if N is even, have no negative counterpart, so they are not doubled.
    amplitude[..., 0] /= 2
    if tokens % 2 == 0:
        amplitude[..., -1] /= 2
    bins = torch.arange(tokens // 2 + 1, dtype=torch.float64, device=curve.device)
    return bins * (2 * math.pi / tokens), amplitude


def angle_coverage(inv_freq: Tensor, length: int) -> Float64[Tensor, " P"]:
    """Return the share of its circle that each pair sweeps from position 0 to position ``length - 1``.

    That is the arc ``min(1, (length - 1) * inv_freq / (2 pi))``: integer positions sample it in steps of ``inv_freq`` radians.
    Below 1 the pair never completes a turn, and a longer text contains angles that it has not seen.

    Args:
        inv_freq: ``(P,)`` float64, radians per token; the sign does not matter.
        length: Number of positions, from 1 to 10,000,000.

    Returns:
        ``(P,)`` float64 in [0, 1]; all zeros at length 1.

    Raises:
        RopeConfigError: If ``inv_freq`` is not a finite float64 vector, or ``length`` outside its range.
    """
    require_speeds(inv_freq)
    length = require_count("length", length, high=MAX_DISTANCE)
    return ((length - 1) * inv_freq.abs() / (2 * math.pi)).clamp(max=1)
