"""The figures of the attention page, from plain arrays."""

import itertools

import numpy as np
import pytest

from figures import attention
from figures.theme import DIVERGING, SEQUENTIAL

VALUES = np.array([[1.0, 50.0, -9.0], [-2.0, 0.5, 7.0], [0.0, 3.0, -4.0]])


def say(text):
    return f"said {text}"


def test_scores_have_their_middle_at_zero_and_reach_as_far_as_what_is_seen():
    axis = attention.scores(VALUES, causal=True, say=say).layout.coloraxis
    assert (axis.cmin, axis.cmid, axis.cmax) == (-4, 0, 4)
    assert attention.scores(VALUES, causal=False, say=say).layout.coloraxis.cmax == 50
    assert [list(stop) for stop in axis.colorscale] == DIVERGING


def test_hidden_keys_are_shaded_not_drawn():
    figure = attention.scores(VALUES, causal=True, say=say)
    assert np.isnan(figure.data[0].z).tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert figure.layout.annotations[0].text == "said hidden by the causal mask"
    (mask,) = figure.layout.shapes
    assert mask.path == "M0.5,-0.5 L0.5,-0.5 L0.5,0.5 L1.5,0.5 L1.5,1.5 L2.5,1.5 L2.5,-0.5 Z"


def test_without_mask_everything_is_drawn():
    figure = attention.scores(VALUES, causal=False, say=say)
    np.testing.assert_allclose(figure.data[0].z, VALUES)
    assert not figure.layout.shapes
    assert not figure.layout.annotations


def test_first_query_is_on_top_and_cells_are_square():
    layout = attention.weights(np.tri(3) / 3, causal=True, say=say).layout
    assert tuple(layout.yaxis.range) == (2.5, -0.5)
    assert layout.yaxis.scaleanchor == "x"


def test_weights_rise_from_nothing():
    axis = attention.weights(np.tri(3) / 3, causal=True, say=say).layout.coloraxis
    assert (axis.cmin, axis.cmax) == (0, pytest.approx(1 / 3))
    assert [list(stop) for stop in axis.colorscale] == SEQUENTIAL


def test_scores_that_are_all_zero_can_be_drawn():
    assert attention.scores(np.zeros((2, 2)), causal=False, say=say).layout.coloraxis.cmax == 1


def test_bands_run_from_lowest_to_highest_and_zero_is_in_sight():
    x = np.arange(-2.0, 3.0)
    figure = attention.diagonals(x, (x + 10, x + 11), (x + 9, x + 13), say=say)
    assert [trace.name for trace in figure.data] == [
        "said random tokenssaid , said highest",
        "said random tokenssaid , said lowest",
        "said all tokens alikesaid , said highest",
        "said all tokens alikesaid , said lowest",
    ]
    assert figure.layout.yaxis.range[0] < 0 < 15 < figure.layout.yaxis.range[1]
    np.testing.assert_array_equal(figure.data[3].y, x + 10)


def test_vectors_stand_above_each_other_on_one_scale():
    figure = attention.vectors([("first", VALUES), ("second", VALUES / 2), ("third", VALUES * 0)], say=say)
    assert [note.text for note in figure.layout.annotations] == ["first", "second", "third"]
    assert figure.layout.coloraxis.cmax == 50
    domains = [figure.layout[axis].domain for axis in ("yaxis3", "yaxis2", "yaxis")]
    assert all(low[1] < high[0] for low, high in itertools.pairwise(domains))
