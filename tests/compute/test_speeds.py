"""Speeds, and what follows from them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from compute import speeds as compute
from rope_core import DynamicNtkScaling, LinearScaling, ProportionalScaling, RopeConfig, YarnScaling

DYNAMIC = RopeConfig(16, max_position=100, scaling=DynamicNtkScaling(2.0))


@pytest.mark.parametrize(
    ("head_dim", "base", "second", "last"),
    [
        (64, 1e4, 0.749894209, 1.333521432e-4),
        (128, 1e4, 0.865964323, 1.154781985e-4),
        (128, 5e5, 0.814617234, 2.455140791e-6),
        (128, 1e6, 0.805842188, 1.240937761e-6),
    ],
)
def test_speeds_are_the_published_ones(head_dim, base, second, last):
    speeds = compute.speeds(RopeConfig(head_dim, base=base))
    assert speeds[0] == 1
    assert speeds[[1, -1]] == pytest.approx([second, last], rel=1e-8)


def test_length_without_a_number_is_the_trained_one():
    np.testing.assert_array_equal(compute.speeds(DYNAMIC), compute.speeds(DYNAMIC, 100))
    assert compute.speeds(DYNAMIC, 200)[-1] < compute.speeds(DYNAMIC)[-1]
    assert compute.wavelengths(DYNAMIC, 200)[-1] == pytest.approx(2 * math.pi / compute.speeds(DYNAMIC, 200)[-1])


def test_pair_that_stands_still_has_no_wavelength():
    config = RopeConfig(8, scaling=ProportionalScaling(rotary_fraction=0.5))
    assert np.isinf(compute.wavelengths(config)).tolist() == [False, False, True, True]


def test_ratios_are_those_to_the_plain_law():
    np.testing.assert_allclose(compute.ratios(RopeConfig(8, scaling=LinearScaling(4))), 0.25)
    np.testing.assert_allclose(compute.ratios(replace(DYNAMIC, scaling=None)), 1)


def test_coverage_goes_from_the_first_position_to_the_last():
    config = RopeConfig(4, base=100.0, max_position=11)
    assert compute.coverage(config) == pytest.approx([1, 10 * 0.1 / (2 * math.pi)])
    assert compute.coverage(config, 6) == pytest.approx([5 / (2 * math.pi), 5 * 0.1 / (2 * math.pi)])


def test_bases_have_a_row_each():
    rows = compute.wavelengths_of_bases(4, (100.0, 10_000.0))
    np.testing.assert_allclose(rows, 2 * math.pi * np.array([[1, 10], [1, 100]]))


def test_attention_factor_is_that_of_the_method():
    assert compute.attention_factor(RopeConfig(8)) == 1
    assert compute.attention_factor(RopeConfig(8, scaling=YarnScaling(4))) == pytest.approx(0.1 * math.log(4) + 1)
