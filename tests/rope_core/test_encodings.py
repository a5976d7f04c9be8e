"""Encodings for comparison: the sinusoidal table of the paper, ALiBi's published slopes, T5's buckets as in transformers; errors."""

import math
import re

import numpy as np
import pytest
import torch

from rope_core import RopeConfigError, alibi_bias, alibi_slopes, geometric_frequencies, sinusoidal_encoding, t5_buckets


def paper(position: int, width: int) -> list[float]:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(...), as printed."""
    angles = [position / 10_000 ** (2 * (j // 2) / width) for j in range(width)]
    return [math.cos(angle) if j % 2 else math.sin(angle) for j, angle in enumerate(angles)]


@pytest.mark.parametrize("width", [2, 8, 512])
def test_the_table_is_that_of_the_paper(width, device):
    positions = [0, 1, 7, 5000]
    table = sinusoidal_encoding(torch.tensor(positions, device=device), geometric_frequencies(width, 10_000, device=device))
    np.testing.assert_allclose(table.cpu().numpy(), [paper(position, width) for position in positions], rtol=0, atol=1e-11)


def test_position_0_is_zeros_and_ones():
    assert sinusoidal_encoding(torch.tensor([0]), geometric_frequencies(4, 10_000)).tolist() == [[0, 1, 0, 1]]


def test_two_codes_depend_on_the_distance_alone(device):
    inv_freq = geometric_frequencies(64, 10_000, device=device)
    table = sinusoidal_encoding(torch.tensor([5, 12, 1005, 1012], device=device), inv_freq)
    assert (table[0] @ table[1]).item() == pytest.approx((table[2] @ table[3]).item(), abs=1e-10)
    assert (table[0] @ table[1]).item() == pytest.approx((7 * inv_freq).cos().sum().item(), abs=1e-10)


def test_speeds_of_another_dtype_are_used_unchanged():
    inv_freq = torch.tensor([1.0, 0.1], dtype=torch.float32)
    expected = sinusoidal_encoding(torch.arange(3), inv_freq.double())
    assert torch.equal(sinusoidal_encoding(torch.arange(3), inv_freq), expected)
    assert expected.dtype == torch.float64


@pytest.mark.parametrize("positions", [torch.arange(3.0), torch.zeros(3, dtype=torch.bool), [0, 1]], ids=str)
def test_positions_that_are_no_integer_tensor_are_rejected(positions):
    with pytest.raises(RopeConfigError, match=r"^positions must be a tensor of integers, got "):
        sinusoidal_encoding(positions, geometric_frequencies(4, 10_000))


@pytest.mark.parametrize("inv_freq", [torch.tensor([1, 2]), [1.0], 10_000.0], ids=str)
def test_speeds_that_are_no_floating_point_tensor_are_rejected(inv_freq):
    with pytest.raises(RopeConfigError, match=r"^inv_freq must be a tensor of float16, bfloat16, float32 or float64, got "):
        sinusoidal_encoding(torch.arange(3), inv_freq)


@pytest.mark.parametrize(
    ("positions", "speeds", "named"),
    [((2, 3), (4,), "positions"), ((), (4,), "positions"), ((3,), (1, 4), "inv_freq"), ((3,), (), "inv_freq")],
)
def test_more_or_less_than_one_axis_is_rejected(positions, speeds, named):
    shape = positions if named == "positions" else speeds
    with pytest.raises(RopeConfigError, match=re.escape(f"{named} must have one axis, got shape {shape}")):
        sinusoidal_encoding(torch.ones(positions, dtype=torch.int64), torch.ones(speeds))


# ALiBi


def test_eight_heads_have_the_slopes_of_the_paper():
    assert alibi_slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]


def test_sixteen_heads_begin_at_the_root_of_a_half():
    # "1 / 2 ** 0.5, 1 / 2 ** 1, 1 / 2 ** 1.5, ..., 1 / 2 ** 8"
    np.testing.assert_allclose(alibi_slopes(16).numpy(), [2 ** (-step / 2) for step in range(1, 17)], rtol=1e-15)


def test_other_numbers_of_heads_take_every_other_slope_of_the_next_power():
    # The reference implementation, get_slopes(12): the slopes of 8 heads, then the first, third, fifth, seventh of 16.
    expected = [2.0**-step for step in range(1, 9)] + [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]
    np.testing.assert_allclose(alibi_slopes(12).numpy(), expected, rtol=1e-15)


@pytest.mark.parametrize("heads", [1, 2, 3, 5, 7, 20, 33, 112])
def test_there_is_a_slope_for_every_head_and_none_twice(heads):
    slopes = alibi_slopes(heads).tolist()
    assert len(set(slopes)) == len(slopes) == heads
    assert all(0 < slope < 1 for slope in slopes)


def test_bias_falls_by_the_slope_for_every_token(device):
    distances = torch.tensor([[0, 1], [3, -3]], device=device)
    assert alibi_bias(distances, 0.25).tolist() == [[0, -0.25], [-0.75, -0.75]]


@pytest.mark.parametrize("heads", [0, -1, 2.0, True])
def test_an_invalid_number_of_heads_is_rejected(heads):
    with pytest.raises(RopeConfigError, match=r"^heads must be an integer of at least 1, got "):
        alibi_slopes(heads)


# T5


@pytest.mark.parametrize("causal", [True, False])
def test_buckets_are_those_of_transformers(causal, device):
    from transformers.models.t5.modeling_t5 import T5Attention

    distances = torch.arange(-2000, 2001)
    theirs = T5Attention._relative_position_bucket(-distances, bidirectional=not causal, num_buckets=32, max_distance=128)
    assert torch.equal(t5_buckets(distances.to(device), causal=causal).cpu(), theirs)


def test_causal_buckets_are_the_published_ones():
    distances = torch.tensor([0, 1, 15, 16, 17, 20, 32, 64, 100, 113, 128, 10_000, -5])
    assert t5_buckets(distances, causal=True).tolist() == [0, 1, 15, 16, 16, 17, 21, 26, 30, 31, 31, 31, 0]


def test_buckets_of_both_directions_do_not_meet_but_at_0():
    distances = torch.arange(1, 300)
    back, ahead = t5_buckets(distances, causal=False), t5_buckets(-distances, causal=False)
    assert torch.equal(ahead, back + 16)
    assert back.max() == 15


@pytest.mark.parametrize("call", [lambda x: t5_buckets(x, causal=True), lambda x: alibi_bias(x, 0.5)])
def test_distances_that_are_not_whole_are_rejected(call):
    with pytest.raises(RopeConfigError, match=r"^distances must be a tensor of integers, got torch\.float32$"):
        call(torch.ones(3))


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.uint64])
def test_distances_are_integers_of_any_width(dtype):
    wide = torch.tensor([0, 5, 100] if not dtype.is_signed else [-128, -5, 0, 5, 100])
    assert torch.equal(alibi_bias(wide.to(dtype), 0.5), alibi_bias(wide, 0.5))
    for causal in (True, False):
        assert torch.equal(t5_buckets(wide.to(dtype), causal=causal), t5_buckets(wide, causal=causal))


def test_speeds_that_are_not_finite_are_rejected():
    with pytest.raises(RopeConfigError, match=r"^inv_freq must hold finite numbers only, got nan$"):
        sinusoidal_encoding(torch.arange(3), torch.full((2,), float("nan")))


def test_a_slope_that_is_not_finite_is_rejected():
    with pytest.raises(RopeConfigError, match=r"^slope must be a finite number, got nan$"):
        alibi_bias(torch.arange(3), float("nan"))
