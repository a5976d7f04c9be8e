"""What the page Start shows: hands at the angles of their positions, sentences that hold everywhere, and what it depends on."""

import math

import numpy as np
import pytest

from lessons.start import PAGE
from tests.evaluate import assert_notebook_agrees, dependences, evaluate_everywhere, settings_of

HEADS = [{}, {"head_dim": 2}, {"head_dim": 8, "base": 1.01}, {"head_dim": 512, "base": 1e9}, {"head_dim": 64, "base": 500_000}]
VIEWS = {"one": {"start_view": "one"}, "two": {"start_view": "two", "gap": 700}}


def at(name, **address):
    return settings_of("start", **VIEWS[name] | address)


def show(name, **address):
    return PAGE.view(at(name, **address))


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


@pytest.mark.parametrize("position", [0, 12, 10_000_000])
@pytest.mark.parametrize("head", HEADS, ids=str)
class TestNumbers:
    def test_angles_are_position_times_speed(self, head, position):
        columns = show("two", **head, position=position).columns
        width, base = head.get("head_dim", 128), head.get("base", 10_000)
        speeds = [base ** (-2 * pair / width) for pair in columns["pair"]]
        np.testing.assert_allclose(columns["theta"], speeds, rtol=1e-13)
        np.testing.assert_allclose(columns["angle_rad"], [position * speed for speed in speeds], rtol=1e-13)
        np.testing.assert_allclose(columns["second_angle_rad"], [(position + 700) * speed for speed in speeds], rtol=1e-13)

    def test_code_computes_the_angles(self, head, position):
        one, two = (show(name, **head, position=position) for name in VIEWS)
        np.testing.assert_allclose(result(one), [one.columns["angle_rad"]], rtol=1e-13)
        np.testing.assert_allclose(result(two), [two.columns["angle_rad"], two.columns["second_angle_rad"]], rtol=1e-13)

    @pytest.mark.parametrize("name", VIEWS)
    def test_notebook_computes_the_columns(self, head, position, name):
        assert_notebook_agrees(show(name, **head, position=position))


@pytest.mark.parametrize("name", VIEWS)
class TestSettings:
    def test_it_can_be_shown_at_every_option_and_end_in_every_language(self, name):
        evaluate_everywhere(PAGE, at(name))

    def test_controls_are_what_the_view_depends_on(self, name):
        assert dependences(PAGE, at(name)) == set(PAGE.controls(at(name)))

    def test_its_position_can_be_played(self, name):
        assert PAGE.live(at(name)) == "position"
        assert "position" in PAGE.controls(at(name))


def test_angle_between_two_hands_is_the_same_wherever_they_stand():
    near, far = (show("two", gap=3, position=position) for position in (12, 1012))
    assert near.sentences[2] == far.sentences[2]
    assert near.alt == far.alt
    for view in (near, far):
        between = view.columns["second_angle_rad"] - view.columns["angle_rad"]
        np.testing.assert_allclose(between, 3 * view.columns["theta"], atol=1e-12)


@pytest.mark.parametrize("gap", [0, 3, 10_000_000])
@pytest.mark.parametrize("head", HEADS, ids=str)
def test_score_of_two_tokens_is_the_sum_of_the_cosines_of_their_angles_at_every_position(head, gap):
    width, base = head.get("head_dim", 128), head.get("base", 10_000)
    score = math.fsum(math.cos(gap * base ** (-2 * pair / width)) for pair in range(width // 2))
    for position in (0, 12, 9_999_999):
        view = show("two", **head, gap=gap, position=position)
        assert f"`{score:.4g}` at every position m" in view.sentences[-1]
        assert f"score {score:.4g}" in [note["text"] for note in view.figure.plain_layout["annotations"]]


def test_at_position_6_pair_0_has_almost_made_its_first_turn():
    view = show("one", position=6)
    assert "pair 0: 343.8°" in view.alt
    assert "full turns: `0`" in view.sentences[1]
    assert "full turns: `1`" in show("one", position=7).sentences[1]


def test_hands_are_spread_from_the_fastest_to_the_slowest_pair():
    assert list(show("one").columns["pair"]) == [0, 9, 18, 27, 36, 45, 54, 63]
    assert list(show("one", head_dim=6).columns["pair"]) == [0, 1, 2]


def test_what_rope_does_not_promise_stands_under_the_figure():
    (part,) = show("one").parts
    assert part.kind == "info"
    assert "new to the model" in part.text


def test_slowest_hand_at_position_12_has_hardly_moved():
    assert math.isclose(show("one").columns["angle_rad"][-1], 12 * 10_000 ** (-126 / 128))
