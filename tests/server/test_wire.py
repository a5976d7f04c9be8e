"""What goes to the live figure, read back by a reader that shares no code with the writer (tests/visit.py)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from server.wire import LARGE, encode
from tests.visit import read


@given(
    arrays.arrays(
        some.sampled_from(["f4", "f8", "i1", "i2", "i4", "u1", "u2", "u4", ">f8"]), arrays.array_shapes(max_dims=2, min_side=0, max_side=9)
    )
)
def test_an_array_comes_back_bit_by_bit_whatever_stands_before_it(array):
    sent = read(encode({"text": "θ", "figure": {"data": [{"x": array[::-1]}, {"x": array.T}]}}))
    first, second = (trace["x"] for trace in sent["figure"]["data"])
    np.testing.assert_array_equal(first, array[::-1])
    np.testing.assert_array_equal(second, array.T)
    assert sent["text"] == "θ"


def test_whole_numbers_of_64_bits_come_back_in_32_where_they_fit():
    sent = read(encode({"few": np.arange(3), "many": np.array([2**40])}))
    assert (sent["few"].tolist(), sent["few"].dtype, sent["many"]) == ([0, 1, 2], np.dtype("int32"), [2**40])


def test_words_in_arrays_and_numbers_that_are_none_are_json():
    sent = read(encode({"names": np.array(["q", "k"]), "nan": math.nan, "inf": [math.inf, -math.inf], "text": "NaN, Infinity, θ"}))
    assert sent == {"names": ["q", "k"], "nan": None, "inf": [None, None], "text": "NaN, Infinity, θ"}


def test_numbers_of_numpy_come_back_as_the_same_numbers():
    sent = read(encode({"real": np.float64(0.1), "single": np.float32(0.5), "whole": np.int64(2**53 + 1), "yes": np.bool_(True)}))
    assert sent == {"real": 0.1, "single": 0.5, "whole": 2**53 + 1, "yes": True}
    assert sent["yes"] is True


def test_what_is_neither_json_nor_an_array_is_refused():
    with pytest.raises(TypeError):
        encode({"what": object()})


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_large_matrices_are_coarse_during_a_drag_and_never_else(scale):
    cells = np.random.default_rng(0).normal(size=(200, 200)) * scale
    cells[np.triu_indices(200, 1)] = np.nan
    step = np.nanmax(cells) / 254 - np.nanmin(cells) / 254
    dragged, whole = (read(encode({"z": cells}, coarse=coarse))["z"] for coarse in (True, False))
    np.testing.assert_array_equal(whole, cells)
    np.testing.assert_array_equal(np.isnan(dragged), np.isnan(cells))
    assert np.nanmax(np.abs(dragged - cells)) <= step * 0.5001
    assert not np.array_equal(dragged, cells, equal_nan=True)
    assert len(encode({"z": cells}, coarse=True)) < len(encode({"z": cells})) / 7.5


@pytest.mark.parametrize("value", [0.0, -3.5, np.nan])
def test_a_matrix_of_one_number_or_none_comes_back_as_it_is(value):
    cells = np.full((150, 150), value)
    np.testing.assert_array_equal(read(encode({"z": cells}, coarse=True))["z"], cells)


def test_small_matrices_are_never_coarse():
    cells = np.random.default_rng(0).normal(size=(100, LARGE // 100))
    np.testing.assert_array_equal(read(encode({"z": cells}, coarse=True))["z"], cells)
