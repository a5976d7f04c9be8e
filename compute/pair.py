"""One pair of coordinates of q and k: rotated vectors and their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.store import cached
from rope_core import RopeConfig, best_device

Vector = tuple[float, ...]
SHIFTS = 101
"""Shifts of both tokens, from 0."""


class PairSettings(NamedTuple):
    """Two vectors of one pair, their positions, and the speed of the pair in radians per token."""

    q: Vector
    k: Vector
    m: int
    n: int
    speed: float


class Turned(NamedTuple):
    """One pair of coordinates of q and k, rotated to several positions each, ``(positions, 2)``, and their scores."""

    q: ndarray
    k: ndarray
    score: ndarray


@cached
def turn_pair(q: Vector, k: Vector, speed: float, q_positions: Vector, k_positions: Vector) -> Turned:
    """Rotate a pair by ``speed`` radians per token."""
    device = best_device()
    rotated = []
    for vector, positions in ((q, q_positions), (k, k_positions)):
        angles = torch.tensor(positions, dtype=torch.float64, device=device).unsqueeze(-1) * speed  # (S, 1)
        rows = torch.tensor(vector, dtype=torch.float64, device=device).expand(len(positions), 2)
        rotated.append(rc.apply_rotation(rows, angles.cos(), angles.sin(), layout="half"))
    q_rotated, k_rotated = rotated
    return Turned(q_rotated.cpu().numpy(), k_rotated.cpu().numpy(), (q_rotated * k_rotated).sum(-1).cpu().numpy())


@cached
def complex_score(q: Vector, k: Vector, speed: float, distance: int) -> tuple[complex, float]:
    """Return q conj(k), the pairs as complex numbers, and the score that follows from it at a distance."""
    device = best_device()
    q_tensor, k_tensor = (torch.tensor(x, dtype=torch.float64, device=device) for x in (q, k))
    product = rc.phasors(q_tensor, k_tensor, RopeConfig(2))
    inv_freq = torch.tensor([speed], dtype=torch.float64, device=device)
    return complex(product[0]), float(rc.score_curve(product, inv_freq, 1, start=distance)[0])


@cached
def additive_scores(q: Vector, k: Vector, speed: float, q_positions: Vector, k_positions: Vector) -> ndarray:
    """Return the scores of q and k with the sinusoidal code of the same speed added to them instead of a rotation."""
    device = best_device()
    inv_freq = torch.tensor([speed], dtype=torch.float64, device=device)
    coded = [
        torch.tensor(vector, dtype=torch.float64, device=device)
        + rc.sinusoidal_encoding(torch.tensor(positions, dtype=torch.int64, device=device), inv_freq)
        for vector, positions in ((q, q_positions), (k, k_positions))
    ]
    return (coded[0] * coded[1]).sum(-1).cpu().numpy()


def plane_columns(q: Vector, k: Vector, m: int, n: int, speed: float) -> dict[str, ndarray]:
    """Return q and k, before and after rotation."""
    turned = turn_pair(q, k, speed, (m,), (n,))
    return {"q_before": np.array(q), "k_before": np.array(k), "q_after": turned.q[0], "k_after": turned.k[0]}


def position_columns(q: Vector, speed: float, positions: tuple[int, ...]) -> dict[str, ndarray]:
    """Return q, rotated to several positions."""
    turned = turn_pair(q, q, speed, positions, positions)
    return {"position": np.array(positions), "q_first": turned.q[:, 0], "q_second": turned.q[:, 1]}


def shift_columns(q: Vector, k: Vector, m: int, n: int, speed: float) -> dict[str, ndarray]:
    """Return the scores of q and k while both shift: rotated, and with a sinusoidal code added instead."""
    at_q, at_k = tuple(range(m, m + SHIFTS)), tuple(range(n, n + SHIFTS))
    scores = {"score_rope": turn_pair(q, k, speed, at_q, at_k).score, "score_additive": additive_scores(q, k, speed, at_q, at_k)}
    return {"shift": np.arange(SHIFTS)} | scores


def three_scores(pair: PairSettings) -> tuple[float, float, float]:
    """Compute the score from both rotated vectors, from one rotated by the difference, and from complex numbers."""
    q, k, m, n, speed = pair
    each, one = (turn_pair(q, k, speed, (at_q,), (at_k,)).score[0] for at_q, at_k in ((m, n), (m - n, 0)))
    return float(each), float(one), complex_score(q, k, speed, m - n)[1]
