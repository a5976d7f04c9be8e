"""A whole head: a rotated vector, rotation matrices, tables of cos and sin, both layouts."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.store import cached
from rope_core import RopeConfig, best_device

POSITIONS = 128
LAYOUTS: tuple[rc.Layout, ...] = ("half", "interleaved")


class Turned(NamedTuple):
    """One vector of full width, before and after, and the two coordinates of every pair, ``(P, 2)``."""

    before: ndarray
    after: ndarray
    coordinates: ndarray


@cached
def turn_head(config: RopeConfig, seed: int, position: int) -> Turned:
    """Rotate a Gaussian vector; it is drawn on the CPU, so that every device sees the same."""
    x = torch.randn(1, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(best_device())
    turned = rc.rotate(x, torch.tensor([position], device=x.device), config)
    return Turned(x[0].cpu().numpy(), turned[0].cpu().numpy(), coordinates(config))


def coordinates(config: RopeConfig) -> ndarray:
    """Return the two coordinates of every pair, ``(P, 2)``."""
    halves = rc.layout_permutation(config.rotary_dim).reshape(2, -1).T.numpy()  # coordinates 2i and 2i + 1
    return halves if config.layout == "interleaved" else np.stack((np.arange(config.pairs), np.arange(config.pairs) + config.pairs), -1)


def permutation(config: RopeConfig) -> ndarray:
    """Return the order of all coordinates that converts interleaved to half layout; coordinates that do not turn keep their place."""
    return np.concatenate((rc.layout_permutation(config.rotary_dim).numpy(), np.arange(config.rotary_dim, config.head_dim)))


@cached
def matrices(config: RopeConfig, position: int) -> tuple[ndarray, ndarray]:
    """Return the rotation at one position as a matrix, in half and in interleaved layout."""
    half, interleaved = (
        rc.rotation_matrix(replace(config, layout=layout), position, device=best_device()).cpu().numpy() for layout in LAYOUTS
    )
    return half, interleaved


class ShiftTest(NamedTuple):
    """Scores at a fixed distance while both positions shift, and the squared lengths of a mixed rotation of ones."""

    shifts: ndarray
    half: ndarray
    interleaved: ndarray
    mixed: ndarray
    squared_length: float


def score_rows(q: torch.Tensor, k: torch.Tensor) -> ndarray:
    """Return the dot product of each row of q with that of k."""
    return (q * k).sum(-1).cpu().numpy()


def rotate_mixed(x: torch.Tensor, positions: torch.Tensor, config: RopeConfig) -> torch.Tensor:
    """Make the mistake: each angle twice in a row, as interleaved layout needs it, and partners half the width apart, as in half layout."""
    wide = [table.repeat_interleave(2, -1) for table in rc.cos_sin(config, positions, dtype=torch.float64)]
    (cos_a, cos_b), (sin_a, sin_b) = (table.chunk(2, -1) for table in wide)
    a, b = x[..., : config.pairs], x[..., config.pairs : config.rotary_dim]
    return torch.cat((a * cos_a - b * sin_a, b * cos_b + a * sin_b, x[..., config.rotary_dim :]), -1)


@cached
def shift_test(config: RopeConfig, distance: int) -> ShiftTest:
    """Score q = 1 .. d and k = d .. 1 at shifts 0 to 100 and 1,000: in both layouts, and with the two layouts mixed."""
    device = best_device()
    q = torch.arange(1, config.head_dim + 1, dtype=torch.float64, device=device)
    shifts = torch.tensor((*range(101), 1000), device=device)
    rows = [(vector.expand(len(shifts), -1), shifts + more) for vector, more in ((q, distance), (q.flip(0), 0))]
    half, interleaved = (score_rows(*(rc.rotate(*row, replace(config, layout=layout)) for row in rows)) for layout in LAYOUTS)
    mixed = score_rows(*(rotate_mixed(*row, config) for row in rows))
    ones = rotate_mixed(torch.ones(1, config.head_dim, dtype=torch.float64, device=device), shifts[1:2], config)
    return ShiftTest(shifts.cpu().numpy(), half, interleaved, mixed, float(ones.square().sum()))


class Tables(NamedTuple):
    """What each coordinate is multiplied by, or has added to it: ``(S, D)`` each, rows are positions and columns coordinates."""

    cos: ndarray
    sin: ndarray
    sinusoidal: ndarray


@cached
def tables(config: RopeConfig) -> Tables:
    """Tabulate cos and sin of each coordinate, and the additive code of the same width and base, its sines first."""
    positions = torch.arange(POSITIONS, device=best_device())
    where = coordinates(config)
    cos, sin = np.ones((POSITIONS, config.head_dim)), np.zeros((POSITIONS, config.head_dim))  # 1 and 0 where a coordinate does not turn
    for wide, table in zip((cos, sin), rc.cos_sin(config, positions, dtype=torch.float64), strict=True):
        for side in (0, 1):
            wide[:, where[:, side]] = table.cpu().numpy()
    speeds = rc.geometric_frequencies(config.head_dim, config.base, device=positions.device)
    code = rc.sinusoidal_encoding(positions, speeds)[:, rc.layout_permutation(config.head_dim, device=positions.device)]
    return Tables(cos, sin, code.cpu().numpy())


@cached
def both_orders(config: RopeConfig, seed: int, position: int) -> tuple[ndarray, ndarray]:
    """Rotate one vector as halves and as interleaved pairs, each in the order of its layout."""
    interleaved = replace(config, layout="interleaved")
    before, after, _ = turn_head(interleaved, seed, position)
    x = torch.from_numpy(before[permutation(config)][None]).to(best_device())
    half = rc.rotate(x, torch.tensor([position], device=x.device), replace(config, layout="half"))
    return half[0].cpu().numpy(), after
