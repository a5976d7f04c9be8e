"""What to notice about a pair, its formula, and its PyTorch code."""

from __future__ import annotations

import math

import numpy as np

from compute.pair import PairSettings, complex_score, shift_columns, three_scores, turn_pair
from lessons.wording import aligned, angle_error, certain, column, complex_number, rotation, rounding, turns
from locales import _


def sentences(pair: PairSettings) -> tuple[str, ...]:
    """Say what one token more does, that only the distance counts, and how little a shift of both changes."""
    first, second, third = (f"`{score_text(pair, score, 9)}`" for score in three_scores(pair))
    _shift, rope, additive = shift_columns(*pair).values()
    return (
        step_sentence(pair),
        _(
            "One turn of both arrows together changes neither their lengths nor the angle between them, so only the distance "
            "m - n = {distance} counts. Three ways to compute the score from the same speed in float64 agree: {first}, {second}, {third}."
        ).format(first=first, second=second, third=third, distance=f"`{pair.m - pair.n:,}`"),
        _(
            "Shift both by 0 to 100 tokens: the score of RoPE varies by {rope} (rounding), "
            "with an added sinusoidal code of the same speed it varies by {additive}."
        ).format(rope=f"`{rounding(np.ptp(rope))}`", additive=f"`{np.ptp(additive):.4g}`"),
    )


def score_text(pair: PairSettings, score: float, digits: int, *, shift: int = 0) -> str:
    """Write a score with so many decimals, or with those that are right: a speed in float64 is off by more at a far position."""
    size = (math.hypot(*pair.q) + 1) * (math.hypot(*pair.k) + 1)  # the added code has length 1
    return certain(score, size * angle_error((pair.m + pair.n + 2 * shift) * pair.speed), digits)


def step_sentence(pair: PairSettings) -> str:
    """Say what one token more does."""
    return _("One token further turns the pair by {speed} rad, which is {degrees}°, and leaves the length of q at {length}.").format(
        speed=f"`{pair.speed:.6g}`", degrees=f"`{math.degrees(pair.speed):.6g}`", length=f"`{math.hypot(*pair.q):.6g}`"
    )


def turn_sentences(pair: PairSettings, positions: tuple[int, ...]) -> tuple[str, ...]:
    """Say how far q has turned at the last of some positions, and that equal steps are equal turns."""
    furthest = max(positions)
    full, rest = turns(furthest * pair.speed)
    return (
        _("At position {m} q has turned by {angle} rad: full turns: {turns}, and {rest}°.").format(
            m=f"`{furthest:,}`", angle=f"`{furthest * pair.speed:,.6g}`", turns=f"`{full:,}`", rest=f"`{rest}`"
        ),
        _("Equal steps are equal turns: from position 0 to 10 as from 1,000 to 1,010 the pair turns by {angle} rad.").format(
            angle=f"`{10 * pair.speed:.6g}`"
        ),
    )


def formula(pair: PairSettings) -> tuple[str, ...]:
    """Write the rotation of q as a matrix and as a complex number, and the score in three ways."""
    angle = pair.m * pair.speed
    turned = turn_pair(pair.q, pair.k, pair.speed, (pair.m,), (pair.n,)).q[0]
    product = complex_score(pair.q, pair.k, pair.speed, pair.m - pair.n)[0]
    first, second, third = (score_text(pair, score, 6) for score in three_scores(pair))
    start, turn, end = (complex_number(x) for x in (complex(*pair.q), complex(math.cos(angle), math.sin(angle)), complex(*turned)))
    return (
        aligned(rf"R_m\,q &= {ROTATION} q", rf"&= {_numbers(pair, pair.m)}"),
        aligned(
            r"q\,e^{\mathrm{i} m\theta} &= (q_1 + q_2\,\mathrm{i})(\cos m\theta + \mathrm{i}\sin m\theta)",
            rf"&= ({start})",
            rf"&\quad\cdot({turn})",
            rf"&= {end}",
        ),
        aligned(
            rf"\langle R_m q,\, R_n k\rangle &= {first}",
            rf"\langle R_{{m-n}}\,q,\, k\rangle &= {second}",
            rf"\mathrm{{Re}}\left(q\,\bar k\,e^{{\mathrm{{i}}(m-n)\theta}}\right) &= {third}",
            rf"q\,\bar k &= {complex_number(product)}",
        ),
    )


def positions_formula(pair: PairSettings, position: int) -> tuple[str, ...]:
    """Write the rotation of q to one position as a matrix."""
    return (aligned(rf"R_m\,q &= {ROTATION} q", rf"R_{{{position}}}\,q &= {_numbers(pair, position)}"),)


def shift_formula(pair: PairSettings, shift: int, score: float) -> tuple[str, ...]:
    """Write what becomes of the score when both positions shift by s, and then the formula without a shift."""
    return (
        aligned(
            r"\langle R_{m+s}\,q,\, R_{n+s}\,k\rangle &= \langle R_{m-n}\,q,\, k\rangle",
            rf"\langle R_{{{pair.m + shift}}}\,q,\, R_{{{pair.n + shift}}}\,k\rangle &= {score_text(pair, score, 6, shift=shift)}",
        ),
        *formula(pair),
    )


def _numbers(pair: PairSettings, position: int) -> str:
    turned = turn_pair(pair.q, pair.k, pair.speed, (position,), (0,)).q[0]
    return rf"{rotation(position * pair.speed)} {column(np.array(pair.q))} \\ &= {column(turned)}"


def code(pair: PairSettings, last_line: str) -> str:
    """Write PyTorch lines that rotate q and k and end in a line that sets ``result``."""
    return CODE.format(speed=pair.speed, m=pair.m, n=pair.n, q=list(pair.q), k=list(pair.k), last_line=last_line)


ROTATION = r"\begin{pmatrix}\cos m\theta & -\sin m\theta\\ \sin m\theta & \cos m\theta\end{pmatrix}"
CODE = """
import torch

theta, m, n = {speed!r}, {m}, {n}  # radians per token, positions of q and k
q = torch.tensor({q}, dtype=torch.float64)
k = torch.tensor({k}, dtype=torch.float64)

def rotate(x, position):
    angle = torch.tensor(position * theta, dtype=torch.float64)
    cos, sin = angle.cos(), angle.sin()
    return torch.stack((x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos))

score = rotate(q, m) @ rotate(k, n)
{last_line}
"""
