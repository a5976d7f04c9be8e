"""The numbers of a pair: rotated vectors, and the scores of q and k in three ways and at all shifts."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from compute.pair import Vector, additive_scores, complex_score, turn_pair
from lessons.view import Columns

MOST = 100
"""The largest shift that is shown."""


@dataclass(frozen=True, kw_only=True)
class PairSettings:
    """Two vectors of one pair, their positions, and the speed of the pair in radians per token."""

    q: Vector
    k: Vector
    m: int
    n: int
    speed: float

    @property
    def values(self) -> dict[str, object]:
        """The values by name."""
        return asdict(self)


def plane_columns(q: Vector, k: Vector, speed: float, m: int, n: int) -> Columns:
    """Return q and k, before and after rotation."""
    turned = turn_pair(q, k, speed, (m,), (n,))
    return {"q_before": q, "k_before": k, "q_after": turned.q[0], "k_after": turned.k[0]}


def position_columns(q: Vector, speed: float, positions: list[int]) -> Columns:
    """Return q, rotated to several positions."""
    turned = turn_pair(q, q, speed, tuple(positions), tuple(positions))
    return {"position": positions, "q_first": turned.q[:, 0], "q_second": turned.q[:, 1]}


def shift_columns(q: Vector, k: Vector, speed: float, m: int, n: int, most: int) -> Columns:
    """Return the scores of q and k while both shift by 0 to ``most`` tokens: rotated, and with a sinusoidal code added instead."""
    at_q, at_k = tuple(range(m, m + most + 1)), tuple(range(n, n + most + 1))
    return {
        "shift": np.arange(most + 1),
        "score_rope": turn_pair(q, k, speed, at_q, at_k).score,
        "score_additive": additive_scores(q, k, speed, at_q, at_k),
    }


def three_scores(pair: PairSettings) -> tuple[float, float, float]:
    """Compute the score from both rotated vectors, from one rotated by the difference, and from complex numbers."""
    distance = pair.m - pair.n
    each = turn_pair(pair.q, pair.k, pair.speed, (pair.m,), (pair.n,)).score[0]
    one = turn_pair(pair.q, pair.k, pair.speed, (distance,), (0,)).score[0]
    return float(each), float(one), complex_score(pair.q, pair.k, pair.speed, distance)[1]
