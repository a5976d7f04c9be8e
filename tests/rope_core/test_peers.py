"""The same numbers as transformers and rotary-embedding-torch, value by value. Both compute in float32.

Peers are asked for their own tables and their own rotation: what is compared never feeds what it is compared with.
"""

from typing import Any

import numpy as np
import pytest
import torch

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    NtkScaling,
    RopeConfig,
    apply_rotation,
    attention_factor,
    cos_sin,
    inverse_frequencies,
    rotate,
)

FLOAT32_SPEED = 3e-7  # relative: a power and a division in float32
FLOAT32_ANGLE = 2e-5  # absolute, for positions below 100: the speed times the position, then cos or sin


def llama_config(base: float = 10_000.0, head_dim: int = 64, max_position: int = 2048, **rope: Any) -> Any:
    from transformers import LlamaConfig

    rope_parameters = {"rope_type": "default", "rope_theta": base} | rope
    return LlamaConfig(
        hidden_size=4 * head_dim,
        num_attention_heads=4,
        head_dim=head_dim,
        max_position_embeddings=max_position,
        rope_parameters=rope_parameters,
    )


def vectors(*shape: int, device: torch.device) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)).to(device)


# transformers


@pytest.mark.parametrize(("width", "base"), [(64, 1e4), (128, 1e4), (128, 5e5), (128, 1e6), (96, 1e4)])
def test_llama_has_the_same_speeds(width, base):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    peer = LlamaRotaryEmbedding(llama_config(base, width))
    torch.testing.assert_close(inverse_frequencies(RopeConfig(width, base=base)).float(), peer.inv_freq, rtol=FLOAT32_SPEED, atol=0)


def test_llama_has_the_same_tables_twice_side_by_side(device):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    positions = torch.tensor([[0, 1, 2, 50, 99], [7, 7, 0, 3, 1]], device=device)
    peer = LlamaRotaryEmbedding(llama_config()).to(device)
    for table, theirs in zip(cos_sin(RopeConfig(64), positions), peer(torch.ones(1, device=device), positions), strict=True):
        torch.testing.assert_close(torch.cat((table, table), dim=-1), theirs, rtol=0, atol=FLOAT32_ANGLE)


@pytest.mark.parametrize("base", [1e4, 5e5])
def test_llama_turns_queries_and_keys_the_same_way(base, device):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    q, k = vectors(2, 4, 60, 64, device=device), vectors(2, 2, 60, 64, device=device)
    positions = torch.arange(60, device=device)
    cos, sin = LlamaRotaryEmbedding(llama_config(base)).to(device)(q, positions.expand(2, -1))
    for x, theirs in zip((q, k), apply_rotary_pos_emb(q, k, cos, sin), strict=True):
        torch.testing.assert_close(rotate(x, positions, RopeConfig(64, base=base)), theirs, rtol=0, atol=5 * FLOAT32_ANGLE)


def test_ntk_scaling_is_llama_with_a_larger_base(device):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    config = RopeConfig(128, scaling=NtkScaling(4))
    peer = LlamaRotaryEmbedding(llama_config(10_000 * 4 ** (128 / 126), 128)).to(device)
    torch.testing.assert_close(inverse_frequencies(config, device=device).float(), peer.inv_freq, rtol=FLOAT32_SPEED, atol=0)
    q = vectors(1, 2, 60, 128, device=device)
    positions = torch.arange(60, device=device)
    theirs = apply_rotary_pos_emb(q, q, *peer(q, positions.unsqueeze(0)))[0]
    torch.testing.assert_close(rotate(q, positions, config), theirs, rtol=0, atol=5 * FLOAT32_ANGLE)


@pytest.mark.parametrize("share", [1.0, 0.25])
@pytest.mark.parametrize("factor", [1.0, 2.0, 8.0])
def test_linear_scaling_is_that_of_transformers(share, factor):
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = RopeConfig(128, rotary_dim=int(128 * share), scaling=LinearScaling(factor))
    peer = llama_config(head_dim=128, rope_type="linear", factor=factor, partial_rotary_factor=share)
    theirs, their_factor = ROPE_INIT_FUNCTIONS["linear"](peer, torch.device("cpu"))
    torch.testing.assert_close(inverse_frequencies(config).float(), theirs, rtol=FLOAT32_SPEED, atol=0)
    assert attention_factor(config) == their_factor


@pytest.mark.parametrize("share", [1.0, 0.25])
@pytest.mark.parametrize("factor", [1.0, 2.0, 8.0])
@pytest.mark.parametrize("length", [None, 1, 2048, 2049, 4096, 65_536])
def test_dynamic_ntk_is_that_of_transformers(share, factor, length):
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = RopeConfig(128, rotary_dim=int(128 * share), max_position=2048, scaling=DynamicNtkScaling(factor))
    peer = llama_config(head_dim=128, rope_type="dynamic", factor=factor, partial_rotary_factor=share)
    theirs, their_factor = ROPE_INIT_FUNCTIONS["dynamic"](peer, torch.device("cpu"), seq_len=length)
    torch.testing.assert_close(inverse_frequencies(config, length).float(), theirs, rtol=FLOAT32_SPEED, atol=0)
    assert attention_factor(config, length) == their_factor


def test_gptj_turns_neighbours_the_same_way(device):
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions

    x = vectors(2, 60, 4, 64, device=device)  # (B, S, H, D)
    sin, cos = create_sinusoidal_positions(60, 64).to(device).expand(2, -1, -1).chunk(2, dim=-1)
    ours = rotate(x.transpose(1, 2), torch.arange(60, device=device), RopeConfig(64, layout="interleaved")).transpose(1, 2)
    torch.testing.assert_close(ours, apply_rotary_pos_emb(x, sin, cos), rtol=0, atol=5 * FLOAT32_ANGLE)


def test_roformer_turns_neighbours_the_same_way(device):
    from transformers.models.roformer.modeling_roformer import RoFormerSelfAttention, RoFormerSinusoidalPositionalEmbedding

    embedding = RoFormerSinusoidalPositionalEmbedding(60, 64)
    embedding.weight = torch.nn.Parameter(embedding.create_weight(), requires_grad=False)
    q, k = vectors(2, 2, 4, 60, 64, device=device)
    tables = embedding((2, 60)).to(device)[None, None]  # (1, 1, S, D)
    config, positions = RopeConfig(64, layout="interleaved"), torch.arange(60, device=device)
    for x, theirs in zip((q, k), RoFormerSelfAttention.apply_rotary_position_embeddings(tables, q, k), strict=True):
        torch.testing.assert_close(rotate(x, positions, config), theirs, rtol=0, atol=FLOAT32_ANGLE)


def test_a_rotation_by_our_tables_is_the_rotation_of_llama(device):
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    x = vectors(1, 2, 60, 64, device=device).double()
    cos, sin = cos_sin(RopeConfig(64), torch.arange(60, device=device) + 1_000_000, dtype=torch.float64)
    wide = [torch.cat((table, table), dim=-1).unsqueeze(0) for table in (cos, sin)]
    theirs = apply_rotary_pos_emb(x, x, *wide)[0]
    torch.testing.assert_close(apply_rotation(x, cos, sin, layout="half"), theirs, rtol=0, atol=1e-14)


# rotary-embedding-torch


@pytest.mark.parametrize(
    ("settings", "scaling"),
    [({}, None), ({"interpolate_factor": 4.0}, LinearScaling(4)), ({"theta_rescale_factor": 4.0}, NtkScaling(4))],
    ids=["plain", "linear", "ntk"],
)
@pytest.mark.parametrize("offset", [0, 30])
def test_rotary_embedding_torch_turns_neighbours_the_same_way(settings, scaling, offset, device):
    from rotary_embedding_torch import RotaryEmbedding

    x = vectors(2, 4, 60, 64, device=device)
    theirs = RotaryEmbedding(64, **settings).to(device).rotate_queries_or_keys(x, offset=offset)
    config = RopeConfig(64, layout="interleaved", scaling=scaling)
    ours = rotate(x, torch.arange(offset, offset + 60, device=device), config)
    torch.testing.assert_close(ours, theirs.detach(), rtol=0, atol=5 * FLOAT32_ANGLE)


def test_rotary_embedding_torch_leaves_the_other_coordinates_unchanged(device):
    from rotary_embedding_torch import RotaryEmbedding

    x = vectors(2, 4, 60, 64, device=device)
    theirs = RotaryEmbedding(32).to(device).rotate_queries_or_keys(x).detach()
    ours = rotate(x, torch.arange(60, device=device), RopeConfig(64, rotary_dim=32, layout="interleaved"))
    torch.testing.assert_close(ours, theirs, rtol=0, atol=5 * FLOAT32_ANGLE)
    assert np.array_equal(theirs[..., 32:].cpu(), x[..., 32:].cpu())
