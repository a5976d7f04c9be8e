"""Lines of models and strips of layers: what is drawn where, and told apart without colour."""

import itertools

import numpy as np
import pytest

from figures.model_layers import AXES, Strip, layers
from figures.models import COLORS, DASHES, SYMBOLS, Mark, PairLine, per_pair

GROUNDS = ("#ffffff", "#171614")
WORDS = {"value": "tokens", "say": str}
LAYER_WORDS = {"names": ["one", "two"], "say": str}


def line(values, place=0, kind=0, *, strong=False):
    return PairLine(name=f"model {place} {kind}", values=np.array(values, dtype=np.float64), place=place, kind=kind, strong=strong)


def strip(numbers, row=0, kind=0, *, turns=True, strong=False):
    name = f"kind {kind}"
    return Strip(name=name, layers=np.array(numbers, dtype=np.float64), row=row, place=row, kind=kind, turns=turns, strong=strong)


def light(color):
    """The relative luminance of WCAG."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


class TestPairs:
    def test_every_value_stands_at_its_pair(self):
        (trace,) = per_pair([line([6.0, 60.0, 600.0])], [], **WORDS).data
        assert list(trace.x) == [0, 1, 2]
        assert list(trace.y) == [6, 60, 600]

    def test_thinned_line_keeps_the_numbers_of_its_pairs(self):
        line_of_9 = PairLine(name="a", values=np.array([6.0, 60.0, np.inf]), place=0, kind=0, strong=True, step=4)
        drawn, still = per_pair([line_of_9], [], **WORDS).data
        assert (list(drawn.x), list(still.x)) == ([0, 4], [8])

    @pytest.mark.parametrize("count", [1, 2, 8, 9])
    def test_few_pairs_and_layers_have_ticks_at_whole_numbers(self, count):
        ticks = (
            per_pair([line([6.0] * count)], [], **WORDS).layout.xaxis.dtick,
            layers([strip(range(count))], [None, None], **LAYER_WORDS).layout.xaxis.dtick,
        )
        assert ticks == ((1, 1) if count <= 8 else (None, None))

    def test_eight_lines_differ_without_their_colours(self):
        traces = per_pair([line([1.0, 2.0], place, kind) for place in range(4) for kind in range(2)], [], **WORDS).data
        assert len({(trace.line.dash, trace.marker.symbol) for trace in traces}) == 8
        assert len({trace.line.color for trace in traces}) == 4

    def test_strong_line_is_wider_and_bold_in_the_legend(self):
        weak, strong = per_pair([line([1.0]), line([1.0], 1, strong=True)], [], **WORDS).data
        assert strong.line.width > weak.line.width
        assert strong.name == "<b>model 1 0</b>"

    @pytest.mark.parametrize(("values", "edge"), [([1.0, np.inf], "top"), ([1.0, 0.0], "bottom")])
    def test_pairs_that_stand_still_are_crosses_at_the_edge_inside_the_axis(self, values, edge):
        figure = per_pair([line(values)], [], **WORDS)
        low, high = figure.layout.yaxis.range
        drawn, crosses = figure.data
        assert list(drawn.x) == [0]
        assert list(crosses.x) == [1]
        assert "stand still" in crosses.name
        where = np.log10(crosses.y[0])
        assert low < where < high
        assert (where > (low + high) / 2) == (edge == "top")

    def test_axis_has_whole_decades_that_hold_lines_and_marks(self):
        figure = per_pair([line([6.0, 700.0])], [Mark(value=4096, name="L")], **WORDS)
        assert list(figure.layout.yaxis.range) == [-0.15, 4.15]
        assert figure.layout.shapes[0].y0 == 4096
        assert figure.layout.annotations[0].y == pytest.approx(np.log10(4096))

    def test_names_of_marks_that_stand_close_together_lie_at_different_sides(self):
        figure = per_pair([line([1.0, 1e8])], [Mark(value=4096, name="a"), Mark(value=4608, name="b")], **WORDS)
        assert {note.xanchor for note in figure.layout.annotations} == {"left", "right"}

    def test_no_line_at_all_is_a_figure_too(self):
        assert per_pair([], [], **WORDS).layout.yaxis.range == (-0.15, 1.15)


class TestLayers:
    def test_bars_stand_at_the_layers_of_their_type_in_the_strip_of_their_model(self):
        one, other = layers([strip([0, 2]), strip([1], 1)], [None, None], **LAYER_WORDS).data
        assert list(one.x) == [0, 2]
        assert (one.base, other.base) == (-0.4, 0.6)

    def test_layers_that_turn_nothing_are_hollow_and_crossed(self):
        turning, still = layers([strip([0]), strip([1], kind=1, turns=False)], [None, None], **LAYER_WORDS).data
        assert turning.marker.color == COLORS[0]
        assert still.marker.color.startswith("rgba")
        assert still.marker.pattern.shape == "x"

    def test_types_of_layers_differ_without_their_colours(self):
        traces = layers([strip([kind], kind=kind) for kind in range(4)], [None, None], **LAYER_WORDS).data
        assert len({trace.marker.pattern.shape for trace in traces}) == 4
        assert all(trace.marker.pattern.bgcolor == trace.marker.color for trace in traces)

    def test_number_of_layers_that_is_not_stated_is_said_so(self):
        figure = layers([strip([])], [None, None], **LAYER_WORDS)
        assert [note.text for note in figure.layout.annotations] == ["number of layers not stated"]

    def test_pairs_of_positions_with_three_numbers_stand_below(self):
        figure = layers([strip([0]), strip([0], 1)], [None, ("t", "h", "w", "t")], **LAYER_WORDS)
        found = {trace.name: list(trace.x) for trace in figure.data if trace.xaxis == "x2"}
        assert found == {"time": [0, 3], "height": [1], "width": [2]}
        assert list(figure.layout.yaxis2.ticktext) == ["two"]


@pytest.mark.parametrize(("color", "ground"), list(itertools.product([*COLORS, *(color for color, _ in AXES.values())], GROUNDS)))
def test_colours_can_be_seen_on_both_grounds(color, ground):
    dark, bright = sorted((light(color), light(ground)))
    assert (bright + 0.05) / (dark + 0.05) >= 3


def test_there_are_as_many_looks_as_models():
    assert len(set(COLORS)) == len(set(SYMBOLS)) == len(set(DASHES)) == 4
