"""Methods of context extension written a second time, one pair after the other, in plain Python and with 50 digits.

Shares no code with rope_core, uses no torch, and prefers the slow and obvious.
"""

import math

import mpmath


def speed(i: int, width: int, base: float) -> float:
    return 1 / base ** (2 * i / width)


def plain(width: int, base: float) -> list[float]:
    return [speed(i, width, base) for i in range(width // 2)]


# YaRN


def correction_index(turns: float, width: int, base: float, length: float) -> float:
    """Solve ``length = turns * 2 pi * base ** (2 i / width)`` for i, with 50 digits."""
    with mpmath.workdps(50):
        wavelength = mpmath.mpf(length) / mpmath.mpf(turns)
        return float(mpmath.mpf(width) / 2 * mpmath.log(wavelength / (2 * mpmath.pi), mpmath.mpf(base)))


def yarn_bounds(
    width: int, base: float, length: float, *, beta_fast: float = 32, beta_slow: float = 1, truncate: bool = True
) -> tuple[float, float]:
    first, last = correction_index(beta_fast, width, base, length), correction_index(beta_slow, width, base, length)
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first = first if first > 0 else 0
    last = last if last < width - 1 else width - 1
    return (first, last) if first != last else (first, last + 1e-3)


def yarn(width: int, base: float, length: float, factor: float, **bounds: float) -> list[float]:
    """Return how much of each pair is interpolated along the ramp."""
    first, last = yarn_bounds(width, base, length, **bounds)
    out = []
    for i in range(width // 2):
        interpolated = min(1.0, max(0.0, (i - first) / (last - first)))
        out.append(speed(i, width, base) * (1 - interpolated * (1 - 1 / factor)))
    return out


def yarn_attention_factor(
    factor: float, attention_factor: float | None = None, mscale: float | None = None, mscale_all_dim: float | None = None
) -> float:
    def get(scale: float) -> float:
        return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1

    if attention_factor is not None:
        return attention_factor
    return get(mscale) / get(mscale_all_dim) if mscale and mscale_all_dim else get(1)


# By wavelength: NTK-by-parts of the paper and Llama 3


def by_parts(width: int, base: float, length: float, factor: float, few: float, many: float) -> list[float]:
    """Assign every pair to one of three bands of wavelengths; a pair exactly at a hard cutoff is kept."""
    out = []
    for i in range(width // 2):
        fast = speed(i, width, base)
        wavelength = 2 * math.pi / fast
        if wavelength <= length / many:
            out.append(fast)
        elif wavelength >= length / few:
            out.append(fast / factor)
        else:
            gamma = (length / wavelength - few) / (many - few)
            out.append((1 - gamma) * fast / factor + gamma * fast)
    return out


# LongRoPE


def longrope(width: int, base: float, divisors: list[float]) -> list[float]:
    return [1 / (divisor * base ** (2 * i / width)) for i, divisor in zip(range(width // 2), divisors, strict=True)]


def longrope_attention_factor(factor: float, length: int) -> float:
    return 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor, length))


# p-RoPE


def proportional(width: int, base: float, share: float, factor: float = 1.0) -> list[float]:
    turning = int(share * width // 2)
    return [speed(i, width, base) / factor if i < turning else 0.0 for i in range(width // 2)]


# Every method as the page about context extension has it


def usual(method: str, width: int, base: float, trained: int, target: int, lists: dict[str, list[float]] | None = None) -> list[float]:
    """Return the speeds at the usual settings of the page, for ``target`` tokens."""
    s, slow = target / trained, plain(width, base)
    if method == "linear":
        return [fast / s for fast in slow]
    if method in ("ntk", "dynamic"):
        longer = s if method == "ntk" else 1 + 2 * (target - trained) / trained
        return [fast / longer ** (2 * i / (width - 2)) for i, fast in enumerate(slow)]
    if method == "yarn":
        return yarn(width, base, trained, s)
    if method in ("parts", "llama3"):
        return by_parts(width, base, trained, s, 1, 32 if method == "parts" else 4)
    if method == "longrope":
        return longrope(width, base, lists["long_factor" if target > trained else "short_factor"])
    return proportional(width, base, 0.25) if method == "proportional" else slow


def usual_attention_factor(method: str, trained: int, target: int) -> float:
    s = target / trained
    return yarn_attention_factor(s) if method == "yarn" else longrope_attention_factor(s, trained) if method == "longrope" else 1.0


# Axes


def dealt(section: list[int]) -> list[str]:
    """Assign axes as Qwen3-VL does: time everywhere at first, then overwrite."""
    pairs = sum(section)
    axes = []
    for i in range(pairs):
        if i % 3 == 1 and i < 3 * section[1]:
            axes.append("h")
        elif i % 3 == 2 and i < 3 * section[2]:
            axes.append("w")
        else:
            axes.append("t")
    return axes
