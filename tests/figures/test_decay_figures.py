"""Figures of scores against distance, from plain arrays: what is drawn is what was given."""

import numpy as np
import pytest

from figures import decay, theme
from tests.figures.checks import array, assert_sound, say, sent

MANY = 1000
X = np.linspace(1, 8192, MANY)
WAVE = np.sin(X / 300) * 50


def score_band(low=WAVE - 5, high=WAVE + 5, *, reach=int(X[-1]), context=4096):
    return decay.score_band(X, low, high, reach=reach, context=context, say=say)


FIGURES = {
    "score_band": score_band,
    "ensemble": lambda: decay.ensemble(X, WAVE / 50, np.full(MANY, 11.3), count=256, say=say),
    "bounds": lambda: decay.bounds(X, WAVE - 5, WAVE + 5, X[::3], 90 + WAVE[::3], 30 + WAVE[::3] / 3, say=say),
    "spectrum": lambda: decay.spectrum(
        np.geomspace(1, 1e-4, 64),
        np.full(64, 2.0),
        np.geomspace(1e-3, 3, MANY),
        np.abs(WAVE) + 1,
        tokens=4096,
        colors=theme.pair_colors(64),
        say=say,
    ),
}


@pytest.mark.parametrize("name", FIGURES)
class TestEveryFigure:
    def test_it_is_sound(self, name):
        assert_sound(FIGURES[name]())

    def test_distance_and_speed_stand_on_log_axes(self, name):
        assert FIGURES[name]().layout.xaxis.type == "log"

    def test_zero_is_marked_on_every_axis_of_scores(self, name):
        layout = sent(FIGURES[name]())["layout"]
        for axis in (layout[axis] for axis in ("yaxis", "yaxis2") if axis in layout):
            assert axis["zeroline"] is True
            assert axis.get("rangemode") == "tozero" or axis["range"][0] <= 0 <= axis["range"][1]


class TestScoreBand:
    def test_numbers_are_drawn_as_they_are(self):
        high, low = sent(score_band())["data"]
        np.testing.assert_array_equal(array(high["y"]), WAVE + 5)
        np.testing.assert_array_equal(array(low["y"]), WAVE - 5)
        np.testing.assert_array_equal(array(low["x"]), X)
        assert low["fill"] == "tonexty"

    def test_context_is_marked_where_it_is_by_value_and_named_by_its_power_of_ten(self):
        layout = score_band().layout
        assert (layout.shapes[0].x0, layout.shapes[0].x1) == (4096, 4096)
        assert layout.annotations[0].x == pytest.approx(np.log10(4096))
        assert layout.annotations[0].text == "said context length 4,096"

    @pytest.mark.parametrize("context", [8193, 10_000_000])
    def test_context_beyond_the_axis_is_named_at_its_end(self, context):
        layout = score_band(context=context).layout
        assert not layout.shapes
        assert [(note.x, note.xref, note.text) for note in layout.annotations] == [(1, "paper", f"said context length {context:,} →")]

    def test_context_at_the_end_of_the_axis_is_marked_although_the_last_bin_has_its_middle_before_it(self):
        layout = score_band(reach=int(X[-1]) + 40, context=int(X[-1]) + 40).layout
        assert layout.shapes[0].x0 == int(X[-1]) + 40
        assert 10 ** layout.xaxis.range[1] > int(X[-1]) + 40

    def test_scores_that_are_all_zero_still_have_an_axis(self):
        low, high = score_band(np.zeros(MANY), np.zeros(MANY), context=1).layout.yaxis.range
        assert low < 0 < high


def test_band_of_one_standard_deviation_lies_around_the_mean():
    upper, lower, mean = (array(trace["y"]) for trace in sent(FIGURES["ensemble"]())["data"])
    np.testing.assert_allclose(upper - mean, 11.3)
    np.testing.assert_allclose(mean - lower, 11.3)


class TestBounds:
    def test_bound_stands_on_both_sides_of_zero_in_score_units_and_the_relative_curve_on_an_axis_of_its_own(self):
        figure = sent(FIGURES["bounds"]())
        *band, _high, _low, upper, lower, relative = figure["data"]
        np.testing.assert_array_equal(array(upper["y"]), -array(lower["y"]))
        assert {trace.get("yaxis", "y") for trace in (*band, upper, lower)} == {"y"}
        assert relative["yaxis"] == "y2"
        assert "rangemode" in figure["layout"]["yaxis2"]

    def test_bound_stands_on_both_sides_of_a_constant(self):
        figure = sent(decay.bounds(X, WAVE, WAVE, X[::3], 90 + WAVE[::3], WAVE[::3], middle=7.0, say=say))
        upper, lower = (array(trace["y"]) for trace in figure["data"][4:6])
        np.testing.assert_allclose(upper + lower, 14)
        assert figure["data"][4]["name"] == "said constant ± bound on the rest"

    def test_bounds_are_points_because_nothing_is_known_between_them(self):
        assert {trace["mode"] for trace in sent(FIGURES["bounds"]())["data"][4:]} == {"markers"}

    @pytest.mark.parametrize("bound", [1, 1e6])
    def test_the_score_is_drawn_again_on_an_axis_that_it_fills_however_wide_its_bound_is(self, bound):
        figure = sent(decay.bounds(X, WAVE - 5, WAVE + 5, X[::3], bound * (60 + WAVE[::3]), WAVE[::3], say=say))
        for alone, trace in zip(figure["data"][2:4], figure["data"][:2], strict=True):
            assert alone["yaxis"] == "y3"
            np.testing.assert_array_equal(array(alone["y"]), array(trace["y"]))
        low, high = figure["layout"]["yaxis3"]["range"]
        assert 110 < high - low < 130


class TestSpectrum:
    def test_each_line_has_the_colour_of_its_pair(self):
        assert sent(FIGURES["spectrum"]())["data"][0]["marker"]["color"] == theme.pair_colors(64)

    def test_lines_are_equally_wide_on_the_log_axis(self):
        bars = sent(FIGURES["spectrum"]())["data"][0]
        ratios = array(bars["width"]) / array(bars["x"])
        np.testing.assert_allclose(ratios, ratios[0])
