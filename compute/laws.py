"""Laws that give the speeds of pairs, compared: mean cosines at all distances."""

from __future__ import annotations

from typing import NamedTuple

import torch
from numpy import ndarray

import rope_core as rc
from compute.bins import log_bins
from compute.store import cached, one_at_a_time
from rope_core import RopeConfig, best_device

LAWS_REACH = 10_000


@cached
@one_at_a_time(lambda config, equal_speed, tokens: 2 * tokens * config.pairs)
def mean_cosines(config: RopeConfig, equal_speed: float, tokens: int) -> tuple[ndarray, ndarray]:
    """Return the mean cosine of all pairs at distances 0 .. ``tokens`` - 1: with one speed for all, and with the speeds of the head."""
    constant = rc.constant_frequencies(config.rotary_dim, equal_speed, device=best_device())
    speeds = (constant, rc.inverse_frequencies(config, device=constant.device))
    equal, own = (rc.score_curve(equal_weights(law), law, tokens).cpu().numpy() for law in speeds)
    return equal, own


class Law(NamedTuple):
    """Mean cosine of all pairs under one law: its exact range in bins of distances, and the whole curve from distance 0 on."""

    low: ndarray
    high: ndarray
    curve: ndarray


@cached
@one_at_a_time(lambda config: 6 * LAWS_REACH * config.pairs)
def laws(config: RopeConfig) -> dict[str, Law]:
    """Compare laws at distances up to ``LAWS_REACH``: geometric, linear from 1 to the same slowest speed, and constant."""
    geometric = rc.inverse_frequencies(config, device=best_device())
    linear = rc.linear_frequencies(config.rotary_dim, float(geometric[-1]), device=geometric.device)
    constant = rc.constant_frequencies(config.rotary_dim, 1.0, device=geometric.device)
    edges = torch.from_numpy(log_bins(LAWS_REACH)).to(geometric.device)
    answers = {}
    for name, law in (("geometric", geometric), ("linear", linear), ("constant", constant)):
        weights = equal_weights(law)
        low, high = (x.cpu().numpy() for x in rc.score_envelope(weights, law, edges))
        answers[name] = Law(low, high, rc.score_curve(weights, law, LAWS_REACH + 1).cpu().numpy())
    return answers


def equal_weights(law: torch.Tensor) -> torch.Tensor:
    """Return phasors whose score is the mean cosine of all pairs."""
    return torch.full_like(law, 1 / len(law), dtype=torch.complex128)
