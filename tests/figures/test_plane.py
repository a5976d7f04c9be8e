"""Vectors of one pair in their plane, from plain arrays: what is drawn is what was given."""

import math

import numpy as np
import pytest

from figures import plane, theme
from tests.figures.checks import array, assert_sound, say, sent

Q, K = np.array([1.5, 0.5]), np.array([0.5, 1.2])
Q_AFTER, K_AFTER = np.array([-0.5, 1.5]), np.array([-1.2, 0.5])
SHIFTS = np.arange(41)
ADDITIVE = np.sin(SHIFTS)


def rotated(length, count):
    angle = np.arange(float(count))
    return length * np.stack([np.cos(angle), np.sin(angle)], -1)


def both():
    return plane.plane(Q, K, Q_AFTER, K_AFTER, say=say)


def several(count=5):
    return plane.several(rotated(1.5, count), np.array([1.5, 0.0]), titles=[f"m = {i}<br>{i}.0°" for i in range(count)], say=say)


def shifted(shift=0, q=Q, k=K):
    return plane.shift_both(shift, SHIFTS, q, k, np.full(41, 1.25), ADDITIVE, say=say)


@pytest.mark.parametrize("draw", [both, several, shifted, lambda: several(8)])
def test_every_figure_is_sound(draw):
    assert_sound(draw())


@pytest.mark.parametrize("draw", [both, several, shifted])
def test_one_unit_is_as_long_in_both_directions(draw):
    layout = draw().layout
    assert "y" in (layout.xaxis.scaleanchor or "") or "x" in (layout.yaxis.scaleanchor or "")


class TestPlane:
    def test_vectors_are_dashed_before_and_solid_after(self):
        looks = [(trace["name"], trace["line"]["dash"], trace["line"]["color"]) for trace in sent(both())["data"] if "name" in trace]
        assert looks == [
            ("q said before", "dash", theme.Q),
            ("k said before", "dash", theme.K),
            ("q said after rotation", "solid", theme.Q),
            ("k said after rotation", "solid", theme.K),
        ]

    def test_arrows_go_from_the_origin_to_the_numbers_given(self):
        ends = [(array(trace["x"]).tolist(), array(trace["y"]).tolist()) for trace in sent(both())["data"] if "name" in trace]
        assert ends == [([0, 1.5], [0, 0.5]), ([0, 0.5], [0, 1.2]), ([0, -0.5], [0, 1.5]), ([0, -1.2], [0, 0.5])]

    def test_vectors_of_no_length_still_have_axes(self):
        zero = np.zeros(2)
        low, high = plane.plane(zero, zero, zero, zero, say=say).layout.yaxis.range
        assert low < 0 < high


@pytest.mark.parametrize("draw", [both, lambda: shifted(7, Q_AFTER, K_AFTER)], ids=["plane", "shift"])
class TestWhatStays:
    def test_the_plane_is_square_and_has_a_ground(self, draw):
        layout = draw().layout
        assert list(layout.xaxis.range) == list(layout.yaxis.range)
        assert layout.xaxis.constrain == layout.yaxis.constrain == "domain"
        assert (layout.shapes[0].xref, layout.shapes[0].yref) == ("x domain", "y domain")

    def test_an_arc_spans_from_k_to_q_and_says_its_degrees(self, draw):
        arc = next(trace for trace in sent(draw())["data"] if trace.get("fill") == "toself")
        x, y = (array(arc[axis])[1:-1] for axis in "xy")
        ends = [math.atan2(y[place], x[place]) for place in (0, -1)]
        assert ends == pytest.approx([math.atan2(*vector[::-1]) for vector in (K_AFTER, Q_AFTER)])
        degrees = next(trace["text"][0] for trace in sent(draw())["data"] if trace["mode"] == "text" and trace["text"][0].endswith("°"))
        cosine = (Q_AFTER @ K_AFTER) / math.sqrt((Q_AFTER @ Q_AFTER) * (K_AFTER @ K_AFTER))
        assert float(degrees[:-1]) == pytest.approx(math.degrees(math.acos(cosine)), abs=0.06)


def test_the_score_stands_in_the_plane():
    assert [note.text for note in both().layout.annotations] == ["said score 1.35"]
    assert [note.text for note in shifted(7).layout.annotations] == ["said score 1.25"]


def test_a_vector_of_no_length_has_no_angle():
    figure = plane.plane(Q, np.zeros(2), Q, np.zeros(2), say=say)
    assert not any("°" in text for trace in figure.data if trace.mode == "text" for text in trace.text)


@pytest.mark.parametrize(("count", "columns"), [(1, 1), (3, 3), (4, 2), (5, 3), (8, 4)])
def test_many_positions_stand_in_two_rows_and_leave_no_side_of_the_figure_blank(count, columns):
    figure = several(count)
    faces = [trace for trace in figure.data if trace.mode == "lines" and trace.hoverinfo == "skip"]
    assert len({round(float(np.mean(face.x[:-1])), 6) for face in faces}) == columns
    low, high = figure.layout.yaxis.range
    left, right = figure.layout.xaxis.range
    assert figure.layout.meta["ratio"] == pytest.approx((high - low) / (right - left))


@pytest.mark.parametrize("count", [1, 2, 5, 6, 8])
def test_every_position_has_a_plot_of_its_own_with_its_title(count):
    figure = several(count)
    centres = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "q said after rotation"]
    assert len(set(centres)) == count
    assert [note.text for note in figure.layout.annotations] == [f"m = {i}<br>{i}.0°" for i in range(count)]
    assert sum(trace.showlegend is not False for trace in figure.data) == 2


class TestShiftBoth:
    def test_flat_line_is_drawn_flat_and_the_curve_as_it_is(self):
        lines = {trace["name"]: array(trace["y"]) for trace in sent(shifted())["data"] if trace.get("mode") == "lines" and "name" in trace}
        assert set(lines["said RoPE"]) == {1.25}
        np.testing.assert_array_equal(lines["said sinusoidal code, added"], ADDITIVE)

    @pytest.mark.parametrize("shift", [0, 7, 40])
    def test_marks_stand_on_both_lines_at_the_present_shift(self, shift):
        marks = [(*array(trace["x"]), *array(trace["y"])) for trace in sent(shifted(shift))["data"] if trace["mode"] == "markers"]
        assert marks == [(shift, 1.25), (shift, ADDITIVE[shift])]

    def test_arrows_are_those_of_the_present_shift(self):
        q, k = sent(shifted(7, Q_AFTER, K_AFTER))["data"][:2]
        assert [(arrow["x"][1], arrow["y"][1]) for arrow in (q, k)] == [(-0.5, 1.5), (-1.2, 0.5)]

    def test_axes_stay_while_the_vectors_rotate(self):
        turns = [np.array([np.cos(angle), np.sin(angle)]) for angle in range(41)]
        layouts = [shifted(shift, 1.5 * turn, 0.7 * turn).plain_layout for shift, turn in enumerate(turns)]
        assert all(layout == layouts[0] for layout in layouts)

    def test_zero_is_marked_on_the_axis_of_scores(self):
        axis = sent(shifted())["layout"]["yaxis2"]
        assert axis["zeroline"] is True
        assert axis["range"][0] <= 0 <= axis["range"][1]
