"""Clock hands, from plain arrays: what is drawn is what was given."""

import math

import numpy as np
import pytest

from figures import clocks, theme
from tests.figures.checks import array, assert_sound, say, sent

HANDS = 8
ANGLES = 7 * np.geomspace(1, 1e-4, HANDS)
GAPS = 15 * np.geomspace(1, 1e-3, HANDS)
ARC = (("lines", {"fill"}), ("text", {"text"}))
LABELS = [f"pair {i}<br>θ<sub>{i}</sub> = 1" for i in range(HANDS)]


def one(hands=HANDS):
    return clocks.clocks(ANGLES[:hands], position=7, labels=LABELS[:hands], colors=theme.pair_colors(hands))


def two():
    return clocks.two_hands(ANGLES, GAPS, position=7, gap=1234, score=5.25, labels=LABELS, say=say)


@pytest.mark.parametrize("draw", [one, two])
class TestEveryFigure:
    def test_it_is_sound(self, draw):
        assert_sound(draw())

    def test_one_unit_is_as_long_in_both_directions(self, draw):
        assert draw().layout.yaxis.scaleanchor == "x"

    def test_labels_stand_below_their_clocks(self, draw):
        assert [note.text for note in draw().layout.annotations][:HANDS] == LABELS


def test_hands_point_counter_clockwise_from_the_right_and_are_one_long():
    for hand, angle in zip(sent(one())["data"][1:], ANGLES, strict=True):
        x, y = (array(hand[axis]) for axis in "xy")
        assert [x[1] - x[0], y[1] - y[0]] == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-12)


def test_each_hand_has_the_colour_of_its_pair():
    assert [hand["line"]["color"] for hand in sent(one())["data"][1:]] == theme.pair_colors(HANDS)


def test_colours_of_some_pairs_are_those_of_the_whole_head():
    assert clocks.clock_colors([0, 3, 63], 64) == [theme.pair_colors(64)[i] for i in (0, 3, 63)]


def test_both_hands_of_a_clock_stand_at_their_angles_and_are_named():
    hands = [trace for trace in sent(two())["data"] if "name" in trace]
    for trace, angles in zip(hands, (ANGLES, ANGLES + GAPS), strict=True):
        x, y = (array(trace[axis]) for axis in "xy")
        np.testing.assert_allclose(np.arctan2(y[1::3] - y[::3], x[1::3] - x[::3]), np.angle(np.exp(1j * angles)), atol=1e-9)
    assert [trace["name"] for trace in hands] == ["said token at m", "said token at m + 1,234"]


def test_two_hands_that_coincide_are_both_seen():
    long, short = (trace for trace in sent(two())["data"] if "name" in trace)
    lengths = [np.hypot(array(hand["x"])[1] - array(hand["x"])[0], array(hand["y"])[1] - array(hand["y"])[0]) for hand in (long, short)]
    assert lengths[1] < 0.8 * lengths[0]
    assert short["line"]["width"] > 2 * long["line"]["width"]


def test_an_arc_spans_from_hand_to_hand_and_says_its_degrees():
    arcs, values = (next(trace for trace in sent(two())["data"] if trace["mode"] == mode and keys <= trace.keys()) for mode, keys in ARC)
    x, y = (array(arcs[axis]).reshape(HANDS, -1)[:, 1:-2] for axis in "xy")
    centres = [(array(arcs[axis]).reshape(HANDS, -1)[:, :1]) for axis in "xy"]
    turned = np.unwrap(np.arctan2(y - centres[1], x - centres[0]), axis=1)
    rest = [math.fmod(gap, 2 * math.pi) for gap in GAPS]
    np.testing.assert_allclose(turned[:, -1] - turned[:, 0], rest, atol=1e-9)
    np.testing.assert_allclose([float(text.rstrip("°")) for text in values["text"]], np.rad2deg(rest), rtol=6e-3)


@pytest.mark.parametrize(("draw", "said"), [(one, ["m = 7"]), (two, ["m = 7", "said score 5.25"])])
def test_position_and_score_stand_large_above_the_clocks(draw, said):
    notes = draw().layout.annotations[HANDS:]
    assert [note.text for note in notes] == said
    assert notes[0].font.size >= 24


@pytest.mark.parametrize("hands", [1, 2, 3, 5, 8])
def test_any_number_of_clocks_fits_its_axes(hands):
    figure = one(hands)
    faces = figure.data[0]
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert left <= np.nanmin(faces.x) <= np.nanmax(faces.x) <= right
    assert low <= np.nanmin(faces.y) <= np.nanmax(faces.y) <= high
