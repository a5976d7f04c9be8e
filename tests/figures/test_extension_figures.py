"""Figures of context extension: arrays in, arrays drawn, one look for one method."""

import itertools

import numpy as np
import pytest

from figures.extension import bands, factors, scores, speeds
from figures.extension.look import Series, Upright, below_a_row, log_range, pair_axis, rgba, uprights
from figures.theme import OTHER
from lessons.methods import SHEETS
from tests.figures.test_theme import DARK, WHITE, contrast

LOOKS = {code: sheet.look for code, sheet in SHEETS.items()}
ROWS = {"linear": np.full(4, 0.25), "yarn": np.array([1.0, 1.0, 0.5, 0.25]), "proportional": np.array([1.0, 0.0, 0.0, 0.0])}


def series(method, values):
    return Series(name=method.upper(), look=LOOKS[method], values=values)


def ratios(chosen="yarn", stretch=4.0, rows=ROWS):
    drawn = {method: series(method, values) for method, values in rows.items()}
    mine = drawn.pop(chosen, None)
    return speeds.ratios(list(drawn.values()), mine, stretch, str)


def draw_factors(stretches, curves, chosen, here, paper=None, softmax=None):
    rows = [series(method, values) for method, values in curves.items()]
    return factors.factors(np.array(stretches), rows, chosen=LOOKS[chosen], here=here, paper=paper, softmax=softmax, say=str)


def named(figure, part):
    return [trace for trace in figure.data if trace.name and part in trace.name]


class TestLooks:
    def test_colours_and_markers_differ(self):
        assert len({look.color for look in LOOKS.values()}) == len({look.symbol for look in LOOKS.values()}) == len(LOOKS)

    @pytest.mark.parametrize("ground", [WHITE, DARK])
    @pytest.mark.parametrize("method", LOOKS)
    def test_colour_reads_on_both_grounds(self, method, ground):
        assert contrast(LOOKS[method].color, ground) >= 3

    def test_a_method_looks_alike_in_every_figure(self):
        line = named(ratios(), "YARN")[0]
        factors = draw_factors([1.0, 2.0], {"yarn": np.array([1.0, 1.1])}, "yarn", (2.0, 1.1))
        assert {line.line.color, named(factors, "A, YARN")[0].line.color} == {LOOKS["yarn"].color}
        assert {line.marker.symbol, factors.data[-1].marker.symbol} == {LOOKS["yarn"].symbol}

    def test_fill_is_the_colour_thinned(self):
        assert rgba("#D04A4A", 0.3) == "rgba(208, 74, 74, 0.3)"


class TestRatios:
    def test_every_method_is_drawn_and_the_chosen_one_last_and_strong(self):
        figure = ratios()
        lines = [trace for trace in figure.data if "lines" in trace.mode]
        assert lines[-1].name == "<b>YARN</b>"
        assert lines[-1].line.width > max(line.line.width for line in lines[:-1])
        np.testing.assert_array_equal(lines[-1].y, ROWS["yarn"])

    def test_pair_that_stands_still_is_no_point_of_the_log_axis_but_marked_at_its_edge(self):
        figure = ratios("proportional")
        line, still = named(figure, "PROPORTIONAL")[0], named(figure, "stands still")[0]
        assert list(line.x) == [0]
        assert list(still.x) == [1, 2, 3]
        assert all(np.log10(y) < figure.layout.yaxis.range[0] + 0.05 for y in still.y)

    def test_range_holds_every_ratio_and_the_line_of_1_over_s(self):
        figure = ratios(stretch=1000.0, rows={"longrope": np.array([2.0, 0.01])}, chosen="longrope")
        low, high = figure.layout.yaxis.range
        assert low < np.log10(1 / 1000)
        assert high > np.log10(2)

    def test_without_a_stretch_there_is_no_line_of_1_over_s(self):
        assert not ratios(stretch=1.0).layout.shapes

    def test_chosen_method_that_cannot_be_used_is_left_out(self):
        assert not named(ratios("ntk"), "NTK")


class TestFactors:
    def draw(self, chosen="longrope", here=(8.0, 1.2), **more):
        return draw_factors([1.0, 8.0, 64.0], {"longrope": np.array([1.0, 1.2, 1.4])}, chosen, here, **more)

    def test_all_others_share_a_line_in_the_colour_of_the_chosen_one_if_it_is_one_of_them(self):
        assert named(self.draw("linear"), "all others")[0].line.color == LOOKS["linear"].color
        assert named(self.draw(), "all others")[0].line.color == LOOKS["none"].color

    def test_square_is_drawn_dashed_beside_the_factor(self):
        figure = self.draw()
        square = named(figure, "A², LONGROPE")[0]
        np.testing.assert_allclose(square.y, [1, 1.44, 1.96])
        assert square.line.dash == "dash"

    def test_both_are_marked_at_the_current_stretch(self):
        size, square = self.draw().data[-2:]
        assert (list(size.x), list(size.y)) == ([8.0], [1.2])
        assert list(square.y) == [pytest.approx(1.44)]

    def test_other_curves_are_drawn_where_they_are_given(self):
        more = self.draw(paper=np.ones(3), softmax=np.full(3, 2.0))
        assert len(more.data) == len(self.draw().data) + 2
        assert any(trace.line.color == OTHER for trace in more.data)


class TestBands:
    def draw(self, edges=(10.0, 100.0), other=None, method="llama3"):
        return bands.bands(
            np.array([6.0, 30.0, 300.0]),
            series(method, np.array([1.0, 0.5, 0.0])),
            None if other is None else series("parts", other),
            edges=edges,
            stretch=8.0,
            lines=[Upright(x=100.0, name="L"), Upright(x=800.0, name="T")],
            say=str,
        )

    def test_zone_lies_between_the_edges_and_the_three_are_named(self):
        figure = self.draw()
        (zone,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
        assert (zone.x0, zone.x1) == (10, 100)
        assert {"kept", "blended", "divided by 8"} <= {note.text for note in figure.layout.annotations}

    def test_method_without_bands_has_no_zone(self):
        assert all(shape.type == "line" for shape in self.draw(edges=None).layout.shapes)

    def test_other_ramp_is_drawn_behind(self):
        figure = self.draw(other=np.array([1.0, 0.2, 0.0]))
        assert [list(trace.y) for trace in figure.data] == [[1, 0.2, 0], [1, 0.5, 0]]

    def test_axis_holds_every_line(self):
        low, high = self.draw().layout.xaxis.range
        assert low < np.log10(6)
        assert high > np.log10(800)


def draw_angles(seen, met, new, unscaled, turns, trained_turns):
    return speeds.angles(seen, new, unscaled, series("ntk", met), turns, trained_turns, trained="L", target="T", say=str)


class TestAngles:
    def draw(self, met, new=(0.0, 0.0, 0.0)):
        seen = np.array([1.0, 0.5, 0.1])
        return draw_angles(seen, met, np.array(new), np.array([1.0, 1.0, 0.8]), 9 * met, 8 * seen)

    def test_unseen_part_stands_on_the_seen_part(self):
        seen, unseen = self.draw(np.array([1.0, 0.7, 0.1]), (0.0, 0.2, 0.0)).data[:2]
        assert list(unseen.base) == list(seen.y)
        np.testing.assert_allclose(unseen.y, [0, 0.2, 0], atol=1e-12)
        assert unseen.marker.pattern.shape == "/"

    def test_what_does_not_count_as_unseen_is_not_drawn_so(self):
        assert not self.draw(np.array([1.0, 0.51, 0.1])).data[1].y.any()

    def test_pair_that_stands_still_makes_no_turns_on_the_log_axis(self):
        turns = self.draw(np.array([1.0, 0.0, 0.0])).data[-1].y
        assert np.isnan(turns[1:]).all()


def draw_timeline(slowest, distances, fresh, stale, key, marks=("L",)):
    return scores.timeline(
        np.array([1.0, 4.0, 5.0]),
        np.array(slowest),
        distances,
        fresh,
        stale,
        look=LOOKS["dynamic"],
        name="dynamic NTK",
        marks=[Upright(x=4.0, name=name) for name in marks],
        key=key,
        say=str,
    )


class TestTexts:
    BAND = scores.Band(distances=np.array([1.0, 2.0]), low=np.array([0.0, -1.0]), high=np.array([1.0, 0.5]))
    NOTHING = scores.Band(distances=np.empty(0), low=np.empty(0), high=np.empty(0))

    def curves(self, *bands):
        return scores.curves(*bands, look=LOOKS["yarn"], name="YaRN", trained=Upright(x=2.0, name="L"), say=str)

    def test_three_bands_are_drawn_and_two_without_a_method(self):
        assert len(self.curves(self.BAND, self.BAND, self.BAND).data) == 6
        assert len(self.curves(self.BAND, self.BAND, None).data) == 4

    def test_text_of_one_token_is_drawn(self):
        assert self.curves(self.NOTHING, self.NOTHING, self.NOTHING).layout.xaxis.range[1] > 0

    def timeline(self, stale, key, distances=(1.0, 2.0)):
        distances = np.array(distances)
        return draw_timeline([1.0, 1.0, 0.5], distances, np.arange(len(distances), dtype=float), stale, key)

    def test_key_is_ringed_under_both_tables(self):
        rings = self.timeline(np.array([5.0, 6.0]), (2, 1.0, 6.0)).data[-2:]
        assert [list(ring.y) for ring in rings] == [[1.0], [6.0]]

    def test_one_table_has_one_ring_and_no_second_points(self):
        assert len(self.timeline(None, (2, 1.0, 1.0)).data) == 3

    def test_distance_0_is_not_on_the_log_axis(self):
        assert len(self.timeline(None, (0, 1.0, 1.0)).data) == 2


def test_range_of_one_value_is_not_empty():
    low, high = log_range(5.0)
    assert low < np.log10(5) < high


LINES = [Upright(x=2.0, name="a"), Upright(x=900.0, name="b"), Upright(x=1000.0, name="c")]


@pytest.mark.parametrize(("top", "bottom", "row"), [(1.0, 0.0, 0.08), (1.0, 0.66, 0.05), (0.9, 0.1, 0.03)])
def test_names_of_lines_have_a_row_each_above_every_line(top, bottom, row):
    marked = uprights(LINES, [0.0, 4.0], top=top, bottom=bottom, row=row)
    heights = [note["y"] for note in marked["annotations"]]
    assert all(abs(one - other) >= row - 1e-9 for one, other in itertools.combinations(heights, 2))
    assert {note["yanchor"] for note in marked["annotations"]} == {"top"}
    assert max(heights) <= top
    assert all(bottom == shape["y0"] < shape["y1"] <= min(heights) - row + 1e-9 for shape in marked["shapes"])


def test_names_extend_into_the_figure():
    assert [note["xanchor"] for note in uprights(LINES, [0.0, 4.0])["annotations"]] == ["left", "right", "right"]


@pytest.mark.parametrize("slowest", [[1.0, 1.0, 0.5], [1.0, 40.0, 3.0], [1.0, 0.1, 0.01]])
@pytest.mark.parametrize("marks", [("L",), ("L", "cached")])
def test_curve_of_the_timeline_stays_below_the_names(slowest, marks):
    figure = draw_timeline(slowest, np.array([1.0]), np.array([1.0]), None, (0, 1.0, 1.0), marks)
    low, high = figure.layout.yaxis.domain
    peak = low + (high - low) * max(slowest) / figure.layout.yaxis.range[1]
    assert peak < min(shape["y1"] for shape in figure.layout.shapes)


@pytest.mark.parametrize("values", [[1.0, 128.0], [-3.0, 5.0], [2.0], [-1e-9, 0.0]])
def test_a_row_is_free_above_all_values(values):
    low, high = below_a_row(values)
    assert low < min(values)
    assert (max(values) - low) / (high - low) < 0.92


@pytest.mark.parametrize("count", [1, 2, 4, 16])
def test_few_pairs_have_ticks_at_whole_pairs_only(count):
    axis = pair_axis("pair", count)
    assert (axis["tick0"], axis["dtick"]) == (0, 1)
    assert axis["range"] == [-0.5, count - 0.5]
    assert "dtick" not in pair_axis("pair", 64)


def test_axes_of_pairs_have_ticks_at_whole_pairs_only():
    one = np.array([0.5])
    assert ratios(rows={"yarn": one}).layout.xaxis.dtick == draw_angles(one, one, 0 * one, one, one, one).layout.xaxis.dtick == 1
