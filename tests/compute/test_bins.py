"""Distances for a log axis."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from compute.bins import log_bins, log_integers


@given(st.integers(1, 10_000_000), st.integers(1, 2000))
def test_bins_cover_every_distance_once(reach, bins):
    edges = log_bins(reach, bins=bins)
    assert (edges[0], edges[-1]) == (1, reach + 1)
    assert (np.diff(edges) >= 1).all()
    assert len(edges) <= bins + 1
    assert edges.dtype == np.int64


@given(st.integers(1, 10_000_000), st.integers(2, 500))
def test_log_integers_run_from_1_to_the_end_without_repeating(reach, points):
    found = log_integers(reach, points)
    assert (found[0], found[-1]) == (1, reach)
    assert (np.diff(found) >= 1).all()
    assert len(found) <= points


def test_wide_bins_are_even_on_a_log_axis():
    edges = log_bins(10_000_000)
    ratios = edges[501:] / edges[500:-1]
    assert ratios.max() / ratios.min() < 1.02
