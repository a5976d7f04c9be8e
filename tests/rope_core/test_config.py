"""Valid and invalid settings of a config, its error messages, and its use as a key."""

import copy
import dataclasses
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
import torch

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    NtkScaling,
    RopeConfig,
    RopeConfigError,
    RotaryEmbedding,
    YarnScaling,
    attention_factor,
    cos_sin,
    inverse_frequencies,
    passthrough_score,
    phasors,
    rotate,
    rotation_matrix,
    wavelengths,
)
from tests.methods import WHOLE_HEAD, make, methods, name_of

NO_WIDTHS = [0, -2, 1, 63, 64.0, "64", True, None, [64], np.int64(63), np.bool_(True), np.float64(64)]
NO_NUMBERS = [
    float("nan"),
    float("inf"),
    -float("inf"),
    10**400,
    "10000",
    True,
    False,
    [1e4],
    {},
    1e4 + 0j,
    np.float32("nan"),
    np.bool_(True),
]
NO_COUNTS = [0, -1, 4096.0, "4096", True, float("nan"), None, np.float64(4096)]


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


# Widths


@pytest.mark.parametrize("value", NO_WIDTHS, ids=repr)
def test_a_head_dim_that_is_not_a_positive_even_integer_is_rejected(value):
    with refusal(f"head_dim must be a positive even integer, got {value!r}"):
        RopeConfig(value)


@pytest.mark.parametrize("value", [value for value in NO_WIDTHS if value is not None], ids=repr)
def test_a_rotary_dim_that_is_not_a_positive_even_integer_is_rejected(value):
    with refusal(f"rotary_dim must be a positive even integer, got {value!r}"):
        RopeConfig(64, rotary_dim=value)


def test_the_smallest_width_is_one_pair():
    assert RopeConfig(2).pairs == 1


def test_rotary_dim_may_be_as_wide_as_the_head():
    assert RopeConfig(64, rotary_dim=64).pairs == 32


def test_rotary_dim_beyond_the_head_is_rejected():
    with refusal("rotary_dim must be at most head_dim = 64, got 66"):
        RopeConfig(64, rotary_dim=66)


def test_without_rotary_dim_the_whole_head_turns():
    assert RopeConfig(64).rotary_dim == 64
    assert RopeConfig(64) == RopeConfig(64, rotary_dim=64)


def test_pairs_count_the_rotated_width():
    assert RopeConfig(128, rotary_dim=32).pairs == 16


# Base


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: repr(value)[:12])
def test_a_base_that_is_not_a_finite_number_is_rejected(value):
    with refusal(f"base must be a finite number, got {value!r}"):
        RopeConfig(64, base=value)


@pytest.mark.parametrize("value", [1, 1.0, 0.5, 0, -10_000, np.float32(1), Fraction(1)], ids=repr)
def test_a_base_up_to_1_is_rejected(value):
    with refusal(f"base must be above 1, got {value!r}"):
        RopeConfig(64, base=value)


@pytest.mark.parametrize("value", [np.nextafter(1, 2), 1.01, 10_000, 1e9, 1e308, np.int64(2), np.float32(5e5), Fraction(3, 2)], ids=repr)
def test_every_finite_base_above_1_is_accepted(value):
    assert RopeConfig(64, base=value).base == value


# Layout


@pytest.mark.parametrize("value", ["neox", "HALF", "", None, True, 0, ["half"], np.array(["half", "interleaved"])], ids=repr)
def test_a_layout_that_is_not_known_is_rejected(value):
    with refusal(f'layout must be "half" or "interleaved", got {value!r}'):
        RopeConfig(64, layout=value)


@pytest.mark.parametrize("layout", ["half", "interleaved", np.str_("half")])
def test_both_layouts_are_accepted(layout):
    assert RopeConfig(64, layout=layout).layout == layout


# Length


@pytest.mark.parametrize("value", NO_COUNTS, ids=repr)
def test_a_max_position_that_is_not_a_positive_integer_is_rejected(value):
    with refusal(f"max_position must be an integer of at least 1, got {value!r}"):
        RopeConfig(64, max_position=value)


@pytest.mark.parametrize("value", [1, 2**53, np.int32(7)], ids=repr)
def test_every_max_position_that_float64_holds_is_accepted(value):
    assert RopeConfig(64, max_position=value).trained_length == value


def test_a_max_position_beyond_float64_is_rejected():
    with refusal("max_position must be at most 9007199254740992, got 9007199254740993"):
        RopeConfig(64, max_position=2**53 + 1)


@pytest.mark.parametrize("scaling", [None, *methods(without={"llama3", "longrope"})], ids=name_of)
def test_the_trained_length_is_max_position_where_the_method_states_none(scaling):
    assert RopeConfig(64, max_position=8192, scaling=scaling).trained_length == 8192


@pytest.mark.parametrize("scaling", [YarnScaling(4, original_max_position=2048), make("llama3"), make("longrope")], ids=name_of)
def test_the_trained_length_is_the_one_that_the_method_states(scaling):
    assert RopeConfig(64, max_position=8192, scaling=scaling).trained_length == 2048


# Scaling


@pytest.mark.parametrize("value", ["linear", {"rope_type": "linear", "factor": 2}, 2, LinearScaling, False], ids=repr)
def test_a_scaling_that_is_not_a_method_is_rejected(value):
    with refusal(f"scaling must be a scaling method or None, got {value!r}"):
        RopeConfig(64, scaling=value)


@pytest.mark.parametrize(("method", "name"), [(NtkScaling, "NTK-aware"), (DynamicNtkScaling, "dynamic NTK")])
def test_ntk_rejects_a_single_pair(method, name):
    with refusal(f"rotary_dim must be at least 4 for {name} scaling, got 2"):
        RopeConfig(64, rotary_dim=2, scaling=method(2))


@pytest.mark.parametrize("method", [NtkScaling, DynamicNtkScaling])
def test_ntk_accepts_two_pairs(method):
    assert RopeConfig(4, scaling=method(2)).pairs == 2


def test_linear_scaling_accepts_a_single_pair():
    assert RopeConfig(2, scaling=LinearScaling(2)).pairs == 1


# As a value


@pytest.mark.parametrize("number", [np.int64, np.int32, np.uint16])
def test_numpy_integers_make_the_same_config(number):
    config = RopeConfig(number(64), rotary_dim=number(32), max_position=number(2048))
    assert config == RopeConfig(64, rotary_dim=32, max_position=2048)
    assert hash(config) == hash(RopeConfig(64, rotary_dim=32, max_position=2048))


def test_numbers_are_kept_as_plain_ones():
    config = RopeConfig(np.int64(64), base=np.float32(5e5), rotary_dim=np.uint8(32), max_position=np.int32(2048), scaling=LinearScaling(2))
    kinds = [type(value) for value in (config.head_dim, config.base, config.rotary_dim, config.max_position, config.scaling.factor)]
    assert kinds == [int, float, int, int, float]


@pytest.mark.parametrize("base", [10_000, np.float64(10_000), np.float32(10_000), np.int64(10_000)], ids=repr)
def test_equal_bases_make_equal_configs(base):
    assert RopeConfig(64, base=base) == RopeConfig(64)
    assert hash(RopeConfig(64, base=base)) == hash(RopeConfig(64))


@pytest.mark.parametrize(
    "other",
    [
        RopeConfig(66),
        RopeConfig(64, base=5e5),
        RopeConfig(64, rotary_dim=32),
        RopeConfig(64, layout="interleaved"),
        RopeConfig(64, max_position=1),
        RopeConfig(64, scaling=LinearScaling(1)),
    ],
    ids=repr,
)
def test_every_field_tells_configs_apart(other):
    assert other != RopeConfig(64)


def test_a_config_is_a_key():
    assert {RopeConfig(64, scaling=LinearScaling(4)): 1}[RopeConfig(64, scaling=LinearScaling(4))] == 1


def test_methods_of_one_factor_are_not_equal():
    assert LinearScaling(2) != NtkScaling(2)


def test_a_config_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RopeConfig(64).base = 5e5


def test_settings_have_names():
    with pytest.raises(TypeError, match="positional argument"):
        RopeConfig(64, 10_000.0)


@pytest.mark.parametrize(
    "copied", [lambda config: pickle.loads(pickle.dumps(config)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"]
)
@pytest.mark.parametrize("scaling", [None, *methods(2.5)], ids=name_of)
def test_a_copy_is_equal(copied, scaling):
    head_dim = 64 if name_of(scaling) in WHOLE_HEAD else 128
    config = RopeConfig(head_dim, base=5e5, rotary_dim=64, layout="interleaved", max_position=2048, scaling=scaling)
    assert copied(config) == config


def test_a_replaced_field_is_checked_again():
    with refusal("base must be above 1, got 1"):
        dataclasses.replace(RopeConfig(64), base=1)


def test_a_replaced_head_dim_keeps_the_rotated_width_unless_that_is_replaced_too():
    whole = RopeConfig(128)
    assert dataclasses.replace(whole, head_dim=256).rotary_dim == 128
    assert dataclasses.replace(whole, head_dim=256, rotary_dim=None).rotary_dim == 256


def test_methods_of_one_factor_make_different_configs_in_every_kind_of_cache():
    configs = [RopeConfig(64, scaling=scaling) for scaling in methods(2)]
    assert len({repr(config) for config in configs}) == len(set(configs)) == len(configs)


@pytest.mark.parametrize(
    "call",
    [
        RotaryEmbedding,
        inverse_frequencies,
        wavelengths,
        attention_factor,
        lambda config: cos_sin(config, torch.arange(3)),
        lambda config: rotate(torch.ones(3, 4), torch.arange(3), config),
        lambda config: rotation_matrix(config, 1),
        lambda config: phasors(torch.ones(4), torch.ones(4), config),
        lambda config: passthrough_score(torch.ones(4), torch.ones(4), config),
    ],
)
@pytest.mark.parametrize("config", [None, 64])
@pytest.mark.usefixtures("unchecked_shapes")
def test_what_is_not_a_config_is_rejected(call, config):
    with refusal(f"config must be a RopeConfig, got {type(config).__name__}"):
        call(config)
