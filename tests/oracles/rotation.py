"""Rotary embedding written a second, a third and a fourth time: plain Python, complex numbers, matrices, 50 digits.

Shares no code with rope_core (tests/test_imports.py sees to it), uses no torch, and prefers the slow and obvious.
"""

import cmath
import math

import mpmath
import numpy as np

# Speeds, in radians per token, fastest first


def speeds(width: int, base: float) -> list[float]:
    return [1 / base ** (2 * i / width) for i in range(width // 2)]


def linear_speeds(width: int, base: float, factor: float) -> list[float]:
    return [speed / factor for speed in speeds(width, base)]


def ntk_speeds(width: int, base: float, factor: float) -> list[float]:
    return speeds(width, base * factor ** (width / (width - 2)))


def dynamic_speeds(width: int, base: float, factor: float, trained: int, length: int) -> list[float]:
    return ntk_speeds(width, base, factor * max(length, trained) / trained - (factor - 1))


# Which two coordinates are pair i


def pair(i: int, pairs: int, layout: str) -> tuple[int, int]:
    return {"half": (i, i + pairs), "interleaved": (2 * i, 2 * i + 1)}[layout]


# The rotation


def turned(x: np.ndarray, position: int, inv_freq: list[float], layout: str) -> np.ndarray:
    """Rotate one vector: each pair is a complex number, multiplied by exp(1j * angle)."""
    out = np.array(x, dtype=np.float64)
    for i, speed in enumerate(inv_freq):
        a, b = pair(i, len(inv_freq), layout)
        z = complex(x[a], x[b]) * cmath.exp(1j * position * speed)
        out[a], out[b] = z.real, z.imag
    return out


def turned_rows(x: np.ndarray, positions: list[int], inv_freq: list[float], layout: str) -> np.ndarray:
    return np.stack([turned(row, position, inv_freq, layout) for row, position in zip(x, positions, strict=True)])


def matrix(position: int, inv_freq: list[float], head_dim: int, layout: str) -> np.ndarray:
    """Return the block-diagonal matrix, one 2 x 2 block after the other."""
    out = np.eye(head_dim)
    for i, speed in enumerate(inv_freq):
        a, b = pair(i, len(inv_freq), layout)
        angle = position * speed
        out[a, a] = math.cos(angle)
        out[a, b] = -math.sin(angle)
        out[b, a] = math.sin(angle)
        out[b, b] = math.cos(angle)
    return out


def turned_by_mistake(x: np.ndarray, position: int, inv_freq: list[float]) -> np.ndarray:
    """Mix the layouts, a bug of real code: interleaved angles with partners half a head away."""
    angles = np.repeat(np.array(inv_freq) * position, 2)
    first, second = np.split(np.asarray(x, dtype=np.float64), 2)
    return x * np.cos(angles) + np.concatenate((-second, first)) * np.sin(angles)


# Fifty digits


def exact_speed(i: int, width: int, base: float) -> mpmath.mpf:
    with mpmath.workdps(50):
        return mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / width)


def exact_cos_sin(position: int, width: int, base: float) -> tuple[list[float], list[float]]:
    with mpmath.workdps(50):
        angles = [position * exact_speed(i, width, base) for i in range(width // 2)]
        return [float(mpmath.cos(angle)) for angle in angles], [float(mpmath.sin(angle)) for angle in angles]
