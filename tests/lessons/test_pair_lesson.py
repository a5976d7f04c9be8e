"""What the page about one pair shows: rotated vectors, three ways to a score, and a score that no shift of both changes."""

import cmath
import itertools
import math
import re

import numpy as np
import pytest

from compute.pair import SHIFTS
from lessons.pair import PAGE
from parameters.pages import PAIR
from tests.evaluate import assert_notebook_agrees, assert_readable, dependences, evaluate_everywhere, settings_of

VIEWS = {name: {"pair_view": name} for name in PAIR["pair_view"].options}
LINKS = [
    {},
    {"m": 1_000_003, "n": 77, "pair": 31, "base": 500_000, "head_dim": 64},
    {"speed": "own", "degrees": 33.3, "q": "1e-3, -7", "k": "0 2", "m": 0, "at": "3"},
    {"speed": "own", "degrees": 0, "q": "0 0", "k": "0 0"},
    {"m": 10_000_000, "n": 10_000_000, "at": "0 1 2 3 4 5 6 10000000"},
]
TYPED = {"q": "2, -1", "k": "-3 0.5", "at": "4, 9"}


def at(name, **address):
    return settings_of("pair", **VIEWS[name] | address)


def show(name, **address):
    return PAGE.view(at(name, **address))


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def speed(settings):
    if settings["speed"] == "own":
        return math.radians(settings.number("degrees"))
    return settings.number("base") ** (-2 * settings.number("pair") / settings.number("head_dim"))


def turned(vector, angle):
    """Rotate by complex numbers."""
    number = complex(*vector) * cmath.exp(1j * angle)
    return [number.real, number.imag]


@pytest.mark.parametrize("link", LINKS, ids=str)
class TestNumbers:
    def test_vectors_are_turned_by_position_times_speed(self, link):
        settings, columns = at("plane", **link), show("plane", **link).columns
        for letter, position in (("q", "m"), ("k", "n")):
            angle = settings.number(position) * speed(settings)
            np.testing.assert_allclose(columns[f"{letter}_after"], turned(settings.vector(letter), angle), atol=1e-8)
            assert tuple(columns[f"{letter}_before"]) == settings.vector(letter)

    def test_query_at_each_position_is_turned_to_it(self, link):
        settings, columns = at("positions", **link), show("positions", **link).columns
        want = [turned(settings.vector("q"), position * speed(settings)) for position in settings.vector("at")]
        np.testing.assert_allclose(np.stack((columns["q_first"], columns["q_second"]), -1), want, atol=1e-8)

    def test_scores_at_all_shifts_are_those_of_shifted_positions(self, link):
        settings, columns = at("shift", **link), show("shift", **link).columns
        theta, (q, k) = speed(settings), (settings.vector(letter) for letter in "qk")
        product = complex(*q) * complex(*k).conjugate()
        score = (product * cmath.exp(1j * (settings.number("m") - settings.number("n")) * theta)).real
        np.testing.assert_allclose(columns["score_rope"], score, atol=1e-7)
        for shift in (0, 1, SHIFTS - 1):
            coded = [
                np.add(vector, [math.sin(angle := (settings.number(place) + shift) * theta), math.cos(angle)])
                for vector, place in ((q, "m"), (k, "n"))
            ]
            assert columns["score_additive"][shift] == pytest.approx(coded[0] @ coded[1], abs=1e-7)

    def test_code_computes_what_is_drawn(self, link):
        plane, positions, shift = (show(name, **link) for name in VIEWS)
        np.testing.assert_allclose(result(plane), [plane.columns["q_after"], plane.columns["k_after"]], atol=1e-9)
        np.testing.assert_allclose(result(positions).T, [positions.columns["q_first"], positions.columns["q_second"]], atol=1e-9)
        np.testing.assert_allclose(result(shift), shift.columns["score_rope"], atol=1e-7)

    @pytest.mark.parametrize("name", VIEWS)
    def test_notebook_computes_the_columns(self, link, name):
        assert_notebook_agrees(show(name, **link))

    @pytest.mark.parametrize("name", VIEWS)
    def test_everything_is_said_in_numbers(self, link, name):
        assert_readable(show(name, **link))


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("kind", ["pair", "own"])
class TestSettings:
    def test_it_can_be_shown_at_every_option_and_end_in_every_language(self, name, kind):
        evaluate_everywhere(PAGE, at(name, speed=kind))

    def test_controls_are_what_the_view_depends_on(self, name, kind):
        assert dependences(PAGE, at(name, speed=kind), **TYPED) == set(PAGE.controls(at(name, speed=kind)))

    def test_position_or_shift_can_be_played(self, name, kind):
        settings = at(name, speed=kind)
        live = PAGE.live(settings)
        assert live == {"plane": "m", "positions": None, "shift": "shift"}[name]
        assert live is None or live in PAGE.controls(settings)


def test_pair_is_one_of_the_head():
    assert settings_of("pair", head_dim=8).high("pair") == 3
    assert PAGE.tries(settings_of("pair", head_dim=8))[2].values["pair"] == 3


def test_slowest_pair_of_a_small_head_is_taken_where_none_is_given():
    assert settings_of("pair", head_dim=8)["pair"] == 3


class TestShift:
    def test_largest_shift_is_the_end_of_the_scores(self):
        assert PAIR["shift"].high == SHIFTS - 1 == len(show("shift").columns["shift"]) - 1

    def test_every_whole_shift_is_a_stop(self):
        assert PAIR["shift"].stops(SHIFTS - 1) == tuple(range(SHIFTS))

    @pytest.mark.parametrize("shift", [0, 1, 37, 100])
    def test_arrows_stand_at_the_shifted_positions(self, shift):
        view, plane = show("shift", shift=shift), show("plane", m=7 + shift, n=2 + shift)
        for arrow, name in zip(view.figure.data[:2], ("q_after", "k_after"), strict=True):
            assert [arrow.x[1], arrow.y[1]] == pytest.approx(plane.columns[name], abs=1e-12)

    @pytest.mark.parametrize("shift", [0, 37, 100])
    def test_sentence_and_mark_give_the_scores_at_the_shift(self, shift):
        view = show("shift", shift=shift)
        rope, additive = (view.columns[name][shift] for name in ("score_rope", "score_additive"))
        said = (f"`{shift}`", f"`{7 + shift}`", f"`{2 + shift}`", f"`{rope:.6f}`", f"`{additive:.6f}`")
        assert re.findall(r"`[^`]+`", view.sentences[0]) == list(said)
        marks = [(trace.x[0], trace.y[0]) for trace in view.figure.data if trace.mode == "markers"]
        assert marks == [(shift, rope), (shift, additive)]

    def test_nothing_but_the_present_shift_changes_with_it(self):
        first, *others = (show("shift", shift=shift) for shift in (0, 37, 100))
        for other in others:
            assert other.sentences[1:] == first.sentences[1:]
            assert other.formula[1:] == first.formula[1:]
            assert other.figure.plain_layout == first.figure.plain_layout
            np.testing.assert_equal(dict(other.columns), dict(first.columns))

    def test_score_of_rope_stays_and_that_of_an_added_code_does_not(self):
        columns = show("shift").columns
        assert np.ptp(columns["score_rope"]) < 1e-12
        assert np.ptp(columns["score_additive"]) > 1


class TestScore:
    def test_three_ways_give_one_score(self):
        for m, n in itertools.product((0, 7, 5000), (0, 2, 9999)):
            first, second, third = re.findall(r"`([^`]+)`", show("plane", m=m, n=n).sentences[1])[1:]
            assert first == second == third

    def test_score_knows_the_sign_of_the_distance(self):
        product = complex(1.5, 0.5) * complex(0.5, -1.2)
        for m, n in ((7, 2), (2, 7)):
            score = (product * cmath.exp(1j * (m - n) * 10_000 ** (-16 / 128))).real
            assert f"score is {score:.6f}." in show("plane", m=m, n=n).alt

    def test_30_degrees_a_token_cannot_tell_12_from_0(self):
        scores = [show("plane", speed="own", degrees=30, m=m, n=0).alt.rpartition(" ")[2] for m in (0, 12, 24)]
        assert len(set(scores)) == 1
