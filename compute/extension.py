"""What a method of context extension does to a head: unseen angles, shares that are kept, attention factors, scores, cached keys.

``config`` is a head with its method; the same head without it is the one that was trained, on ``config.trained_length`` tokens.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.bins import log_bins, log_integers
from compute.speeds import coverage, ratios, speeds, wavelengths
from compute.store import cached, one_at_a_time
from rope_core import LongRopeScaling, RopeConfig, YarnScaling, best_device


@cached
def kept(config: RopeConfig) -> ndarray | None:
    """Return the share of every speed that a method with bands keeps; None for one without bands."""
    return config.scaling.kept(config).numpy() if isinstance(config.scaling, rc.YarnScaling | rc.Llama3Scaling) else None


@cached
def bands(config: RopeConfig, length: int, other: RopeConfig | None) -> dict[str, ndarray]:
    """Return wavelength in training and share of the speed that is left, by pair; ``other`` has the same bands and the other ramp."""
    share = kept(config)
    columns = {"pair": np.arange(config.pairs), "wavelength": wavelengths(replace(config, scaling=None))}
    columns["share"] = ratios(config, length) if share is None else share
    against = None if other is None else kept(other)
    return columns if against is None else columns | {"share_of_the_other_ramp": against}


@cached
def unseen_angles(config: RopeConfig, length: int) -> dict[str, ndarray]:
    """Return the share of its circle that every pair sweeps in training and in a text of ``length`` tokens, and what of it is new.

    A pair counts only if it goes more than one of its own steps beyond training: a circle that is closed but for a step was seen whole.
    """
    head, trained = replace(config, scaling=None), config.trained_length
    plain, inv_freq = speeds(head), speeds(config, length)
    seen, met = coverage(head), coverage(config, length)
    return {
        "pair": np.arange(config.pairs),
        "seen": seen,
        "met": met,
        "unseen": np.where(met - seen > plain / (2 * math.pi) * (1 + 1e-9), met - seen, 0.0),
        "met_without_method": coverage(head, length),
        "turns_in_training": (trained - 1) * plain / (2 * math.pi),
        "turns_at_target": (length - 1) * inv_freq / (2 * math.pi),
    }


@cached
def attention_factors(
    methods: tuple[tuple[str, YarnScaling | LongRopeScaling], ...], head: RopeConfig, top: float, points: int
) -> dict[str, ndarray]:
    """Return A and its square at stretches from 1 to ``top``, even on a log axis, for some methods by name; A is one at all lengths."""
    stretch = np.geomspace(1, top, points)
    factors = {
        name: np.array([replace(method, factor=factor).attention_factor_for(head, None) for factor in stretch.tolist()])
        for name, method in methods
    }
    squares = {f"A_squared_{name}": factor**2 for name, factor in factors.items()}
    return {"stretch": stretch} | {f"A_{name}": factor for name, factor in factors.items()} | squares


class Curve(NamedTuple):
    """The exact range of the score of q = k = ones in bins of distances, and the score at distance 0."""

    distances: ndarray
    low: ndarray
    high: ndarray
    at_zero: float


@cached
@one_at_a_time(lambda config, length: length * config.pairs)
def score_curve(config: RopeConfig, length: int) -> Curve:
    """Return the score at distances 1 .. ``length`` - 1 in a text of ``length`` tokens; a text of one token has none.

    No bin holds distances of both sides of the trained length.
    """
    trained = config.trained_length
    ones = torch.ones(config.head_dim, dtype=torch.float64, device=best_device())
    z, inv_freq = rc.phasors(ones, ones, config, seq_len=length), rc.inverse_frequencies(config, length, device=ones.device)
    constant = float(rc.passthrough_score(ones, ones, config))
    zero = float(rc.score_curve(z, inv_freq, 1)[0]) + constant
    if length < 2:
        return Curve(np.empty(0), np.empty(0), np.empty(0), zero)
    edges = log_bins(length - 1, bins=600)
    edges = np.union1d(edges, [trained]) if 1 < trained < length else edges
    low, high = rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device))
    return Curve((edges[:-1] + edges[1:] - 1) / 2, low.cpu().numpy() + constant, high.cpu().numpy() + constant, zero)


def curve_columns(config: RopeConfig, length: int) -> dict[str, ndarray]:
    """Return the range of the score in every bin, with the method and without."""
    new, plain = score_curve(config, length), score_curve(replace(config, scaling=None), length)
    if not len(new.distances):
        return {"distance": np.zeros(1), "score": np.array([new.at_zero])}
    columns = {"distance": new.distances, "lowest": new.low, "highest": new.high}
    return columns | {"lowest_unscaled": plain.low, "highest_unscaled": plain.high}


@cached
@one_at_a_time(lambda config, length, table, keys: len(keys) * config.head_dim)
def cached_scores(config: RopeConfig, length: int, table: int, keys: tuple[int, ...]) -> tuple[ndarray, ndarray]:
    """Score a query at the last position of a text of ``length`` tokens against keys at some positions, q = k = ones.

    Returns:
        With keys turned by the table of the query, and with keys that carry the table of a text of ``table`` tokens.
    """
    device, config = best_device(), replace(config, layout="half")  # ones score alike in both layouts, but for the order of the sum
    one = torch.ones(1, config.head_dim, dtype=torch.float64, device=device)
    at = torch.tensor(keys, dtype=torch.int64, device=device)
    query = rc.rotate(one, at.new_tensor([length - 1]), config, seq_len=length)[0]
    fresh, stale = (rc.rotate(one.expand(len(keys), -1), at, config, seq_len=each) @ query for each in (length, table))
    return fresh.cpu().numpy(), stale.cpu().numpy()


@cached
def slowest_speeds(config: RopeConfig, length: int, *, points: int = 120) -> tuple[ndarray, ndarray]:
    """Return lengths from 1 to ``length``, the trained one and the next among them, and the speed of the last pair in each."""
    trained = config.trained_length
    near = [at for at in (trained, trained + 1) if at <= length]
    lengths = np.union1d(log_integers(length, points), near).astype(np.int64)
    if config.scaling is None or not config.scaling.length_dependent:
        return lengths, np.full(len(lengths), float(rc.inverse_frequencies(config)[-1]))
    return lengths, np.array([float(rc.inverse_frequencies(config, at)[-1]) for at in lengths.tolist()])


def decode_columns(config: RopeConfig, length: int, table: int, *, growing: bool, keys: int = 160) -> dict[str, ndarray]:
    """Return scores of the last token by the distance to some keys, and the speed of the slowest pair while the text grows."""
    query = length - 1
    distance = log_integers(query, keys) if query else np.empty(0, dtype=np.int64)
    fresh, stale = cached_scores(config, length, table, tuple((query - distance).tolist()))
    lengths, slowest = slowest_speeds(config, length)
    columns = {"distance": distance, "score_one_table": fresh} | ({"score_cached_key": stale} if growing else {})
    return columns | {"length": lengths, "slowest_over_trained": slowest / float(speeds(replace(config, scaling=None))[-1])}
