"""LongRoPE: two lists of divisors, the switch between them, and one attention factor for both."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import LongRopeScaling, RopeConfig, RopeConfigError, attention_factor, cos_sin, inverse_frequencies
from tests.oracles import scaling as oracle

SHORT, LONG = [1.0 + 0.01 * i for i in range(48)], [1.0 + i for i in range(48)]


def lists(short: object = SHORT, long: object = LONG, length: int = 4096, **others: object) -> LongRopeScaling:
    return LongRopeScaling(short_factor=short, long_factor=long, original_max_position=length, **others)


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


# The lists and the switch


@pytest.mark.parametrize("seq_len", [None, 1, 4095, 4096, 4097, 131_072])
def test_sequences_beyond_the_trained_length_take_the_long_list(seq_len):
    config = RopeConfig(96, max_position=131_072, scaling=lists())
    divisors = LONG if seq_len is not None and seq_len > 4096 else SHORT
    expected = torch.tensor(oracle.longrope(96, 10_000, divisors), dtype=torch.float64)
    torch.testing.assert_close(inverse_frequencies(config, seq_len), expected, rtol=1e-14, atol=0)


@given(st.lists(st.floats(1e-6, 1e6), min_size=4, max_size=4), st.lists(st.floats(1e-6, 1e6), min_size=4, max_size=4), st.floats(1.01, 1e9))
def test_every_pair_is_divided_by_its_own_entry(short, long, base):
    config = RopeConfig(8, base=base, scaling=lists(short, long, 16))
    for seq_len, divisors in ((16, short), (17, long)):
        expected = torch.tensor(oracle.longrope(8, base, divisors), dtype=torch.float64)
        torch.testing.assert_close(inverse_frequencies(config, seq_len), expected, rtol=1e-14, atol=0)


def test_lists_of_ones_are_plain_rope_to_the_bit():
    config = RopeConfig(96, scaling=lists([1] * 48, [1] * 48))
    assert torch.equal(inverse_frequencies(config), inverse_frequencies(RopeConfig(96)))
    assert torch.equal(inverse_frequencies(config, 5000), inverse_frequencies(RopeConfig(96)))


def test_lists_count_the_pairs_that_turn():
    config = RopeConfig(128, rotary_dim=96, scaling=lists())
    assert torch.equal(inverse_frequencies(config, 8192), inverse_frequencies(RopeConfig(96, scaling=lists()), 8192))


@pytest.mark.parametrize("entries", [0, 47, 49, 96])
@pytest.mark.parametrize("name", ["short_factor", "long_factor"])
def test_a_list_that_does_not_count_the_pairs_is_rejected_by_name(name, entries):
    wrong = lists(*([1.0] * entries if name == field else [1.0] * 48 for field in ("short_factor", "long_factor")))
    with refusal(f"{name} must have one entry for each of the 48 pairs, got {entries}"):
        RopeConfig(96, scaling=wrong)


# The attention factor


@pytest.mark.parametrize(("max_position", "expected"), [(131_072, math.sqrt(17 / 12)), (8192, 1.040833000), (4096, 1), (2048, 1)])
def test_the_attention_factor_follows_the_ratio_of_the_lengths_if_no_factor_is_stated(max_position, expected):
    assert attention_factor(RopeConfig(96, max_position=max_position, scaling=lists())) == pytest.approx(expected, abs=5e-10)


@given(st.floats(0.01, 1e6), st.integers(2, 2**53))
def test_a_stated_factor_determines_the_attention_factor_for_any_max_position(factor, length):
    config = RopeConfig(96, max_position=7, scaling=lists(length=length, factor=factor))
    assert attention_factor(config) == pytest.approx(oracle.longrope_attention_factor(factor, length), rel=1e-13)


def test_a_stated_attention_factor_is_used():
    assert attention_factor(RopeConfig(96, scaling=lists(factor=32, attention_factor=1.5))) == 1.5


@pytest.mark.parametrize("seq_len", [1, 4096, 4097])
def test_the_attention_factor_is_in_the_tables_under_both_lists(seq_len, device):
    config = RopeConfig(96, max_position=131_072, scaling=lists())
    cos, sin = cos_sin(config, torch.arange(3, device=device), seq_len=seq_len, dtype=torch.float64)
    torch.testing.assert_close((cos**2 + sin**2).sqrt(), torch.full_like(cos, math.sqrt(17 / 12)), rtol=1e-14, atol=0)


# Settings


def test_lists_become_tuples_so_that_the_settings_are_a_key():
    assert lists() == lists(tuple(SHORT), tuple(LONG))
    assert hash(lists()) == hash(lists(tuple(SHORT), tuple(LONG)))
    assert lists() != lists(LONG, SHORT)
    changed = list(SHORT)
    scaling = lists(changed)
    changed[0] = 9.0
    assert scaling == lists()


def test_numbers_of_numpy_make_the_same_settings():
    numpy = lists(
        [np.float64(x) for x in SHORT],
        [Fraction(x) for x in LONG],
        np.int32(4096),
        factor=np.float32(32),
        attention_factor=np.float64(1.25),
    )
    plain = lists(factor=32.0, attention_factor=1.25)
    assert numpy == plain
    assert hash(numpy) == hash(plain)
    assert repr(numpy) == repr(plain)


def test_settings_have_names():
    with pytest.raises(TypeError, match="positional argument"):
        LongRopeScaling(SHORT, LONG, 4096)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"short": 1.0}, "short_factor must be a list of numbers, got float"),
        ({"long": "1, 2"}, "long_factor must be a list of numbers, got str"),
        ({"long": None}, "long_factor must be a list of numbers, got NoneType"),
        ({"short": np.ones(48)}, "short_factor must be a list of numbers, got ndarray"),
        ({"short": [1.0, 0.0]}, "short_factor[1] must be at least 1e-06, got 0.0"),
        ({"long": [1.0, 2.0, -1]}, "long_factor[2] must be at least 1e-06, got -1"),
        ({"long": [1e7]}, "long_factor[0] must be at most 1e+06, got 10000000.0"),
        ({"short": ["1"]}, "short_factor[0] must be a finite number, got '1'"),
        ({"short": [float("nan")]}, "short_factor[0] must be a finite number, got nan"),
        ({"length": 1}, "original_max_position must be an integer of at least 2, got 1"),
        ({"length": 4096.0}, "original_max_position must be an integer of at least 2, got 4096.0"),
        ({"length": 2**53 + 1}, "original_max_position must be at most 9007199254740992, got 9007199254740993"),
        ({"factor": 0}, "factor must be above 0, got 0"),
        ({"attention_factor": -1}, "attention_factor must be above 0, got -1"),
        ({"attention_factor": True}, "attention_factor must be a finite number, got True"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_an_invalid_setting_is_rejected(settings, sentence):
    with refusal(sentence):
        lists(**settings)
