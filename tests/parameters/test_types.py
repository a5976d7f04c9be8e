"""The kinds of parameters, and the table of all of them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parameters import PARAMETERS, TABLES
from parameters.problems import quoted, shortened
from parameters.shared import SHARED
from parameters.types import STOPS, SUPPORTED, Choice, Number, Vector, plain, readable, write

NUMBERS = {name: spec for name, spec in PARAMETERS.items() if isinstance(spec, Number)}
VECTORS = {name: spec for name, spec in PARAMETERS.items() if isinstance(spec, Vector)}
CHOICES = {name: spec for name, spec in PARAMETERS.items() if isinstance(spec, Choice)}


class TestTable:
    def test_a_name_belongs_to_one_page_or_to_all(self):
        assert len(PARAMETERS) == len(SHARED) + sum(map(len, TABLES.values()))

    def test_names_can_stand_in_an_address(self):
        assert all(name.isidentifier() and name.islower() for name in PARAMETERS)

    @pytest.mark.parametrize("name", PARAMETERS)
    def test_words_of_a_parameter_are_there(self, name):
        assert PARAMETERS[name].label.strip()
        assert PARAMETERS[name].help.strip()

    @pytest.mark.parametrize("name", NUMBERS)
    def test_default_ends_and_stops_of_a_number_are_allowed(self, name):
        spec = NUMBERS[name]
        assert spec.low < spec.high
        assert all(spec.accepts(value) for value in (spec.default, spec.low, spec.high, *spec.stops(spec.high)))

    @pytest.mark.parametrize("name", NUMBERS)
    def test_stops_of_a_slider_rise_from_end_to_end_and_are_many(self, name):
        spec = NUMBERS[name]
        stops = spec.stops(spec.high)
        assert list(stops) == sorted(set(stops))
        assert (stops[0], stops[-1]) == (spec.low, spec.high)
        possible = (spec.high - spec.low) / spec.step if spec.step else math.inf
        assert len(stops) >= min(200, possible)
        assert len(stops) <= 2 * STOPS
        assert set(spec.marks) <= set(stops)

    @pytest.mark.parametrize("name", [name for name, spec in NUMBERS.items() if spec.scale == "positions"])
    def test_a_position_stops_at_every_whole_number_up_to_100(self, name):
        assert set(range(int(NUMBERS[name].low), 101)) <= set(NUMBERS[name].stops(NUMBERS[name].high))

    def test_a_lowered_upper_end_is_the_last_stop(self):
        assert NUMBERS["pair"].stops(31)[-1] == 31
        assert NUMBERS["beta_slow"].stops(2.345)[-1] == 2.345

    @pytest.mark.parametrize("name", VECTORS)
    def test_default_of_a_vector_is_allowed(self, name):
        assert VECTORS[name].parse(VECTORS[name].default)

    @pytest.mark.parametrize("name", CHOICES)
    def test_choice_has_codes_that_need_no_translation_and_words_that_differ(self, name):
        spec = CHOICES[name]
        assert len(spec.options) > 1
        assert all(code.isidentifier() and code.islower() for code in spec.options)
        assert len(set(spec.options.values())) == len(spec.options)
        assert spec.default in spec.options

    def test_positions_and_distances_end_where_angles_stop_being_exact(self):
        assert {NUMBERS[name].high for name in ("position", "gap", "m", "n", "reach", "peak", "context")} == {SUPPORTED}
        assert SUPPORTED == 10_000_000


class TestNumber:
    SPEC = Number(label="x", help="x", default=4, low=2, high=512, step=2)

    @pytest.mark.parametrize("value", [2, 4, 512, 4.0])
    def test_ends_and_multiples_are_allowed(self, value):
        assert self.SPEC.accepts(value, 512)

    @pytest.mark.parametrize("value", [0, 1, 1.999999, 3, 4.5, 513, 514, -2, math.nan, math.inf, -math.inf])
    def test_what_lies_outside_or_between_is_not(self, value):
        assert not self.SPEC.accepts(value, 512)

    def test_upper_end_may_be_lowered(self):
        assert self.SPEC.accepts(8, 8)
        assert not self.SPEC.accepts(10, 8)

    def test_step_0_allows_any_real_number_in_between(self):
        spec = Number(label="x", help="x", default=4, low=1.5, high=9, step=0)
        assert spec.accepts(math.pi, 9)
        assert not spec.accepts(math.nan, 9)

    @given(st.sampled_from(sorted(NUMBERS)), st.floats(allow_nan=True, allow_infinity=True))
    def test_what_is_allowed_is_finite_within_the_ends_and_a_multiple_of_the_step(self, name, value):
        spec = NUMBERS[name]
        if spec.accepts(value, spec.high):
            assert math.isfinite(value)
            assert spec.low <= value <= spec.high
            assert not spec.step or (value / spec.step).is_integer()


class TestVector:
    @given(st.sampled_from(sorted(VECTORS)), st.text(max_size=200) | st.text("0123456789.,-+e ，nainf", max_size=60))
    def test_any_text_gives_allowed_numbers_or_nothing(self, name, text):
        spec = VECTORS[name]
        values = spec.parse(text)
        if values is not None:
            assert spec.shortest <= len(values) <= spec.longest
            assert all(spec.low <= value <= spec.high for value in values)
            assert not spec.whole or all(value.is_integer() for value in values)

    @given(st.sampled_from(sorted(VECTORS)), st.sampled_from([" ", ",", ", ", "，"]), st.data())
    def test_numbers_that_are_allowed_come_back_exactly(self, name, between, data):
        spec = VECTORS[name]
        one = st.integers(int(spec.low), int(spec.high)) if spec.whole else st.floats(spec.low, spec.high)
        values = data.draw(st.lists(one, min_size=spec.shortest, max_size=min(spec.longest, 8)))
        text = between.join(f"{value:.6g}" if not spec.whole else str(value) for value in values)
        assert spec.parse(text) == tuple(float(word) for word in text.replace(",", " ").replace("，", " ").split())

    def test_longest_vector_may_be_typed_in_full(self):
        spec = VECTORS["q_head"]
        text = ", ".join(["-0.12345678901234567"] * spec.longest)
        assert len(spec.parse(text) or []) == spec.longest

    @pytest.mark.parametrize("text", ["9" * 10**6, "1 " * 10**6, "1," * 10**6])
    def test_text_of_a_megabyte_is_refused_at_once(self, text):
        assert VECTORS["q"].parse(text) is None


class TestWrite:
    @given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53))
    def test_a_number_comes_back_from_its_text_and_zero_has_no_sign(self, value):
        assert float(write(value)) == value
        assert not write(value).endswith(".0")
        assert write(plain(value)) == write(value)
        assert write(-0.0) == "0"

    @pytest.mark.parametrize(("value", "text"), [(500_000, "500,000"), (1e6, "1,000,000"), (0.1, "0.1"), (1 / 3, "0.333333333333333")])
    def test_a_reader_sees_commas_and_no_digit_that_is_not_there(self, value, text):
        assert readable(value) == text


class TestQuoted:
    @given(st.text())
    def test_any_text_becomes_one_short_piece_of_code_without_marks_of_its_own(self, text):
        shown = quoted(text)
        assert shown[0] == shown[-1] == "`"
        assert "`" not in shown[1:-1]
        assert 3 <= len(shown) <= 43
        assert shown.isprintable()

    @pytest.mark.parametrize(
        ("text", "want"),
        [("abc", "`abc`"), ("", "` `"), ("```", "` `"), (" a \n\t b ", "`a b`"), ("x" * 40, f"`{'x' * 40}`"), ("x" * 41, f"`{'x' * 40}…`")],
    )
    def test_text_is_shown_as_it_is_or_cut(self, text, want):
        assert quoted(text) == want


class TestShortened:
    @pytest.mark.parametrize("text", ["32,768", "1.5, 0.5", "as in the paper", "x" * 99, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"[:40]])
    def test_short_text_and_single_words_stay(self, text):
        assert shortened(text) == text

    def test_long_row_is_cut_behind_a_number_and_counted(self):
        row = ", ".join(map(str, range(1000, 1256)))
        assert shortened(row) == "1000, 1001, 1002, 1003, 1004, 1005, … (256 numbers)"
