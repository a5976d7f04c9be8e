"""Figures of the head and of speeds, from plain arrays: what is drawn is what was given."""

import json
import re

import numpy as np
import pytest

from figures import frequencies, head, laws, layouts, theme

WIDE, PAIRS = 512, 256
X = np.geomspace(1, 10_000, 900)
WAVE = np.sin(X)


def words(kind):
    """Words that show where they ended up."""
    return kind(**{name: f"word {name}" for name in kind.__dataclass_fields__})


def rotation(width):
    return np.eye(width) * np.linspace(-1, 1, width)


def order(width):
    return np.arange(width).reshape(-1, 2).T.flatten()


FIGURES = {
    "planes": lambda: head.planes(
        np.ones((8, 2)), -np.ones((8, 2)), labels=[f"pair {i}" for i in range(8)], colors=theme.pair_colors(8), words=words(head.HeadWords)
    ),
    "one_plane": lambda: head.planes(np.zeros((1, 2)), np.zeros((1, 2)), labels=["pair 0"], colors=[theme.Q], words=words(head.HeadWords)),
    "matrices": lambda: head.matrices(rotation(8), rotation(8), order(8), words(head.HeadWords)),
    "wide_matrices": lambda: head.matrices(rotation(WIDE), rotation(WIDE), order(WIDE), words(head.HeadWords)),
    "tables": lambda: head.tables(*np.ones((3, 128, 64)), words(head.HeadWords)),
    "wide_tables": lambda: head.tables(*np.ones((3, 128, WIDE)), words(head.HeadWords)),
    "shift_test": lambda: layouts.shift_test(np.arange(101), np.ones(101), np.full(101, 2.0), WAVE[:101], words(layouts.LayoutWords)),
    "two_orders": lambda: layouts.two_orders(WAVE[:WIDE], WAVE[:WIDE], order(WIDE), words(layouts.LayoutWords)),
    "speeds": lambda: frequencies.speeds(
        np.geomspace(1, 1e-9, PAIRS), np.geomspace(6, 6e9, PAIRS), 4096, theme.pair_colors(PAIRS), words(frequencies.FrequencyWords)
    ),
    "turns": lambda: frequencies.turns(
        np.geomspace(600, 0.01, PAIRS), np.linspace(1, 0, PAIRS), theme.pair_colors(PAIRS), words(frequencies.FrequencyWords)
    ),
    "sweep": lambda: frequencies.sweep(
        [100.0, 1e5, 1e9],
        np.geomspace(6, [6e2, 6e5, 6e9], PAIRS).T,
        np.geomspace(6, 6e4, PAIRS),
        4096,
        words(frequencies.FrequencyWords),
    ),
    "period": lambda: laws.period(np.arange(97, dtype=np.float32), WAVE[:97], WAVE[:97], 32, words(laws.LawWords)),
    "left_over": lambda: laws.left_over(X, np.abs(WAVE) + 1e-5, np.abs(WAVE), words(laws.LawWords)),
    "laws": lambda: laws.laws(X, (WAVE, WAVE), (WAVE, WAVE), (WAVE, WAVE), revival=(396, 0.994), words=words(laws.LawWords)),
    "laws_without_revival": lambda: laws.laws(X, (WAVE, WAVE), (WAVE, WAVE), (WAVE, WAVE), revival=None, words=words(laws.LawWords)),
}


@pytest.fixture(scope="module")
def drawn():
    """Every figure, once."""
    return {name: make() for name, make in FIGURES.items()}


@pytest.mark.parametrize("name", FIGURES)
class TestEveryFigure:
    def test_it_has_the_one_template_and_a_height_that_fits_a_screen(self, drawn, name):
        assert drawn[name].layout.template.layout.colorway[0] == theme.Q
        assert 300 <= drawn[name].layout.height <= 640

    def test_it_can_be_sent(self, drawn, name):
        assert len(drawn[name].to_json()) < (1_500_000 if name == "wide_tables" else 500_000)

    def test_no_text_is_tex(self, drawn, name):
        sent = json.loads(drawn[name].to_json())
        sent["layout"].pop("template")
        assert not re.search(r"\$|\\[a-z]", json.dumps(sent, ensure_ascii=False))


class TestSignedTables:
    def test_middle_of_the_scale_is_exactly_zero_and_nothing_is_drawn_there(self, drawn):
        scale = dict(enumerate(theme.DIVERGING))
        assert [stop for stop, _ in scale.values()] == [0, 0.5, 0.5, 1]
        assert all(color.endswith(", 0)") for stop, color in scale.values() if stop == 0.5)
        for trace in (*drawn["tables"].data, *drawn["matrices"].data[:2]):
            assert trace.zmin == -trace.zmax == -1
        for trace in drawn["wide_matrices"].data[:2]:
            assert trace.marker.cmin == -trace.marker.cmax == -1

    def test_tables_travel_as_float32(self, drawn):
        assert {np.asarray(trace.z).dtype for trace in (*drawn["wide_tables"].data, *drawn["matrices"].data[:2])} == {np.dtype("float32")}

    def test_matrix_with_cells_too_small_for_a_phone_is_drawn_as_dots_on_what_is_not_zero(self, drawn):
        assert [trace.type for trace in drawn["matrices"].data] == ["heatmap", "heatmap", "scatter"]
        dots = drawn["wide_matrices"].data[0]
        assert dots.type == "scatter"
        np.testing.assert_allclose(dots.marker.color, np.linspace(-1, 1, WIDE), atol=1e-7)

    def test_columns_narrower_than_a_pixel_are_averaged_and_not_left_out(self, drawn):
        assert [{trace.zsmooth for trace in drawn[name].data} for name in ("tables", "wide_tables")] == [{False}, {"fast"}]

    def test_one_scale_is_shown(self, drawn):
        assert [trace.showscale for trace in drawn["tables"].data] == [True, False, False]
        assert [trace.showscale for trace in drawn["matrices"].data[:2]] == [True, False]


def test_arrows_end_where_they_were_told(drawn):
    dashed, solid = ([trace for trace in drawn["planes"].data if trace.line.dash == dash] for dash in ("dash", "solid"))
    assert {(trace.x[1], trace.y[1]) for trace in dashed} == {(1.0, 1.0)}
    assert {(trace.x[1], trace.y[1]) for trace in solid} == {(-1.0, -1.0)}
    assert len({trace.xaxis for trace in solid}) == 8


def test_pairs_that_never_finish_a_turn_have_another_mark(drawn):
    done, undone, bars = drawn["turns"].data
    assert min(done.y) >= 1 > max(undone.y)
    assert done.marker.symbol != undone.marker.symbol
    assert len(done.y) + len(undone.y) == len(bars.y) == PAIRS


def test_context_is_a_line_by_value_with_its_name_by_exponent(drawn):
    layout = drawn["speeds"].layout
    assert (layout.shapes[0].y0, layout.shapes[0].yref) == (4096, "y2")
    assert layout.annotations[0].y == pytest.approx(np.log10(4096))


class TestSweep:
    def test_only_the_running_line_moves_and_its_axis_holds_still(self, drawn):
        figure = drawn["sweep"]
        assert {frame.traces for frame in figure.frames} == {(0,)}
        low, high = figure.layout.yaxis.range
        for frame in figure.frames:
            assert low <= np.log10(min(frame.data[0].y)) <= np.log10(max(frame.data[0].y)) <= high

    def test_first_frame_is_the_figure_itself(self, drawn):
        figure = drawn["sweep"]
        np.testing.assert_array_equal(figure.frames[0].data[0].y, figure.data[0].y)
        assert [step.label for step in figure.layout.sliders[0].steps] == [frame.name for frame in figure.frames]


def test_revival_is_named_at_its_distance(drawn):
    (note,) = drawn["laws"].layout.annotations
    assert (note.text, note.x) == ("396", pytest.approx(np.log10(396)))
    assert not drawn["laws_without_revival"].layout.annotations
