"""What the page about distance decay says, at every option and end, and where A leaves no number but 0."""

import numpy as np
import pytest

from lessons.decay import PAGE
from locales import CATALOGUES, speaking
from parameters.methods import to_text
from rope_core import LinearScaling, LongRopeScaling, ProportionalScaling, YarnScaling
from tests.evaluate import assert_notebook_agrees, assert_readable, dependences, evaluate_everywhere, settings_of

VIEWS = {
    "score": {"decay_view": "score"},
    "peak": {"decay_view": "score", "vectors": "peak"},
    "typed": {"decay_view": "score", "vectors": "typed"},
    "random": {"decay_view": "random"},
    "bound": {"decay_view": "bound"},
    "typed_bound": {"decay_view": "bound", "vectors": "typed"},
    "spectrum": {"decay_view": "spectrum"},
    "peak_spectrum": {"decay_view": "spectrum", "vectors": "peak"},
}
METHODS = {
    "none": None,
    "linear": LinearScaling(4),
    "yarn": YarnScaling(4),
    "longrope": LongRopeScaling(short_factor=[1.5] * 64, long_factor=[2.0] * 64, original_max_position=4096, factor=16),
    "proportional": ProportionalScaling(rotary_fraction=0.5),
}
TYPED = {"q_head": "1 -2 0.5", "k_head": "0.3 1 -1 2", "scaling": to_text(METHODS["linear"])}
OTHER_YARN = to_text(YarnScaling(8))
TINY = (5e-324, 1e-300, 1e-160, 1e-80)


def at(name, **more):
    return settings_of("decay", **VIEWS[name] | more)


@pytest.mark.parametrize("name", VIEWS)
class TestSettings:
    def test_it_can_be_shown_at_every_option_and_end_in_every_language(self, name):
        evaluate_everywhere(PAGE, at(name))

    @pytest.mark.parametrize("method", ["none", "linear", "yarn"])
    def test_controls_are_what_the_view_depends_on(self, name, method):
        settings = at(name, scaling=to_text(METHODS[method]))
        typed = TYPED | ({} if method == "none" else {"scaling": OTHER_YARN})
        assert dependences(PAGE, settings, **typed) == set(PAGE.controls(settings))

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("head", [{}, {"rotary": 0.25}, {"layout": "interleaved", "base": 500_000}], ids=str)
    def test_notebook_computes_the_columns(self, name, head, method):
        assert_notebook_agrees(PAGE.view(at(name, reach=3000, **head, scaling=to_text(METHODS[method]))))

    @pytest.mark.parametrize("factor", TINY)
    @pytest.mark.parametrize("rotary", [1, 0.5])
    def test_tiny_attention_factor_leaves_no_sentence_without_numbers(self, name, rotary, factor):
        view = PAGE.view(at(name, rotary=rotary, scaling=to_text(YarnScaling(4, attention_factor=factor))))
        assert_readable(view)
        assert not any("`-0`" in sentence for sentence in view.sentences)
        assert view.figure.to_json()


class TestRandomPairs:
    @pytest.mark.parametrize("language", CATALOGUES)
    def test_scores_too_small_for_a_standard_deviation_are_said_to_be(self, language):
        with speaking(language):
            view = PAGE.view(at("random", scaling=to_text(YarnScaling(4, attention_factor=1e-300))))
        assert not view.columns["spread"].any()
        assert "`256`" in view.sentences[1]
        if language == "en":
            assert "cannot tell their standard deviation from 0" in view.sentences[1]

    def test_coordinates_that_do_not_turn_have_a_standard_deviation_whatever_the_factor(self):
        view = PAGE.view(at("random", rotary=0.5, scaling=to_text(YarnScaling(4, attention_factor=1e-300))))
        assert "standard errors away from 0" in view.sentences[1]
        assert view.columns["spread"].min() > 1


class TestScore:
    def test_scores_of_zero_are_not_said_to_fall_below_it(self):
        view = PAGE.view(at("score", scaling=to_text(YarnScaling(4, attention_factor=1e-300))))
        assert "does not drop below zero" in view.sentences[1]
        np.testing.assert_array_equal(view.columns["lowest"], 0)

    @pytest.mark.parametrize(("base", "distance"), [(10_000, "1,707"), (500_000, "18,438")])
    def test_first_negative_distance_is_the_known_one(self, base, distance):
        assert f"at distance `{distance}`" in PAGE.view(at("score", base=base, reach=131_072)).sentences[1]


def test_method_that_does_not_fit_the_head_is_left_out_with_a_notice():
    scaling = to_text(METHODS["proportional"])
    views = [PAGE.view(at("score", rotary=0.5, **more)) for more in ({}, {"scaling": scaling})]
    assert [len(view.notices) for view in views] == [0, 1]
    np.testing.assert_equal(dict(views[0].columns), dict(views[1].columns))


@pytest.mark.parametrize("name", VIEWS)
def test_base_can_be_played(name):
    assert PAGE.live(at(name)) == "base"
    assert "base" in PAGE.controls(at(name))
