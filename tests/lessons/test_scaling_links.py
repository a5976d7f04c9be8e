"""A model's rotary settings in a link: pages show them where they can, and nothing that stands there does harm."""

import numpy as np
import pytest

from lessons.decay import PAGE as DECAY
from lessons.frequencies import PAGE as FREQUENCIES
from lessons.start import PAGE as START
from locales import speaking
from parameters.settings import Settings
from rope_core import RopeConfig, YarnScaling, inverse_frequencies
from tests.evaluate import settings_of, shown, views_of

YARN = '{"rope_type":"yarn","factor":4}'
METHODS = {
    "linear": '{"rope_type":"linear","factor":4}',
    "ntk": '{"rope_type":"ntk","factor":4}',
    "dynamic": '{"rope_type":"dynamic","factor":4}',
    "yarn": YARN,
    "llama3": '{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position":8192}',
    "longrope": '{"rope_type":"longrope","short_factor":[1,2],"long_factor":[1,9],"original_max_position":4096,"factor":32}',
    "proportional": '{"rope_type":"proportional","rotary_fraction":0.25}',
}
SHOWN = pytest.mark.parametrize("page", [FREQUENCIES, DECAY], ids=lambda page: page.name)


def show(page, **address):
    return page.view(settings_of(page.name, **address))


class TestLink:
    def test_speeds_of_the_link_are_drawn(self):
        view = show(FREQUENCIES, scaling=YARN, head_dim="192", rotary="0.333333333333333", base="1e6", context="32768")
        config = RopeConfig(192, rotary_dim=64, base=1e6, max_position=32_768, scaling=YarnScaling(4))
        assert view.figure.traces[0]["y"].tolist() == pytest.approx(inverse_frequencies(config).tolist(), rel=1e-14)
        assert not view.notices

    @SHOWN
    @pytest.mark.parametrize("method", METHODS)
    def test_every_view_of_a_scaled_or_partly_rotated_head_is_drawn(self, page, method):
        heads = [{"head_dim": 4}] if method == "longrope" else [{}, {"head_dim": 512}]
        heads += [] if method in ("longrope", "proportional") else [{"rotary": 0.1}]
        for settings in views_of(page):
            for head in heads:
                view = page.view(settings.replace(scaling=METHODS[method], **head))
                assert view.alt
                assert not view.notices
                assert not any(np.isnan(np.asarray(column, dtype=float)).any() for column in view.columns.values())

    def test_pages_about_the_plain_law_leave_scaling_out(self):
        assert shown(show(START, scaling=YARN, rotary="0.5")) == shown(show(START))
        assert not show(START, scaling=METHODS["longrope"]).notices

    def test_alternative_text_says_how_many_pairs_stand_still(self):
        assert "Of these, 48 stand still." in show(FREQUENCIES, scaling=METHODS["proportional"]).alt

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("view", ["random", "bound", "spectrum"])
    def test_trained_length_can_be_moved_where_the_speeds_depend_on_it(self, method, view):
        long, short = (settings_of("decay", decay_view=view, scaling=METHODS[method], head_dim=4, context=context) for context in (4096, 8))
        assert ("context" in DECAY.controls(long)) == (shown(DECAY.view(long)) != shown(DECAY.view(short)))

    def test_context_length_is_the_trained_one(self):
        assert "16,384" in show(FREQUENCIES, scaling=METHODS["llama3"], context="16384").alt


class TestBadLink:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (
                "x",
                'Scaling: `scaling must be JSON such as {"rope_type": "yarn", "factor": 4}, '
                "without NaN and Infinity, got 'x'`; using none.",
            ),
            ("[" * 8000, "Scaling: `scaling must be JSON"),
            ("z" * 9000, "Scaling: `scaling must have at most 8192 characters, got 9000`; using none."),
            ('{"rope_type":"yarn"}', "Scaling: `yarn needs a value of factor`; using none."),
            (
                '{"rope_type":"yarn","factor":"`[a](http://b.c)`"}',
                "Scaling: `factor must be a finite number, got '[a](http://b.c)'`; using",
            ),
        ],
        ids=["word", "bomb", "long", "missing", "markup"],
    )
    @pytest.mark.parametrize("page", [START, FREQUENCIES], ids=lambda page: page.name)
    def test_text_that_is_no_method_is_no_scaling_and_one_problem(self, page, text, sentence):
        settings, (problem,) = Settings.read(page.name, {"scaling": text})
        assert problem.sentence.startswith(sentence)
        assert settings == Settings(page.name)

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            ({"scaling": METHODS["longrope"]}, "short_factor must have one entry for each of the 64 pairs, got 2"),
            ({"scaling": METHODS["proportional"], "rotary": "0.5"}, "rotary_dim must be head_dim = 128 for proportional scaling"),
            ({"scaling": METHODS["ntk"], "head_dim": "2"}, "rotary_dim must be at least 4 for NTK-aware scaling, got 2"),
            ({"scaling": '{"rope_type":"proportional","rotary_fraction":0}'}, "scaling must let at least one pair turn"),
        ],
    )
    @SHOWN
    def test_method_that_does_not_fit_the_head_is_no_scaling_and_one_notice(self, page, link, words):
        view = show(page, **link)
        (notice,) = view.notices
        assert words in notice
        assert shown(view) == shown(show(page, **{name: text for name, text in link.items() if name != "scaling"}))

    def test_problem_is_said_in_the_language_of_the_page(self):
        _, (problem,) = Settings.read("frequencies", {"scaling": '{"rope_type":"linear","factor":0.5}'})
        with speaking("zh-CN"):
            assert "must" not in problem.sentence
            assert "0.5" in problem.sentence
