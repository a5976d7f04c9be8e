"""Cached calls of the core about the speeds of pairs and the laws that give them, like those of ``ui/compute.py``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from rope_core import RopeConfig, best_device
from ui.cached import cached, one_at_a_time
from ui.compute import log_bins

LAWS_REACH = 10_000


@cached
def coverage(config: RopeConfig) -> ndarray:
    """Give the share of its circle that each pair sweeps within the trained length."""
    return rc.angle_coverage(rc.inverse_frequencies(config, device=best_device()), config.trained_length).cpu().numpy()


def turn_lengths(config: RopeConfig) -> ndarray:
    """Give the tokens of one turn of every pair, infinite for one that stands still."""
    return rc.wavelengths(config, device=best_device()).cpu().numpy()


@cached
def wavelengths(head_dim: int, bases: tuple[float, ...]) -> ndarray:
    """Give the tokens of one turn, a row a base and a column a pair."""
    return np.stack([rc.wavelengths(RopeConfig(head_dim, base=base), device=best_device()).cpu().numpy() for base in bases])


@cached
@one_at_a_time(lambda config, equal_speed, tokens: 2 * tokens * config.pairs)
def mean_cosines(config: RopeConfig, equal_speed: float, tokens: int) -> tuple[ndarray, ndarray]:
    """Average the cosines of all pairs at distances 0 .. ``tokens`` - 1: with one speed for all, and with the speeds of the head."""
    constant = rc.constant_frequencies(config.rotary_dim, equal_speed, device=best_device())
    speeds = (constant, rc.inverse_frequencies(config, device=constant.device))
    equal, own = (rc.score_curve(_weights(law), law, tokens).cpu().numpy() for law in speeds)
    return equal, own


class Law(NamedTuple):
    """Mean cosine of all pairs under one law: its exact range in bins of distances, and the whole curve from distance 0 on."""

    low: ndarray
    high: ndarray
    curve: ndarray


@cached
@one_at_a_time()
def laws(config: RopeConfig) -> dict[str, Law]:
    """Compare laws over distances up to ``LAWS_REACH``: geometric, linear from 1 to the same slowest speed, and constant."""
    geometric = rc.inverse_frequencies(config, device=best_device())
    linear = rc.linear_frequencies(config.rotary_dim, float(geometric[-1]), device=geometric.device)
    constant = rc.constant_frequencies(config.rotary_dim, 1.0, device=geometric.device)
    edges = torch.from_numpy(log_bins(LAWS_REACH)).to(geometric.device)
    answers = {}
    for name, law in (("geometric", geometric), ("linear", linear), ("constant", constant)):
        bins = (x.cpu().numpy() for x in rc.score_envelope(_weights(law), law, edges))
        answers[name] = Law(*bins, rc.score_curve(_weights(law), law, LAWS_REACH + 1).cpu().numpy())
    return answers


def _weights(law: torch.Tensor) -> torch.Tensor:
    return torch.full_like(law, 1 / len(law), dtype=torch.complex128)
