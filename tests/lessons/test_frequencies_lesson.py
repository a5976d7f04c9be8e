"""What the page about frequencies says: published numbers, code that gives the figure, sentences that hold at the ends of every slider."""

import itertools
import math
import re

import numpy as np
import pytest

from lessons import frequencies, laws
from rope_core import RopeConfig

# facts/theory_numbers.json: (base, width, how many pairs take longer than each context for one turn)
LONGER = [
    (10000, 128, {2_048: 23, 4_096: 18, 8_192: 14, 32_768: 4, 131_072: 0, 1_048_576: 0}),
    (500000, 128, {2_048: 35, 4_096: 32, 8_192: 29, 32_768: 22, 131_072: 15, 1_048_576: 5}),
    (1e06, 128, {2_048: 37, 4_096: 33, 8_192: 30, 32_768: 24, 131_072: 17, 1_048_576: 8}),
    (1e07, 128, {2_048: 41, 4_096: 38, 8_192: 35, 32_768: 30, 131_072: 24, 1_048_576: 16}),
    (10000, 64, {2_048: 11, 4_096: 9, 8_192: 7, 32_768: 2, 131_072: 0, 1_048_576: 0}),
    (150000, 64, {2_048: 16, 4_096: 14, 8_192: 12, 32_768: 9, 131_072: 5, 1_048_576: 0}),
    (10000, 256, {2_048: 47, 4_096: 37, 8_192: 28, 32_768: 9, 131_072: 0, 1_048_576: 0}),
    (1e06, 256, {2_048: 74, 4_096: 67, 8_192: 61, 32_768: 48, 131_072: 35, 1_048_576: 16}),
    (10000, 96, {2_048: 17, 4_096: 14, 8_192: 10, 32_768: 3, 131_072: 0, 1_048_576: 0}),
]
VIEWS = {
    "speeds": frequencies.speeds_view,
    "turns": frequencies.turns_view,
    "sweep": frequencies.sweep_view,
    "period": lambda config: laws.period_view(config, 32),
    "one": laws.return_view,
    "laws": laws.laws_view,
}
HEADS = [
    RopeConfig(128),
    RopeConfig(2),
    RopeConfig(8, base=500_000.0, max_position=1),
    RopeConfig(96, base=1.01, max_position=131_072),
    RopeConfig(512, base=1e9, max_position=10_000_000),
]


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def said(view):
    return " ".join((*view.sentences, *view.formula, view.alt))


def edges_of(middles):
    edges = [1]
    for middle in middles:
        edges.append(round(2 * middle) - edges[-1] + 1)
    return np.array(edges)


@pytest.mark.parametrize("config", HEADS, ids=str)
class TestCode:
    def test_speeds_and_wavelengths_are_its_numbers(self, config):
        view = frequencies.speeds_view(config)
        np.testing.assert_allclose(result(view), [trace.y for trace in view.figure.data], rtol=1e-13)

    def test_turns_and_bars_are_its_numbers(self, config):
        view = frequencies.turns_view(config)
        done, undone, bars = view.figure.data
        made, swept = result(view)
        np.testing.assert_allclose(np.concatenate((done.y, undone.y)), made, rtol=1e-12)
        np.testing.assert_allclose(bars.y, swept, rtol=1e-12)

    def test_frames_of_the_sweep_are_its_rows(self, config):
        view = frequencies.sweep_view(config)
        drawn = [frame.data[0].y for frame in view.figure.frames]
        np.testing.assert_allclose(result(view), drawn, rtol=1e-6)

    @pytest.mark.parametrize("period", [2, 32, 4096])
    def test_both_curves_are_its_numbers(self, config, period):
        view = laws.period_view(config, period)
        own, equal = (trace.y for trace in view.figure.data)
        np.testing.assert_allclose(result(view), [equal, own], atol=1e-9)

    def test_angles_left_over_are_its_numbers(self, config):
        view = laws.return_view(config)
        own, one = (trace.y for trace in view.figure.data)
        np.testing.assert_allclose(result(view), [one, own], atol=1e-11)

    def test_bands_run_from_the_lowest_to_the_highest_of_its_numbers(self, config):
        view = laws.laws_view(config)
        curves = dict(zip(("geometric", "linear", "constant"), result(view), strict=True))
        starts = edges_of(view.drawn["distance"])[:-1] - 1
        for name, curve in curves.items():
            np.testing.assert_allclose(np.minimum.reduceat(curve, starts), view.drawn[f"{name}_low"], atol=1e-9)
            np.testing.assert_allclose(np.maximum.reduceat(curve, starts), view.drawn[f"{name}_high"], atol=1e-9)


@pytest.mark.parametrize("name", VIEWS)
def test_sentences_hold_numbers_at_the_ends_of_every_slider(name):
    for head_dim, base, context in itertools.product((2, 4, 512), (1.01, 3.0, 1e9), (1, 10_000_000)):
        text = said(VIEWS[name](RopeConfig(head_dim, base=base, max_position=context)))
        assert not re.search(r"\b(nan|inf)\b|-0\.00\b", text), text


class TestPublished:
    @pytest.mark.parametrize(("base", "width", "longer_than"), LONGER)
    def test_pairs_that_never_finish_a_turn(self, base, width, longer_than):
        for context, longer in longer_than.items():
            config = RopeConfig(width, base=base, max_position=context)
            for view in (frequencies.speeds_view(config), frequencies.turns_view(config)):
                first = f"`{longer}` of `{width // 2}` pairs never finish" if longer else "Every pair makes at least one turn"
                assert first in view.sentences[1]

    @pytest.mark.parametrize(
        ("width", "base", "second", "last", "longest"),
        [
            (64, 1e4, "0.749894209", r"0.000133352143", r"47117.2428"),
            (128, 1e4, "0.865964323", r"0.000115478198", r"54410.1431"),
            (128, 5e5, "0.814617234", r"2.45514079 \times 10^{-6}", r"2559195.52"),
            (128, 1e6, "0.805842188", r"1.24093776 \times 10^{-6}", r"5063255.79"),
        ],
    )
    def test_speeds_of_known_heads(self, width, base, second, last, longest):
        formula = " ".join(frequencies.speeds_view(RopeConfig(width, base=base)).formula)
        assert all(number in formula for number in (second, last, longest))

    def test_slowest_pair_of_a_known_model_turns_by_27_degrees(self):
        assert "`27.1`°" in frequencies.turns_view(RopeConfig(128, max_position=4096)).sentences[0]

    def test_linear_law_falls_faster_at_first_and_revives(self):
        text = said(laws.laws_view(RopeConfig(128)))
        assert "`0.97`, `0.67`, `0.48`" in text
        assert "`0.84`, `-0.05`, `0.01`" in text
        assert "reaches `0.994`, at distance `396`" in text

    def test_distance_710_is_nearly_113_turns(self):
        view = laws.return_view(RopeConfig(128))
        assert "distance `710` is `113` turns and `6.0e-05` rad" in view.sentences[1]
        assert view.drawn["one_speed"][709] == pytest.approx(710 - 226 * math.pi, rel=1e-9)


@pytest.mark.parametrize("period", [2, 3, 32, 1000, 4096])
def test_one_speed_with_a_whole_period_repeats_to_the_last_digits(period):
    equal = laws.period_view(RopeConfig(128), period).drawn["one_speed"]
    np.testing.assert_allclose(equal[: 2 * period], equal[period : 3 * period], atol=1e-12)


@pytest.mark.parametrize("base", [1.01, 1.5, 2.0, 10.0, 1e4, 1e9])
@pytest.mark.parametrize("width", [4, 8, 128, 512])
def test_verdict_on_the_linear_law_is_given_only_where_it_holds(width, base):
    view = laws.laws_view(RopeConfig(width, base=base))
    found = re.search(r"reaches `(-?[\d.]+)`", view.sentences[1])
    assert found or "beyond" in view.sentences[1]
    if found:
        bound = float(re.search(r"at most `(-?[\d.]+)`", view.sentences[2])[1])
        assert ("are the same" in view.sentences[2]) == (width == 4)
        assert ("speaks for" in view.sentences[2]) == (width > 4 and bound < 0.9 * float(found[1]))
        assert ("nearly as high" in view.sentences[2]) == (width > 4 and bound >= 0.9 * float(found[1]))


def test_frames_run_over_bases_with_names_of_their_own():
    frames = frequencies.sweep_view(RopeConfig(64)).figure.frames
    names = [frame.name for frame in frames]
    assert (names[0], names[-1]) == ("100", "1,000,000,000")
    assert len(set(names)) == len(names) == 57
