"""What the page about a whole head says: published numbers, code that gives the figure, sentences that hold at the ends of every slider."""

import itertools
import re

import numpy as np
import pytest

from lessons.head import PAGE
from parameters.head_config import partial_head
from parameters.pages import HEAD
from tests.evaluate import assert_notebook_agrees, dependences, evaluate_everywhere, settings_of

VIEWS = tuple(HEAD["head_view"].options)
HEADS = [
    {},
    {"head_dim": 8},
    {"head_dim": 2},
    {"head_dim": 8, "layout": "interleaved"},
    {"head_dim": 64, "rotary": 0.25, "base": 500_000},
    {"head_dim": 10, "rotary": 0.8, "layout": "interleaved", "base": 1.01},
    {"rotary": 0.01},
    {"head_dim": 512, "base": 1e9},
]


def at(name, **address):
    return settings_of("head", **{"head_view": name, "head_position": 12, "head_seed": 3, "head_distance": 5} | address)


def show(name, **address):
    return PAGE.view(at(name, **address))


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


@pytest.mark.parametrize("head", HEADS, ids=str)
class TestCode:
    def test_solid_arrows_end_at_its_numbers(self, head):
        view = show("pairs", **head)
        np.testing.assert_allclose(result(view), solid(view.figure), atol=1e-12)

    def test_matrices_hold_its_numbers(self, head):
        view = show("matrix", **head)
        drawn = [matrix(trace, head.get("head_dim", 128)) for trace in view.figure.data[:2]]
        np.testing.assert_allclose(result(view), drawn, atol=1e-7)

    def test_lines_of_the_shift_test_hold_its_scores(self, head):
        view = show("mix", **head)
        np.testing.assert_allclose(result(view), [np.array(trace.y) for trace in view.figure.data], rtol=1e-12)

    def test_tables_hold_its_numbers(self, head):
        view = show("table", **head)
        np.testing.assert_allclose(result(view), [trace.z for trace in view.figure.data], atol=1e-7)

    def test_three_implementations_give_the_marks(self, head):
        view = show("code", **head)
        halves, complex_view, slices = result(view)
        own_half, own_interleaved, same_half, same_interleaved = (np.array(trace.y) for trace in view.figure.data)
        np.testing.assert_allclose(halves, own_half, atol=1e-12)
        np.testing.assert_allclose(complex_view, own_interleaved, atol=1e-12)
        np.testing.assert_allclose(slices, complex_view, atol=1e-12)
        np.testing.assert_allclose(same_half, same_interleaved, atol=1e-12)

    @pytest.mark.parametrize("name", VIEWS)
    def test_notebook_computes_the_columns(self, head, name):
        assert_notebook_agrees(show(name, **head))


@pytest.mark.parametrize("name", VIEWS)
class TestSettings:
    def test_sentences_hold_numbers_at_the_ends_of_every_slider(self, name):
        for head_dim, base, layout, share, position in itertools.product(
            (2, 512), (1.01, 1e9), ("half", "interleaved"), (0.01, 1), (0, 10_000_000)
        ):
            head = {"head_dim": head_dim, "base": base, "layout": layout, "rotary": share}
            view = show(name, **head, head_position=position, head_distance=min(position, 1_000_000))
            assert not re.search(r"\b(nan|inf)\b", said(view)), said(view)
            assert not re.search(r"[{}]", "".join((*view.sentences, view.alt)))

    def test_it_can_be_shown_at_every_option_and_end_in_every_language(self, name):
        evaluate_everywhere(PAGE, at(name))

    def test_controls_are_what_the_view_depends_on(self, name):
        assert dependences(PAGE, at(name)) == set(PAGE.controls(at(name)))

    def test_a_position_or_a_distance_can_be_played(self, name):
        live = PAGE.live(at(name))
        assert live == {"mix": "head_distance", "table": None}.get(name, "head_position")
        assert live is None or live in PAGE.controls(at(name))


class TestPublished:
    """facts/cases.json RC-01, RC-02 and RC-05."""

    def test_both_layouts_are_flat_and_their_mixture_is_not(self):
        text = said(show("mix", head_dim=8))
        for number in ("111.2675", "103.3616", "139.410", "86.586", "140.732", "197.590", "5.828"):
            assert number in text

    def test_mixture_of_one_pair_is_no_mistake(self):
        view = show("mix", head_dim=2)
        assert len(view.sentences) == 2
        np.testing.assert_allclose(view.columns["mixed"], view.columns["half"], rtol=1e-12)

    def test_quarter_of_the_width_has_the_speeds_of_its_own_width(self):
        rotated = show("matrix", rotary=0.25, head_position=5)
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
    assert partial_head(at("pairs", rotary=share, head_dim=width)).rotary_dim == turning


def test_coordinates_that_do_not_turn_are_shown_in_a_plane_of_their_own():
    view = show("pairs", head_dim=64, rotary=0.25)
    assert len(solid(view.figure)) == 8
    for side in ("first", "second"):
        assert view.columns[f"before_{side}"][-1] == view.columns[f"after_{side}"][-1]
        assert view.columns[f"before_{side}"][0] != view.columns[f"after_{side}"][0]
    assert "16" in view.sentences[2]


def test_tables_of_either_layout_hold_each_number_in_both_columns_of_a_pair():
    half, interleaved = (show("table", head_dim=8, layout=layout).figure.data[0].z for layout in ("half", "interleaved"))
    np.testing.assert_array_equal(half[:, :4], half[:, 4:])
    np.testing.assert_array_equal(interleaved[:, 0::2], interleaved[:, 1::2])
    np.testing.assert_array_equal(half[:, :4], interleaved[:, 0::2])


def test_no_sentence_claims_that_a_layout_is_faster():
    text = said(show("code")) + said(show("matrix"))
    assert "depends on device and kernel" in text
    assert "checkpoint" in text
