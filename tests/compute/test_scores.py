"""Scores at all distances, held against sums over the pairs."""

import cmath
import math

import numpy as np
import pytest

from compute import scores as compute
from compute.bins import log_bins
from compute.speeds import speeds
from rope_core import RopeConfig

CONFIG = RopeConfig(8, base=100.0)
Q, K = tuple(np.linspace(-1, 2, 8).tolist()), tuple(np.linspace(3, -0.5, 8).tolist())


def brute(layout, distances):
    """Scores of q and k by complex numbers, one pair after the other."""
    total = np.zeros(len(distances))
    for i in range(4):
        first, second = (i, i + 4) if layout == "half" else (2 * i, 2 * i + 1)
        z = complex(Q[first], Q[second]) * complex(K[first], -K[second])
        total += [(z * cmath.exp(1j * distance * 100.0 ** (-2 * i / 8))).real for distance in distances]
    return total


class TestScores:
    @pytest.mark.parametrize("layout", ["half", "interleaved"])
    @pytest.mark.parametrize("reach", [2, 3, 1000, 2500])
    def test_band_is_the_lowest_and_highest_of_all_scores_of_each_bin(self, layout, reach):
        band = compute.score_band(RopeConfig(8, base=100.0, layout=layout), Q, K, reach)
        scores = brute(layout, range(reach + 1))
        edges = log_bins(reach)
        for low, high, start, stop, middle in zip(band.low, band.high, edges[:-1], edges[1:], band.distances, strict=True):
            assert [low, high] == pytest.approx([scores[start:stop].min(), scores[start:stop].max()], abs=1e-10)
            assert middle == (start + stop - 1) / 2
        assert [band.at_zero, band.at_end] == pytest.approx([scores[0], scores[-1]], abs=1e-10)

    def test_score_of_all_ones_swings_and_goes_below_zero_where_it_is_known_to(self):
        ones = (1.0,) * 128
        assert compute.first_negative(RopeConfig(128), 8192) == 1707
        assert compute.first_negative(RopeConfig(128), 1706) is None
        assert compute.first_negative(RopeConfig(128), 1707) == 1707
        band = compute.score_band(RopeConfig(128), ones, ones, 4096)
        assert band.low.min() / 128 == pytest.approx(-0.130671, abs=1e-6)
        assert band.at_end / 128 == pytest.approx(-0.052853, abs=1e-6)
        assert (np.diff(band.high[:12]) > 0).any(), "it rises between 11 and 12"

    def test_first_negative_score_is_looked_for_as_far_as_the_app_goes(self):
        assert compute.first_negative(RopeConfig(2, base=10_000.0), 10_000_000) == 2

    def test_key_with_a_peak_scores_highest_there_and_as_high_as_it_can(self):
        q, k = compute.head_vectors(RopeConfig(64), "peak", 700, (1.0,), (1.0,))
        band = compute.score_band(RopeConfig(64), q, k, 5000)
        top = int(band.high.argmax())
        assert log_bins(5000)[top] <= 700 < log_bins(5000)[top + 1]
        assert band.high[top] == pytest.approx(band.ceiling, abs=1e-9) == pytest.approx(64, abs=1e-9)

    def test_typed_numbers_are_repeated_or_cut_to_the_width(self):
        q, k = compute.head_vectors(CONFIG, "typed", 0, (1.0, 2.0, 3.0), tuple(range(20)))
        assert q == (1, 2, 3, 1, 2, 3, 1, 2)
        assert k == tuple(range(8))

    def test_random_scores_do_not_decay(self):
        random = compute.random_scores(RopeConfig(128), 8192, 0)
        assert np.abs(random["mean"] / math.sqrt(128)).max() < 5 / math.sqrt(compute.RANDOM_PAIRS)
        assert random["spread"] / math.sqrt(128) == pytest.approx(1, abs=0.25)

    def test_bound_is_never_below_the_size_of_the_score(self):
        bounds = compute.bounds(CONFIG, Q, K, 5000)
        assert (bounds.bound >= np.abs(brute("half", bounds.distances)) - 1e-9).all()


class TestSpectrum:
    def test_lines_are_the_sizes_of_the_pairs_at_their_speeds(self):
        found = compute.spectrum(CONFIG, Q, K, 4096)
        np.testing.assert_allclose(found.line_speeds, speeds(CONFIG))
        assert found.line_amplitudes == pytest.approx(np.hypot(Q[:4], Q[4:]) * np.hypot(K[:4], K[4:]))

    def test_long_transform_is_thinned_by_its_largest_amplitudes(self):
        tokens = 60_000
        found = compute.spectrum(CONFIG, Q, K, tokens)
        full = 2 / tokens * np.abs(np.fft.rfft(brute("half", np.arange(tokens))))[1:]
        assert len(found.amplitudes) < 2001 < len(full)
        assert found.amplitudes.max() == pytest.approx(full.max(), abs=1e-9)
        where = np.rint(found.speeds * tokens / (2 * math.pi)).astype(int) - 1
        assert (found.amplitudes >= full[where] - 1e-9).all()
