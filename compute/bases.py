"""Which bases suit a context length: first negative distances, sums, critical dimensions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray

import rope_core as rc
from compute.bins import log_bins
from compute.models import before_extension, counted_length, unfinished
from compute.models import first_negative as models_first_negative
from compute.store import cached, one_at_a_time
from rope_core import CatalogueModel, RopeConfig, RopeConfigError, best_device
from rope_core.base_search import HIGHEST_BASE, LIVE_CONTEXT, LOWEST_BASE, TABLE_CONTEXT, first_negatives

SWEPT, ROWS = 400, 120
"""Bases of the sweep, and of the picture of sums."""
REACH = 131_072
"""Distances of the picture of sums."""
FURTHEST = 1_048_576
"""The end of the distance axis: the longest search, whatever the width."""


def log_bases(count: int) -> ndarray:
    """Return bases from 1.01 to 1e9, even on a log axis."""
    return np.geomspace(1.01, 1e9, count)


def search_limit(rotary_dim: int) -> int:
    """Return how far the sweep over bases searches: a second of work, so less far for many pairs."""
    return FURTHEST if rotary_dim <= 128 else 262_144 if rotary_dim <= 256 else 131_072


@cached
@one_at_a_time()
def sweep(rotary_dim: int, limit: int) -> ndarray:
    """Return the first negative distance of every base of the sweep, NaN where there is none below ``limit``."""
    device = best_device()
    inv_freq = torch.stack([rc.geometric_frequencies(rotary_dim, base, device=device) for base in log_bases(SWEPT).tolist()])
    found = first_negatives(inv_freq, limit).double()
    return found.where(found >= 0, math.nan).cpu().numpy()


@cached
@one_at_a_time(lambda rotary_dim, base, limit: limit * rotary_dim // 2)
def first_negative(rotary_dim: int, base: float, limit: int) -> int | None:
    """Return the first distance below ``limit`` at which a key like the query scores below an unrelated one."""
    return rc.first_negative(rc.geometric_frequencies(rotary_dim, base, device=best_device()), limit)


@cached
def sum_at(rotary_dim: int, base: float, distance: int) -> float:
    """Return the sum of the cosines at one distance."""
    inv_freq = rc.geometric_frequencies(rotary_dim, base, device=best_device())
    ones = torch.ones(len(inv_freq), dtype=torch.complex128, device=inv_freq.device)
    return float(rc.score_curve(ones, inv_freq, 1, start=distance)[0])


class Answer(NamedTuple):
    """A base, or why there is none: ``found``, ``none`` (the search found none), ``long`` (context) or ``width`` (not tabulated)."""

    verdict: str
    base: float = math.nan


@cached
@one_at_a_time()
def smallest_passing(context: int, rotary_dim: int) -> Answer:
    """Return the smallest base that passes."""
    if context > longest_answer(rotary_dim):
        return Answer("long")
    try:
        return Answer("found", rc.minimum_base(context, rotary_dim))
    except RopeConfigError:  # lengths and widths are in range here, so no base up to the highest one passes
        return Answer("none", HIGHEST_BASE)


@cached
def largest_failing(context: int, rotary_dim: int) -> Answer:
    """Return the largest base that fails; infinity if the highest one that was tried does."""
    if rotary_dim not in rc.tabulated_widths("failing"):
        return Answer("width")
    if context > TABLE_CONTEXT:
        return Answer("long")
    base = rc.largest_failing_base(context, rotary_dim)
    return Answer("none", LOWEST_BASE) if base is None else Answer("found", base)


def longest_answer(rotary_dim: int) -> int:
    """Return the longest context for which the smallest passing base is known or can be searched."""
    return TABLE_CONTEXT if rotary_dim in rc.tabulated_widths() else LIVE_CONTEXT


class Sums(NamedTuple):
    """The lowest sum, divided by the number of pairs, per base (rows) and bin of distances (columns)."""

    edges: ndarray
    lowest: ndarray


@cached
@one_at_a_time()
def lowest_sums(rotary_dim: int, reach: int) -> Sums:
    """Evaluate every distance up to ``reach`` for every row, so that no negative value is lost in a bin."""
    edges = log_bins(reach, bins=400)
    device, lowest = best_device(), []
    ones = torch.ones(rotary_dim // 2, dtype=torch.complex128, device=device)
    bounds = torch.from_numpy(edges).to(device)
    for base in log_bases(ROWS).tolist():
        low, _ = rc.score_envelope(ones, rc.geometric_frequencies(rotary_dim, base, device=device), bounds)
        lowest.append(low.cpu().numpy() / (rotary_dim // 2))
    return Sums(edges, np.stack(lowest).astype(np.float32))


@cached
def critical_dimensions(context: int, rotary_dim: int) -> ndarray:
    """Return the critical dimension of every base of the sweep."""
    return np.array([rc.critical_dimension(context, rotary_dim, base) for base in log_bases(SWEPT).tolist()])


class Model(NamedTuple):
    """A model of the catalogue, and what both criteria say about it before an extension, at its own width and length.

    ``length`` is the trained one where the config names it, else the stated one, and no more than a sliding window of these layers.
    ``extended`` models had their method left out; those that are not ``plain`` have one that counts as part of their training.
    """

    name: str
    year: int
    head_dim: int
    rotary_dim: int
    base: float
    length: int
    extended: bool
    plain: bool
    first_negative: int | None
    critical: int


@cached
def models() -> list[Model]:
    """Return the models of the catalogue whose pairs all turn, each with the layers of its widest attention."""
    return [
        _model(model, config, model.rope.window_of(config))
        for model in rc.catalogue_models()
        if (config := model.config) is not None and not isinstance(config.scaling, rc.ProportionalScaling)  # most of its pairs stand still
    ]


def _model(model: CatalogueModel, config: RopeConfig, window: int | None) -> Model:
    before, length = before_extension(config), counted_length(config, window)
    return Model(
        name=model.name,
        year=model.year,
        head_dim=config.head_dim,
        rotary_dim=config.rotary_dim,
        base=config.base,
        length=length,
        extended=before != config,
        plain=before.scaling is None,
        first_negative=models_first_negative(before, FURTHEST),
        critical=config.rotary_dim - 2 * unfinished(config, window),
    )
