"""Clock hands, from plain arrays: what is drawn is what was given."""

import numpy as np
import pytest

from figures import clocks, theme
from tests.figures.checks import array, assert_sound, say, sent

HANDS = 8
ANGLES = 7 * np.geomspace(1, 1e-4, HANDS)
LABELS = [f"pair {i}<br>θ<sub>{i}</sub> = 1" for i in range(HANDS)]


def one(hands=HANDS):
    return clocks.clocks(ANGLES[:hands], labels=LABELS[:hands], colors=theme.pair_colors(hands))


def two():
    return clocks.two_hands(ANGLES, ANGLES - 3, gap=1234, labels=LABELS, say=say)


@pytest.mark.parametrize("draw", [one, two])
class TestEveryFigure:
    def test_it_is_sound(self, draw):
        assert_sound(draw())

    def test_one_unit_is_as_long_in_both_directions(self, draw):
        assert draw().layout.yaxis.scaleanchor == "x"

    def test_labels_stand_below_their_clocks(self, draw):
        assert [note.text for note in draw().layout.annotations] == LABELS


def test_hands_point_counter_clockwise_from_the_right_and_are_one_long():
    for hand, angle in zip(sent(one())["data"][1:], ANGLES, strict=True):
        x, y = (array(hand[axis]) for axis in "xy")
        assert [x[1] - x[0], y[1] - y[0]] == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-12)


def test_each_hand_has_the_colour_of_its_pair():
    assert [hand["line"]["color"] for hand in sent(one())["data"][1:]] == theme.pair_colors(HANDS)


def test_colours_of_some_pairs_are_those_of_the_whole_head():
    assert clocks.clock_colors([0, 3, 63], 64) == [theme.pair_colors(64)[i] for i in (0, 3, 63)]


def test_both_hands_of_a_clock_stand_at_their_angles_and_are_named():
    for trace, angles in zip(sent(two())["data"][1:], (ANGLES, ANGLES - 3), strict=True):
        x, y = (array(trace[axis]) for axis in "xy")
        np.testing.assert_allclose(np.arctan2(y[1::3] - y[::3], x[1::3] - x[::3]), np.angle(np.exp(1j * angles)), atol=1e-9)
    assert [trace["name"] for trace in sent(two())["data"][1:]] == ["said token at m", "said token at m + 1,234"]


@pytest.mark.parametrize("hands", [1, 2, 3, 5, 8])
def test_any_number_of_clocks_fits_its_axes(hands):
    figure = one(hands)
    faces = figure.data[0]
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert left <= np.nanmin(faces.x) <= np.nanmax(faces.x) <= right
    assert low <= np.nanmin(faces.y) <= np.nanmax(faces.y) <= high
