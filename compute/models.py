"""What models are compared by: the columns of their figures, sums, scales, and their tables to download."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.speeds import ratios, wavelengths
from compute.store import cached, one_at_a_time
from rope_core import DynamicNtkScaling, Llama3Scaling, LongRopeScaling, RopeConfig, YarnScaling, best_device

FURTHEST = 1_048_576
"""The longest distance up to which a sum is searched for its first negative value, as ``parse_config`` does it."""
TABLE = 4096
"""The most positions of the tables of cos and sin."""
WIDEST = 2048
"""The most pairs for which that search is made here."""
LARGEST = 4_194_304
"""The most numbers of each table; heads of up to 2,048 coordinates get all positions."""


AFTER_TRAINING = (DynamicNtkScaling, Llama3Scaling, LongRopeScaling, YarnScaling)
"""Methods that stretch a model trained on a shorter length; the speeds of any other one are taken for those of the training."""


def names_trained_length(config: RopeConfig) -> bool:
    """Return whether the method states the trained length; else there is the length that the config states, and no other."""
    return config.scaling is not None and config.scaling.original_max_position is not None


def before_extension(config: RopeConfig) -> RopeConfig:
    """Return the head without a method that came after training, over the trained length; any other head as it is."""
    if not isinstance(config.scaling, AFTER_TRAINING):
        return config
    return replace(config, max_position=config.trained_length, scaling=None)


def counted_length(config: RopeConfig, window: int | None) -> int:
    """Return the tokens within which turns are counted: the trained length, or the stated one, and no more than a sliding window."""
    return min(window or config.trained_length, config.trained_length)


def unfinished(config: RopeConfig, window: int | None) -> int:
    """Count the pairs that finish no turn before an extension; those that stand still among them."""
    return int((wavelengths(before_extension(config)) > counted_length(config, window)).sum())


def pair_columns(quantity: str, rows: Sequence[tuple[str, RopeConfig, int, int]]) -> dict[str, ndarray]:
    """Return a number of every pair, a column a row; a row is a name, settings, the length of a text, and how far scores see in it.

    ``wavelengths`` are the tokens of one turn, ``turns`` those within that distance, ``ratios`` speeds over those of the plain law.
    """
    columns: dict[str, ndarray] = {"pair": np.arange(max([config.pairs for _, config, _, _ in rows], default=0))}
    for name, config, length, reach in rows:
        row = ratios(config, length) if quantity == "ratios" else wavelengths(config, length)
        columns[f"{quantity} {name}"] = reach / row if quantity == "turns" else row
    return columns


def layer_columns(models: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> dict[str, ndarray]:
    """Return the number of every layer, and the index of its type among those of its model.

    Args:
        models: Of each model, by name, the type of every layer and the names of the types.
    """
    columns: dict[str, ndarray] = {}
    for name, (layers, types) in models.items():
        columns[f"layer {name}"] = np.arange(len(layers))
        columns[f"type {name}"] = np.array([types.index(layer) for layer in layers])
    return columns


@cached
@one_at_a_time()
def first_negative(config: RopeConfig, reach: int) -> int | None:
    """Return the first distance below ``reach`` at which the cosines of all pairs, at the speeds of the stated length, sum to less than 0.

    At most ``WIDEST`` pairs are searched; it would take seconds for more.
    """
    inv_freq = rc.inverse_frequencies(config, config.max_position, device=best_device())
    return rc.first_negative(inv_freq, min(reach, FURTHEST))


def softmax_scale(config: RopeConfig, factor: float) -> float:
    """Return what scores are multiplied by before the softmax: one over the root of the width, times a factor of the config."""
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
