"""Numbers as sentences and formulas want them."""

from __future__ import annotations

import math

from numpy import ndarray

from locales import _
from rope_core import RopeConfig


def tex(value: float, digits: int = 6) -> str:
    r"""Write a number: ``1.15478 \times 10^{-4}``, not ``1.15478e-4``."""
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa


def aligned(*lines: str) -> str:
    """Stack the lines of a derivation at their ``&``: one long line would not fit a phone."""
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"


def counted(value: float) -> str:
    """Write a count of turns, tokens or degrees in a sentence: one decimal where it is large, four digits where it is small."""
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"


def rounding(value: float) -> str:
    """Write what rounding leaves of a difference that should be zero, in one digit."""
    return f"{value:.0e}" if value else "0"


def decimals(value: float, digits: int) -> str:
    """Write a number with so many decimals, and what rounds to zero without a sign."""
    return f"{round(float(value), digits) + 0.0:,.{digits}f}"


def right(value: float, error: float) -> float:
    """Round a number to the decimals that an error leaves right."""
    return round(float(value), right_decimals(error)) + 0.0


def right_decimals(error: float) -> int:
    """Count the decimals that an error leaves right: it is less than half of the last one."""
    return math.floor(-math.log10(2 * error)) if error > 0 else 15


def certain(value: float, error: float, digits: int) -> str:
    """Write a number with so many decimals, or with those that an error leaves right."""
    return decimals(right(value, error), max(0, min(digits, right_decimals(error))))


def angle_error(furthest: float) -> float:
    """Return how far an angle may be off, in radians, that is a position times a speed in float64; ``furthest`` is the angle itself."""
    return (furthest + 4) * 1.5 * 2.0**-52  # a speed is off by up to one step of float64, and the product by half of one


def fixed(value: float) -> str:
    """Write a number with four decimals."""
    return decimals(value, 4)


def turns(angle: float) -> tuple[int, str]:
    """Split an angle in radians into full turns and degrees as they are shown: rounded first, so that no 360.0 is left over."""
    whole, rest = divmod(round(math.degrees(angle), 1), 360)
    return int(whole), decimals(rest, 1)


def column(vector: ndarray) -> str:
    """Write a vector of a plane as a column."""
    return rf"\begin{{pmatrix}} {fixed(vector[0])}\\ {fixed(vector[1])} \end{{pmatrix}}"


def rotation(angle: float) -> str:
    """Write the 2 x 2 matrix of a rotation with its numbers."""
    cos, sin = math.cos(angle), math.sin(angle)
    return rf"\begin{{pmatrix}} {fixed(cos)} & {fixed(-sin)}\\ {fixed(sin)} & {fixed(cos)} \end{{pmatrix}}"


def complex_number(value: complex) -> str:
    """Write a complex number, its imaginary unit upright: i is a pair."""
    sign = "-" if value.imag < -5e-5 else "+"
    return rf"{fixed(value.real)} {sign} {fixed(abs(value.imag))}\,\mathrm{{i}}"


def point(vector: ndarray) -> str:
    """Write the coordinates of a point in a sentence."""
    return f"({decimals(vector[0], 3)}, {decimals(vector[1], 3)})"


def width_symbol(config: RopeConfig) -> str:
    """Return the symbol of the width that is rotated."""
    return "d" if config.rotary_dim == config.head_dim else "d_r"


def tokens(count: float, quote: str = "`") -> str:
    """Count tokens in a sentence, or, without the quotes of a number, in a figure."""
    message = _("{count} token") if count == 1 else _("{count} tokens")
    return message.format(count=f"{quote}{count:,}{quote}" if isinstance(count, int) else f"{quote}{count:,.6g}{quote}")


def pairs(count: int, quote: str = "`") -> str:
    """Count pairs in a sentence."""
    message = _("{count} pair") if count == 1 else _("{count} pairs")
    return message.format(count=f"{quote}{count}{quote}")
