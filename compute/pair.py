"""One pair of coordinates of q and k: rotated vectors and their scores."""

from __future__ import annotations

from typing import NamedTuple

import torch
from numpy import ndarray

import rope_core as rc
from compute.store import cached
from rope_core import RopeConfig, best_device

Vector = tuple[float, ...]


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
