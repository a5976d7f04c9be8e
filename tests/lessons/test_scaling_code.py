"""The lines that give the speeds of any head: run, and held against the core."""

import itertools

import pytest
import torch

from lessons.methods import speeds_code
from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    YarnScaling,
    attention_factor,
    inverse_frequencies,
)


def methods(pairs, length):
    """Every method with its options, at factors from none to far."""
    lists = {"short_factor": [1 + i / 3 for i in range(pairs)], "long_factor": [0.5 + i for i in range(pairs)]}
    for factor in (1, 4, 7.5, 128):
        yield LinearScaling(factor)
        yield NtkScaling(factor)
        yield DynamicNtkScaling(factor)
        for ramp, truncate in itertools.product(("index", "rotation"), (True, False)):
            yield YarnScaling(factor, original_max_position=length, ramp=ramp, truncate=truncate)
        yield YarnScaling(factor, attention_factor=1.3)
        yield YarnScaling(factor, mscale=0.7, mscale_all_dim=1.2, beta_fast=3, beta_slow=3, ramp="rotation")
        yield YarnScaling(factor, mscale=0.7, mscale_all_dim=0)
        yield Llama3Scaling(factor, low_freq_factor=1, high_freq_factor=4, original_max_position=length)
        yield Llama3Scaling(factor, low_freq_factor=2, high_freq_factor=2, original_max_position=length)
        if length > 1:
            yield LongRopeScaling(**lists, original_max_position=length, factor=factor)
            yield LongRopeScaling(**lists, original_max_position=length, attention_factor=1.25)
        yield ProportionalScaling(rotary_fraction=0.25, factor=factor)
    if length > 1:
        yield LongRopeScaling(**lists, original_max_position=length)


def run(code):
    names = {}
    exec(code, names)
    return names["theta"], names["A"]


@pytest.mark.parametrize("length", [1, 4096, 10_000_000])
@pytest.mark.parametrize("base", [1.01, 1e4, 1e9])
@pytest.mark.parametrize(("head_dim", "turning"), [(2, 2), (4, 4), (128, 128), (128, 32), (512, 512)])
def test_lines_give_the_speeds_and_the_factor_of_the_core(head_dim, turning, base, length):
    tried = set()
    for scaling in (None, *methods(turning // 2, length)):
        try:
            config = RopeConfig(head_dim, rotary_dim=turning, base=base, max_position=4 * length, scaling=scaling)
        except RopeConfigError:  # no method for a single pair, or for a part of the head
            continue
        tried.add(type(scaling))
        for seq_len in (None, length, 3 * length, 10 * length):
            theta, factor = run(speeds_code(config, seq_len))
            torch.testing.assert_close(theta, inverse_frequencies(config, seq_len), rtol=1e-12, atol=0)
            assert factor == pytest.approx(attention_factor(config, seq_len), rel=1e-12)
    assert len(tried) >= 4


def test_methods_that_depend_on_the_length_write_other_lines_for_a_longer_text():
    lists = {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4}
    for scaling in (DynamicNtkScaling(4), LongRopeScaling(**lists, original_max_position=4096)):
        config = RopeConfig(8, scaling=scaling)
        assert speeds_code(config) == speeds_code(config, 4096) != speeds_code(config, 8192)


def test_lines_use_torch_and_math_alone_and_are_short():
    lists = {"short_factor": [1 / (i + 3) for i in range(64)], "long_factor": [2.0] * 64}
    code = speeds_code(RopeConfig(128, scaling=LongRopeScaling(**lists, original_max_position=4096)))
    assert [line for line in code.splitlines() if "import" in line] == ["import math", "import torch"]
    assert max(map(len, code.splitlines())) <= 200
