"""What one attention head computes from its tokens: scores, weights, output, under RoPE and other position encodings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

import rope_core as rc
from compute.store import cached, one_at_a_time
from rope_core import RopeConfig, best_device

ALIBI_HEADS, T5_TABLE = 8, 32
ADDED = ("alibi", "t5", "none")
"""Encodings that leave q and k as they are: content adds one and the same number to all scores of tokens that are alike."""
OTHER_SEEDS = 10_000  # T5's table has random numbers of its own, so that q, k and v do not depend on the encoding


@dataclass(frozen=True, kw_only=True)
class AttentionSettings:
    """One head and its tokens.

    Attributes:
        head_dim: Width of q, k and v.
        base: Of the speeds, for RoPE and for the sinusoidal code.
        tokens: How many, at positions 0, 1, 2 ...
        encoding: ``rope``, ``sinusoidal``, ``alibi``, ``t5`` or ``none``.
        alike: Whether every token has the same q and the same k; v always differs.
        causal: Whether a query sees only its own position and those before it.
        seed: Of q, k, v and of T5's table.
        alibi_head: 1 to 8, the steepest first.
        words: Of which the tokens are the first ones; none for tokens that are random.
    """

    head_dim: int
    base: float
    tokens: int
    encoding: str
    alike: bool
    causal: bool
    seed: int
    alibi_head: int
    words: tuple[str, ...] = ()

    @property
    def slope(self) -> float:
        """What ALiBi subtracts per token of distance."""
        return float(rc.alibi_slopes(ALIBI_HEADS)[self.alibi_head - 1])


class HeadOutput(NamedTuple):
    """What one head computes: scores and weights ``(queries, keys)``, v before and after and the output ``(tokens, head_dim)``."""

    scores: ndarray
    weights: ndarray
    v_before: ndarray
    v_after: ndarray
    v_identical: bool
    output: ndarray


class Diagonals(NamedTuple):
    """The lowest and the highest score at each distance."""

    distances: ndarray
    low: ndarray
    high: ndarray


def word_indices(words: tuple[str, ...]) -> list[int]:
    """Number words in the order in which they come first, small and capital letters alike."""
    folded = [word.casefold() for word in words]
    return [list(dict.fromkeys(folded)).index(word) for word in folded]


@lru_cache(maxsize=4)
def draw_vectors(head: AttentionSettings) -> tuple[Tensor, Tensor, Tensor]:
    """Draw q, k and v, ``(tokens, head_dim)`` each, the same for the same word; on the CPU, so that every device gets the same."""
    generator = torch.Generator().manual_seed(head.seed)
    contents = word_indices(head.words) if head.words else list(range(head.tokens))
    drawn = torch.randn(max(contents) + 1, 3, head.head_dim, dtype=torch.float64, generator=generator)[contents[: head.tokens]]
    q, k, v = drawn.to(best_device()).unbind(1)
    return (q[:1].expand_as(q), k[:1].expand_as(k), v) if head.alike else (q, k, v)


def t5_table(head: AttentionSettings) -> Tensor:
    """Draw T5's numbers, one for each range of distances."""
    generator = torch.Generator().manual_seed(head.seed + OTHER_SEEDS)
    return torch.randn(T5_TABLE, dtype=torch.float64, generator=generator).to(best_device())


def encoded_scores(head: AttentionSettings, q: Tensor, k: Tensor) -> Tensor:
    """Return the scores ``(queries, keys)`` of q and k under the position encoding."""
    positions = torch.arange(head.tokens, device=q.device)
    distances = rc.relative_distances(positions, positions)
    match head.encoding:
        case "rope":
            config = RopeConfig(head.head_dim, base=head.base)
            return rc.attention_scores(rc.rotate(q, positions, config), rc.rotate(k, positions, config))
        case "sinusoidal":
            code = rc.sinusoidal_encoding(positions, rc.geometric_frequencies(head.head_dim, head.base, device=q.device))
            return rc.attention_scores(q + code, k + code)
        case "alibi":
            return rc.attention_scores(q, k, bias=rc.alibi_bias(distances, head.slope))
        case "t5":
            bias = t5_table(head)[rc.t5_buckets(distances, causal=head.causal)]
            return rc.attention_scores(q, k, bias=bias, scale=1.0)
        case _:
            return rc.attention_scores(q, k)


def _numbers(head: AttentionSettings) -> int:
    return head.tokens * max(head.tokens, 3 * head.head_dim)


@cached
@one_at_a_time(_numbers)
def attend(head: AttentionSettings) -> HeadOutput:
    """Return scores, weights and output of a head."""
    q, k, v = draw_vectors(head)
    before = v.clone()
    scores = encoded_scores(head, q, k)
    weights = rc.attention_weights(scores, causal=head.causal)
    return HeadOutput(
        scores=scores.cpu().numpy(),
        weights=weights.cpu().numpy(),
        v_before=before.cpu().numpy(),
        v_after=v.cpu().numpy(),
        v_identical=torch.equal(before, v),
        output=(weights @ v).cpu().numpy(),
    )


@cached
@one_at_a_time(_numbers)
def diagonals(head: AttentionSettings) -> Diagonals:
    """Return the range of every diagonal of the score matrix, keys after the query included."""
    scores = encoded_scores(head, *draw_vectors(head)[:2]).cpu().numpy()
    shifted = np.full((head.tokens, 2 * head.tokens), np.nan)
    shifted[:, : head.tokens] = scores[:, ::-1]
    lines = shifted.ravel()[: -head.tokens].reshape(head.tokens, -1)  # each row one further to the right: a diagonal is a column
    return Diagonals(np.arange(1.0 - head.tokens, head.tokens), np.fmin.reduce(lines), np.fmax.reduce(lines))


@cached
@one_at_a_time(_numbers)
def furthest_from_unrotated(head: AttentionSettings) -> float:
    """Return the largest difference that the encoding makes to a score that is not hidden."""
    q, k, _ = draw_vectors(head)
    difference = encoded_scores(head, q, k) - encoded_scores(replace(head, encoding="none"), q, k)
    return float((difference.tril() if head.causal else difference).abs().max())


def visible(head: AttentionSettings) -> tuple[ndarray, ndarray]:
    """Return query and key of every score that the head uses."""
    query, key = np.indices((head.tokens, head.tokens)).reshape(2, -1)
    used = (key <= query) | (not head.causal)
    return query[used], key[used]


def score_columns(head: AttentionSettings) -> dict[str, ndarray]:
    """Return the scores that the head uses."""
    query, key = visible(head)
    return {"query": query, "key": key, "score": attend(head).scores[query, key]}


def weight_columns(head: AttentionSettings) -> dict[str, ndarray]:
    """Return the weights of the keys that the head sees."""
    query, key = visible(head)
    return {"query": query, "key": key, "weight": attend(head).weights[query, key]}


def diagonal_columns(head: AttentionSettings) -> dict[str, ndarray]:
    """Return the range of the scores at each distance, of tokens that are all alike and of random ones."""
    alike, random = (diagonals(replace(head, alike=same)) for same in (True, False))
    names = {"alike_lowest": alike.low, "alike_highest": alike.high, "random_lowest": random.low, "random_highest": random.high}
    return {"distance": alike.distances, **names}


def value_columns(head: AttentionSettings) -> dict[str, ndarray]:
    """Return v and the output."""
    result = attend(head)
    token, coordinate = np.indices(result.output.shape).reshape(2, -1)
    return {"token": token, "coordinate": coordinate, "v": result.v_after.ravel(), "output": result.output.ravel()}
