"""Calls as others make them: positions of transformers, checkpoints of older versions, sizes of nobody, operands of attention."""

import math

import pytest
import torch
from torch import nn
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

from rope_core import (
    LinearScaling,
    RopeConfig,
    RopeConfigError,
    RotaryEmbedding,
    attention_scores,
    axial_frequencies,
    constant_frequencies,
    geometric_frequencies,
    inverse_frequencies,
    layout_permutation,
    linear_frequencies,
    minimum_base,
    rotate,
)

CONFIG = RopeConfig(8, base=500.0)


# Positions


@pytest.mark.parametrize("heads", [(), (3,)])
def test_one_row_of_positions_serves_a_whole_batch(heads):
    x, positions = torch.randn(2, *heads, 5, 8), torch.tensor([[0, 3, 4, 9, 7]])
    assert rotate(x, positions, CONFIG).equal(rotate(x, positions.expand(2, 5), CONFIG))
    turned = RotaryEmbedding(CONFIG)(x, x, positions)[0]
    assert turned.equal(rotate(x, positions[0], CONFIG, seq_len=5))


def test_positions_as_transformers_passes_them_give_its_rotation():
    q, k, ids = torch.randn(2, 3, 5, 8), torch.randn(2, 1, 5, 8), torch.arange(5)[None]
    theirs = LlamaRotaryEmbedding(
        LlamaConfig(hidden_size=24, num_attention_heads=3, rope_parameters={"rope_type": "default", "rope_theta": 500.0})
    )
    expected = apply_rotary_pos_emb(q, k, *theirs(q, ids))
    for ours, other in zip(RotaryEmbedding(CONFIG)(q, k, ids), expected, strict=True):
        torch.testing.assert_close(ours, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape", [(3, 5), (2, 4), (1, 4), (1, 1, 5), (2, 1)])
def test_other_rows_of_positions_are_refused(shape):
    with pytest.raises(RopeConfigError, match=r"positions must have shape \(S,\) or \(B, S\)"):
        rotate(torch.randn(2, 3, 5, 8), torch.zeros(shape, dtype=torch.int64), CONFIG)


# Checkpoints


class Layer(nn.Module):
    def __init__(self, config=CONFIG):
        super().__init__()
        self.q_proj = nn.Linear(8, 8, bias=False)
        self.rotary_emb = RotaryEmbedding(config)


def old_table(base=500.0, width=8, dtype=torch.float32):
    """The buffer of transformers before 4.32, computed in float32."""
    return (1.0 / (base ** (torch.arange(0, width, 2).float() / width))).to(dtype)


def checkpoint(table):
    return {"q_proj.weight": torch.zeros(8, 8), "rotary_emb.inv_freq": table}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("config", [CONFIG, RopeConfig(8, base=500.0, scaling=LinearScaling(4.0))])
def test_checkpoint_with_the_table_of_older_versions_is_loaded(dtype, config):
    layer = Layer(config)
    assert layer.load_state_dict(checkpoint(old_table(dtype=dtype)), strict=True) == ([], [])
    assert layer.load_state_dict(checkpoint(inverse_frequencies(config).to(dtype)), strict=True) == ([], [])
    assert list(layer.state_dict()) == ["q_proj.weight"]


def test_long_table_in_float32_and_float16_is_that_of_its_config():
    for base in (1e4, 5e5, 1e6):
        layer = Layer(RopeConfig(128, base=base))
        for dtype in (torch.float32, torch.float16):
            layer.load_state_dict(checkpoint(old_table(base, 128, dtype)), strict=True)


@pytest.mark.parametrize("table", [old_table(10_000.0), old_table(width=4), old_table(510.0, dtype=torch.bfloat16), torch.ones(2, 2)])
def test_checkpoint_with_the_table_of_another_config_is_refused(table):
    with pytest.raises(RuntimeError, match=r"rotary_emb\.inv_freq is not the table of RopeConfig"):
        Layer().load_state_dict(checkpoint(table), strict=True)


def test_other_keys_of_a_checkpoint_are_still_unexpected():
    with pytest.raises(RuntimeError, match="Unexpected key"):
        Layer().load_state_dict(checkpoint(old_table()) | {"rotary_emb.cos_cached": torch.ones(2)}, strict=True)


# Sizes


@pytest.mark.parametrize("size", [2**24 + 4, 10**12, 2**62, 2**64, 10**400], ids=["over", "terabytes", "2^62", "2^64", "10^400"])
@pytest.mark.parametrize(
    "call",
    [
        RopeConfig,
        layout_permutation,
        lambda width: constant_frequencies(width, 0.1),
        lambda width: RopeConfig(8, rotary_dim=width),
        lambda width: geometric_frequencies(width, 1e4),
        lambda width: linear_frequencies(width, 0.1),
        lambda width: axial_frequencies(width, 1e4),
        lambda width: axial_frequencies(width, 1e4, order="alternate"),
        lambda width: minimum_base(4096, width),
        lambda width: minimum_base(width, 64),
    ],
)
def test_sizes_beyond_any_head_are_refused_before_memory_is_asked_for(call, size):
    with pytest.raises(RopeConfigError, match="must be"):
        call(size)


# Attention

Q = torch.randn(2, 4, 5, 8)


@pytest.mark.parametrize("scale", ["0.5", [1.0], torch.ones(3), True, math.nan, math.inf, 10**400, 1j, torch.tensor(1)])
def test_a_scale_that_is_no_number_is_refused(scale):
    with pytest.raises(RopeConfigError, match="scale must be"):
        attention_scores(Q, Q, scale=scale)


@pytest.mark.parametrize(
    ("bias", "rule"),
    [
        ("x", "bias must be a tensor"),
        ([1.0], "bias must be a tensor"),
        (1.0, "bias must be a tensor"),
        (torch.ones(5, 5, dtype=torch.bool), "bias must be a tensor"),
        (torch.ones(7), "bias must broadcast"),
        (torch.ones(3, 5, 5), "bias must broadcast"),
        (torch.ones(1, 1, 1, 5, 5), "bias must broadcast"),
        (torch.ones(5, 5, device="meta"), "bias must lie on the device of q"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_bias_that_cannot_be_added_is_refused(bias, rule):
    with pytest.raises(RopeConfigError, match=rule):
        attention_scores(Q, Q, bias=bias)


@pytest.mark.parametrize(
    ("k", "rule"),
    [
        (torch.randn(3, 4, 5, 8), "the leading axes of q and k must broadcast"),
        (Q.double(), "q and k must have one dtype"),
        (Q.to("meta"), "k must lie on the device of q"),
    ],
)
def test_keys_that_do_not_fit_are_refused(k, rule):
    with pytest.raises(RopeConfigError, match=rule):
        attention_scores(Q, k)


@pytest.mark.parametrize("bias", [torch.ones(()), torch.ones(5), torch.ones(5, 1), torch.ones(4, 1, 1), torch.ones(2, 4, 5, 5)])
@pytest.mark.parametrize("scale", [2, 0.5, torch.tensor(0.5)])
def test_what_can_be_added_and_multiplied_is(bias, scale):
    expected = torch.einsum("bhsd,bhtd->bhst", Q, Q) * float(scale) + 1
    torch.testing.assert_close(attention_scores(Q, Q, bias=bias, scale=scale), expected)
