"""Methods whose ramp is linear in turns: Llama 3, and NTK-by-parts, which is YaRN's rotation ramp without an attention factor."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import Llama3Scaling, RopeConfig, RopeConfigError, YarnScaling, attention_factor, inverse_frequencies, wavelengths
from tests.oracles import scaling as oracle

widths = st.integers(1, 128).map(lambda pairs: 2 * pairs)
bases = st.floats(1.01, 1e9)
factors = st.floats(1, 128)
lengths = st.integers(1, 1_000_000)


def llama(factor: float = 8, low: float = 1, high: float = 4, length: int = 8192) -> Llama3Scaling:
    return Llama3Scaling(factor, low_freq_factor=low, high_freq_factor=high, original_max_position=length)


def bands(config: RopeConfig) -> tuple[int, int, int]:
    """Return the numbers of pairs that are kept, interpolated and divided."""
    kept = config.scaling.kept(config)
    return int((kept == 1).sum()), int(((kept > 0) & (kept < 1)).sum()), int((kept == 0).sum())


def close(actual: torch.Tensor, expected: list[float]) -> None:
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=torch.float64), rtol=1e-9, atol=0)


# Values


@given(widths, bases, lengths, factors, st.floats(0.25, 8), st.floats(0.01, 64))
def test_speeds_are_those_of_the_three_bands(width, base, length, factor, low, more):
    config = RopeConfig(width, base=base, scaling=llama(factor, low, low + more, length))
    close(inverse_frequencies(config), oracle.by_parts(width, base, length, factor, low, low + more))


@given(widths, bases, lengths, factors, st.floats(0.25, 8), st.floats(0.01, 64))
def test_ntk_by_parts_is_the_same_rule(width, base, length, factor, few, more):
    by_parts = YarnScaling(factor, original_max_position=length, beta_fast=few + more, beta_slow=few, ramp="rotation", attention_factor=1)
    config, llama3 = (
        RopeConfig(width, base=base, scaling=by_parts),
        RopeConfig(width, base=base, scaling=llama(factor, few, few + more, length)),
    )
    assert torch.equal(inverse_frequencies(config), inverse_frequencies(llama3))
    assert attention_factor(config) == attention_factor(llama3) == 1


def test_the_rotation_ramp_of_the_paper_runs_from_1_to_32_turns():
    config = RopeConfig(128, scaling=YarnScaling(16, ramp="rotation"))
    close(inverse_frequencies(config), oracle.by_parts(128, 10_000, 4096, 16, 1, 32))


@pytest.mark.parametrize(
    ("config", "counts"),
    [
        (RopeConfig(128, base=5e5, scaling=llama()), (29, 6, 29)),
        (RopeConfig(64, base=5e5, scaling=llama(32)), (15, 3, 14)),
        (RopeConfig(128, base=5e5, scaling=llama(16, 1, 1)), (35, 0, 29)),
    ],
    ids=["Llama 3.1 8B", "Llama 3.2 1B", "Llama 4 Scout"],
)
def test_models_have_the_published_bands(config, counts):
    assert bands(config) == counts


def test_the_edges_lie_at_length_over_factor_in_wavelengths():
    config = RopeConfig(128, base=5e5, scaling=llama())
    kept, tokens = config.scaling.kept(config), wavelengths(RopeConfig(128, base=5e5))
    assert torch.equal(kept == 1, tokens <= 2048)
    assert torch.equal(kept == 0, tokens >= 8192)


def test_the_blend_is_linear_in_turns_and_not_in_wavelength():
    config = RopeConfig(64, base=5e5, scaling=llama(32))
    turns = 8192 / wavelengths(RopeConfig(64, base=5e5))[15:18]
    torch.testing.assert_close(config.scaling.kept(config)[15:18], (turns - 1) / 3, rtol=1e-12, atol=0)


# Exact parts and limits


@given(widths, bases, lengths, factors)
def test_kept_and_divided_pairs_are_exact_to_the_bit(width, base, length, factor):
    config = RopeConfig(width, base=base, scaling=llama(factor, 1, 4, length))
    kept, speeds, plain = config.scaling.kept(config), inverse_frequencies(config), inverse_frequencies(RopeConfig(width, base=base))
    assert torch.equal(speeds[kept == 1], plain[kept == 1])
    assert torch.equal(speeds[kept == 0], (plain / factor)[kept == 0])


@given(widths, bases, lengths, st.floats(0.1, 8), st.floats(0, 8))
def test_the_share_that_stays_never_rises_towards_slow_pairs(width, base, length, low, more):
    config = RopeConfig(width, base=base, scaling=llama(8, low, low + more, length))
    kept = config.scaling.kept(config)
    assert ((kept >= 0) & (kept <= 1)).all()
    assert (kept.diff() <= 0).all()


@given(widths, bases, lengths, st.floats(0.1, 8), st.floats(0, 8))
def test_factor_1_is_plain_rope_to_the_bit(width, base, length, low, more):
    config = RopeConfig(width, base=base, scaling=llama(1, low, low + more, length))
    assert torch.equal(inverse_frequencies(config), inverse_frequencies(RopeConfig(width, base=base)))


@pytest.mark.parametrize("seq_len", [1, 8192, 8193, 131_072])
def test_the_length_of_the_sequence_does_not_matter(seq_len):
    config = RopeConfig(128, base=5e5, scaling=llama())
    assert torch.equal(inverse_frequencies(config, seq_len), inverse_frequencies(config))


def test_max_position_does_not_matter_beside_the_trained_length_that_is_stated():
    near, far = (RopeConfig(128, base=5e5, max_position=length, scaling=llama()) for length in (8192, 131_072))
    assert torch.equal(inverse_frequencies(near), inverse_frequencies(far))


# Degenerate but legal


def test_a_hard_switch_keeps_a_pair_exactly_on_its_edge():
    length = 4096
    turns = length / (2 * math.pi)  # of pair 0
    on, above = (RopeConfig(64, scaling=llama(8, edge, edge, length)) for edge in (turns, np.nextafter(turns, math.inf)))
    assert bands(on) == (1, 0, 31)
    assert bands(above) == (0, 0, 32)


def test_edges_one_ulp_apart_are_no_division_by_zero():
    config = RopeConfig(128, base=5e5, scaling=llama(8, 1, np.nextafter(1, 2)))
    assert bands(config) == (35, 0, 29)


@pytest.mark.parametrize("length", [1, 6])
def test_below_two_pi_tokens_no_pair_makes_a_turn_and_all_are_divided(length):
    config = RopeConfig(128, scaling=llama(8, 1, 4, length))
    assert torch.equal(inverse_frequencies(config), inverse_frequencies(RopeConfig(128)) / 8)


def test_at_a_base_just_above_1_every_pair_is_fast_and_kept():
    base = np.nextafter(1, 2)
    assert torch.equal(inverse_frequencies(RopeConfig(128, base=base, scaling=llama())), inverse_frequencies(RopeConfig(128, base=base)))


@pytest.mark.parametrize(("length", "speed"), [(8192, 1.0), (1, 0.125)])
def test_a_head_of_one_pair_is_kept_or_divided(length, speed):
    assert inverse_frequencies(RopeConfig(2, scaling=llama(8, 1, 4, length))).tolist() == [speed]


# Settings


def test_numbers_of_numpy_make_the_same_settings():
    numpy = Llama3Scaling(np.int64(8), low_freq_factor=np.float32(1), high_freq_factor=Fraction(4), original_max_position=np.int32(8192))
    assert numpy == llama(8.0, 1.0, 4.0)
    assert hash(numpy) == hash(llama())
    assert repr(numpy) == repr(llama())


@pytest.mark.parametrize("missing", ["low_freq_factor", "high_freq_factor", "original_max_position"])
def test_every_setting_must_be_stated(missing):
    settings = {"low_freq_factor": 1, "high_freq_factor": 4, "original_max_position": 8192}
    del settings[missing]
    with pytest.raises(TypeError, match=missing):
        Llama3Scaling(8, **settings)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"low": 0}, "low_freq_factor must be above 0, got 0"),
        ({"high": -4}, "high_freq_factor must be above 0, got -4"),
        ({"low": "1"}, "low_freq_factor must be a finite number, got '1'"),
        ({"high": float("inf")}, "high_freq_factor must be a finite number, got inf"),
        ({"high": 1e16}, "high_freq_factor must be at most 9.0072e+15, got 1e+16"),
        ({"low": 4, "high": 1}, "high_freq_factor must be at least low_freq_factor = 4, got 1"),
        ({"low": Fraction(3, 2), "high": 1}, "high_freq_factor must be at least low_freq_factor = 1.5, got 1"),
        ({"length": 0}, "original_max_position must be an integer of at least 1, got 0"),
        ({"length": None}, "original_max_position must be an integer of at least 1, got None"),
        ({"length": 2**53 + 1}, "original_max_position must be at most 9007199254740992, got 9007199254740993"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_an_invalid_setting_is_rejected(settings, sentence):
    with pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$"):
        llama(**settings)
