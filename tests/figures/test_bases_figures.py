"""The figures of the page about base and context, from plain arrays."""

import numpy as np

from figures import bases
from figures.theme import DIVERGING

BASES = np.geomspace(1.01, 1e9, 5)
MODELS = bases.Points(x=[1e4], y=[4096.0], texts=["a model"])


def shout(text):
    return text.upper().replace("{LIMIT}", "{limit}")


def first(**more):
    setting = {"limit": 1000, "furthest": 10_000, "here": (1e4, 500.0), "context": 100, "smallest": 7e3, "failing": 9e3}
    distances = np.array([2.0, 30.0, 20.0, np.nan, np.nan])
    return bases.first_negative(BASES, distances, models=MODELS, say=shout, **(setting | more))


def test_bases_with_none_stand_at_the_limit_with_a_marker_of_their_own():
    figure = first()
    found, none = figure.data[:2]
    assert list(found.y) == [2, 30, 20]
    assert list(none.y) == [1000, 1000]
    assert found.marker.symbol != none.marker.symbol


def test_answers_that_are_not_known_are_left_out():
    assert [trace.name for trace in first().data][-2:] == ["SMALLEST PASSING BASE", "LARGEST FAILING BASE"]
    assert [trace.name for trace in first(smallest=None, failing=None).data][-1] == "YOUR BASE"


def test_axes_stay_where_they_are():
    ranges = {(tuple(figure.layout.xaxis.range), tuple(figure.layout.yaxis.range)) for figure in (first(), first(context=5, limit=50))}
    assert len(ranges) == 1


def test_context_is_marked_where_it_lies_on_the_axis():
    assert first().layout.shapes[0].y0 == 100
    assert first().layout.annotations[0].y == 2
    assert not first(context=100_000).layout.shapes


def test_cells_of_the_sums_lie_between_the_edges_and_zero_is_the_middle():
    edges, lowest = np.array([1, 2, 4, 9]), np.linspace(-0.5, 1, 15, dtype=np.float32).reshape(5, 3)
    figure = bases.sums(BASES, edges, lowest, base=50.0, context=3, say=shout)
    cells, here, context = figure.data
    assert (cells.zmin, cells.zmid, cells.zmax) == (-1, 0, 1)
    assert [list(stop) for stop in cells.colorscale] == DIVERGING
    assert len(cells.x) == cells.z.shape[1] + 1
    assert list(here.y) == [50, 50]
    assert list(context.x) == [3, 3]
    assert len(bases.sums(BASES, edges, lowest, base=50.0, context=10, say=shout).data) == 2


def test_critical_dimension_is_a_staircase_from_0_to_100():
    figure = bases.critical(BASES, np.array([100.0, 100, 50, 20, 0]), here=(10.0, 60.0), models=MODELS, say=shout)
    stairs, models, here = figure.data
    assert stairs.line.shape == "hv"
    assert list(models.text) == ["a model"]
    assert list(here.x) == [10]
    assert figure.layout.yaxis.range[0] < 0
    assert figure.layout.yaxis.range[1] > 100
