"""The laws of speed: exact ends, values of an oracle, and errors."""

import re

import mpmath
import numpy as np
import pytest
import torch

from rope_core import RopeConfigError, constant_frequencies, geometric_frequencies, linear_frequencies
from tests.oracles import rotation as oracle

LAWS = [geometric_frequencies, linear_frequencies, constant_frequencies]
SECOND = {geometric_frequencies: "base", linear_frequencies: "slowest", constant_frequencies: "inv_freq"}
GOOD = {geometric_frequencies: 10_000.0, linear_frequencies: 0.5, constant_frequencies: 0.5}


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


@pytest.mark.parametrize("width", [2, 4, 8, 64, 96, 128, 512])
@pytest.mark.parametrize("base", [1.01, 2, 10_000, 5e5, 1e9])
def test_geometric_speeds_agree_with_fifty_digits(width, base, device):
    exact = torch.tensor([float(oracle.exact_speed(i, width, base)) for i in range(width // 2)], dtype=torch.float64)
    torch.testing.assert_close(geometric_frequencies(width, base, device=device).cpu(), exact, rtol=4e-15, atol=0)


def test_geometric_speeds_begin_at_exactly_1(device):
    assert geometric_frequencies(128, 10_000, device=device)[0].item() == 1


def test_the_slowest_pair_is_not_one_over_the_base():
    assert geometric_frequencies(128, 10_000)[-1].item() == pytest.approx(float(mpmath.mpf(10_000) ** (-mpmath.mpf(126) / 128)), rel=1e-14)
    assert geometric_frequencies(128, 10_000)[-1].item() > 1 / 10_000


@pytest.mark.parametrize("base", [np.nextafter(1, 2), 1.01, 10_000, 1e308])
def test_geometric_speeds_fall(base):
    steps = geometric_frequencies(64, base).diff()
    assert (steps <= 0).all()
    assert torch.isfinite(steps).all()


def test_linear_speeds_are_evenly_spaced(device):
    expected = torch.tensor([1.0, 0.75, 0.5, 0.25], dtype=torch.float64)
    torch.testing.assert_close(linear_frequencies(8, 0.25, device=device).cpu(), expected)


def test_linear_speeds_revive_where_the_spacing_fills_a_turn():
    # 64 pairs from 1 down to nearly 0 lie about 1/63 apart: all are back in step near 2 pi * 63 tokens.
    inv_freq = linear_frequencies(128, geometric_frequencies(128, 10_000)[-1].item())
    means = [(inv_freq * distance).cos().mean().item() for distance in (1, 10, 100, 396, 792)]
    assert means == pytest.approx([0.84, -0.05, 0.01, 0.994, 0.977], abs=5e-3)


def test_constant_speeds_are_all_the_same(device):
    assert torch.equal(constant_frequencies(8, 0.1, device=device).cpu(), torch.full((4,), 0.1, dtype=torch.float64))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("width", [0, -2, 7, 8.0, "8", True, None], ids=repr)
def test_a_width_that_is_not_a_positive_even_integer_is_rejected(law, width):
    with refusal(f"rotary_dim must be a positive even integer, got {width!r}"):
        law(width, GOOD[law])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "1", True, None], ids=lambda value: repr(value)[:12])
def test_a_speed_that_is_not_a_finite_number_is_rejected(law, value):
    with refusal(f"{SECOND[law]} must be a finite number, got {value!r}"):
        law(8, value)


@pytest.mark.parametrize("law", [linear_frequencies, constant_frequencies])
@pytest.mark.parametrize("value", [0, -0.5])
def test_a_speed_of_zero_or_less_is_rejected(law, value):
    with refusal(f"{SECOND[law]} must be above 0, got {value!r}"):
        law(8, value)


def test_a_base_of_1_is_rejected():
    with refusal("base must be above 1, got 1"):
        geometric_frequencies(8, 1)


def test_the_slowest_speed_may_be_1():
    assert torch.equal(linear_frequencies(8, 1), torch.ones(4, dtype=torch.float64))


def test_a_slowest_speed_above_1_is_rejected():
    value = float(np.nextafter(1, 2))
    with refusal(f"slowest must be at most 1, got {value!r}"):
        linear_frequencies(8, value)


@pytest.mark.parametrize("law", LAWS)
def test_a_law_accepts_numpy_numbers(law):
    assert torch.equal(law(np.int64(8), np.float32(GOOD[law])), law(8, GOOD[law]))


@pytest.mark.parametrize("law", LAWS)
def test_a_law_returns_float64_whatever_the_default_dtype(law):
    expected = law(8, GOOD[law])
    torch.set_default_dtype(torch.float16)
    try:
        assert torch.equal(law(8, GOOD[law]), expected)
        assert law(8, GOOD[law]).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
