import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rope_core.errors import RopeConfigError
from rope_core.laws import constant_frequencies, geometric_frequencies
from rope_core.scores import score_curve
from rope_core.spectra import angle_coverage, curve_spectrum, line_spectrum
from tests.oracles import scores as oracle


class TestLineSpectrum:
    def test_lines_rebuild_the_curve_as_a_sum_of_cosines(self, device):
        some = torch.randn(3, 8, dtype=torch.complex128, generator=torch.Generator().manual_seed(0)).to(device)
        inv_freq = geometric_frequencies(16, 1000.0, device=device)
        frequency, amplitude, phase = line_spectrum(some, inv_freq)
        want = sum(amplitude[:, i, None] * torch.cos(frequency[i] * torch.arange(400, device=device) + phase[:, i, None]) for i in range(8))
        torch.testing.assert_close(score_curve(some, inv_freq, 400), want, rtol=0, atol=1e-11)

    def test_pairs_of_equal_speed_stay_separate_lines(self):
        frequency, amplitude, phase = line_spectrum(torch.tensor([1j, -1j], dtype=torch.complex128), constant_frequencies(4, 0.5))
        assert frequency.tolist() == [0.5, 0.5]
        assert amplitude.tolist() == [1.0, 1.0]
        assert phase.tolist() == pytest.approx([math.pi / 2, -math.pi / 2])

    def test_frequencies_are_a_copy(self):
        inv_freq = geometric_frequencies(4, 100.0)
        line_spectrum(torch.ones(2, dtype=torch.complex128), inv_freq)[0].zero_()
        assert inv_freq[0] == 1.0

    def test_phasors_that_do_not_match_are_rejected_by_name(self):
        with pytest.raises(RopeConfigError, match=r"^the last axis of phasors must be the number of pairs = 3 long, got shape \(2,\)$"):
            line_spectrum(torch.ones(2, dtype=torch.complex128), geometric_frequencies(6, 100.0))


class TestCurveSpectrum:
    @pytest.mark.parametrize("tokens", [8, 9, 64, 101])
    def test_a_cosine_at_a_bin_centre_has_its_amplitude(self, tokens, device):
        for line in range(tokens // 2 + 1):
            angle = 2 * math.pi * line / tokens
            curve = torch.tensor([3.5 * math.cos(angle * n) for n in range(tokens)], dtype=torch.float64, device=device)
            frequency, amplitude = curve_spectrum(curve)
            want = torch.zeros(tokens // 2 + 1, dtype=torch.float64, device=device)
            want[line] = 3.5
            torch.testing.assert_close(amplitude, want, rtol=0, atol=1e-12)
            assert frequency[line].item() == pytest.approx(angle)

    @given(st.lists(st.floats(-100, 100), min_size=1, max_size=40))
    @settings(max_examples=60, deadline=None)
    def test_amplitudes_are_those_of_the_definition(self, samples):
        frequency, amplitude = curve_spectrum(torch.tensor(samples, dtype=torch.float64))
        assert amplitude.tolist() == pytest.approx(oracle.amplitudes(np.array(samples)), abs=1e-9)
        assert len(frequency) == len(samples) // 2 + 1

    def test_rows_are_transformed_one_by_one(self, device):
        curves = torch.randn(2, 3, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(device)
        _, amplitude = curve_spectrum(curves)
        assert amplitude.shape == (2, 3, 26)
        torch.testing.assert_close(amplitude[1, 2], curve_spectrum(curves[1, 2])[1], rtol=0, atol=1e-13)

    def test_no_rows_have_no_amplitudes(self, device):
        frequency, amplitude = curve_spectrum(torch.empty(0, 5, dtype=torch.float64, device=device))
        assert frequency.shape == (3,)
        assert amplitude.shape == (0, 3)

    def test_a_line_of_a_score_curve_shows_at_its_speed(self):
        speed = 2 * math.pi * 37 / 1000
        curve = score_curve(torch.tensor([3 + 4j], dtype=torch.complex128), torch.tensor([speed], dtype=torch.float64), 1000)
        frequency, amplitude = curve_spectrum(curve)
        assert amplitude.argmax() == 37
        assert amplitude.max().item() == pytest.approx(5.0)
        assert frequency[37].item() == pytest.approx(speed)

    @pytest.mark.parametrize(
        ("curve", "message"),
        [
            (torch.ones(4), "^curve must be a torch.float64 tensor, got torch.float32$"),
            ([1.0], "^curve must be a torch.float64 tensor, got list$"),
            (torch.ones(0, dtype=torch.float64), r"^curve must hold 1 to 10000000 tokens, got shape \(0,\)$"),
            (torch.tensor(1.0, dtype=torch.float64), r"^curve must hold 1 to 10000000 tokens, got shape \(\)$"),
            (torch.tensor([1.0, math.inf], dtype=torch.float64), "^curve must hold finite numbers only, got inf$"),
        ],
    )
    def test_wrong_curves_are_rejected_by_name(self, curve, message):
        with pytest.raises(RopeConfigError, match=message):
            curve_spectrum(curve)


class TestAngleCoverage:
    def test_coverage_is_the_arc_from_the_first_to_the_last_position(self, device):
        inv_freq = torch.tensor([1.0, 0.1, 0.001, 0.0], dtype=torch.float64, device=device)
        want = [1.0, 6.2 / (2 * math.pi), 0.062 / (2 * math.pi), 0.0]
        assert angle_coverage(inv_freq, 63).tolist() == pytest.approx(want, rel=1e-14)

    def test_one_position_covers_nothing(self):
        assert angle_coverage(geometric_frequencies(6, 100.0), 1).tolist() == [0.0, 0.0, 0.0]

    def test_slowest_pair_of_llama_2_sweeps_27_degrees(self):
        coverage = angle_coverage(geometric_frequencies(128, 10_000.0), 4096)
        assert coverage[-1].item() * 360 == pytest.approx(27.1, abs=0.05)
        assert (coverage < 1).sum() == 18

    @pytest.mark.parametrize(("base", "length", "unfinished"), [(5e5, 8192, 29), (1e6, 32768, 24)])
    def test_pairs_that_never_finish_a_turn_are_counted(self, base, length, unfinished):
        assert (angle_coverage(geometric_frequencies(128, base), length) < 1).sum() == unfinished

    def test_direction_does_not_matter(self):
        inv_freq = geometric_frequencies(6, 100.0)
        assert torch.equal(angle_coverage(-inv_freq, 5), angle_coverage(inv_freq, 5))

    @pytest.mark.parametrize(
        ("length", "message"),
        [
            (0, "^length must be an integer of at least 1, got 0$"),
            (True, "^length must be an integer of at least 1, got True$"),
            (10_000_001, "^length must be at most 10000000, got 10000001$"),
        ],
    )
    def test_wrong_lengths_are_rejected_by_name(self, length, message):
        with pytest.raises(RopeConfigError, match=message):
            angle_coverage(geometric_frequencies(6, 100.0), length)
