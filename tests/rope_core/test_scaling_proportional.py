"""Proportional rotation: which pairs rotate, how fast, and that the others do not."""

import math
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import (
    LinearScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    attention_factor,
    inverse_frequencies,
    rotate,
    wavelengths,
)
from tests.oracles import scaling as oracle

widths = st.integers(1, 256).map(lambda pairs: 2 * pairs)


@given(widths, st.floats(1.01, 1e9), st.floats(0, 1), st.floats(1, 128))
def test_the_fast_pairs_have_the_speeds_of_the_whole_head_and_the_others_none(width, base, share, factor):
    config = RopeConfig(width, base=base, scaling=ProportionalScaling(rotary_fraction=share, factor=factor))
    expected = torch.tensor(oracle.proportional(width, base, share, factor), dtype=torch.float64)
    torch.testing.assert_close(inverse_frequencies(config), expected, rtol=1e-14, atol=0)
    assert attention_factor(config) == 1


def test_gemma_4_turns_64_of_256_pairs():
    config = RopeConfig(512, base=1e6, scaling=ProportionalScaling(rotary_fraction=0.25))
    speeds = inverse_frequencies(config)
    assert torch.equal(speeds[:64], inverse_frequencies(RopeConfig(512, base=1e6))[:64])
    assert torch.equal(speeds[64:], torch.zeros(192, dtype=torch.float64))


def test_it_is_not_the_partial_rotation_of_a_narrower_width():
    proportional = inverse_frequencies(RopeConfig(512, scaling=ProportionalScaling(rotary_fraction=0.25)))[:64]
    partial = inverse_frequencies(RopeConfig(512, rotary_dim=128))
    assert proportional[1] > partial[1]
    assert proportional[63] > partial[63]


@pytest.mark.parametrize("factor", [1, 8])
def test_the_whole_share_is_linear_scaling(factor):
    whole = RopeConfig(64, scaling=ProportionalScaling(rotary_fraction=1, factor=factor))
    assert torch.equal(inverse_frequencies(whole), inverse_frequencies(RopeConfig(64, scaling=LinearScaling(factor))))


def test_no_share_is_no_rotation_at_all(device):
    config = RopeConfig(64, scaling=ProportionalScaling(rotary_fraction=0))
    x = torch.randn(3, 64, generator=torch.Generator().manual_seed(0)).to(device)
    assert torch.equal(rotate(x, torch.tensor([0, 7, 10_000_000], device=device), config), x)


@pytest.mark.parametrize(("layout", "still"), [("half", [2, 3, 6, 7]), ("interleaved", [4, 5, 6, 7])])
def test_unrotated_coordinates_are_those_of_the_slow_pairs_in_the_layout(layout, still, device):
    config = RopeConfig(8, layout=layout, scaling=ProportionalScaling(rotary_fraction=0.5))
    turned = rotate(torch.ones(1, 8, device=device), torch.tensor([5], device=device), config)[0]
    assert (turned == 1).nonzero().flatten().tolist() == still


def test_a_pair_of_speed_0_never_completes_a_turn():
    tokens = wavelengths(RopeConfig(8, scaling=ProportionalScaling(rotary_fraction=0.5)))
    assert tokens.isinf().tolist() == [False, False, True, True]


@pytest.mark.parametrize(("width", "share", "turning"), [(64, 0.3, 9), (2, 0.99, 0), (2, 1, 1), (6, 0.34, 1), (96, 1 / 3, 16)])
def test_the_number_of_pairs_that_turn_is_rounded_down(width, share, turning):
    speeds = inverse_frequencies(RopeConfig(width, scaling=ProportionalScaling(rotary_fraction=share)))
    assert (speeds > 0).sum() == turning == math.floor(share * width / 2)


def test_a_narrower_rotated_width_is_rejected():
    with pytest.raises(RopeConfigError, match=r"^rotary_dim must be head_dim = 64 for proportional scaling, got 32$"):
        RopeConfig(64, rotary_dim=32, scaling=ProportionalScaling(rotary_fraction=0.5))


def test_numbers_of_numpy_make_the_same_settings():
    numpy = ProportionalScaling(rotary_fraction=np.float32(0.25), factor=np.int64(2))
    assert numpy == ProportionalScaling(rotary_fraction=0.25, factor=2.0)
    assert repr(numpy) == repr(ProportionalScaling(rotary_fraction=0.25, factor=2.0))


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (-0.1, "rotary_fraction must be at least 0, got -0.1"),
        (np.nextafter(1, 2), f"rotary_fraction must be at most 1, got {np.nextafter(1, 2)!r}"),
        (True, "rotary_fraction must be a finite number, got True"),
        (None, "rotary_fraction must be a finite number, got None"),
    ],
)
def test_an_invalid_share_is_rejected(value, sentence):
    with pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$"):
        ProportionalScaling(rotary_fraction=value)
