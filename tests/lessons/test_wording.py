"""Numbers as sentences and formulas show them."""

import math

import numpy as np
import pytest

from lessons.wording import complex_number, decimals, fixed, point, rounding, tex, turns


@pytest.mark.parametrize(("degrees", "step"), [(30, 60), (120, 15), (15, 120), (90, 44), (10, 396), (10, 468), (11, 360), (60, 30)])
def test_exact_turns_leave_no_degrees_over(degrees, step):
    assert turns(step * math.radians(degrees)) == (degrees * step // 360, "0.0")


def test_degrees_never_show_a_full_turn():
    for angle in np.linspace(0, 200, 20_001):
        whole, rest = turns(float(angle))
        assert 0 <= float(rest) < 360
        assert 360 * whole + float(rest) == pytest.approx(math.degrees(angle), abs=0.051)


@pytest.mark.parametrize("value", [-0.0, -1e-9, 1e-9, -4.9e-5])
def test_what_rounds_to_zero_has_no_sign(value):
    assert decimals(value, 3) == "0.000"
    assert fixed(value) == "0.0000"
    assert point(np.array([value, -1])) == "(0.000, -1.000)"


@pytest.mark.parametrize(
    ("value", "text"), [(1.15478e-4, r"0.000115478"), (1.5e-7, r"1.5 \times 10^{-7}"), (3e12, r"3 \times 10^{12}"), (64.0, "64")]
)
def test_powers_of_ten_are_written_as_such(value, text):
    assert tex(value) == text


def test_imaginary_part_has_one_sign():
    assert complex_number(1 - 2j) == r"1.0000 - 2.0000\,\mathrm{i}"
    assert complex_number(1 + 0j) == r"1.0000 + 0.0000\,\mathrm{i}"


def test_no_difference_at_all_is_zero():
    assert (rounding(0.0), rounding(3.4e-15)) == ("0", "3e-15")
