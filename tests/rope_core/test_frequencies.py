"""Speeds, wavelengths and attention factor of a config."""

import math
import re

import numpy as np
import pytest
import torch

from rope_core import (
    LinearScaling,
    RopeConfig,
    RopeConfigError,
    attention_factor,
    geometric_frequencies,
    inverse_frequencies,
    wavelengths,
)
from tests.methods import methods, name_of

QUESTIONS = [inverse_frequencies, wavelengths, attention_factor]


def test_without_scaling_the_speeds_are_the_geometric_law():
    assert torch.equal(inverse_frequencies(RopeConfig(64, base=5e5)), geometric_frequencies(64, 5e5))


def test_the_exponent_counts_the_rotated_width():
    assert torch.equal(inverse_frequencies(RopeConfig(128, rotary_dim=32)), geometric_frequencies(32, 10_000))


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_the_layout_does_not_change_a_speed(layout):
    assert torch.equal(inverse_frequencies(RopeConfig(64, layout=layout)), geometric_frequencies(64, 10_000))


def test_without_scaling_the_length_does_not_matter():
    assert torch.equal(inverse_frequencies(RopeConfig(64), 10_000_000), inverse_frequencies(RopeConfig(64)))


def test_a_wavelength_is_the_tokens_of_a_full_turn():
    config = RopeConfig(64, scaling=LinearScaling(4))
    torch.testing.assert_close(wavelengths(config) * inverse_frequencies(config), torch.full((32,), 2 * math.pi, dtype=torch.float64))


def test_the_fastest_pair_turns_once_in_two_pi_tokens():
    assert wavelengths(RopeConfig(64))[0].item() == 2 * math.pi


@pytest.mark.parametrize("scaling", [None, *methods(without={"yarn", "longrope"})], ids=name_of)
@pytest.mark.parametrize("seq_len", [None, 1, 4097])
def test_methods_that_only_slow_pairs_leave_the_attention_factor_at_1(scaling, seq_len):
    assert attention_factor(RopeConfig(64, scaling=scaling), seq_len) == 1


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("scaling", [None, *methods()], ids=name_of)
@pytest.mark.parametrize("seq_len", [0, -1, 2048.0, "2048", True, float("nan")], ids=repr)
def test_a_length_that_is_not_a_positive_integer_is_rejected(question, scaling, seq_len):
    with pytest.raises(RopeConfigError, match=re.escape(f"seq_len must be an integer of at least 1, got {seq_len!r}")):
        question(RopeConfig(64, scaling=scaling), seq_len)


@pytest.mark.parametrize("seq_len", [1, np.int64(2048)])
def test_every_positive_length_is_accepted(seq_len):
    assert inverse_frequencies(RopeConfig(64), seq_len).shape == (32,)


@pytest.mark.parametrize("question", [inverse_frequencies, wavelengths])
@pytest.mark.parametrize("scaling", [None, *methods()], ids=name_of)
def test_the_result_is_on_the_requested_device(question, scaling):
    assert question(RopeConfig(64, scaling=scaling), 8192, device=torch.device("meta")).device.type == "meta"


def test_every_result_belongs_to_the_caller():
    inverse_frequencies(RopeConfig(64)).zero_()
    assert inverse_frequencies(RopeConfig(64))[0] == 1
