"""Cached calls of the core for the page about context extension, as in ``ui/compute.py``: frozen settings in, numpy arrays out."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from rope_core import Llama3Scaling, RopeConfig, Scaling, YarnScaling, best_device
from ui.cached import cached, one_at_a_time
from ui.compute import log_bins, log_integers


@cached
def speeds(config: RopeConfig, length: int) -> ndarray:
    """Give the radians per token of every pair in a text of ``length`` tokens."""
    return rc.inverse_frequencies(config, length, device=best_device()).cpu().numpy()


@cached
def coverage(config: RopeConfig, length: int) -> ndarray:
    """Give the share of its circle that every pair sweeps in a text of ``length`` tokens."""
    return rc.angle_coverage(rc.inverse_frequencies(config, length, device=best_device()), length).cpu().numpy()


@cached
def kept(config: RopeConfig) -> ndarray | None:
    """Give the share of every speed that a method with bands keeps; None for one without bands."""
    scaling = config.scaling
    return scaling.kept(config).numpy() if isinstance(scaling, YarnScaling | Llama3Scaling) else None


class Curve(NamedTuple):
    """The exact range of the score of q = k = ones in bins of distances, and the score at distance 0."""

    distances: ndarray
    low: ndarray
    high: ndarray
    at_zero: float


@cached
@one_at_a_time(lambda config, length, trained: length * config.pairs)
def score_curve(config: RopeConfig, length: int, trained: int) -> Curve:
    """Give the score at distances 1 .. ``length`` - 1 in a text of ``length`` tokens; no bin holds distances of both sides of ``trained``.

    A text of one token has no such distance, and no bins.
    """
    ones = torch.ones(config.head_dim, dtype=torch.float64, device=best_device())
    z, inv_freq = rc.phasors(ones, ones, config, seq_len=length), rc.inverse_frequencies(config, length, device=ones.device)
    still = float(rc.passthrough_score(ones, ones, config))
    zero = float(rc.score_curve(z, inv_freq, 1)[0]) + still
    if length < 2:
        return Curve(*np.empty((3, 0)), zero)
    edges = log_bins(length - 1, bins=600)
    edges = np.union1d(edges, [trained]) if 1 < trained < length else edges
    low, high = rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device))
    return Curve((edges[:-1] + edges[1:] - 1) / 2, low.cpu().numpy() + still, high.cpu().numpy() + still, zero)


@cached
@one_at_a_time(lambda config, length, cached, keys: len(keys) * config.head_dim)
def cached_scores(config: RopeConfig, length: int, cached: int, keys: tuple[int, ...]) -> tuple[ndarray, ndarray]:
    """Score a query at the last position of a text of ``length`` tokens against keys at some positions, q = k = ones.

    Returns:
        With keys turned by the table of the query, and with keys that carry the table of a text of ``cached`` tokens.
    """
    device, config = best_device(), replace(config, layout="half")  # ones score alike in both layouts, but for the order of the sum
    ones = torch.ones(len(keys), config.head_dim, dtype=torch.float64, device=device)
    at = torch.tensor(keys, dtype=torch.int64, device=device)
    query = rc.rotate(ones[:1], at.new_tensor([length - 1]), config, seq_len=length)[0]
    fresh, stale = (rc.rotate(ones, at, config, seq_len=table) @ query for table in (length, cached))
    return fresh.cpu().numpy(), stale.cpu().numpy()


@cached
def slowest_speeds(config: RopeConfig, length: int, *, points: int = 120) -> tuple[ndarray, ndarray]:
    """Give lengths from 1 to ``length``, the trained one and the next among them, and the speed of the last pair in each."""
    trained = config.trained_length
    near = [at for at in (trained, trained + 1) if at <= length]
    lengths = np.union1d(log_integers(length, points), near).astype(np.int64)
    return lengths, np.array([float(rc.inverse_frequencies(config, at)[-1]) for at in lengths.tolist()])


@cached
def magnitudes(methods: tuple[Scaling, ...], head: RopeConfig, length: int) -> ndarray:
    """Give A of many methods, such as one at many stretches."""
    return np.array([method.magnitude(head, length) for method in methods])
