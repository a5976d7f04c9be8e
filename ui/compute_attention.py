"""Cached calls of the core for the attention page, as in ``ui/compute.py``: numbers and frozen settings in, numpy arrays out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

import rope_core as rc
from rope_core import RopeConfig, best_device
from ui.cached import cached, one_at_a_time

ALIBI_HEADS, T5_TABLE = 8, 32
OTHER_SEEDS = 10_000  # T5's table is drawn beside q, k and v, not from the same numbers


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One head and the tokens it sees.

    Attributes:
        head_dim: Width of q, k and v.
        base: Of the speeds, for RoPE and for the sinusoidal code.
        tokens: How many, at positions 0, 1, 2 ...
        encoding: ``rope``, ``sinusoidal``, ``alibi``, ``t5`` or ``none``.
        alike: Whether every token has the same q and the same k; v always differs.
        causal: Whether a query sees only its own position and those before it.
        seed: Of q, k, v and of T5's table.
        alibi_head: 1 to 8, counted from the steepest.
    """

    head_dim: int
    base: float
    tokens: int
    encoding: str
    alike: bool
    causal: bool
    seed: int
    alibi_head: int

    @property
    def slope(self) -> float:
        """What ALiBi takes off per token of distance."""
        return float(rc.alibi_slopes(ALIBI_HEADS)[self.alibi_head - 1])


class Seen(NamedTuple):
    """What one head computes: scores and weights ``(queries, keys)``, v before and after and the output ``(tokens, head_dim)``."""

    scores: ndarray
    weights: ndarray
    v_before: ndarray
    v_after: ndarray
    v_identical: bool
    output: ndarray


def _numbers(setting: Setting) -> int:
    return setting.tokens * max(setting.tokens, 3 * setting.head_dim)


@cached
@one_at_a_time(_numbers)
def attend(setting: Setting) -> Seen:
    """Encode positions, score, weigh and mix."""
    q, k, v = _contents(setting)
    before = v.clone()
    scores = _scores(setting, q, k)
    weights = rc.attention_weights(scores, causal=setting.causal)
    output = weights @ v
    arrays = (x.cpu().numpy() for x in (scores, weights, before, v))
    return Seen(*arrays, torch.equal(before, v), output.cpu().numpy())


class Diagonals(NamedTuple):
    """The lowest and the highest score at each distance."""

    distances: ndarray
    low: ndarray
    high: ndarray


@cached
@one_at_a_time(_numbers)
def diagonals(setting: Setting) -> Diagonals:
    """Collect the scores of every diagonal of the score matrix, keys after the query included."""
    last = setting.tokens - 1
    scores = _scores(setting, *_contents(setting)[:2]).cpu().numpy()
    distances = np.arange(-last, last + 1)
    lines = [np.diagonal(scores, -distance) for distance in distances.tolist()]  # query - key: below the main diagonal it is positive
    return Diagonals(distances.astype(float), np.array([line.min() for line in lines]), np.array([line.max() for line in lines]))


@cached
@one_at_a_time(_numbers)
def furthest_from_unrotated(setting: Setting) -> float:
    """Give the largest difference that the encoding makes to a score that is not hidden."""
    q, k, _ = _contents(setting)
    difference = _scores(setting, q, k) - _scores(replace(setting, encoding="none"), q, k)
    return float((difference.tril() if setting.causal else difference).abs().max())


def _contents(setting: Setting) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k and v, ``(tokens, head_dim)`` each; on the CPU, so that every device sees the same."""
    seed = torch.Generator().manual_seed(setting.seed)
    drawn = torch.randn(setting.tokens, 3, setting.head_dim, dtype=torch.float64, generator=seed)
    q, k, v = drawn.to(best_device()).unbind(1)
    return (q[:1].expand_as(q), k[:1].expand_as(k), v) if setting.alike else (q, k, v)


def _t5_table(setting: Setting) -> Tensor:
    seed = torch.Generator().manual_seed(setting.seed + OTHER_SEEDS)
    return torch.randn(T5_TABLE, dtype=torch.float64, generator=seed).to(best_device())


def _scores(setting: Setting, q: Tensor, k: Tensor) -> Tensor:
    positions = torch.arange(setting.tokens, device=q.device)
    distances = rc.relative_distances(positions, positions)
    match setting.encoding:
        case "rope":
            config = RopeConfig(setting.head_dim, base=setting.base)
            return rc.attention_scores(rc.rotate(q, positions, config), rc.rotate(k, positions, config))
        case "sinusoidal":
            code = rc.sinusoidal_encoding(positions, rc.geometric_frequencies(setting.head_dim, setting.base, device=q.device))
            return rc.attention_scores(q + code, k + code)
        case "alibi":
            return rc.attention_scores(q, k, bias=rc.alibi_bias(distances, setting.slope))
        case "t5":
            bias = _t5_table(setting)[rc.t5_buckets(distances, causal=setting.causal)]
            return rc.attention_scores(q, k, bias=bias, scale=1.0)
        case _:
            return rc.attention_scores(q, k)
