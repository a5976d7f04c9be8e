"""Figures of a whole head and of its layouts, from plain arrays: what is drawn is what was given."""

import numpy as np
import pytest

from figures import head, layouts, theme
from tests.figures.checks import assert_sound, say, sent, texts

WIDE = 512
WAVE = np.sin(np.geomspace(1, 10_000, WIDE))


def rotation(width):
    return np.eye(width) * np.linspace(-1, 1, width)


def order(width):
    return np.arange(width).reshape(-1, 2).T.flatten()


def planes(count=8):
    before = np.ones((count, 2))
    return head.planes(before, -before, labels=[f"pair {i}" for i in range(count)], colors=theme.pair_colors(count), say=say)


def matrices(width=8):
    return head.matrices(rotation(width), rotation(width), order(width), say=say)


def tables(width=64):
    return head.tables(*np.ones((3, 128, width)), say=say)


SCATTERED = {
    "planes": planes,
    "one_plane": lambda: planes(1),
    "plane_of_no_length": lambda: head.planes(np.zeros((1, 2)), np.zeros((1, 2)), labels=["pair 0"], colors=[theme.Q], say=say),
    "wide_matrices": lambda: matrices(WIDE),
    "shift_test": lambda: layouts.shift_test(np.arange(101), np.ones(101), np.full(101, 2.0), WAVE[:101], say=say),
    "two_orders": lambda: layouts.two_orders(WAVE, WAVE[order(WIDE)], order(WIDE), say=say),
}
HEATMAPS = {"matrices": matrices, "tables": tables, "wide_tables": lambda: tables(WIDE)}


@pytest.mark.parametrize("name", SCATTERED)
def test_every_figure_of_points_is_sound(name):
    assert_sound(SCATTERED[name]())


@pytest.mark.parametrize("name", HEATMAPS)
class TestHeatmaps:
    def test_it_has_the_one_template_and_fits_a_screen(self, name):
        figure = HEATMAPS[name]()
        assert figure.layout.template.layout.colorway[0] == theme.Q
        assert 300 <= figure.layout.height <= 440

    def test_it_can_be_sent(self, name):
        assert len(HEATMAPS[name]().to_json()) < (1_500_000 if name == "wide_tables" else 500_000)

    def test_no_text_is_tex(self, name):
        assert not [text for text in texts(sent(HEATMAPS[name]())) if "$" in text or "\\" in text]

    def test_tables_are_sent_as_float32_around_zero(self, name):
        for trace in (trace for trace in HEATMAPS[name]().data if trace.type == "heatmap"):
            assert np.asarray(trace.z).dtype == np.dtype("float32")
            assert trace.zmin == -trace.zmax == -1

    def test_one_scale_is_shown(self, name):
        shown = [trace.showscale for trace in HEATMAPS[name]().data if trace.type == "heatmap"]
        assert shown == [True, *[False] * (len(shown) - 1)]


def test_middle_of_the_scale_is_exactly_zero_and_nothing_is_drawn_there():
    assert [stop for stop, _ in theme.DIVERGING] == [0, 0.5, 0.5, 1]
    assert all(color.endswith(", 0)") for stop, color in theme.DIVERGING if stop == 0.5)


def test_matrix_with_cells_too_small_for_a_phone_is_drawn_as_dots_on_what_is_not_zero():
    assert [trace.type for trace in matrices().data] == ["heatmap", "heatmap", "scatter"]
    dots, others, _ = matrices(WIDE).data
    assert dots.type == "scatter"
    assert (dots.marker.cmin, dots.marker.cmax) == (others.marker.cmin, others.marker.cmax) == (-1, 1)
    np.testing.assert_allclose(dots.marker.color, np.linspace(-1, 1, WIDE), atol=1e-7)


def test_permutation_is_drawn_place_by_place():
    moved = matrices().data[2]
    assert (list(moved.x), list(moved.y)) == ([0, 2, 4, 6, 1, 3, 5, 7], list(range(8)))


def test_columns_narrower_than_a_pixel_are_averaged_and_not_left_out():
    assert [{trace.zsmooth for trace in tables(width).data} for width in (64, WIDE)] == [{False}, {"fast"}]


def test_arrows_end_at_the_numbers_given_each_in_a_plane_of_its_own():
    dashed, solid = ([trace for trace in planes().data if trace.line.dash == dash] for dash in ("dash", "solid"))
    assert {(trace.x[1], trace.y[1]) for trace in dashed} == {(1.0, 1.0)}
    assert {(trace.x[1], trace.y[1]) for trace in solid} == {(-1.0, -1.0)}
    assert len({trace.xaxis for trace in solid}) == 8


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("half layout", ["half layout"]),
        ("the permutation between them", ["the permutation", "between them"]),
        ("两者之间的置换", ["两者之间的置换"]),
        ("sin：搭档所乘的数（一对中的第一个带负号）", ["sin：搭档所乘", "的数（一对中的第", "一个带负号）"]),
    ],
)
def test_titles_of_panels_are_broken_into_lines_that_fit_a_phone(text, lines):
    assert head.tables(*np.ones((3, 2, 2)), say=lambda _: text).layout.annotations[0].text.split("<br>") == lines
