"""Cached calls of the page about context extension, against sums written out here."""

import math
from dataclasses import replace

import numpy as np
import pytest

from compute import extension as compute
from compute.speeds import coverage, speeds
from rope_core import DynamicNtkScaling, LinearScaling, Llama3Scaling, LongRopeScaling, NtkScaling, RopeConfig, YarnScaling


def plain(width, base):
    return np.array([base ** (-2 * pair / width) for pair in range(width // 2)])


def ones_score(speeds, distance, still=0.0, size=1.0):
    return size**2 * sum(2 * math.cos(distance * speed) for speed in speeds) + still


RC13 = RopeConfig(64, max_position=2048, scaling=DynamicNtkScaling(2))
RC21 = RopeConfig(
    8,
    max_position=4096,
    scaling=LongRopeScaling(short_factor=(1,) * 4, long_factor=(1, 2, 4, 8), original_max_position=4096, attention_factor=1),
)


class TestCachedScores:
    def test_key_under_an_older_base_has_the_published_score(self):
        fresh, stale = compute.cached_scores(RC13, 4096, 2048, (2047, 4094))
        np.testing.assert_allclose(fresh, [12.374687991, 62.011424339], atol=1e-8)
        np.testing.assert_allclose(stale, [28.596496536, 15.121334160], atol=1e-8)

    def test_key_under_the_short_list_has_the_published_score(self):
        fresh, stale = compute.cached_scores(RC21, 4101, 4096, (4092,))
        assert fresh[0] == pytest.approx(5.550720934, abs=1e-8)
        assert stale[0] == pytest.approx(-2.633350867, abs=1e-8)
        assert compute.cached_scores(RC21, 4096, 4096, (4087,))[0][0] == pytest.approx(5.095952764, abs=1e-8)

    @pytest.mark.parametrize("cached", [1, 2048, 2047])
    def test_lengths_of_one_table_give_bitwise_one_score(self, cached):
        fresh, stale = compute.cached_scores(RC13, 2048, cached, (0, 5, 2047))
        assert (fresh == stale).all()

    def test_coordinates_that_do_not_turn_are_counted(self):
        config = RopeConfig(8, rotary_dim=4, max_position=64)
        fresh, _ = compute.cached_scores(config, 10, 10, (2,))
        assert fresh[0] == pytest.approx(ones_score(plain(4, 1e4), 7, still=4))


class TestCurve:
    CONFIG = RopeConfig(8, rotary_dim=6, max_position=16, scaling=YarnScaling(4, original_max_position=16))

    def test_bins_hold_the_lowest_and_the_highest_score_of_every_distance(self):
        curve = compute.score_curve(self.CONFIG, 64)
        inv_freq, size = speeds(self.CONFIG, 64), 0.1 * math.log(4) + 1
        edges = [1]
        for middle in curve.distances:
            edges.append(round(2 * middle) - edges[-1] + 1)
        assert edges[-1] == 64
        for low, high, start, stop in zip(curve.low, curve.high, edges, edges[1:], strict=False):
            scores = [ones_score(inv_freq, distance, still=2, size=size) for distance in range(start, stop)]
            assert (low, high) == (pytest.approx(min(scores)), pytest.approx(max(scores)))
        assert curve.at_zero == pytest.approx(6 * size**2 + 2)

    @pytest.mark.parametrize(("length", "trained"), [(10_000, 777), (10_000, 3), (5000, 4999)])
    def test_no_bin_holds_distances_of_both_sides_of_the_trained_length(self, length, trained):
        curve = compute.score_curve(RopeConfig(4, max_position=trained), length)
        edges = [1]
        for middle in curve.distances:
            edges.append(round(2 * middle) - edges[-1] + 1)
        assert trained in edges

    @pytest.mark.parametrize(("length", "bins"), [(1, 0), (2, 1), (3, 2)])
    def test_short_texts_have_few_distances(self, length, bins):
        assert len(compute.score_curve(RopeConfig(4, max_position=1), length).distances) == bins


class TestSpeeds:
    def test_methods_with_equal_fields_do_not_share_an_entry(self):
        head = RopeConfig(16)
        linear, ntk = (speeds(replace(head, scaling=make(4)), 100) for make in (LinearScaling, NtkScaling))
        np.testing.assert_allclose(linear, plain(16, 1e4) / 4)
        np.testing.assert_allclose(ntk[[0, -1]], plain(16, 1e4)[[0, -1]] / [1, 4])

    def test_length_is_part_of_the_question(self):
        config = RopeConfig(16, max_position=100, scaling=DynamicNtkScaling(2))
        np.testing.assert_allclose(speeds(config, 100), plain(16, 1e4))
        assert speeds(config, 200)[-1] == pytest.approx(plain(16, 1e4)[-1] / 3)

    def test_coverage_is_the_arc_from_the_first_position_to_the_last(self):
        config = RopeConfig(8, max_position=500)
        np.testing.assert_allclose(coverage(config, 500), np.minimum(1, 499 * plain(8, 1e4) / (2 * math.pi)))

    def test_share_that_is_kept_is_known_of_methods_with_bands_only(self):
        head = RopeConfig(128, max_position=8192, base=500_000.0)
        llama = Llama3Scaling(8, low_freq_factor=1, high_freq_factor=4, original_max_position=8192)
        kept = compute.kept(replace(head, scaling=llama))
        assert [(kept == 1).sum(), ((kept > 0) & (kept < 1)).sum(), (kept == 0).sum()] == [29, 6, 29]
        assert compute.kept(replace(head, scaling=LinearScaling(8))) is None
        assert compute.kept(head) is None

    def test_slowest_pair_is_known_right_before_and_after_the_switch(self):
        lengths, slowest = compute.slowest_speeds(RC21, 8192)
        speed = dict(zip(lengths.tolist(), slowest.tolist(), strict=True))
        assert speed[4096] == pytest.approx(8 * speed[4097])
        assert lengths[0] == 1
        assert lengths[-1] == 8192

    def test_attention_factors_are_those_of_the_paper(self):
        columns = compute.attention_factors((("yarn", YarnScaling(1)),), RopeConfig(8), 16.0, 3)
        np.testing.assert_allclose(columns["stretch"], [1, 4, 16])
        np.testing.assert_allclose(columns["A_yarn"][:2], [1, 1.138629436], atol=1e-9)
        np.testing.assert_allclose(columns["A_squared_yarn"], columns["A_yarn"] ** 2)


def test_angles_count_as_unseen_from_one_step_beyond_training_on():
    head = RopeConfig(4, base=1e4, max_position=100)
    step = plain(4, 1e4)[1] / (2 * math.pi)
    for length, unseen in ((101, 0.0), (102, 2 * step)):
        columns = compute.unseen_angles(head, length)
        np.testing.assert_allclose(columns["unseen"], [0, unseen], atol=1e-15)
        np.testing.assert_allclose(columns["turns_at_target"], (length - 1) * plain(4, 1e4) / (2 * math.pi))


def test_share_of_a_method_without_bands_is_what_is_left_of_the_speed():
    linear, yarn = (RopeConfig(8, max_position=64, scaling=method) for method in (LinearScaling(4), YarnScaling(4, ramp="rotation")))
    np.testing.assert_allclose(compute.bands(linear, 256, None)["share"], 0.25)
    columns = compute.bands(replace(yarn, scaling=YarnScaling(4)), 256, yarn)
    np.testing.assert_array_equal(columns["share_of_the_other_ramp"], compute.kept(yarn))
    np.testing.assert_allclose(columns["wavelength"], 2 * math.pi / plain(8, 1e4))
