"""Speeds of pairs, and what follows from them: wavelengths, coverage, the attention factor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy import ndarray

import rope_core as rc
from compute.store import cached
from rope_core import RopeConfig, best_device


@cached
def speeds(config: RopeConfig, length: int | None = None) -> ndarray:
    """Return the radians per token of every pair, fastest first, in a text of ``length`` tokens; None is the trained length."""
    return rc.inverse_frequencies(config, length, device=best_device()).cpu().numpy()


@cached
def wavelengths(config: RopeConfig, length: int | None = None) -> ndarray:
    """Return the tokens of one turn of every pair; infinity where it stands still."""
    return rc.wavelengths(config, length, device=best_device()).cpu().numpy()


@cached
def ratios(config: RopeConfig, length: int | None = None) -> ndarray:
    """Return the speed of every pair over that of the plain law."""
    plain = rc.inverse_frequencies(replace(config, scaling=None), device=best_device())
    return (rc.inverse_frequencies(config, length, device=best_device()) / plain).cpu().numpy()


@cached
def coverage(config: RopeConfig, length: int | None = None) -> ndarray:
    """Return the share of its circle that every pair sweeps in a text of ``length`` tokens; None is the trained length."""
    inv_freq = rc.inverse_frequencies(config, length, device=best_device())
    return rc.angle_coverage(inv_freq, config.trained_length if length is None else length).cpu().numpy()


@cached
def wavelengths_of_bases(head_dim: int, bases: tuple[float, ...]) -> ndarray:
    """Return the tokens of one turn, a row a base and a column a pair."""
    return np.stack([rc.wavelengths(RopeConfig(head_dim, base=base), device=best_device()).cpu().numpy() for base in bases])


def attention_factor(config: RopeConfig, length: int | None = None) -> float:
    """Return A, which multiplies cos and sin."""
    return rc.attention_factor(config, length)


def end_pairs(inv_freq: ndarray) -> tuple[int, int]:
    """Return the fastest pair, and the slowest of those that turn, the last of several."""
    moving = np.flatnonzero(inv_freq)
    return int(inv_freq.argmax()), int(moving[::-1][inv_freq[moving][::-1].argmin()])
