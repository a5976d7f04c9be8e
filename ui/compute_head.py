"""Cached calls of the core for a whole head, like those of ``ui/compute.py``; few matrices and tables are kept, of 4 MB at most."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from rope_core import RopeConfig, best_device
from ui.cached import cached

SHIFTS = (*range(101), 1000)
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
    """Give the two coordinates of every pair, ``(P, 2)``."""
    halves = rc.layout_permutation(config.rotary_dim).reshape(2, -1).T.numpy()  # coordinates 2i and 2i + 1
    return halves if config.layout == "interleaved" else np.stack((np.arange(config.pairs), np.arange(config.pairs) + config.pairs), -1)


def permutation(config: RopeConfig) -> ndarray:
    """Give the order of all coordinates that turns one layout into the other; those that do not turn keep their place."""
    return np.concatenate((rc.layout_permutation(config.rotary_dim).numpy(), np.arange(config.rotary_dim, config.head_dim)))


@cached
def matrices(config: RopeConfig, position: int) -> tuple[ndarray, ndarray]:
    """Write the rotation at one position as a matrix, in half and in interleaved layout."""
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


@cached
def shift_test(config: RopeConfig, distance: int) -> ShiftTest:
    """Score q = 1 .. d against k = d .. 1 in both layouts, and with the tables of one on the pairs of the other."""
    device = best_device()
    q = torch.arange(1, config.head_dim + 1, dtype=torch.float64, device=device)
    shifts = torch.tensor(SHIFTS, device=device)
    rows = [(vector.expand(len(shifts), -1), shifts + more) for vector, more in ((q, distance), (q.flip(0), 0))]
    half, interleaved = (_score(*(rc.rotate(*row, replace(config, layout=layout)) for row in rows)) for layout in LAYOUTS)
    mixed = _score(*(_rotate_mixed(*row, config) for row in rows))
    ones = _rotate_mixed(torch.ones(1, config.head_dim, dtype=torch.float64, device=device), shifts[1:2], config)
    return ShiftTest(np.array(SHIFTS), half, interleaved, mixed, float(ones.square().sum()))


def _score(q: torch.Tensor, k: torch.Tensor) -> ndarray:
    return (q * k).sum(-1).cpu().numpy()


def _rotate_mixed(x: torch.Tensor, positions: torch.Tensor, config: RopeConfig) -> torch.Tensor:
    """Make the mistake: each angle twice in a row, as interleaved pairs want it, and partners half the width apart."""
    wide = [table.repeat_interleave(2, -1) for table in rc.cos_sin(config, positions, dtype=torch.float64)]
    (cos_a, cos_b), (sin_a, sin_b) = (table.chunk(2, -1) for table in wide)
    a, b, rest = x.split((config.pairs, config.pairs, config.head_dim - config.rotary_dim), -1)
    return torch.cat((a * cos_a - b * sin_a, b * cos_b + a * sin_b, rest), -1)


class Tables(NamedTuple):
    """Rows are positions, columns coordinates: ``(S, D)`` each."""

    cos: ndarray
    sin: ndarray
    sinusoidal: ndarray


@cached
def tables(config: RopeConfig) -> Tables:
    """Tabulate what each coordinate is multiplied by, and the additive code of the same width and base, its sines first."""
    positions = torch.arange(POSITIONS, device=best_device())
    where = coordinates(config)
    filled = []
    for table, still in zip(rc.cos_sin(config, positions, dtype=torch.float64), (1.0, 0.0), strict=True):
        wide = np.full((POSITIONS, config.head_dim), still)
        for side in (0, 1):
            wide[:, where[:, side]] = table.cpu().numpy()
        filled.append(wide)
    speeds = rc.geometric_frequencies(config.head_dim, config.base, device=positions.device)
    code = rc.sinusoidal_encoding(positions, speeds)[:, rc.layout_permutation(config.head_dim, device=positions.device)]
    return Tables(*filled, code.cpu().numpy())


@cached
def both_orders(config: RopeConfig, seed: int, position: int) -> tuple[ndarray, ndarray]:
    """Rotate one vector as halves and as interleaved pairs, each in the order of its layout."""
    interleaved = replace(config, layout="interleaved")
    before, after, _ = turn_head(interleaved, seed, position)
    x = torch.from_numpy(before[permutation(config)][None]).to(best_device())
    half = rc.rotate(x, torch.tensor([position], device=x.device), replace(config, layout="half"))
    return half[0].cpu().numpy(), after
