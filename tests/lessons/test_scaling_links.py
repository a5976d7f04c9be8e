"""A model's rotary settings in a link: they follow the reader from page to page, and nothing that stands there does harm."""

import pytest

from rope_core import RopeConfig, YarnScaling, inverse_frequencies
from tests.visit import alt, checked, disabled, figure, go, look, move, open_page, value, views
from lessons.registry import LESSONS

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
SHOWN = ("frequencies", "decay")


def notices(at):
    return [notice.value for notice in at.warning]


def sidebar(at):
    return [line.value for line in at.sidebar.markdown if "caling" in line.value]


class TestLink:
    def test_speeds_of_the_link_are_drawn(self):
        at = open_page("frequencies", scaling=YARN, head_dim="192", rotary="0.333333333333333", base="1e6", context="32768")
        config = RopeConfig(192, rotary_dim=64, base=1e6, max_position=32_768, scaling=YarnScaling(4))
        assert figure(at)["data"][0]["y"].tolist() == pytest.approx(inverse_frequencies(config).tolist(), rel=1e-14)
        assert sidebar(at) == ["Scaling: **YaRN, factor 4**."]
        assert not at.warning

    @pytest.mark.parametrize("page", SHOWN)
    @pytest.mark.parametrize("method", METHODS)
    def test_every_view_of_a_scaled_or_partly_rotated_head_is_drawn(self, page, method, subtests):
        turning = [{"head_dim": "4"}] if method == "longrope" else [{}, {"head_dim": "512"}]
        turning += [] if method in ("longrope", "proportional") else [{"rotary": "0.1"}]
        for view in views(page):
            for width in turning:
                with subtests.test(view=view.choices, width=width):
                    at = open_page(page, scaling=METHODS[method], **width, **view.choices)
                    assert not at.warning

    def test_setting_follows_the_reader_through_every_page_and_can_be_removed(self):
        at = open_page("frequencies", scaling=YARN, rotary="0.5")
        before = look(at)
        for page in [*LESSONS, "frequencies"]:
            go(at, page)
            assert (value(at, "scaling"), value(at, "rotary")) == (YARN, 0.5)
            assert len(sidebar(at)) == 1
        assert look(at) == before
        at.button(key="scaling.remove").click().run()
        checked(at, "frequencies")
        assert value(at, "scaling") == ""
        assert sidebar(at) == []
        assert look(at) == look(open_page("frequencies", rotary="0.5"))

    def test_pages_about_the_plain_law_say_that_they_leave_scaling_out(self):
        assert sidebar(open_page("start", scaling=YARN)) == ["Scaling: **YaRN, factor 4**. This page, as it is set, does not follow it."]
        assert look(open_page("start", scaling=YARN, rotary="0.5")) == look(open_page("start"))

    def test_line_speaks_the_language_of_the_page(self):
        at = open_page("decay", "zh-CN", scaling=YARN)
        assert any("YaRN" in line.value and "factor" not in line.value for line in at.sidebar.markdown)

    def test_alternative_text_says_how_many_pairs_stand_still(self):
        assert "Of these, 48 stand still." in alt(open_page("frequencies", scaling=METHODS["proportional"]))

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("view", ["random", "bound", "spectrum"])
    def test_trained_length_can_be_moved_where_the_speeds_depend_on_it(self, method, view):
        long, short = (
            open_page("decay", decay_view=view, scaling=METHODS[method], head_dim="4", context=context) for context in ("4096", "8")
        )
        shown = [(look(at), [line.value for line in at.markdown]) for at in (long, short)]
        assert disabled(long, "context") == (shown[0] == shown[1])

    def test_context_length_is_the_trained_one(self):
        at = move(open_page("frequencies", scaling=METHODS["llama3"]), context=16_384)
        assert "16,384" in alt(at)


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
    @pytest.mark.parametrize("page", ["start", "frequencies"])
    def test_text_that_is_no_method_is_no_scaling_and_one_notice(self, page, text, sentence):
        at = open_page(page, scaling=text)
        (notice,) = notices(at)
        assert notice.startswith(sentence)
        assert look(at) == look(open_page(page))
        assert value(at, "scaling") == text
        assert sidebar(at) == []

    @pytest.mark.parametrize(
        ("link", "words"),
        [
            ({"scaling": METHODS["longrope"]}, "short_factor must have one entry for each of the 64 pairs, got 2"),
            ({"scaling": METHODS["proportional"], "rotary": "0.5"}, "rotary_dim must be head_dim = 128 for proportional scaling"),
            ({"scaling": METHODS["ntk"], "head_dim": "2"}, "rotary_dim must be at least 4 for NTK-aware scaling, got 2"),
            ({"scaling": '{"rope_type":"proportional","rotary_fraction":0}'}, "scaling must let at least one pair turn"),
        ],
    )
    @pytest.mark.parametrize("page", SHOWN)
    def test_method_that_does_not_fit_the_head_is_no_scaling_and_one_notice(self, page, link, words):
        at = open_page(page, **link)
        (notice,) = notices(at)
        assert words in notice
        assert look(at) == look(open_page(page, **{name: text for name, text in link.items() if name != "scaling"}))

    def test_notice_goes_away_when_the_head_fits(self):
        at = move(open_page("frequencies", scaling=METHODS["longrope"]), head_dim=4)
        assert not at.warning

    def test_notice_speaks_the_language_of_the_page(self):
        (notice,) = notices(open_page("frequencies", "zh-CN", scaling='{"rope_type":"linear","factor":0.5}'))
        assert "must" not in notice
        assert "0.5" in notice
