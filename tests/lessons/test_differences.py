"""How far two sets of columns lie apart, at the places that both have."""

import numpy as np

from lessons.differences import Difference, differences, gaps


def test_bins_count_only_as_far_as_all_of_them_agree():
    a = {"distance": [1, 2, 3.5, 6], "lowest": [0, 0, 0, 0]}
    b = {"distance": [1, 2, 4.0, 6], "lowest": [1, 2, 9, 9]}
    assert list(differences(a, b)) == [Difference("lowest", 2.0, (("distance", 2.0),), 0.0, 2.0)]


def test_whole_distances_are_no_bins_wherever_they_start():
    a = {"distance": [-2, -1, 0, 1, 2], "score": [9.0, 1.0, 2.0, 3.0, 9.0]}
    b = {"distance": [-1, 0, 1], "score": [1.0, 2.0, 5.0]}
    for one, other in ((a, b), (b, a)):
        assert [(each.largest, each.where) for each in differences(one, other)] == [(2.0, (("distance", 1.0),))]


def test_other_places_count_where_both_have_them():
    a = {"query": [0, 1, 1], "key": [0, 0, 1], "score": [1.0, 2.0, 3.0]}
    b = {"query": [1, 1, 2], "key": [0, 1, 0], "score": [2.5, 3.0, 9.0]}
    assert list(differences(a, b)) == [Difference("score", 0.5, (("query", 1.0), ("key", 0.0)), 2.0, 2.5)]
    (gap,) = gaps(a, b)
    assert {name: list(column) for name, column in gap.items()} == {"query": [1, 1], "key": [0, 1], "score B − A": [0.5, 0.0]}


def test_rows_count_where_there_are_no_places():
    assert list(differences({"q_before": [1, 2]}, {"q_before": [1, 5]})) == [Difference("q_before", 3.0, (("row", 1.0),), 2.0, 5.0)]
    assert list(differences({"theta": [1, 2]}, {"theta": [1]})) == []


def test_infinite_in_both_is_no_difference():
    pair = {"pair": [0, 1], "wavelength": [6.3, np.inf]}
    assert next(differences(pair, pair)).largest == 0


def test_columns_of_different_length_are_compared_as_far_as_they_go():
    a = {"pair": [0, 1, 2], "turns x": [1.0, 2.0], "turns y": [1.0, 2.0, 3.0]}
    assert [each.largest for each in differences(a, {"pair": [0, 1], "turns x": [1.0, 4.0]})] == [2.0]
