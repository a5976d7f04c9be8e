"""Cached calls of the core for the page about models, as in ``ui/compute.py``: frozen settings in, numpy arrays out."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from rope_core import RopeConfig, best_device
from ui.cached import cached, one_at_a_time

FURTHEST = 1_048_576
"""The longest distance up to which a sum is searched for its first negative value, as ``parse_config`` does it."""
TABLE = 4096
"""The most positions of the tables of cos and sin."""
WIDEST = 2048
"""The most pairs for which that search is made here."""
LARGEST = 4_194_304
"""The most numbers of each table; heads of up to 2,048 coordinates get all positions."""


@cached
def speeds(config: RopeConfig, length: int) -> ndarray:
    """Give the radians per token of every pair in a text of ``length`` tokens."""
    return rc.inverse_frequencies(config, length, device=best_device()).cpu().numpy()


@cached
def wavelengths(config: RopeConfig, length: int) -> ndarray:
    """Give the tokens of one turn of every pair in a text of ``length`` tokens; infinity where it stands still."""
    return rc.wavelengths(config, length, device=best_device()).cpu().numpy()


@cached
def ratios(config: RopeConfig, length: int) -> ndarray:
    """Give the speed of every pair over that of the plain law."""
    plain = rc.inverse_frequencies(replace(config, scaling=None), device=best_device())
    return (rc.inverse_frequencies(config, length, device=best_device()) / plain).cpu().numpy()


def magnitude(config: RopeConfig, length: int) -> float:
    """Give A, which multiplies cos and sin."""
    return rc.attention_factor(config, length)


@cached
@one_at_a_time()
def first_negative(config: RopeConfig) -> int | None:
    """Give the first distance within the stated length at which the cosines of all pairs add up to less than 0.

    At most ``WIDEST`` pairs are searched; it would take seconds for more.
    """
    inv_freq = rc.inverse_frequencies(config, config.max_position, device=best_device())
    return rc.first_negative(inv_freq, min(config.max_position, FURTHEST))


def softmax_scale(config: RopeConfig, factor: float) -> float:
    """Give what scores are multiplied by before the softmax: one over the root of the width, times a factor of the config."""
    return float(config.head_dim**-0.5 * factor)


def positions(config: RopeConfig) -> int:
    """Count the positions of the tables: those of the trained length, and no more than memory is there for."""
    return min(config.trained_length, TABLE, LARGEST // config.pairs)


@one_at_a_time(lambda config, length, settings: length * config.head_dim)
def tables(config: RopeConfig, length: int, settings: Mapping[str, object]) -> bytes:
    """Write ``inv_freq``, ``cos`` and ``sin``, and the settings as JSON, as an npz file that loads without pickle."""
    cos, sin = rc.cos_sin(config, torch.arange(positions(config), device=best_device()), seq_len=length)
    arrays = {
        "inv_freq": rc.inverse_frequencies(config, length).numpy(),
        "cos": cos.cpu().numpy(),
        "sin": sin.cpu().numpy(),
        "layout": np.array(config.layout),
        "settings": np.array(json.dumps(settings)),
    }
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]  # its stubs take the arrays for a flag
    return file.getvalue()
