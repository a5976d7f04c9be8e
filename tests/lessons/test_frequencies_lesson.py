"""What the page about frequencies says: published numbers, code that gives the figure, sentences that hold at the ends of every slider."""

import itertools
import math
import re

import numpy as np
import pytest

from lessons.frequencies import PAGE
from tests.evaluate import assert_notebook_agrees, dependences, evaluate_everywhere, settings_of

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
    "speeds": {"freq_view": "speeds"},
    "turns": {"freq_view": "turns"},
    "sweep": {"freq_view": "sweep"},
    "period": {"freq_view": "equal", "equal_period": 32},
    "one": {"freq_view": "equal", "equal_speed": "one"},
    "laws": {"freq_view": "laws"},
}
HEADS = [
    {},
    {"head_dim": 2},
    {"head_dim": 8, "base": 500_000, "context": 1},
    {"head_dim": 96, "base": 1.01, "context": 131_072},
    {"head_dim": 512, "base": 1e9, "context": 10_000_000},
]
SCALING = '{"rope_type":"linear","factor":4}'


def at(name, **head):
    return settings_of("frequencies", **VIEWS[name] | head)


def show(name, **head):
    return PAGE.view(at(name, **head))


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


@pytest.mark.parametrize("head", HEADS, ids=str)
class TestCode:
    def test_speeds_and_wavelengths_are_its_numbers(self, head):
        view = show("speeds", **head)
        np.testing.assert_allclose(result(view), [trace.y for trace in view.figure.data], rtol=1e-13)

    def test_turns_and_bars_are_its_numbers(self, head):
        view = show("turns", **head)
        done, undone, bars = view.figure.data
        made, swept = result(view)
        np.testing.assert_allclose(np.concatenate((done.y, undone.y)), made, rtol=1e-12)
        np.testing.assert_allclose(bars.y, swept, rtol=1e-12)

    def test_wavelengths_of_the_sweep_are_its_rows(self, head):
        view = show("sweep", **head)
        small, large, own = (trace.y for trace in view.figure.data)
        np.testing.assert_allclose(result(view), [small, own, large], rtol=1e-12)

    @pytest.mark.parametrize("period", [2, 32, 4096])
    def test_both_curves_are_its_numbers(self, head, period):
        view = show("period", equal_period=period, **head)
        own, equal = (trace.y for trace in view.figure.data)
        np.testing.assert_allclose(result(view), [equal, own], atol=1e-9)

    def test_angles_left_over_are_its_numbers(self, head):
        view = show("one", **head)
        own, one = (trace.y for trace in view.figure.data)
        np.testing.assert_allclose(result(view), [one, own], atol=1e-11)

    def test_bands_run_from_the_lowest_to_the_highest_of_its_numbers(self, head):
        view = show("laws", **head)
        curves = dict(zip(("geometric", "linear", "constant"), result(view), strict=True))
        starts = edges_of(view.columns["distance"])[:-1] - 1
        for name, curve in curves.items():
            np.testing.assert_allclose(np.minimum.reduceat(curve, starts), view.columns[f"{name}_low"], atol=1e-9)
            np.testing.assert_allclose(np.maximum.reduceat(curve, starts), view.columns[f"{name}_high"], atol=1e-9)

    @pytest.mark.parametrize("name", VIEWS)
    def test_notebook_computes_the_columns(self, head, name):
        assert_notebook_agrees(show(name, **head))


@pytest.mark.parametrize("name", VIEWS)
class TestSettings:
    def test_sentences_hold_numbers_at_the_ends_of_every_slider(self, name):
        for head_dim, base, context in itertools.product((2, 4, 512), (1.01, 3.0, 1e9), (1, 10_000_000)):
            text = said(show(name, head_dim=head_dim, base=base, context=context))
            assert not re.search(r"\b(nan|inf)\b|-0\.00\b", text), text

    def test_it_can_be_shown_at_every_option_and_end_in_every_language(self, name):
        evaluate_everywhere(PAGE, at(name))

    def test_controls_are_what_the_view_depends_on(self, name):
        assert dependences(PAGE, at(name), scaling=SCALING) == set(PAGE.controls(at(name)))

    def test_its_base_can_be_played(self, name):
        assert PAGE.live(at(name)) == "base"
        assert "base" in PAGE.controls(at(name))


class TestPublished:
    @pytest.mark.parametrize(("base", "width", "longer_than"), LONGER)
    def test_pairs_that_never_finish_a_turn(self, base, width, longer_than):
        for context, longer in longer_than.items():
            for view in (show(name, head_dim=width, base=base, context=context) for name in ("speeds", "turns")):
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
        formula = " ".join(show("speeds", head_dim=width, base=base).formula)
        assert all(number in formula for number in (second, last, longest))

    def test_slowest_pair_of_a_known_model_turns_by_27_degrees(self):
        assert "`27.1`°" in show("turns", head_dim=128, context=4096).sentences[0]

    def test_linear_law_falls_faster_at_first_and_revives(self):
        text = said(show("laws"))
        assert "`0.97`, `0.67`, `0.48`" in text
        assert "`0.84`, `-0.05`, `0.01`" in text
        assert "reaches `0.994`, at distance `396`" in text

    def test_distance_710_is_nearly_113_turns(self):
        view = show("one")
        assert "distance `710` is `113` turns and `6.0e-05` rad" in view.sentences[1]
        assert view.columns["one_speed"][709] == pytest.approx(710 - 226 * math.pi, rel=1e-9)


@pytest.mark.parametrize("period", [2, 3, 32, 1000, 4096])
def test_one_speed_with_a_whole_period_repeats_to_the_last_digits(period):
    equal = show("period", equal_period=period).columns["one_speed"]
    np.testing.assert_allclose(equal[: 2 * period], equal[period : 3 * period], atol=1e-12)


@pytest.mark.parametrize("base", [1.01, 1.5, 2.0, 10.0, 1e4, 1e9])
@pytest.mark.parametrize("width", [4, 8, 128, 512])
def test_verdict_on_the_linear_law_is_given_only_where_it_holds(width, base):
    view = show("laws", head_dim=width, base=base)
    found = re.search(r"reaches `(-?[\d.]+)`", view.sentences[1])
    assert found or "beyond" in view.sentences[1]
    if found:
        bound = float(re.search(r"is `(-?[\d.]+)`", view.sentences[2])[1])
        assert ("are the same" in view.sentences[2]) == (width == 4)
        assert ("speaks for" in view.sentences[2]) == (width > 4 and bound < 0.9 * float(found[1]))
        assert ("nearly as high" in view.sentences[2]) <= (width > 4 and 0.9 * float(found[1]) <= bound <= float(found[1]))
        assert ("at least as high" in view.sentences[2]) <= (width > 4 and bound >= float(found[1]))


class TestSweep:
    def test_it_shows_the_base_that_is_set_and_both_ends(self):
        view = show("sweep", head_dim=64, base=500_000)
        assert [trace.name for trace in view.figure.data] == ["base 100", "base 1,000,000,000", "your base, 500,000"]
        assert view.columns["wavelength_at_own_base"][-1] == pytest.approx(2 * math.pi * 500_000 ** (62 / 64))
        assert view.alt.startswith("Wavelengths at your base of 500,000, and at 100 and 1,000,000,000")
        assert not view.figure.figure.frames

    def test_it_is_about_the_plain_law_of_the_whole_head(self):
        for changed in ({"rotary": 0.5}, {"scaling": SCALING}):
            np.testing.assert_equal(dict(show("sweep", **changed).columns), dict(show("sweep").columns))


def test_method_that_does_not_fit_the_head_is_left_out_with_a_notice():
    view = show("speeds", scaling='{"rope_type":"proportional","rotary_fraction":0.5}', rotary=0.5)
    assert len(view.notices) == 1
    np.testing.assert_equal(dict(view.columns), dict(show("speeds", rotary=0.5).columns))
