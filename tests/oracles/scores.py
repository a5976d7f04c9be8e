"""Scores the slow way: numpy, mpmath and loops; nothing of rope_core."""

import cmath
import math

import mpmath
import numpy as np


def speeds(rotary_dim: int, base: float) -> list[float]:
    return [base ** (-2 * i / rotary_dim) for i in range(rotary_dim // 2)]


def pair_of(i: int, rotary_dim: int, layout: str) -> tuple[int, int]:
    return (i, i + rotary_dim // 2) if layout == "half" else (2 * i, 2 * i + 1)


def rotated(x: np.ndarray, position: int, inv_freq: list[float], rotary_dim: int, layout: str, factor: float = 1.0) -> np.ndarray:
    """Rotate one vector pair by pair."""
    out = x.astype(np.float64).copy()
    for i, speed in enumerate(inv_freq):
        a, b = pair_of(i, rotary_dim, layout)
        cos, sin = factor * math.cos(position * speed), factor * math.sin(position * speed)
        out[a], out[b] = x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos
    return out


def curve(phasors: np.ndarray, inv_freq: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """``(..., P), (P,), (N,) -> (..., N)``: every angle by itself."""
    turns = np.exp(1j * np.multiply.outer(inv_freq, distances.astype(np.float64)))
    return np.real(np.tensordot(phasors, turns, axes=(-1, 0)))


def exact(phasors: np.ndarray, inv_freq: np.ndarray, distance: int) -> float:
    """Return one score of one row with 40 digits."""
    with mpmath.workdps(40):
        terms = (
            mpmath.mpc(complex(p)) * mpmath.expjpi(mpmath.mpf(float(w)) * int(distance) / mpmath.pi)
            for p, w in zip(phasors, inv_freq, strict=True)
        )
        return float(mpmath.re(mpmath.fsum(terms)))


def partial_sums(inv_freq: list[float], distance: int) -> list[float]:
    """Return ``|S_1| .. |S_P|``."""
    total, sizes = 0j, []
    for speed in inv_freq:
        total += cmath.exp(1j * distance * speed)
        sizes.append(abs(total))
    return sizes


def first_negative(inv_freq: list[float], limit: int) -> int | None:
    """Sum cosines directly, 4,096 distances at a time."""
    for start in range(0, limit, 4096):
        distances = np.arange(start, min(limit, start + 4096), dtype=np.float64)
        below = np.flatnonzero(np.cos(np.multiply.outer(distances, np.array(inv_freq))).sum(-1) < 0)
        if len(below):
            return start + int(below[0])
    return None


def amplitudes(samples: np.ndarray) -> list[float]:
    """Return the one-sided transform by its definition, a sum for each bin."""
    count, sizes = len(samples), []
    for k in range(count // 2 + 1):
        total = sum(x * cmath.exp(-2j * math.pi * k * n / count) for n, x in enumerate(samples))
        alone = k == 0 or 2 * k == count
        sizes.append(abs(total) / count * (1 if alone else 2))
    return sizes
