import json
import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from rope_core.base_search import first_negative, first_negatives
from rope_core.config import RopeConfig
from rope_core.curves import CHUNK_DISTANCES
from rope_core.encodings import sinusoidal_encoding
from rope_core.errors import RopeConfigError
from rope_core.frequencies import inverse_frequencies
from rope_core.laws import geometric_frequencies, linear_frequencies
from rope_core.scaling import LinearScaling
from rope_core.scores import decay_bound, passthrough_score, phasors, score_at, score_bound, score_curve, score_envelope
from rope_core.spectra import angle_coverage, curve_spectrum, line_spectrum
from tests.oracles import scores as oracle

THEORY = json.loads((Path(__file__).parents[1] / "data" / "theory_numbers.json").read_text())
seeds = st.integers(0, 2**32 - 1)


def gaussian_phasors(*shape: int, seed: int, device: torch.device | None = None) -> Tensor:
    return torch.randn(*shape, dtype=torch.complex128, generator=torch.Generator().manual_seed(seed)).to(device)


def gaussian(*shape: int, seed: int, device: torch.device | None = None) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(device)


def aligned(head_dim: int, base: float, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the phasors of q = k = 1 and the speeds."""
    config = RopeConfig(head_dim, base=base)
    ones = torch.ones(head_dim, device=device)
    return phasors(ones, ones, config), inverse_frequencies(config, device=device)


class WithScaledAmplitude(LinearScaling):
    """Linear scaling with an attention factor other than 1."""

    def attention_factor_for(self, config: object, seq_len: int | None) -> float:
        return 1.25


class TestPhasors:
    @pytest.mark.parametrize("layout", ["half", "interleaved"])
    @pytest.mark.parametrize("positions", [(0, 0), (7, 3), (3, 7), (5000, 12)])
    def test_score_of_a_rotated_query_and_key_depends_on_query_minus_key_position(self, layout, positions, device):
        config = RopeConfig(10, rotary_dim=6, layout=layout)
        q, k = gaussian(2, 10, seed=1)
        m, n = positions
        inv_freq = oracle.speeds(6, 10_000.0)
        want = oracle.rotated(q.numpy(), m, inv_freq, 6, layout) @ oracle.rotated(k.numpy(), n, inv_freq, 6, layout)
        q, k = q.to(device), k.to(device)
        rotating = score_curve(phasors(q, k, config), inverse_frequencies(config, device=device), 1, start=m - n)
        assert float(rotating[0] + passthrough_score(q, k, config)) == pytest.approx(want, abs=1e-11)

    def test_attention_factor_enters_squared_and_leaves_passthrough_alone(self):
        config = RopeConfig(10, rotary_dim=6, scaling=WithScaledAmplitude(factor=2.0))
        q, k = gaussian(2, 10, seed=2)
        inv_freq = [speed / 2 for speed in oracle.speeds(6, 10_000.0)]
        turned = [oracle.rotated(x.numpy(), p, inv_freq, 6, "half", factor=1.25) for x, p in ((q, 9), (k, 4))]
        rotating = score_curve(phasors(q, k, config), inverse_frequencies(config), 6)
        assert float(rotating[5] + passthrough_score(q, k, config)) == pytest.approx(turned[0] @ turned[1], abs=1e-12)

    def test_leading_axes_broadcast(self):
        q, k, config = gaussian(3, 1, 8, seed=3), gaussian(4, 8, seed=4), RopeConfig(8, rotary_dim=4)
        all_pairs, rest = phasors(q, k, config), passthrough_score(q, k, config)
        assert all_pairs.shape == (3, 4, 2)
        assert rest.shape == (3, 4)
        torch.testing.assert_close(all_pairs[2, 1], phasors(q[2, 0], k[1], config), rtol=0, atol=0)
        torch.testing.assert_close(rest[2, 1], passthrough_score(q[2, 0], k[1], config), rtol=0, atol=1e-15)

    def test_products_of_bfloat16_vectors_are_made_in_float64(self):
        q = torch.full((2,), 1.0078125, dtype=torch.bfloat16)
        assert phasors(q, q, RopeConfig(2)).item() == 2 * 1.0078125**2

    def test_passthrough_of_a_head_that_turns_whole_is_zero(self):
        q = gaussian(2, 8, seed=5)
        assert passthrough_score(q, q, RopeConfig(8)).tolist() == [0.0, 0.0]

    @pytest.mark.parametrize(
        ("q", "k", "message"),
        [
            (
                torch.ones(8, dtype=torch.int64),
                torch.ones(8),
                r"^q must be a tensor of float16, bfloat16, float32 or float64, got torch.int64$",
            ),
            (torch.ones(8), torch.ones(6), r"^the last axis of k must be head_dim = 8 long, got shape \(6,\)$"),
            (torch.ones(2, 8), torch.ones(3, 8), r"^the leading axes of q and k must broadcast, got shapes \(2, 8\) and \(3, 8\)$"),
            (torch.full((8,), math.nan), torch.ones(8), r"^q must hold finite numbers only, got nan$"),
            (torch.ones(8), torch.full((8,), math.inf), r"^k must hold finite numbers only, got inf$"),
            (torch.ones(8), torch.ones(8, device="meta"), r"^k must lie on the device of q, cpu, got meta$"),
        ],
    )
    @pytest.mark.parametrize("function", [phasors, passthrough_score])
    def test_wrong_vectors_are_rejected_by_name(self, function, q, k, message):
        with pytest.raises(RopeConfigError, match=message):
            function(q, k, RopeConfig(8))


class TestScoreCurve:
    def test_aligned_curve_has_the_reference_values(self, device):
        curve = score_curve(*aligned(128, 10_000.0, device), 8192).cpu() / 128
        want = [1, 0.970214, 0.896592, 0.620338, 0.476876, 0.332794, 0.320701, 0.204441, 0.119284, -0.052853]  # RC-33
        assert curve[[0, 1, 2, 16, 64, 128, 256, 1024, 2048, 4096]].tolist() == pytest.approx(want, abs=5e-7)
        rises = (curve[1:] > curve[:-1]).nonzero().flatten()
        assert (rises[0], (rises < 4096).sum(), len(rises)) == (11, 1992, 4028)
        assert (curve < 0).nonzero()[0] == 1707
        assert curve[:4097].argmin() == 4060
        assert curve[4060] == pytest.approx(-0.130671, abs=5e-7)
        assert curve[7202] == pytest.approx(-0.212, abs=5e-4)

    def test_aligned_curve_of_a_larger_base_has_the_reference_value(self, device):
        assert score_curve(*aligned(128, 1e6, device), 1, start=4096).item() / 128 == pytest.approx(0.277603, abs=5e-7)

    def test_gaussian_pairs_do_not_decay(self, device):
        config = RopeConfig(128)
        some = phasors(gaussian(4000, 128, seed=6, device=device), gaussian(4000, 128, seed=7, device=device), config)
        inv_freq = inverse_frequencies(config, device=device)
        for distance in (0, 1, 64, 1024, 8192):
            score = score_curve(some, inv_freq, 1, start=distance) / math.sqrt(128)
            assert abs(score.mean()) < 0.04
            assert score.std() == pytest.approx(1.0, abs=0.05)

    def test_linear_speeds_revive(self):
        curve = score_curve(torch.ones(64, dtype=torch.complex128), linear_frequencies(128, 10_000 ** (-126 / 128)), 800) / 64
        assert curve[[1, 10, 100, 396, 792]].tolist() == pytest.approx([0.84, -0.05, 0.01, 0.994, 0.977], abs=5e-3)

    @pytest.mark.parametrize("start", [40, 2000, 16_000, 32_768, 131_071, 1_048_575, 9_999_990])
    def test_float64_curve_is_within_1e_8_of_forty_digits(self, start, device):
        some, inv_freq = gaussian_phasors(64, seed=8), geometric_frequencies(128, 10_000.0)
        some /= some.abs().sum()  # then 1e-8 bounds the error of cos and sin, as RC-10 asks
        curve = score_curve(some.to(device), inv_freq.to(device), 11, start=start).cpu()
        for offset in (0, 5, 10):
            assert float(curve[offset]) == pytest.approx(oracle.exact(some.numpy(), inv_freq.numpy(), start + offset), abs=1e-8)

    @pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 4096, 70_001])
    def test_every_distance_agrees_with_direct_evaluation(self, length, device):
        some, inv_freq = gaussian_phasors(5, seed=9), geometric_frequencies(10, 500.0)
        want = oracle.curve(some.numpy(), inv_freq.numpy(), np.arange(length))
        np.testing.assert_allclose(score_curve(some.to(device), inv_freq.to(device), length).cpu().numpy(), want, rtol=0, atol=1e-10)

    def test_rows_that_do_not_fit_at_once_agree_with_direct_evaluation(self, device):
        some, inv_freq = gaussian_phasors(7, 40, 256, seed=10), geometric_frequencies(512, 10_000.0)
        curve = score_curve(some.to(device), inv_freq.to(device), 20_000).cpu()
        assert curve.shape == (7, 40, 20_000)
        at = np.array([0, 1, 255, 256, 9_999, 19_999])
        np.testing.assert_allclose(curve[..., at].numpy(), oracle.curve(some.numpy(), inv_freq.numpy(), at), rtol=0, atol=1e-9)

    def test_no_rows_give_no_curves(self):
        assert score_curve(torch.zeros(0, 3, dtype=torch.complex128), geometric_frequencies(6, 100.0), 5).shape == (0, 5)

    def test_a_pair_that_does_not_turn_adds_a_constant(self):
        curve = score_curve(torch.tensor([3 - 4j], dtype=torch.complex128), torch.zeros(1, dtype=torch.float64), 1000)
        assert curve.unique().tolist() == [3.0]

    @given(seed=seeds, start=st.integers(-10_000_000, 9_999_000), shift=st.integers(0, 700), length=st.integers(1, 300))
    @settings(max_examples=40, deadline=None)
    def test_a_later_start_is_a_later_piece_of_the_same_curve(self, seed, start, shift, length):
        some, inv_freq = gaussian_phasors(6, seed=seed), geometric_frequencies(12, 1000.0)
        whole = score_curve(some, inv_freq, shift + length, start=start)
        torch.testing.assert_close(score_curve(some, inv_freq, length, start=start + shift), whole[shift:], rtol=0, atol=1e-7)

    @given(seed=seeds, start=st.integers(-1000, 1000))
    @settings(max_examples=30, deadline=None)
    def test_a_negative_distance_is_a_key_and_a_query_swapped(self, seed, start):
        some, inv_freq = gaussian_phasors(2, 6, seed=seed), geometric_frequencies(12, 1000.0)
        forward = score_curve(some, inv_freq, 300, start=start)
        torch.testing.assert_close(score_curve(some.conj(), inv_freq, 300, start=-start - 299).flip(-1), forward, rtol=0, atol=1e-11)

    @given(seed=seeds, a=st.floats(-10, 10), b=st.floats(-10, 10))
    @settings(max_examples=30, deadline=None)
    def test_the_curve_is_linear_in_the_phasors(self, seed, a, b):
        first, second = gaussian_phasors(2, 5, seed=seed)
        inv_freq = geometric_frequencies(10, 100.0)
        parts = a * score_curve(first, inv_freq, 400) + b * score_curve(second, inv_freq, 400)
        torch.testing.assert_close(score_curve(a * first + b * second, inv_freq, 400), parts, rtol=0, atol=1e-11)

    def test_gradients_reach_the_phasors(self):
        some = gaussian_phasors(3, seed=11).requires_grad_()
        score_curve(some, geometric_frequencies(6, 100.0), 10).sum().backward()
        assert some.grad is not None
        assert some.grad.isfinite().all()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"phasors": torch.ones(3, dtype=torch.complex64)}, "^phasors must be a torch.complex128 tensor, got torch.complex64$"),
            ({"phasors": [1j, 1j, 1j]}, "^phasors must be a torch.complex128 tensor, got list$"),
            (
                {"phasors": torch.ones(4, dtype=torch.complex128)},
                r"^the last axis of phasors must be the number of pairs = 3 long, got shape \(4,\)$",
            ),
            ({"phasors": torch.full((3,), math.nan, dtype=torch.complex128)}, "^phasors must hold finite numbers only, got "),
            ({"phasors": torch.full((3,), complex(0, math.inf), dtype=torch.complex128)}, "^phasors must hold finite numbers only, got "),
            ({"inv_freq": torch.ones(3)}, "^inv_freq must be a torch.float64 tensor, got torch.float32$"),
            (
                {"inv_freq": torch.ones(1, 3, dtype=torch.float64)},
                r"^inv_freq must have shape \(P,\) with at least one pair, got shape \(1, 3\)$",
            ),
            ({"inv_freq": torch.full((3,), math.inf, dtype=torch.float64)}, "^inv_freq must hold finite numbers only, got inf$"),
            ({"length": 0}, "^length must be an integer of at least 1, got 0$"),
            ({"length": -5}, "^length must be an integer of at least 1, got -5$"),
            ({"length": 2.0}, "^length must be an integer of at least 1, got 2.0$"),
            ({"length": 10_000_001}, "^length must be at most 10000000, got 10000001$"),
            ({"length": 2, "start": 10_000_000}, r"^start \+ length - 1 must be at most 10000000, got 10000001$"),
            ({"start": -10_000_001}, "^start must be an integer of at least -10000000, got -10000001$"),
            ({"start": 0.5}, "^start must be an integer of at least -10000000, got 0.5$"),
        ],
    )
    def test_wrong_arguments_are_rejected_by_name(self, arguments, message):
        right = {"phasors": torch.ones(3, dtype=torch.complex128), "inv_freq": geometric_frequencies(6, 100.0), "length": 10}
        with pytest.raises(RopeConfigError, match=message):
            score_curve(**(right | arguments))

    def test_the_last_supported_distance_is_allowed(self):
        some, inv_freq = torch.ones(3, dtype=torch.complex128), geometric_frequencies(6, 100.0)
        assert score_curve(some, inv_freq, 1, start=10_000_000).shape == (1,)
        assert score_curve(some, inv_freq, 1, start=-10_000_000).shape == (1,)


class TestScoreEnvelope:
    @given(seed=seeds, edges=st.lists(st.integers(0, 3000), min_size=2, max_size=60, unique=True).map(sorted))
    @settings(max_examples=50, deadline=None)
    def test_each_bin_holds_the_lowest_and_highest_score_of_its_integers(self, seed, edges):
        some, inv_freq = gaussian_phasors(2, 5, seed=seed), geometric_frequencies(10, 500.0)
        low, high = score_envelope(some, inv_freq, torch.tensor(edges))
        curve = oracle.curve(some.numpy(), inv_freq.numpy(), np.arange(3000))
        pieces = [curve[:, a:b] for a, b in pairwise(edges)]
        np.testing.assert_allclose(low.numpy(), np.stack([piece.min(-1) for piece in pieces], -1), rtol=0, atol=1e-11)
        np.testing.assert_allclose(high.numpy(), np.stack([piece.max(-1) for piece in pieces], -1), rtol=0, atol=1e-11)

    @pytest.mark.parametrize("rows", [(), (3, 4)])
    def test_bins_across_the_pieces_of_the_stream_are_whole(self, rows, device):
        piece = CHUNK_DISTANCES
        edges = [5, 6, piece - 1, piece + 5, piece + 6, piece + 200, 3 * piece + 77, 3 * piece + 78]
        some, inv_freq = gaussian_phasors(*rows, 4, seed=12), geometric_frequencies(8, 500.0)
        low, high = score_envelope(some.to(device), inv_freq.to(device), torch.tensor(edges, device=device))
        curve = oracle.curve(some.numpy(), inv_freq.numpy(), np.arange(edges[-1]))
        for bin_, (first, last) in enumerate(pairwise(edges)):
            np.testing.assert_allclose(low[..., bin_].cpu().numpy(), curve[..., first:last].min(-1), rtol=0, atol=1e-8)
            np.testing.assert_allclose(high[..., bin_].cpu().numpy(), curve[..., first:last].max(-1), rtol=0, atol=1e-8)

    def test_ten_million_distances_keep_their_extremes(self, device):
        some, inv_freq = aligned(128, 10_000.0, device)
        low, high = score_envelope(some, inv_freq, torch.tensor([0, 1, 1707, 10_000_001], device=device))
        assert high[0].item() == 128.0
        assert low[1] >= 0
        assert low[2] < 0

    def test_thinning_would_have_hidden_what_the_envelope_shows(self, device):
        some = torch.ones(1, dtype=torch.complex128, device=device)
        low, high = score_envelope(some, torch.ones(1, dtype=torch.float64, device=device), torch.arange(0, 2501, 25, device=device))
        assert low.max() < -0.98
        assert high.min() > 0.98

    @pytest.mark.parametrize(
        "dtype", [torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.int64, torch.uint64]
    )
    def test_edges_are_integers_of_any_width(self, dtype):
        low, _ = score_envelope(
            torch.ones(1, dtype=torch.complex128), torch.ones(1, dtype=torch.float64), torch.tensor([0, 2], dtype=dtype)
        )
        assert low.tolist() == [pytest.approx(math.cos(1))]

    @pytest.mark.parametrize(
        ("edges", "message"),
        [
            (torch.tensor([0.0, 1.0]), "^edges must be a tensor of integers, got torch.float32$"),
            ([0, 1], "^edges must be a tensor of integers, got list$"),
            (torch.tensor([3]), r"^edges must have shape \(bins \+ 1,\) with at least one bin, got shape \(1,\)$"),
            (torch.tensor([[0, 1]]), r"^edges must have shape \(bins \+ 1,\) with at least one bin, got shape \(1, 2\)$"),
            (torch.tensor([0, 5, 5, 9]), "^edges must be strictly increasing, got 5 after 5$"),
            (torch.tensor([0, 5, 4]), "^edges must be strictly increasing, got 4 after 5$"),
            (torch.tensor([-1, 5]), "^edges must be from 0 to 10000001, got -1$"),
            (torch.tensor([0, 10_000_002]), "^edges must be from 0 to 10000001, got 10000002$"),
        ],
    )
    def test_wrong_edges_are_rejected_by_name(self, edges, message):
        with pytest.raises(RopeConfigError, match=message):
            score_envelope(torch.ones(1, dtype=torch.complex128), torch.ones(1, dtype=torch.float64), edges)


class TestBounds:
    @pytest.mark.parametrize("head_dim", [64, 128])
    def test_relative_curve_has_the_reference_values(self, head_dim, device):
        want = {int(distance): value for distance, value in THEORY["roformer_bound"]["base10000"][str(head_dim)].items()}
        inv_freq = geometric_frequencies(head_dim, 10_000.0, device=device)
        assert decay_bound(inv_freq, torch.tensor(list(want), device=device)).tolist() == pytest.approx(list(want.values()), abs=1e-10)

    def test_relative_curve_is_not_monotone(self):
        curve = decay_bound(geometric_frequencies(128, 10_000.0), torch.arange(257))
        assert (curve[1:] > curve[:-1]).sum() == THEORY["roformer_bound"]["increases_between_0_and_256_d128"]

    def test_bound_of_aligned_vectors_has_the_reference_values(self, device):
        bound = score_bound(*aligned(128, 10_000.0, device), torch.tensor([0, 1, 100], device=device))
        # h is 2 in every pair and 0 after the last.
        assert bound.tolist() == pytest.approx([4160.0, 4036.885, 1309.098], abs=1e-3)

    def test_bound_is_the_largest_step_times_the_partial_sums(self, device):
        some, inv_freq = gaussian_phasors(3, 5, seed=13), oracle.speeds(10, 100.0)
        distances = [0, 3, -3, 999_999]
        bound = score_bound(
            some.to(device), torch.tensor(inv_freq, dtype=torch.float64, device=device), torch.tensor(distances, device=device)
        )
        for row, h in zip(bound.tolist(), some.tolist(), strict=True):
            step = max(abs(b - a) for a, b in zip(h, [*h[1:], 0], strict=True))
            assert row == pytest.approx([step * sum(oracle.partial_sums(inv_freq, r)) for r in distances], rel=1e-9)

    @given(seed=seeds, start=st.integers(-10_000_000, 9_999_000))
    @settings(max_examples=50, deadline=None)
    def test_no_score_is_above_its_bound(self, seed, start):
        some, inv_freq = gaussian_phasors(4, 8, seed=seed), geometric_frequencies(16, 1000.0)
        score = score_curve(some, inv_freq, 500, start=start)
        assert (score.abs() <= score_bound(some, inv_freq, torch.arange(start, start + 500)) + 1e-6).all()

    def test_equal_phasors_of_one_pair_meet_the_bound_at_distance_zero(self):
        some = torch.full((1,), 5.0, dtype=torch.complex128)
        assert score_bound(some, torch.ones(1, dtype=torch.float64), torch.tensor([0])).tolist() == [5.0]

    def test_many_distances_are_the_same_as_one_by_one(self):
        inv_freq = geometric_frequencies(512, 10_000.0)
        distances = torch.arange(0, 90_000, 9)
        some = torch.tensor([0, 1, 4095, 4096, 9_999])
        torch.testing.assert_close(decay_bound(inv_freq, distances)[some], decay_bound(inv_freq, distances[some]), rtol=0, atol=1e-12)

    @pytest.mark.parametrize(
        ("distances", "message"),
        [
            (torch.tensor([1.0]), "^distances must be a tensor of integers, got torch.float32$"),
            (torch.tensor(3), r"^distances must have shape \(n,\), got shape \(\)$"),
            (torch.tensor([0, 10_000_001]), "^distances must be from -10000000 to 10000000, got 10000001$"),
            (torch.tensor([-10_000_001]), "^distances must be from -10000000 to 10000000, got -10000001$"),
            (torch.ones(1, dtype=torch.int64, device="meta"), "^distances must lie on the device of inv_freq, cpu, got meta$"),
        ],
    )
    def test_wrong_distances_are_rejected_by_name(self, distances, message):
        inv_freq = geometric_frequencies(6, 100.0)
        with pytest.raises(RopeConfigError, match=message):
            decay_bound(inv_freq, distances)
        with pytest.raises(RopeConfigError, match=message):
            score_bound(torch.ones(3, dtype=torch.complex128), inv_freq, distances)

    @pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.uint64])
    def test_distances_are_integers_of_any_width(self, dtype, device):
        some, inv_freq = gaussian_phasors(2, 3, seed=14, device=device), geometric_frequencies(6, 100.0, device=device)
        wide = torch.tensor([0, 3, 100], device=device)
        assert torch.equal(score_at(some, inv_freq, wide.to(dtype)), score_at(some, inv_freq, wide))
        assert torch.equal(score_bound(some, inv_freq, wide.to(dtype)), score_bound(some, inv_freq, wide))
        assert torch.equal(decay_bound(inv_freq, wide.to(dtype)), decay_bound(inv_freq, wide))

    def test_distances_beyond_int64_are_rejected_by_name(self):
        far = torch.tensor([2**63 + 5], dtype=torch.uint64)
        with pytest.raises(RopeConfigError, match=r"^distances must be at most 9223372036854775807, got 9223372036854775813$"):
            decay_bound(geometric_frequencies(6, 100.0), far)


class TestRange:
    def test_an_envelope_has_no_gradient_whatever_its_length(self):
        some, inv_freq = gaussian_phasors(3, seed=15).requires_grad_(), geometric_frequencies(6, 100.0).requires_grad_()
        for last in (10, 2 * CHUNK_DISTANCES):
            low, high = score_envelope(some, inv_freq, torch.tensor([0, last]))
            assert not low.requires_grad
            assert not high.requires_grad

    def test_results_are_on_the_cpu_under_another_default_device(self):
        some, inv_freq = gaussian_phasors(3, seed=16), geometric_frequencies(6, 100.0)
        edges = torch.tensor([0, 5, 300])
        right = score_envelope(some, inv_freq, edges)
        with torch.device("meta"):
            for side, expected in zip(score_envelope(some, inv_freq, edges), right, strict=True):
                assert torch.equal(side, expected)

    @pytest.mark.parametrize("number", [np.int8, np.uint8])
    def test_lengths_of_narrow_integer_types_do_not_overflow(self, number):
        some, inv_freq = gaussian_phasors(3, seed=17), geometric_frequencies(6, 100.0)
        assert torch.equal(score_curve(some, inv_freq, number(100), start=number(100)), score_curve(some, inv_freq, 100, start=100))

    @pytest.mark.parametrize(("function", "name"), [(phasors, "phasors"), (passthrough_score, "passthrough_score")])
    def test_products_that_overflow_are_rejected_by_name(self, function, name):
        huge = torch.full((8,), 1e200, dtype=torch.float64)
        with pytest.raises(RopeConfigError, match=f"^{name} must hold finite numbers only, got "):
            function(huge, huge, RopeConfig(8, rotary_dim=4))

    def test_a_bound_that_overflows_is_rejected_by_name(self):
        some = torch.tensor([8e307, -8e307], dtype=torch.complex128)
        with pytest.raises(RopeConfigError, match=r"^score_bound must hold finite numbers only, got inf$"):
            score_bound(some, geometric_frequencies(4, 100.0), torch.tensor([0]))

    @pytest.mark.usefixtures("unchecked_shapes")
    @pytest.mark.parametrize(
        "call",
        [lambda z, w: score_curve(z, w, 3), lambda z, w: score_envelope(z, w, torch.tensor([0, 3])), lambda z, w: line_spectrum(z, w)],
    )
    def test_phasors_whose_sum_overflows_are_rejected_by_name(self, call):
        with pytest.raises(RopeConfigError, match=r"^sum \|phasors\| must hold finite numbers only, got inf$"):
            call(torch.full((3,), 1e308, dtype=torch.complex128), geometric_frequencies(6, 100.0))

    @pytest.mark.parametrize("speed", [1e300, -1e300])
    def test_speeds_whose_angles_would_overflow_are_rejected_by_name(self, speed):
        inv_freq, sentence = (
            torch.full((3,), speed, dtype=torch.float64),
            f"^inv_freq must be from -1000000 to 1000000, got {re.escape(str(speed))}$",
        )
        for call in (
            lambda: score_curve(torch.ones(3, dtype=torch.complex128), inv_freq, 3),
            lambda: first_negative(inv_freq, 10),
            lambda: first_negatives(inv_freq.unsqueeze(0), 10),
            lambda: sinusoidal_encoding(torch.arange(3), inv_freq),
        ):
            with pytest.raises(RopeConfigError, match=sentence):
                call()

    def test_tensors_without_numbers_are_rejected_by_name(self):
        inv_freq, some = torch.ones(3, dtype=torch.float64, device="meta"), torch.ones(3, dtype=torch.complex128, device="meta")
        for name, call in (
            ("q", lambda: phasors(torch.ones(4, device="meta"), torch.ones(4, device="meta"), RopeConfig(4))),
            ("inv_freq", lambda: score_curve(some, inv_freq, 3)),
            ("inv_freq", lambda: first_negative(inv_freq, 3)),
            ("inv_freq", lambda: angle_coverage(inv_freq, 3)),
            ("curve", lambda: curve_spectrum(inv_freq)),
            (
                "edges",
                lambda: score_envelope(
                    torch.ones(3, dtype=torch.complex128), geometric_frequencies(6, 9.0), torch.arange(3, device="meta")
                ),
            ),
        ):
            with pytest.raises(RopeConfigError, match=f"^{name} must hold numbers, got a meta tensor$"):
                call()
