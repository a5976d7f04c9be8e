"""Scores and weights of one layer against PyTorch's own attention, and the claims of the attention page."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from rope_core import (
    RopeConfig,
    RopeConfigError,
    alibi_bias,
    attention_scores,
    attention_weights,
    geometric_frequencies,
    relative_distances,
    rotate,
    sinusoidal_encoding,
    t5_buckets,
)

TOKENS, WIDTH = 48, 16


@pytest.fixture
def contents(device):
    drawn = torch.randn(3, 2, TOKENS, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    return drawn.to(device)


def widest_diagonal(scores):
    """Return how much scores of one distance differ."""
    return max(float(line.max() - line.min()) for shift in range(1 - TOKENS, TOKENS) if len(line := scores.diagonal(shift)))


@pytest.mark.parametrize("causal", [True, False])
def test_weights_and_output_are_those_of_pytorch(contents, causal):
    q, k, v = contents
    weights = attention_weights(attention_scores(q, k), causal=causal)
    torch.testing.assert_close(weights @ v, scaled_dot_product_attention(q, k, v, is_causal=causal), rtol=1e-12, atol=1e-12)


def test_bias_is_added_after_scaling(contents):
    q, k, v = contents
    bias = torch.randn(TOKENS, TOKENS, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(q.device)
    weights = attention_weights(attention_scores(q, k, bias=bias), causal=False)
    torch.testing.assert_close(weights @ v, scaled_dot_product_attention(q, k, v, attn_mask=bias), rtol=1e-12, atol=1e-12)


def test_scale_replaces_the_root_of_the_width(contents):
    q, k, _ = contents
    torch.testing.assert_close(attention_scores(q, k, scale=1.0), attention_scores(q, k) * math.sqrt(WIDTH))


def test_rows_of_weights_sum_to_1_and_hidden_keys_have_none(contents):
    q, k, _ = contents
    weights = attention_weights(attention_scores(q, k), causal=True)
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
    assert not weights.triu(1).any()
    assert (weights[..., 0, 0] == 1).all()


def test_scores_are_not_modified_by_the_mask(contents):
    q, k, _ = contents
    scores = attention_scores(q, k)
    before = scores.clone()
    attention_weights(scores, causal=True)
    assert torch.equal(scores, before)


def test_distances_are_query_minus_key():
    assert relative_distances(torch.tensor([5, 6]), torch.tensor([0, 5, 9])).tolist() == [[5, 0, -4], [6, 1, -3]]


def test_alike_tokens_score_by_distance_alone_under_every_encoding_but_the_added_one(contents):
    positions = torch.arange(TOKENS, device=contents.device)
    distances = relative_distances(positions, positions)
    q, k = (x[0, :1].expand(TOKENS, WIDTH) for x in contents[:2])
    config, code = RopeConfig(WIDTH), sinusoidal_encoding(positions, geometric_frequencies(WIDTH, 10_000.0, device=contents.device))
    table = torch.randn(32, dtype=torch.float64, generator=torch.Generator().manual_seed(2)).to(contents.device)
    flat = {
        "rope": attention_scores(rotate(q, positions, config), rotate(k, positions, config)),
        "alibi": attention_scores(q, k, bias=alibi_bias(distances, 0.5)),
        "t5": attention_scores(q, k, bias=table[t5_buckets(distances, causal=False)], scale=1.0),
        "none": attention_scores(q, k),
    }
    assert {name: widest_diagonal(scores) < 1e-12 for name, scores in flat.items()} == dict.fromkeys(flat, True)
    assert widest_diagonal(attention_scores(q + code, k + code)) > 0.1


def test_random_tokens_do_not_score_by_distance_alone(contents):
    positions = torch.arange(TOKENS, device=contents.device)
    q, k = contents[:2, 0]
    assert widest_diagonal(attention_scores(rotate(q, positions, RopeConfig(WIDTH)), rotate(k, positions, RopeConfig(WIDTH)))) > 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: attention_scores(torch.ones(2, 4), torch.ones(2, 6)), r"of one width, got shapes \(2, 4\) and \(2, 6\)$"),
        (lambda: attention_scores(torch.ones(4), torch.ones(4)), r"of one width, got shapes \(4,\) and \(4,\)$"),
        (
            lambda: attention_scores(torch.ones(2, 4, dtype=torch.int64), torch.ones(2, 4)),
            "^q must be a tensor of float16, bfloat16, float32 or float64",
        ),
        (lambda: attention_weights(torch.ones(3), causal=True), r"^scores must be \(\.\.\., S, T\), got shape \(3,\)$"),
        (lambda: attention_weights([[1.0]], causal=True), "^scores must be a tensor of float16, bfloat16, float32 or float64, got list$"),
        (lambda: relative_distances(torch.ones(2), torch.arange(2)), "^query_positions must be a tensor of integers"),
        (
            lambda: relative_distances(torch.arange(2), torch.arange(4).reshape(2, 2)),
            r"^key_positions must have one axis, got shape \(2, 2\)$",
        ),
    ],
)
def test_wrong_arguments_are_rejected_by_name(call, message):
    with pytest.raises(RopeConfigError, match=message):
        call()
