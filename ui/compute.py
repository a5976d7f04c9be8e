"""Cached calls of the core, on the device that the server has; plain numbers and frozen settings in, numpy arrays out.

The language is never an argument: nothing here speaks. How much is kept, and for how long: ``ui/cached.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from rope_core import RopeConfig, best_device
from ui.cached import cached, one_at_a_time
from ui.heads import current_config as current_config
from ui.heads import model_config as model_config
from ui.heads import partial_config as partial_config
from ui.heads import rotated_width as rotated_width
from ui.heads import scaled_config as scaled_config

Vector = tuple[float, ...]
RANDOM_PAIRS = 256


def speeds(config: RopeConfig) -> ndarray:
    """Give the radians per token of every pair, fastest first."""
    return rc.inverse_frequencies(config, device=best_device()).cpu().numpy()


def magnitude(config: RopeConfig) -> float:
    """Give A, which multiplies cos and sin."""
    return rc.attention_factor(config)


def angles(speeds_of_hands: ndarray, positions: ndarray) -> ndarray:
    """Give position times speed, ``(positions, hands)`` radians."""
    return np.multiply.outer(positions.astype(np.float64), speeds_of_hands)


class Turned(NamedTuple):
    """One pair of coordinates of q and k, turned, at several positions each: ``(positions, 2)``, and their scores."""

    q: ndarray
    k: ndarray
    score: ndarray


@cached
def turn_pair(q: Vector, k: Vector, speed: float, q_positions: Vector, k_positions: Vector) -> Turned:
    """Rotate a pair that turns by ``speed`` radians per token."""
    device = best_device()
    turned = []
    for vector, positions in ((q, q_positions), (k, k_positions)):
        table = torch.tensor(positions, dtype=torch.float64, device=device).unsqueeze(-1) * speed  # (S, 1)
        row = torch.tensor(vector, dtype=torch.float64, device=device).expand(len(positions), 2)
        turned.append(rc.apply_rotation(row, table.cos(), table.sin(), layout="half"))
    return Turned(*(x.cpu().numpy() for x in turned), (turned[0] * turned[1]).sum(-1).cpu().numpy())


@cached
def complex_score(q: Vector, k: Vector, speed: float, distance: int) -> tuple[complex, float]:
    """Give q conj(k) of one pair as complex numbers, and the score that it gives at a distance."""
    device = best_device()
    q_tensor, k_tensor = (torch.tensor(x, dtype=torch.float64, device=device) for x in (q, k))
    product = rc.phasors(q_tensor, k_tensor, RopeConfig(2))
    inv_freq = torch.tensor([speed], dtype=torch.float64, device=device)
    return complex(product[0]), float(rc.score_curve(product, inv_freq, 1, start=distance)[0])


@cached
def additive_scores(q: Vector, k: Vector, speed: float, q_positions: Vector, k_positions: Vector) -> ndarray:
    """Score q and k with the sinusoidal code of the same speed added to them instead of a rotation."""
    device = best_device()
    inv_freq = torch.tensor([speed], dtype=torch.float64, device=device)
    coded = [
        torch.tensor(vector, dtype=torch.float64, device=device)
        + rc.sinusoidal_encoding(torch.tensor(positions, dtype=torch.int64, device=device), inv_freq)
        for vector, positions in ((q, q_positions), (k, k_positions))
    ]
    return (coded[0] * coded[1]).sum(-1).cpu().numpy()


@cached
def head_vectors(config: RopeConfig, kind: str, peak: int, q_typed: Vector, k_typed: Vector) -> tuple[ndarray, ndarray]:
    """Make the q and k of the decay page: ones, a key whose score peaks at a distance, or typed numbers, repeated to the width."""
    if kind == "typed":
        q, k = (np.resize(np.array(values), config.head_dim) for values in (q_typed, k_typed))
        return q, k
    ones = torch.ones(config.head_dim, dtype=torch.float64, device=best_device())
    # Re sum |z_i|^2 exp(1j (distance - peak) theta_i) is largest where every term is: at the distance of the peak.
    # Turned without A: the key stands before the rotation, which multiplies it by A like any other.
    turn = rc.inverse_frequencies(config, device=ones.device) * (peak if kind == "peak" else 0)
    return ones.cpu().numpy(), rc.apply_rotation(ones, turn.cos(), turn.sin(), layout=config.layout).cpu().numpy()


class Band(NamedTuple):
    """The exact range of the score in bins of distances, and single numbers.

    Scores at distance 0 and at the end; what turning pairs would add if they agreed; what coordinates that do not turn add at every one.
    """

    distances: ndarray
    low: ndarray
    high: ndarray
    at_zero: float
    at_end: float
    ceiling: float
    constant: float


@cached
@one_at_a_time(lambda config, q, k, reach: reach * config.pairs)
def score_band(config: RopeConfig, q: Vector, k: Vector, reach: int) -> Band:
    """Give the envelope of the score over distances 1 .. ``reach`` in bins that are even on a log axis."""
    z, inv_freq, constant = _phasors(config, q, k)
    edges = log_bins(reach)
    low, high = (side + constant for side in rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device)))
    # A bin of one distance stands at that distance, a wider one at its middle.
    middle = (edges[:-1] + edges[1:] - 1) / 2
    zero, end = (float(rc.score_curve(z, inv_freq, 1, start=distance)[0]) + constant for distance in (0, reach))
    return Band(middle, low.cpu().numpy(), high.cpu().numpy(), zero, end, float(z.abs().sum()), constant)


@cached
@one_at_a_time(lambda config, reach: reach * config.pairs)
def first_negative(config: RopeConfig, reach: int) -> int | None:
    """Give the first distance up to ``reach`` at which the score of all ones is below 0."""
    if config.rotary_dim == config.head_dim:
        return rc.first_negative(rc.inverse_frequencies(config, device=best_device()), reach + 1)
    # Coordinates that do not turn lift the whole curve: look for the first bin that is lifted too little, and then into it.
    z, inv_freq, constant = _phasors(config, *((1.0,) * config.head_dim,) * 2)
    edges = log_bins(reach)
    low, _ = rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device))
    bins = (low + constant < 0).nonzero()
    if not len(bins):
        return None
    start, stop = edges[int(bins[0])], edges[int(bins[0]) + 1]
    inside = rc.score_curve(z, inv_freq, int(stop - start), start=int(start)) + constant < 0
    return int(start) + int(inside.nonzero()[0])


class Ensemble(NamedTuple):
    """Mean and standard deviation of the scores of many random q and k at some distances."""

    distances: ndarray
    mean: ndarray
    spread: ndarray


@cached
@one_at_a_time(lambda config, reach, seed, *, points=200: RANDOM_PAIRS * points * config.pairs)
def random_scores(config: RopeConfig, reach: int, seed: int, *, points: int = 200) -> Ensemble:
    """Score independent Gaussian q and k at log-spaced integer distances; drawn on the CPU, so that every device sees the same."""
    q, k = torch.randn(2, RANDOM_PAIRS, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(
        best_device()
    )
    distances = torch.from_numpy(log_integers(reach, points)).to(q.device)
    scores = rc.score_at(rc.phasors(q, k, config), rc.inverse_frequencies(config, device=q.device), distances)
    scores = scores + rc.passthrough_score(q, k, config).unsqueeze(-1)
    return Ensemble(distances.double().cpu().numpy(), scores.mean(0).cpu().numpy(), scores.std(0).cpu().numpy())


class Bounds(NamedTuple):
    """RoFormer's bound on what turning pairs add, in score units, and its relative curve, at some distances."""

    distances: ndarray
    bound: ndarray
    relative: ndarray


@cached
def bounds(config: RopeConfig, q: Vector, k: Vector, reach: int, *, points: int = 400) -> Bounds:
    """Compute both curves at log-spaced integer distances."""
    z, inv_freq, _ = _phasors(config, q, k)
    at = torch.from_numpy(log_integers(reach, points)).to(inv_freq.device)
    return Bounds(at.double().cpu().numpy(), rc.score_bound(z, inv_freq, at).cpu().numpy(), rc.decay_bound(inv_freq, at).cpu().numpy())


class Spectrum(NamedTuple):
    """Exact lines of the score curve, and the Fourier transform of a stretch of it, without its mean."""

    line_speeds: ndarray
    line_amplitudes: ndarray
    speeds: ndarray
    amplitudes: ndarray


@cached
@one_at_a_time(lambda config, q, k, tokens: tokens * config.pairs)
def spectrum(config: RopeConfig, q: Vector, k: Vector, tokens: int) -> Spectrum:
    """Give both spectra; of a long transform the largest amplitude in each of up to 2,000 bins, even on a log axis."""
    z, inv_freq, _ = _phasors(config, q, k)
    frequency, amplitude, _ = rc.line_spectrum(z, inv_freq)
    speeds, amplitudes = (x.cpu().numpy()[1:] for x in rc.curve_spectrum(rc.score_curve(z, inv_freq, tokens)))
    starts = log_bins(len(speeds), bins=2000)[:-1] - 1
    largest = np.maximum.reduceat(amplitudes, starts)
    ends = np.append(starts[1:], len(speeds))
    return Spectrum(frequency.cpu().numpy(), amplitude.cpu().numpy(), speeds[(starts + ends - 1) // 2], largest)


def log_bins(reach: int, *, bins: int = 1000) -> ndarray:
    """Give integer edges from 1 to ``reach`` + 1, even on a log axis, at least one apart."""
    return np.unique(np.rint(np.geomspace(1, reach + 1, bins + 1)).astype(np.int64))


def log_integers(reach: int, points: int) -> ndarray:
    """Give distinct integers from 1 to ``reach``, even on a log axis where integers allow it."""
    return np.unique(np.rint(np.geomspace(1, reach, points)).astype(np.int64))


def _phasors(config: RopeConfig, q: Vector, k: Vector) -> tuple[torch.Tensor, torch.Tensor, float]:
    device = best_device()
    q_tensor, k_tensor = (torch.tensor(x, dtype=torch.float64, device=device) for x in (q, k))
    constant = float(rc.passthrough_score(q_tensor, k_tensor, config))
    return rc.phasors(q_tensor, k_tensor, config), rc.inverse_frequencies(config, device=device), constant
