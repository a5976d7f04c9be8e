"""What holds for every method, the registry, and the formulas of linear, NTK-aware and dynamic NTK scaling."""

import dataclasses
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import (
    SCALINGS,
    DynamicNtkScaling,
    LinearScaling,
    NtkScaling,
    RopeConfig,
    RopeConfigError,
    Scaling,
    attention_factor,
    inverse_frequencies,
)
from tests.methods import MAKERS, WHOLE_HEAD, make, methods, name_of
from tests.oracles import rotation as oracle

FROM_1 = [name for name in MAKERS if name != "longrope"]  # there the factor only makes A, and one up to 1 makes it 1
widths = st.integers(2, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(1.01, 1e9)
factors = st.floats(1, 128)


def close(actual: torch.Tensor, expected: list[float]) -> None:
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=torch.float64), rtol=1e-12, atol=0)


# Factor


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), "2", True, [2], 10**400], ids=lambda value: repr(value)[:12])
def test_a_factor_that_is_not_a_finite_number_is_rejected(name, value):
    with pytest.raises(RopeConfigError, match=re.escape(f"factor must be a finite number, got {value!r}")):
        make(name, value)


@pytest.mark.parametrize("name", FROM_1)
def test_none_is_no_factor(name):
    with pytest.raises(RopeConfigError, match=r"^factor must be a finite number, got None$"):
        make(name, None)


@pytest.mark.parametrize("name", FROM_1)
@pytest.mark.parametrize("value", [np.nextafter(1, 0), 0.5, 0, -4])
def test_a_factor_below_1_is_rejected(name, value):
    with pytest.raises(RopeConfigError, match=re.escape(f"factor must be at least 1, got {value!r}")):
        make(name, value)


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "proportional"])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("seq_len", [None, 1, 100, 2048])
def test_factor_1_changes_nothing_up_to_the_trained_length(name, layout, seq_len):
    config = RopeConfig(64, layout=layout, max_position=2048, scaling=make(name, 1))
    assert torch.equal(inverse_frequencies(config, seq_len), inverse_frequencies(RopeConfig(64)))
    assert attention_factor(config, seq_len) == 1


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("factor", [np.float32(4.1), np.uint8(4), np.int64(4), Fraction(41, 10)], ids=repr)
def test_a_factor_of_another_number_type_is_as_exact_as_a_float(name, factor):
    config, plain = RopeConfig(64, scaling=make(name, factor)), RopeConfig(64, scaling=make(name, float(factor)))
    assert config == plain
    assert hash(config) == hash(plain)
    assert type(config.scaling.factor) is float
    assert torch.equal(inverse_frequencies(config, 8192), inverse_frequencies(plain, 8192))
    assert attention_factor(config) == attention_factor(plain)


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
def test_a_base_of_float32_costs_no_digits(scaling):
    config, plain = RopeConfig(64, base=np.float32(5e5), scaling=scaling), RopeConfig(64, base=5e5, scaling=scaling)
    assert torch.equal(inverse_frequencies(config, 8192), inverse_frequencies(plain, 8192))


@pytest.mark.parametrize("scaling", methods(pairs=16, without=WHOLE_HEAD), ids=name_of)
def test_the_exponent_counts_the_rotated_width(scaling):
    partial, narrow = RopeConfig(128, rotary_dim=32, scaling=scaling), RopeConfig(32, scaling=scaling)
    assert torch.equal(inverse_frequencies(partial, 8192), inverse_frequencies(narrow, 8192))


@pytest.mark.parametrize("scaling", methods(1e6, pairs=2, length=2, without={"proportional"}), ids=name_of)
def test_the_largest_factor_still_turns_every_pair(scaling):
    speeds = inverse_frequencies(RopeConfig(4, base=1e308, max_position=1, scaling=scaling), 2**53)
    assert torch.isfinite(speeds).all()
    assert (speeds > 0).all()


@pytest.mark.parametrize("name", MAKERS)
def test_a_factor_beyond_a_million_is_rejected(name):
    with pytest.raises(RopeConfigError, match=re.escape("factor must be at most 1e+06, got 1e+16")):
        make(name, 1e16)


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
@pytest.mark.parametrize("seq_len", [None, 1, 2048, 2049, 1_000_000])
@pytest.mark.parametrize("base", [np.nextafter(1, 2), 1.01, 10_000, 1e308])
def test_no_method_turns_a_pair_faster_than_without_it_or_backwards(scaling, seq_len, base):
    speeds = inverse_frequencies(RopeConfig(64, base=base, max_position=2048, scaling=scaling), seq_len)
    assert (speeds >= 0).all()
    assert (speeds <= inverse_frequencies(RopeConfig(64, base=base))).all()
    assert (speeds.diff() <= 1e-15).all()


# Linear


@given(widths, bases, factors)
def test_linear_scaling_divides_every_speed(width, base, factor):
    close(inverse_frequencies(RopeConfig(width, base=base, scaling=LinearScaling(factor))), oracle.linear_speeds(width, base, factor))


@given(st.integers(0, 10_000_000), factors)
def test_linear_scaling_is_the_same_as_dividing_positions(position, factor):
    slowed = position * inverse_frequencies(RopeConfig(128, scaling=LinearScaling(factor)))
    close(slowed, [position / factor * speed for speed in oracle.speeds(128, 10_000)])


def test_linear_scaling_shortens_the_step_of_the_fastest_pair():
    assert inverse_frequencies(RopeConfig(128, scaling=LinearScaling(4)))[0] == 0.25


@pytest.mark.parametrize("method", [LinearScaling, NtkScaling])
def test_static_methods_do_not_ask_for_the_length(method):
    config = RopeConfig(64, max_position=2048, scaling=method(4))
    assert torch.equal(inverse_frequencies(config, 1), inverse_frequencies(config, 1_000_000))


# NTK-aware


@given(widths, bases, factors)
def test_ntk_scaling_is_a_larger_base(width, base, factor):
    close(inverse_frequencies(RopeConfig(width, base=base, scaling=NtkScaling(factor))), oracle.ntk_speeds(width, base, factor))


@given(widths, bases, factors)
def test_ntk_scaling_slows_the_last_pair_by_the_factor_and_the_first_not_at_all(width, base, factor):
    ratio = inverse_frequencies(RopeConfig(width, base=base, scaling=NtkScaling(factor))) / inverse_frequencies(
        RopeConfig(width, base=base)
    )
    assert ratio[0] == 1
    assert ratio[-1].item() == pytest.approx(1 / factor, rel=1e-14)


@pytest.mark.parametrize(("factor", "base"), [(4, 40_889.9), (8, 82_684.6)])
def test_ntk_scaling_has_the_published_base(factor, base):
    slowest = inverse_frequencies(RopeConfig(128, scaling=NtkScaling(factor)))[-1].item()
    assert slowest ** (-128 / 126) == pytest.approx(base, abs=0.05)


# Dynamic NTK


@given(widths, bases, factors, st.integers(1, 100_000), st.integers(1, 10_000_000))
def test_dynamic_ntk_follows_the_formula_of_transformers(width, base, factor, trained, length):
    config = RopeConfig(width, base=base, max_position=trained, scaling=DynamicNtkScaling(factor))
    close(inverse_frequencies(config, length), oracle.dynamic_speeds(width, base, factor, trained, length))


@pytest.mark.parametrize(
    ("factor", "length", "base"),
    [
        (1, 4096, 20_221.3),
        (1, 8192, 40_889.9),
        (1, 16_384, 82_684.6),
        (2, 4096, 30_527.7),
        (2, 8192, 72_195.9),
        (2, 16_384, 156_588.3),
        (4, 4096, 51_293.8),
        (4, 8192, 135_402.0),
        (4, 16_384, 305_922.0),
    ],
)
def test_dynamic_ntk_has_the_published_bases(factor, length, base):
    config = RopeConfig(128, max_position=2048, scaling=DynamicNtkScaling(factor))
    assert inverse_frequencies(config, length)[-1].item() ** (-128 / 126) == pytest.approx(base, abs=0.05)


@pytest.mark.parametrize("factor", [1, 2, 4, 1.1, 333_333.3, 1e6])
@pytest.mark.parametrize("length", [None, 1, 512, 2047, 2048])
def test_dynamic_ntk_leaves_lengths_up_to_the_trained_one_alone(factor, length):
    config = RopeConfig(128, max_position=2048, scaling=DynamicNtkScaling(factor))
    assert torch.equal(inverse_frequencies(config, length), inverse_frequencies(RopeConfig(128)))


def test_dynamic_ntk_changes_one_token_beyond_the_trained_length():
    config = RopeConfig(128, max_position=2048, scaling=DynamicNtkScaling(2))
    assert inverse_frequencies(config, 2049)[-1] < inverse_frequencies(config, 2048)[-1]


@given(factors.filter(lambda factor: factor > 1), st.integers(1, 64))
def test_dynamic_ntk_at_a_fixed_stretch_is_static_ntk(factor, times):
    config = RopeConfig(64, max_position=2048, scaling=DynamicNtkScaling(factor))
    static = RopeConfig(64, scaling=NtkScaling(factor * times - (factor - 1)))
    torch.testing.assert_close(inverse_frequencies(config, 2048 * times), inverse_frequencies(static), rtol=1e-13, atol=0)


# The registry


def test_the_registry_names_every_method_once():
    assert {name: method.__name__ for name, method in SCALINGS.items()} == {
        "linear": "LinearScaling",
        "ntk": "NtkScaling",
        "dynamic": "DynamicNtkScaling",
        "yarn": "YarnScaling",
        "llama3": "Llama3Scaling",
        "longrope": "LongRopeScaling",
        "proportional": "ProportionalScaling",
    }


def test_the_tests_make_every_method_of_the_registry():
    assert {name: type(make(name)) for name in MAKERS} == SCALINGS


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
def test_a_method_has_the_members_of_the_protocol(scaling):
    members = {name for name in [*vars(Scaling), *Scaling.__annotations__] if not name.startswith("_")}
    assert members == {"rope_type", "length_dependent", "original_max_position", "check", "inverse_frequencies", "attention_factor_for"}
    assert [name for name in members if not hasattr(scaling, name)] == []


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
def test_only_length_dependent_methods_depend_on_the_length(scaling):
    config = RopeConfig(64, max_position=2048, scaling=scaling)
    changes = not torch.equal(inverse_frequencies(config, 2048), inverse_frequencies(config, 8192))
    assert changes == scaling.length_dependent


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
@pytest.mark.parametrize("seq_len", [1, 2047, 2048, 2049, 1_000_000])
def test_the_attention_factor_is_one_number_at_every_length(scaling, seq_len):
    config = RopeConfig(64, max_position=2048, scaling=scaling)
    assert attention_factor(config, seq_len) == attention_factor(config)


@pytest.mark.parametrize("scaling", methods(), ids=name_of)
def test_a_method_cannot_be_changed_and_is_a_key(scaling):
    with pytest.raises(dataclasses.FrozenInstanceError):
        scaling.factor = 8.0
    assert {scaling: 1}[make(scaling.rope_type)] == 1
