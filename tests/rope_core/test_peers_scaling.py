"""Every ``rope_type`` of transformers, over grids of widths, bases, lengths and factors; the axes of its vision models.

Peers are asked for their own tables: what is compared never feeds what it is compared with.
"""

import importlib
from functools import cache
from itertools import product
from typing import Any

import pytest
import torch

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    RopeConfig,
    Scaling,
    YarnScaling,
    attention_factor,
    axial_frequencies,
    axis_angles,
    cos_sin,
    image_positions,
    inverse_frequencies,
    mrope_axes,
)

FLOAT32_SPEED = 1e-6  # relative: a power and a division or two in float32
FLOAT32_BLEND = 5e-6  # relative: where little of a pair is kept, that share carries the rounding of 1 minus almost 1, times the factor
FLOAT32_LARGE_POWER = 3e-6  # relative: dynamic NTK raises the base in float64 and every pair in float32
FLOAT32_ANGLE = 2e-4  # absolute, for positions below 1,000: the speed times the position, then cos or sin
FLOAT64_FACTOR = 1e-9  # relative: computed in Python by both

WIDTHS = [(64, 1.0), (96, 1.0), (128, 1.0), (128, 0.25), (96, 0.75)]
BASES = [10_000.0, 500_000.0, 5e7]
FACTORS = [1.0, 1.25, 4.0, 8.0, 40.0]


def llama_config(head_dim: int, base: float, max_position: int, rope: dict[str, Any]) -> Any:
    from transformers import LlamaConfig

    return LlamaConfig(
        hidden_size=4 * head_dim,
        num_attention_heads=4,
        head_dim=head_dim,
        max_position_embeddings=max_position,
        rope_parameters={"rope_theta": base} | rope,
    )


@cache
def reusable_config() -> Any:
    return llama_config(64, 10_000.0, 2048, {"rope_type": "default"})


def peer(head_dim: int, base: float, max_position: int, rope: dict[str, Any], seq_len: int | None = None) -> tuple[torch.Tensor, float]:
    """Return the values of transformers; one config is modified repeatedly, because creating one takes longer than the comparison."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = reusable_config()
    config.head_dim, config.max_position_embeddings, config.rope_parameters = head_dim, max_position, {"rope_theta": base} | rope
    return ROPE_INIT_FUNCTIONS[rope["rope_type"]](config, torch.device("cpu"), seq_len=seq_len)


def agree(scaling: Scaling, rope: dict[str, Any], *, max_position: int, seq_len: int | None = None, tolerance: float) -> None:
    """Compare speeds and attention factors for every width, share and base."""
    for (head_dim, share), base in product(WIDTHS, BASES):
        config = RopeConfig(head_dim, rotary_dim=int(head_dim * share), base=base, max_position=max_position, scaling=scaling)
        theirs, their_factor = peer(head_dim, base, max_position, rope | {"partial_rotary_factor": share}, seq_len)
        torch.testing.assert_close(inverse_frequencies(config, seq_len).float(), theirs, rtol=tolerance, atol=0)
        assert attention_factor(config, seq_len) == pytest.approx(their_factor, rel=FLOAT64_FACTOR)


def test_these_are_all_types_that_transformers_computes():
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    assert set(ROPE_INIT_FUNCTIONS) == {"linear", "dynamic", "yarn", "longrope", "llama3", "proportional"}


@pytest.mark.parametrize("factor", FACTORS)
def test_linear_is_that_of_transformers(factor):
    agree(LinearScaling(factor), {"rope_type": "linear", "factor": factor}, max_position=4096, tolerance=FLOAT32_SPEED)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("seq_len", [None, 1, 2048, 2049, 200_000])
@pytest.mark.parametrize("max_position", [2048, 32_768])
def test_dynamic_is_that_of_transformers(factor, seq_len, max_position):
    rope = {"rope_type": "dynamic", "factor": factor}
    agree(DynamicNtkScaling(factor), rope, max_position=max_position, seq_len=seq_len, tolerance=FLOAT32_LARGE_POWER)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"truncate": False},
        {"beta_fast": 4.0},
        {"beta_fast": 64.0, "beta_slow": 0.5, "truncate": False},
        {"beta_fast": 1.0, "beta_slow": 1.0},
        {"beta_fast": 1.0, "beta_slow": 1.0, "truncate": False},
        {"attention_factor": 1.0},
        {"attention_factor": 1.4852},
        {"mscale": 1.0, "mscale_all_dim": 1.0},
        {"mscale": 0.707, "mscale_all_dim": 0.707},
        {"mscale": 1.0, "mscale_all_dim": 0.8},
        {"mscale": 1.0, "mscale_all_dim": 0.0},
        {"mscale": 1.0},
    ],
    ids=lambda settings: " ".join(f"{name}={value:g}" for name, value in settings.items()) or "defaults",
)
def test_yarn_is_that_of_transformers(factor, settings):
    for original in (2048, 65_536):
        scaling = YarnScaling(factor, original_max_position=original, **settings)
        rope = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": original} | settings
        agree(scaling, rope, max_position=131_072, tolerance=FLOAT32_BLEND)


@pytest.mark.parametrize("max_position", [2048, 32_768])
def test_yarn_without_a_trained_length_is_that_of_transformers(max_position):
    agree(YarnScaling(4), {"rope_type": "yarn", "factor": 4.0}, max_position=max_position, tolerance=FLOAT32_BLEND)


@pytest.mark.parametrize("base", [1.0001, 2.0, 10.0, 10_000.0, 1e30])
@pytest.mark.parametrize("original", [1, 3, 6, 7, 201, 202, 4096, 10_000_000])
@pytest.mark.parametrize("truncate", [True, False])
def test_yarn_with_crossing_ramp_ends_is_that_of_transformers(base, original, truncate):
    for head_dim in (2, 4, 8, 64):
        config = RopeConfig(head_dim, base=base, scaling=YarnScaling(4, original_max_position=original, truncate=truncate))
        rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": original, "truncate": truncate}
        theirs, _ = peer(head_dim, base, 4096, rope)
        torch.testing.assert_close(inverse_frequencies(config).float(), theirs, rtol=FLOAT32_SPEED, atol=0)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(("low", "high"), [(1.0, 4.0), (1.0, 32.0), (0.5, 1.5), (2.0, 2.0), (1.0, 1.0)])
def test_llama3_is_that_of_transformers(factor, low, high):
    for original in (2048, 8192):
        rope = {"rope_type": "llama3", "factor": factor, "low_freq_factor": low, "high_freq_factor": high}
        scaling = Llama3Scaling(factor, low_freq_factor=low, high_freq_factor=high, original_max_position=original)
        rope["original_max_position_embeddings"] = original
        agree(scaling, rope, max_position=131_072, tolerance=FLOAT32_BLEND)


@pytest.mark.parametrize("seq_len", [None, 1, 4095, 4096, 4097, 131_072])
@pytest.mark.parametrize("stated", [{}, {"factor": 32.0}, {"factor": 0.5}, {"attention_factor": 1.25}], ids=lambda stated: " ".join(stated))
def test_longrope_is_that_of_transformers(seq_len, stated):
    for (head_dim, share), base, max_position in product(WIDTHS, BASES, (4096, 131_072)):
        pairs = int(head_dim * share) // 2
        lists = {"short_factor": [1 + 0.01 * i for i in range(pairs)], "long_factor": [1.5 + i * i / 10 for i in range(pairs)]}
        scaling = LongRopeScaling(**lists, original_max_position=4096, **stated)
        config = RopeConfig(head_dim, rotary_dim=2 * pairs, base=base, max_position=max_position, scaling=scaling)
        rope = {"rope_type": "longrope", "partial_rotary_factor": share, "original_max_position_embeddings": 4096} | lists | stated
        theirs, their_factor = peer(head_dim, base, max_position, rope, seq_len)
        torch.testing.assert_close(inverse_frequencies(config, seq_len).float(), theirs, rtol=FLOAT32_SPEED, atol=0)
        assert attention_factor(config, seq_len) == pytest.approx(their_factor, rel=FLOAT64_FACTOR)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 1 / 3, 0.5, 0.99, 1.0])
def test_proportional_is_that_of_transformers(factor, share):
    for head_dim, base in product((64, 96, 512), BASES):
        config = RopeConfig(head_dim, base=base, scaling=ProportionalScaling(rotary_fraction=share, factor=factor))
        theirs, their_factor = peer(head_dim, base, 4096, {"rope_type": "proportional", "factor": factor, "partial_rotary_factor": share})
        torch.testing.assert_close(inverse_frequencies(config).float(), theirs, rtol=FLOAT32_SPEED, atol=0)
        assert attention_factor(config) == their_factor


# Tables, attention factor included


@pytest.mark.parametrize(
    ("rope", "scaling"),
    [
        ({"rope_type": "yarn", "factor": 4.0}, YarnScaling(4)),
        ({"rope_type": "yarn", "factor": 32.0, "truncate": False, "beta_fast": 16.0}, YarnScaling(32, truncate=False, beta_fast=16)),
        (
            {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
            Llama3Scaling(8, low_freq_factor=1, high_freq_factor=4, original_max_position=2048),
        ),
    ],
    ids=["yarn", "yarn of gpt-oss", "llama3"],
)
def test_llama_has_the_same_tables(rope, scaling, device):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    theirs = LlamaRotaryEmbedding(llama_config(128, 500_000.0, 2048, rope | {"original_max_position_embeddings": 2048})).to(device)
    positions = torch.tensor([[0, 1, 2, 50, 999]], device=device)
    ours = cos_sin(RopeConfig(128, base=500_000, max_position=2048, scaling=scaling), positions)
    for table, wide in zip(ours, theirs(torch.ones(1, device=device), positions), strict=True):
        torch.testing.assert_close(torch.cat((table, table), dim=-1), wide, rtol=0, atol=FLOAT32_ANGLE)


@pytest.mark.parametrize("length", [64, 65])
def test_a_module_of_transformers_takes_the_same_list_of_longrope(length, device):
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    short, long = [1.0, 1.1, 1.2, 1.3], [1.0, 2.0, 4.0, 8.0]
    rope = {"rope_type": "longrope", "short_factor": short, "long_factor": long, "original_max_position_embeddings": 64}
    theirs = LlamaRotaryEmbedding(llama_config(8, 10_000.0, 2048, rope)).to(device)
    positions = torch.arange(length, device=device)[None]
    scaling = LongRopeScaling(short_factor=short, long_factor=long, original_max_position=64)
    ours = cos_sin(RopeConfig(8, max_position=2048, scaling=scaling), positions, seq_len=length)
    for table, wide in zip(ours, theirs(torch.ones(1, device=device), positions), strict=True):
        torch.testing.assert_close(torch.cat((table, table), dim=-1), wide, rtol=0, atol=FLOAT32_ANGLE)


# Several axes


IDS = torch.cat((torch.arange(4).expand(3, -1), image_positions(4, 3, 5), torch.arange(9, 12).expand(3, -1)), dim=-1)  # text, image, text


@pytest.mark.parametrize(
    ("model", "name", "section", "axes"),
    [
        ("qwen2_vl", "Qwen2VLRotaryEmbedding", [16, 24, 24], mrope_axes([16, 24, 24])),
        ("qwen3_vl", "Qwen3VLTextRotaryEmbedding", [24, 20, 20], mrope_axes([24, 20, 20], interleaved=True)),
        ("qwen3_vl", "Qwen3VLTextRotaryEmbedding", [40, 20, 4], mrope_axes([40, 20, 4], interleaved=True)),
    ],
)
def test_vision_models_divide_pairs_in_the_same_way(model, name, section, axes, device):
    modeling = importlib.import_module(f"transformers.models.{model}.modeling_{model}")
    config = llama_config(128, 1e6, 2048, {"rope_type": "default", "mrope_section": section})
    ids = IDS.to(device)
    cos, sin = getattr(modeling, name)(config).to(device)(torch.ones(1, device=device), ids[:, None])  # (1, S, 2 P)
    angles = axis_angles(inverse_frequencies(RopeConfig(128, base=1e6), device=device), dict(zip("thw", ids, strict=True)), axes)
    for ours, theirs in ((angles.cos(), cos), (angles.sin(), sin)):
        torch.testing.assert_close(ours.float(), theirs[0, :, :64], rtol=0, atol=FLOAT32_ANGLE)


def test_pixtral_rotates_even_pairs_by_rows_and_puts_them_first(device):
    from transformers import PixtralVisionConfig
    from transformers.models.pixtral.modeling_pixtral import PixtralVisionRotaryEmbedding

    theirs = PixtralVisionRotaryEmbedding(PixtralVisionConfig(hidden_size=256, num_attention_heads=4, head_dim=64)).to(device)
    _, rows, columns = image_positions(0, 5, 7, device=device)
    cos, _ = theirs(torch.ones(1, device=device), torch.stack((rows, columns), dim=-1).T[None])
    speeds, axes = axial_frequencies(64, 10_000.0, order="alternate", device=device)
    ours = axis_angles(speeds, {"h": rows, "w": columns}, axes).cos()
    rows_first = torch.cat((ours[:, 0::2], ours[:, 1::2]), dim=-1).float()
    torch.testing.assert_close(rows_first, cos.reshape(len(rows), -1)[:, :32], rtol=0, atol=FLOAT32_ANGLE)
