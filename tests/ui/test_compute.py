"""Cached calls: right, bounded, keyed by everything that matters, and nobody's but the caller's."""

import cmath
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import LinearScaling, NtkScaling, RopeConfig
from ui import compute
from ui.cached import STORE

CONFIG = RopeConfig(8, base=100.0)
Q, K = tuple(np.linspace(-1, 2, 8)), tuple(np.linspace(3, -0.5, 8))
CALLS = {
    "turn_pair": lambda: compute.turn_pair((1.0, 2.0), (3.0, -1.0), 0.3, (0, 5, 9), (2, 2, 7)),
    "complex_score": lambda: compute.complex_score((1.0, 2.0), (3.0, -1.0), 0.3, 17),
    "additive_scores": lambda: compute.additive_scores((1.0, 2.0), (3.0, -1.0), 0.3, (0, 5, 9), (2, 2, 7)),
    "head_vectors": lambda: compute.head_vectors(CONFIG, "peak", 9, (1.0,), (1.0,)),
    "score_band": lambda: compute.score_band(CONFIG, Q, K, 5000),
    "first_negative": lambda: compute.first_negative(RopeConfig(128), 8192),
    "random_scores": lambda: compute.random_scores(CONFIG, 5000, 3),
    "bounds": lambda: compute.bounds(CONFIG, Q, K, 5000),
    "spectrum": lambda: compute.spectrum(CONFIG, Q, K, 5000),
    "speeds": lambda: compute.speeds(CONFIG),
}

HEAD = {"config": CONFIG, "q": Q, "k": K}
PAIR = {"q": (1.0, 2.0), "k": (3.0, -1.0), "speed": 0.3}
OTHER_PAIR = {"q": (2.0, 2.0), "k": (3.0, 1.0), "speed": 0.4}
TYPED = {"config": CONFIG, "kind": "typed", "peak": 9, "q_typed": (1.0,), "k_typed": (2.0,)}
KEYED = [
    ("score_band", HEAD | {"reach": 500}, {"q": K, "k": Q, "reach": 501}),
    ("bounds", HEAD | {"reach": 500}, {"q": K, "k": Q, "reach": 501}),
    ("spectrum", HEAD | {"tokens": 500}, {"q": K, "k": Q, "tokens": 502}),
    ("random_scores", {"config": CONFIG, "reach": 500, "seed": 0}, {"reach": 501, "seed": 1}),
    ("head_vectors", TYPED, {"kind": "ones", "q_typed": (3.0,), "k_typed": (3.0,)}),
    ("head_vectors", TYPED | {"kind": "peak"}, {"peak": 10, "config": RopeConfig(8, base=101.0)}),
    ("turn_pair", PAIR | {"q_positions": (1,), "k_positions": (2,)}, OTHER_PAIR | {"q_positions": (2,), "k_positions": (3,)}),
    ("additive_scores", PAIR | {"q_positions": (1,), "k_positions": (2,)}, OTHER_PAIR | {"q_positions": (2,), "k_positions": (3,)}),
    ("complex_score", PAIR | {"distance": 5}, OTHER_PAIR | {"distance": 6}),
]


def numbers(answer):
    """All numbers of an answer in one row."""
    if isinstance(answer, tuple):
        return np.concatenate([numbers(part) for part in answer])
    return np.atleast_1d(np.asarray(np.nan if answer is None else answer)).astype(complex).ravel()


def same(one, other):
    return len(numbers(one)) == len(numbers(other)) and np.array_equal(numbers(one), numbers(other), equal_nan=True)


def brute(config_dim, base, layout, q, k, distances):
    """Scores by complex numbers, one pair after the other."""
    pairs = config_dim // 2
    total = np.zeros(len(distances))
    for i in range(pairs):
        first, second = (i, i + pairs) if layout == "half" else (2 * i, 2 * i + 1)
        z = complex(q[first], q[second]) * complex(k[first], -k[second])
        speed = base ** (-2 * i / config_dim)
        total += [(z * cmath.exp(1j * distance * speed)).real for distance in distances]
    return total


class TestCaches:
    def test_two_scaling_methods_with_one_factor_do_not_share_an_answer(self):
        ones = (1.0,) * 16
        bands = [compute.score_band(RopeConfig(16, scaling=method(2.0)), ones, ones, 100) for method in (LinearScaling, NtkScaling)]
        assert bands[0].at_end != bands[1].at_end

    @pytest.mark.parametrize("name", CALLS)
    def test_second_call_gives_the_same_numbers(self, name):
        assert same(CALLS[name](), CALLS[name]())

    @pytest.mark.parametrize("name", CALLS)
    def test_nobody_can_write_into_an_answer(self, name):
        answer = CALLS[name]()
        arrays = [part for part in (answer if isinstance(answer, tuple) else (answer,)) if isinstance(part, np.ndarray)]
        assert name == "speeds" or not any(part.flags.writeable for part in arrays)  # speeds are made anew each time

    @pytest.mark.parametrize(("name", "arguments", "changes"), KEYED, ids=[name for name, *_ in KEYED])
    def test_every_setting_that_matters_changes_the_answer(self, name, arguments, changes):
        function = getattr(compute, name)
        answer = function(**arguments)
        for changed, new in changes.items():
            assert not same(answer, function(**arguments | {changed: new})), changed

    @pytest.mark.parametrize("name", ["score_band", "bounds", "spectrum", "random_scores"])
    def test_layout_and_base_of_a_head_change_the_answer(self, name):
        arguments = next(arguments for each, arguments, _ in KEYED if each == name)
        heads = [CONFIG, RopeConfig(8, base=100.0, layout="interleaved"), RopeConfig(8, base=101.0)]
        first, *others = [getattr(compute, name)(**arguments | {"config": head}) for head in heads]
        assert not any(same(first, other) for other in others)

    def test_shorter_call_after_a_longer_one_is_its_beginning(self):
        ten = compute.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, tuple(range(10)), (0,) * 10)
        three = compute.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, (0, 1, 2), (0,) * 3)
        later = compute.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, (100, 101, 102), (0,) * 3)
        np.testing.assert_array_equal(three.q, ten.q[:3])
        assert three.q[:, 0] == pytest.approx([1, 0.540302306, -0.416146837], abs=1e-9)
        assert later.q[:, 0] == pytest.approx([0.862318872, 0.892004870, 0.101585704], abs=1e-9)


class TestSpeeds:
    @pytest.mark.parametrize(
        ("head_dim", "base", "second", "last"),
        [
            (64, 1e4, 0.749894209, 1.333521432e-4),
            (128, 1e4, 0.865964323, 1.154781985e-4),
            (128, 5e5, 0.814617234, 2.455140791e-6),
            (128, 1e6, 0.805842188, 1.240937761e-6),
        ],
    )
    def test_they_are_the_published_ones(self, head_dim, base, second, last):
        speeds = compute.speeds(RopeConfig(head_dim, base=base))
        assert speeds[0] == 1
        assert speeds[[1, -1]] == pytest.approx([second, last], rel=1e-8)


class TestScores:
    @pytest.mark.parametrize("layout", ["half", "interleaved"])
    @pytest.mark.parametrize("reach", [2, 3, 1000, 2500])
    def test_band_is_the_lowest_and_highest_of_all_scores_of_each_bin(self, layout, reach):
        band = compute.score_band(RopeConfig(8, base=100.0, layout=layout), Q, K, reach)
        scores = brute(8, 100.0, layout, Q, K, range(reach + 1))
        edges = compute.log_bins(reach)
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
        band = compute.score_band(RopeConfig(64), tuple(q), tuple(k), 5000)
        top = int(band.high.argmax())
        assert compute.log_bins(5000)[top] <= 700 < compute.log_bins(5000)[top + 1]
        assert band.high[top] == pytest.approx(band.ceiling, abs=1e-9) == pytest.approx(64, abs=1e-9)

    def test_typed_numbers_are_repeated_or_cut_to_the_width(self):
        q, k = compute.head_vectors(CONFIG, "typed", 0, (1.0, 2.0, 3.0), tuple(range(20)))
        assert q.tolist() == [1, 2, 3, 1, 2, 3, 1, 2]
        assert k.tolist() == list(range(8))

    def test_random_scores_do_not_decay(self):
        random = compute.random_scores(RopeConfig(128), 8192, 0)
        assert np.abs(random.mean / math.sqrt(128)).max() < 5 / math.sqrt(compute.RANDOM_PAIRS)
        assert random.spread / math.sqrt(128) == pytest.approx(1, abs=0.25)

    def test_bound_is_never_below_the_size_of_the_score(self):
        bounds = compute.bounds(CONFIG, Q, K, 5000)
        scores = brute(8, 100.0, "half", Q, K, bounds.distances)
        assert (bounds.bound >= np.abs(scores) - 1e-9).all()

    def test_three_ways_to_the_score_of_a_pair_agree(self):
        q, k = (1.5, 0.5), (0.5, 1.2)
        turned = compute.turn_pair(q, k, 0.3, (40,), (3,)).score[0]
        product, by_phase = compute.complex_score(q, k, 0.3, 37)
        assert product == complex(*q) * complex(*k).conjugate()
        assert [turned, by_phase] == pytest.approx([brute(2, 1.0, "half", q, k, [37 * 0.3])[0]] * 2, abs=1e-12)

    def test_score_with_an_added_code_depends_on_where_both_stand(self):
        scores = compute.additive_scores((1.5, 0.5), (0.5, 1.2), 0.3, (5, 15), (3, 13))
        want = []
        for m, n in ((5, 3), (15, 13)):
            q, k = (
                np.add(vector, [math.sin(position * 0.3), math.cos(position * 0.3)])
                for vector, position in (((1.5, 0.5), m), ((0.5, 1.2), n))
            )
            want.append(q @ k)
        assert scores == pytest.approx(want, abs=1e-12)
        assert abs(scores[0] - scores[1]) > 0.1


class TestSpectrum:
    def test_lines_are_the_sizes_of_the_pairs_at_their_speeds(self):
        found = compute.spectrum(CONFIG, Q, K, 4096)
        np.testing.assert_allclose(found.line_speeds, compute.speeds(CONFIG))
        assert found.line_amplitudes == pytest.approx(np.hypot(Q[:4], Q[4:]) * np.hypot(K[:4], K[4:]))

    def test_long_transform_is_thinned_by_its_largest_amplitudes(self):
        tokens = 60_000
        found = compute.spectrum(CONFIG, Q, K, tokens)
        full = 2 / tokens * np.abs(np.fft.rfft(brute(8, 100.0, "half", Q, K, np.arange(tokens))))[1:]
        assert len(found.amplitudes) < 2001 < len(full)
        assert found.amplitudes.max() == pytest.approx(full.max(), abs=1e-9)
        where = np.rint(found.speeds * tokens / (2 * math.pi)).astype(int) - 1
        assert (found.amplitudes >= full[where] - 1e-9).all()


class TestLogBins:
    @given(st.integers(1, 10_000_000), st.integers(1, 2000))
    def test_bins_cover_every_distance_once(self, reach, bins):
        edges = compute.log_bins(reach, bins=bins)
        assert (edges[0], edges[-1]) == (1, reach + 1)
        assert (np.diff(edges) >= 1).all()
        assert len(edges) <= bins + 1
        assert edges.dtype == np.int64

    @given(st.integers(1, 10_000_000), st.integers(2, 500))
    def test_log_integers_run_from_1_to_the_end_without_repeating(self, reach, points):
        found = compute.log_integers(reach, points)
        assert (found[0], found[-1]) == (1, reach)
        assert (np.diff(found) >= 1).all()
        assert len(found) <= points

    def test_wide_bins_are_even_on_a_log_axis(self):
        edges = compute.log_bins(10_000_000)
        ratios = edges[501:] / edges[500:-1]
        assert ratios.max() / ratios.min() < 1.02


class TestDevice:
    @pytest.mark.parametrize("name", CALLS)
    def test_numbers_agree_on_both_devices_to_1e_9(self, name, device, monkeypatch):
        if device.type == "cpu":
            pytest.skip("compares the CPU with another device: run with --device cuda")
        answers = []
        for where in (torch.device("cpu"), device):
            monkeypatch.setattr(compute, "best_device", lambda where=where: where)
            STORE.clear()
            answers.append(numbers(CALLS[name]()))
        np.testing.assert_allclose(answers[1], answers[0], rtol=1e-9, atol=1e-9)

    @pytest.mark.parametrize("name", CALLS)
    def test_device_is_asked_for_once_and_not_taken_from_elsewhere(self, name, monkeypatch):
        asked = []
        monkeypatch.setattr(compute, "best_device", lambda: asked.append(name) or torch.device("cpu"))
        STORE.clear()
        CALLS[name]()
        assert asked
