"""What the page about a whole head says: published numbers, code that gives the figure, sentences that hold at the ends of every slider."""

import itertools
import re

import numpy as np
import pytest

from lessons import head, layouts
from rope_core import RopeConfig
from ui.compute import partial_config

VIEWS = {
    "pairs": head.pairs_view,
    "matrix": head.matrix_view,
    "mix": layouts.mix_view,
    "table": head.table_view,
    "code": layouts.code_view,
}
HEADS = [
    RopeConfig(128),
    RopeConfig(8),
    RopeConfig(2),
    RopeConfig(8, layout="interleaved"),
    RopeConfig(64, rotary_dim=16, base=500_000.0),
    RopeConfig(10, rotary_dim=8, layout="interleaved", base=1.01),
    RopeConfig(128, rotary_dim=2),
    RopeConfig(512, base=1e9),
]


def setting(config, **more):
    return head.Setting(config=config, **{"position": 12, "seed": 3, "distance": 5} | more)


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def said(view):
    return " ".join((*view.sentences, *view.formula, view.alt))


def solid(figure):
    """The tips of the solid arrows."""
    return np.array([[trace.x[1], trace.y[1]] for trace in figure.data if trace.line.dash == "solid"])


def matrix(trace, width):
    """A matrix as drawn: a heatmap, or dots where it is not zero."""
    if trace.type == "heatmap":
        return np.array(trace.z)
    drawn = np.zeros((width, width))
    drawn[np.array(trace.y, int), np.array(trace.x, int)] = trace.marker.color
    return drawn


@pytest.mark.parametrize("config", HEADS, ids=str)
class TestCode:
    def test_solid_arrows_end_at_its_numbers(self, config):
        view = head.pairs_view(setting(config))
        np.testing.assert_allclose(result(view), solid(view.figure), atol=1e-12)

    def test_matrices_hold_its_numbers(self, config):
        view = head.matrix_view(setting(config))
        drawn = [matrix(trace, config.head_dim) for trace in view.figure.data[:2]]
        np.testing.assert_allclose(result(view), drawn, atol=1e-7)

    def test_lines_of_the_shift_test_hold_its_scores(self, config):
        view = layouts.mix_view(setting(config))
        drawn = [np.array(trace.y) for trace in view.figure.data]
        np.testing.assert_allclose(result(view), drawn, rtol=1e-12)

    def test_tables_hold_its_numbers(self, config):
        view = head.table_view(setting(config))
        np.testing.assert_allclose(result(view), [trace.z for trace in view.figure.data], atol=1e-7)

    def test_three_implementations_give_the_marks(self, config):
        view = layouts.code_view(setting(config))
        halves, complex_view, slices = result(view)
        own_half, own_interleaved, same_half, same_interleaved = (np.array(trace.y) for trace in view.figure.data)
        np.testing.assert_allclose(halves, own_half, atol=1e-12)
        np.testing.assert_allclose(complex_view, own_interleaved, atol=1e-12)
        np.testing.assert_allclose(slices, complex_view, atol=1e-12)
        np.testing.assert_allclose(same_half, same_interleaved, atol=1e-12)


@pytest.mark.parametrize("name", VIEWS)
def test_sentences_hold_numbers_at_the_ends_of_every_slider(name):
    ends = itertools.product((2, 512), (1.01, 1e9), ("half", "interleaved"), (0.01, 1.0), (0, 10_000_000))
    for head_dim, base, layout, share, position in ends:
        config = partial_config(RopeConfig(head_dim, base=base, layout=layout), share)
        view = VIEWS[name](setting(config, position=position, distance=min(position, 1_000_000)))
        assert not re.search(r"\b(nan|inf)\b", said(view)), said(view)
        assert not re.search(r"[{}]", "".join((*view.sentences, view.alt)))


class TestPublished:
    """facts/cases.json RC-01, RC-02 and RC-05."""

    def test_both_layouts_are_flat_and_their_mixture_is_not(self):
        text = said(layouts.mix_view(setting(RopeConfig(8))))
        for number in ("111.2675", "103.3616", "139.410", "86.586", "140.732", "197.590", "5.828"):
            assert number in text

    def test_mixture_of_one_pair_is_no_mistake(self):
        view = layouts.mix_view(setting(RopeConfig(2)))
        assert len(view.sentences) == 2
        np.testing.assert_allclose(view.drawn["mixed"], view.drawn["half"], rtol=1e-12)

    def test_quarter_of_the_width_has_the_speeds_of_its_own_width(self):
        config = partial_config(RopeConfig(128), 0.25)
        assert config.rotary_dim == 32
        rotated = head.matrix_view(setting(config, position=5))
        first, second = (matrix(trace, 128) for trace in rotated.figure.data[:2])
        np.testing.assert_allclose(first[[0, 16], 0], [0.283662185, -0.958924275], atol=1e-7)
        np.testing.assert_allclose(first[[1, 17], 1], [-0.946079269, 0.323935204], atol=1e-7)
        np.testing.assert_array_equal(first[32:, 32:], np.eye(96))
        np.testing.assert_allclose(second[[0, 1], 0], [0.283662185, -0.958924275], atol=1e-7)


@pytest.mark.parametrize(
    ("share", "width", "turning"),
    [
        (1, 128, 128),
        (0.25, 128, 32),
        (0.01, 128, 2),
        (0.3, 512, 154),
        (64 / 192, 192, 64),
        (0.333333333333333, 192, 64),
        (0.01, 2, 2),
        (0.5, 6, 2),
    ],
)
def test_share_of_the_width_makes_whole_pairs(share, width, turning):
    assert partial_config(RopeConfig(width), share).rotary_dim == turning


def test_coordinates_that_do_not_turn_are_shown_in_a_plane_of_their_own():
    view = head.pairs_view(setting(RopeConfig(64, rotary_dim=16)))
    assert len(solid(view.figure)) == 8
    assert [view.drawn[f"{when}_first"][-1] for when in ("before", "after")] == [view.drawn["before_first"][-1]] * 2
    assert "16" in view.sentences[2]


def test_tables_of_either_layout_hold_each_number_in_both_columns_of_a_pair():
    half, interleaved = (head.table_view(setting(RopeConfig(8, layout=layout))).figure.data[0].z for layout in ("half", "interleaved"))
    np.testing.assert_array_equal(half[:, :4], half[:, 4:])
    np.testing.assert_array_equal(interleaved[:, 0::2], interleaved[:, 1::2])
    np.testing.assert_array_equal(half[:, :4], interleaved[:, 0::2])


def test_no_sentence_claims_that_a_layout_is_faster():
    text = said(layouts.code_view(setting(RopeConfig(128)))) + said(head.matrix_view(setting(RopeConfig(128))))
    assert "depends on device and kernel" in text
    assert "checkpoint" in text
