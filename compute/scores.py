"""Scores of one q and one k at all distances: exact ranges, random vectors, bounds, spectra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.bins import log_bins, log_integers
from compute.store import cached, one_at_a_time
from rope_core import RopeConfig, best_device

Vector = tuple[float, ...]
RANDOM_PAIRS = 256


@dataclass(frozen=True, kw_only=True)
class DecaySettings:
    """A head, its q and k, and how far to look.

    Attributes:
        config: The head.
        reach: The largest distance, or the tokens of the spectrum.
        kind: ``ones``, ``peak`` (at a distance) or ``typed``.
        peak: That distance.
        q_typed: The numbers typed for q.
        k_typed: The numbers typed for k.
        seed: Of random q and k.
    """

    config: RopeConfig
    reach: int
    kind: str
    peak: int
    q_typed: Vector
    k_typed: Vector
    seed: int

    @property
    def vectors(self) -> tuple[Vector, Vector]:
        """Q and k of full width."""
        return head_vectors(self.config, self.kind, self.peak, self.q_typed, self.k_typed)

    @property
    def still(self) -> int:
        """How many coordinates do not turn."""
        return self.config.head_dim - self.config.rotary_dim


@cached
def head_vectors(config: RopeConfig, kind: str, peak: int, q_typed: Vector, k_typed: Vector) -> tuple[Vector, Vector]:
    """Return q and k of full width: ``ones``, a key whose score has its ``peak`` at a distance, or ``typed`` numbers, repeated."""
    if kind == "typed":
        q, k = (tuple(np.resize(np.array(values, dtype=float), config.head_dim).tolist()) for values in (q_typed, k_typed))
        return q, k
    ones = torch.ones(config.head_dim, dtype=torch.float64, device=best_device())
    # Re sum |z_i|^2 exp(1j (distance - peak) theta_i) is largest where every term is: at the distance of the peak.
    # Turned without A: the key stands before the rotation, which multiplies it by A like any other.
    turn = rc.inverse_frequencies(config, device=ones.device) * (peak if kind == "peak" else 0)
    return tuple(ones.tolist()), tuple(rc.apply_rotation(ones, turn.cos(), turn.sin(), layout=config.layout).tolist())


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
    """Return the exact range of the score over distances 1 .. ``reach`` in bins that are even on a log axis."""
    z, inv_freq, constant = head_phasors(config, q, k)
    edges = log_bins(reach)
    low, high = (side + constant for side in rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device)))
    # A bin of one distance stands at that distance, a wider one at its middle.
    middle = (edges[:-1] + edges[1:] - 1) / 2
    zero, end = (float(rc.score_curve(z, inv_freq, 1, start=distance)[0]) + constant for distance in (0, reach))
    return Band(middle, low.cpu().numpy(), high.cpu().numpy(), zero, end, float(z.abs().sum()), constant)


@cached
@one_at_a_time(lambda config, reach: reach * config.pairs)
def first_negative(config: RopeConfig, reach: int) -> int | None:
    """Return the first distance up to ``reach`` at which the score of all ones is below 0."""
    if config.rotary_dim == config.head_dim:
        return rc.first_negative(rc.inverse_frequencies(config, device=best_device()), reach + 1)
    # Coordinates that do not turn lift the whole curve: look for the first bin that is lifted too little, and then into it.
    z, inv_freq, constant = head_phasors(config, *((1.0,) * config.head_dim,) * 2)
    edges = log_bins(reach)
    low, _ = rc.score_envelope(z, inv_freq, torch.from_numpy(edges).to(inv_freq.device))
    bins = (low + constant < 0).nonzero()
    if not len(bins):
        return None
    start, stop = edges[int(bins[0])], edges[int(bins[0]) + 1]
    inside = rc.score_curve(z, inv_freq, int(stop - start), start=int(start)) + constant < 0
    return int(start) + int(inside.nonzero()[0])


@cached
@one_at_a_time(lambda config, reach, seed, *, points=200: RANDOM_PAIRS * points * config.pairs)
def random_scores(config: RopeConfig, reach: int, seed: int, *, points: int = 200) -> dict[str, ndarray]:
    """Score independent Gaussian q and k at log-spaced integer distances, and return mean and standard deviation at each.

    They are drawn on the CPU, so that every device gets the same.
    """
    q, k = torch.randn(2, RANDOM_PAIRS, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(
        best_device()
    )
    distances = torch.from_numpy(log_integers(reach, points)).to(q.device)
    scores = rc.score_at(rc.phasors(q, k, config), rc.inverse_frequencies(config, device=q.device), distances)
    scores = scores + rc.passthrough_score(q, k, config).unsqueeze(-1)
    return {
        name: row.cpu().numpy() for name, row in (("distances", distances.double()), ("mean", scores.mean(0)), ("spread", scores.std(0)))
    }


class Bounds(NamedTuple):
    """RoFormer's bound on what turning pairs add, in score units, and its relative curve, at some distances."""

    distances: ndarray
    bound: ndarray
    relative: ndarray


@cached
def bounds(config: RopeConfig, q: Vector, k: Vector, reach: int, *, points: int = 400) -> Bounds:
    """Return both curves at log-spaced integer distances."""
    z, inv_freq, _ = head_phasors(config, q, k)
    at = torch.from_numpy(log_integers(reach, points)).to(inv_freq.device)
    return Bounds(at.double().cpu().numpy(), rc.score_bound(z, inv_freq, at).cpu().numpy(), rc.decay_bound(inv_freq, at).cpu().numpy())


class Spectrum(NamedTuple):
    """Exact lines of the score curve, and the Fourier transform of the first part of it, without its mean."""

    line_speeds: ndarray
    line_amplitudes: ndarray
    speeds: ndarray
    amplitudes: ndarray


@cached
@one_at_a_time(lambda config, q, k, tokens: tokens * config.pairs)
def spectrum(config: RopeConfig, q: Vector, k: Vector, tokens: int) -> Spectrum:
    """Return both spectra: of a long transform the largest amplitude in each of up to 2,000 bins, even on a log axis."""
    z, inv_freq, _ = head_phasors(config, q, k)
    frequency, amplitude, _ = rc.line_spectrum(z, inv_freq)
    speeds, amplitudes = (x.cpu().numpy()[1:] for x in rc.curve_spectrum(rc.score_curve(z, inv_freq, tokens)))
    starts = log_bins(len(speeds), bins=2000)[:-1] - 1
    largest = np.maximum.reduceat(amplitudes, starts)
    ends = np.append(starts[1:], len(speeds))
    return Spectrum(frequency.cpu().numpy(), amplitude.cpu().numpy(), speeds[(starts + ends - 1) // 2], largest)


def head_phasors(config: RopeConfig, q: Vector, k: Vector) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Return the phasors of the pairs, their speeds, and what coordinates that do not turn add to every score."""
    device = best_device()
    q_tensor, k_tensor = (torch.tensor(x, dtype=torch.float64, device=device) for x in (q, k))
    constant = float(rc.passthrough_score(q_tensor, k_tensor, config))
    return rc.phasors(q_tensor, k_tensor, config), rc.inverse_frequencies(config, device=device), constant
