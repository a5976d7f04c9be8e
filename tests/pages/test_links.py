"""What a link carries, what it may not carry, what goes along to other pages, and in which language a page speaks."""

import functools

import numpy as np
import pytest

from lessons.registry import PAGES
from locales import CATALOGUES
from parameters import PARAMETERS
from parameters.settings import Settings
from parameters.types import Choice, write
from tests.visit import address, drawn, edit, figure, go, look, message, move, notices, numbers, open_page, press, run, value

BY_HAND = {
    "start": {"start_view": "two", "base": 500_000, "head_dim": 64, "position": 1_000_003, "gap": 17},
    "pair": {"pair_view": "shift", "base": 123.456, "head_dim": 96, "m": 41, "n": 1, "pair": 11, "q": "1, 2", "k": "-0.5 3e-3"},
    "decay": {"vectors": "typed", "q_head": "1 2 3", "k_head": "0.25", "base": 1e6, "head_dim": 10, "layout": "interleaved", "reach": 1234},
    "head": {"head_view": "mix", "head_dim": 8, "rotary": 0.5, "head_distance": 9},
    "frequencies": {"freq_view": "turns", "base": 500_000, "context": 777},
    "attention": {"tokens_seen": 17, "base": 500, "head_dim": 64, "alike": "alike", "causal": "full", "attention_seed": 7},
    "bases": {"base": 123_456, "head_dim": 64, "context": 777},
    "extension": {"method": "yarn", "base": 500_000, "rotary": 0.3, "context": 777, "target": 12_345, "truncate": "off", "beta_fast": 20},
    "models": {"models_view": "turns", "models_names": "qwen3-8b,internlm2_5-7b-chat", "models_layer": 1, "models_length": 77_777},
    "glossary": {"glossary_view": "lengths", "base": 123_456, "head_dim": 64, "term": "wavelength"},
}
OWN_ANGLE = {"speed": "own", "degrees": 12.25, "pair_view": "positions", "at": "0, 7, 9999999"}


@functools.cache
def usual(page):
    """What a page looks like that no link has changed."""
    return look(open_page(page))


def said(at):
    """What the address says besides the language."""
    return {name: text for name, text in address(at).items() if name != "lang"}


class TestLink:
    @pytest.mark.parametrize("page", PAGES)
    def test_link_opens_in_a_new_session_as_the_controls_were_set_by_hand(self, page):
        by_hand = move(open_page(page), **BY_HAND[page])
        assert said(by_hand) == {name: write(new) for name, new in BY_HAND[page].items()}
        opened = open_page(page, **said(by_hand))
        assert not opened.warning
        assert look(opened) == look(by_hand) != usual(page)
        assert drawn(opened) == drawn(by_hand)
        assert [value(opened, name) for name in drawn(opened)] == [value(by_hand, name) for name in drawn(by_hand)]

    def test_link_carries_an_angle_and_positions_of_ones_own(self):
        by_hand = move(open_page("pair"), **OWN_ANGLE)
        assert look(open_page("pair", **said(by_hand))) == look(by_hand)

    def test_link_may_leave_everything_out_and_its_address_is_completed_in_place(self):
        at = open_page("start", "")
        assert look(at) == usual("start")
        assert message(at)["replace"] == "lang=en"
        assert message(run(at))["replace"] is None
        assert message(move(at, base=500))["replace"] is None

    def test_one_move_after_a_link_is_one_change(self):
        at = move(open_page("start", base="500000"), base=600)
        assert said(at) == {"base": "600"}
        assert look(at) == look(open_page("start", base="600"))

    @pytest.mark.parametrize("written", ["500", "5e2", "500.0", "+500", "５００"])
    def test_number_may_be_written_in_any_way_that_means_it(self, written):
        at = open_page("start", base=written)
        assert not at.warning
        assert value(at, "base") == 500
        assert look(at) == look(open_page("start", base="500"))

    def test_what_a_page_does_not_use_stays_in_the_address_for_the_page_that_does(self):
        at = open_page("start", context="777")
        assert not at.warning
        move(at, base=500)
        assert said(at) == {"context": "777", "base": "500"}
        assert value(go(at, "decay"), "context") == 777

    def test_an_address_that_is_edited_is_what_the_page_shows(self):
        at = move(open_page("start"), base=500, position=7)
        before = look(at)
        edit(at, lang="en", position="7")
        assert said(at) == {"position": "7"}
        assert value(at, "base") == 10_000
        assert look(edit(at, lang="en", base="500", position="7")) == before
        move(at, head_dim=64)
        assert said(at) == {"base": "500", "position": "7", "head_dim": "64"}

    def test_the_route_is_asked_for_what_is_shown(self):
        at = move(open_page("start", "zh-CN", done="start-1"), base=500, start_view="two")
        sent = message(at)
        assert sent["query"] == "base=500&start_view=two&lang=zh-CN"
        assert sent["route"].endswith("/view/start")


class TestPages:
    def test_shared_settings_go_along_and_each_page_is_found_as_it_was_left(self):
        at = move(open_page("start"), base=500_000, head_dim=64, position=42, start_view="two", gap=5)
        before, left = look(at), said(at)
        for page in [*PAGES, "start"]:
            go(at, page)
            assert said(at) == (left if page == "start" else {"base": "500000", "head_dim": "64"})
            assert "base" not in drawn(at) or value(at, "base") == 500_000
        assert look(at) == before
        assert message(at)["replace"] is not None

    def test_what_is_changed_on_another_page_is_changed_when_one_comes_back(self):
        at = move(open_page("start"), base=500_000, position=42)
        move(go(at, "decay"), base=600_000, reach=100)
        go(at, "start")
        assert said(at) == {"base": "600000", "position": "42"}
        move(at, base=10_000)
        assert said(go(at, "decay")) == {"reach": "100"}

    def test_a_link_to_another_page_that_says_something_says_all(self):
        at = move(open_page("start"), base=500_000, position=42)
        go(at, "pair")
        move(at, m=9)
        go(at, "pair", lang="en", n="3")
        assert said(at) == {"n": "3"}
        go(go(at, "start"), "pair")
        assert said(at) == {"n": "3"}

    def test_the_link_of_the_page_itself_loses_nothing(self):
        at = move(open_page("start", "zh-CN", done="start-1"), base=500_000, position=42)
        before = address(at)
        assert address(go(at, "start")) == before

    def test_what_a_view_does_not_draw_is_there_when_it_draws_it_again(self):
        at = move(open_page("decay"), vectors="peak", peak=321)
        before = look(at)
        move(at, decay_view="random")
        go(go(at, "start"), "decay")
        move(at, decay_view="score")
        assert (value(at, "vectors"), value(at, "peak")) == ("peak", 321)
        assert look(at) == before

    def test_a_method_goes_along_through_all_pages_and_is_removed_for_all(self):
        yarn = '{"rope_type":"yarn","factor":4}'
        at = open_page("frequencies", scaling=yarn, rotary="0.5")
        before = look(at)
        for page in [*PAGES, "frequencies"]:
            assert said(go(at, page)) == {"scaling": yarn, "rotary": "0.5"}
        assert look(at) == before
        press(at, "scaling.remove")
        assert said(go(at, "decay")) == {"rotary": "0.5"}


class TestBadLink:
    @pytest.mark.parametrize(
        ("given", "shown"),
        [
            ("abc", "`abc`"),
            ("1e400", "`1e400`"),
            ("1", "`1`"),
            ("", "nothing"),
            ("**bold** [a](http://b.c)", "`**bold** [a](http://b.c)`"),
            ("<script>alert(1)</script>", "`<script>alert(1)</script>`"),
            ("`x` <b>", "`x <b>`"),
            ("a\nb", "`a b`"),
            ("\x07\u202ex", "`x`"),
            ("z" * 10_000, f"`{'z' * 40}…`"),
        ],
        ids=lambda text: ascii(text)[:12],
    )
    def test_number_that_is_not_allowed_is_replaced_by_the_default_and_named_once(self, given, shown):
        at = open_page("start", base=given)
        assert look(at) == usual("start")
        assert notices(at) == [f"Base b must be a number from 1.01 to 1,000,000,000, got {shown}; using 10,000."]
        assert said(at) == {"base": given}

    @pytest.mark.parametrize(
        ("page", "name", "given"),
        [
            *(("start", "head_dim", "65"), ("pair", "q", "1 <b>"), ("pair", "at", "0.5"), ("decay", "decay_view", "SCORE")),
            *(("decay", "scaling", '{"rope_type":"magic"}'), ("models", "models_names", "no-such-model"), ("models", "models_layer", "x")),
            ("models", "models_config", "{"),
        ],
    )
    def test_refused_value_of_every_kind_gives_the_one_notice_and_changes_nothing(self, page, name, given):
        at = open_page(page, **{name: given})
        (notice,) = notices(at)
        assert notice.startswith(PARAMETERS[name].label)
        assert f"`{given}`" in notice or name in ("scaling", "models_config")
        assert look(at) == usual(page)
        assert notice == Settings.read(page, {name: given})[1][0].sentence

    def test_refused_number_stays_in_its_field_and_the_slider_shows_what_is_used(self):
        field = numbers(open_page("start", head_dim="65"))["head_dim"]
        assert (field["refused"], field["value"]) == ("65", 128)

    def test_everything_that_is_wrong_stands_in_one_notice(self):
        at = open_page("pair", base="x", head_dim="7", layout="x", m="-1", q="1", color="red")
        assert len(notices(at)) == 6
        assert all(
            any(word in line for line in notices(at))
            for word in ("Base b", "Head width d", "Layout", "Position m of q", "q must", "`color`")
        )

    def test_nothing_is_lost_by_a_refused_value(self):
        at = open_page("start", base="x", position="7", head_dim="64")
        assert look(at) == look(open_page("start", position="7", head_dim="64"))
        move(at, position=8)
        assert said(at) == {"base": "x", "position": "8", "head_dim": "64"}

    def test_notice_goes_away_when_the_value_is_mended(self):
        assert not move(open_page("start", base="-1"), base=500).warning

    def test_notice_goes_along_with_a_refused_shared_value(self):
        at = open_page("start", base="x")
        assert notices(go(at, "decay")) == notices(open_page("start", base="x"))

    def test_notice_speaks_the_language_of_the_page(self):
        (notice,) = notices(open_page("start", "zh-CN", base="-1"))
        assert "`-1`" in notice
        assert "must" not in notice

    def test_name_that_no_page_knows_is_named(self):
        at = open_page("start", **{"<script>": "1"})
        assert notices(at) == ["The link sets `<script>`, which this page does not know; look for a misspelt name, or leave it out."]
        assert look(at) == usual("start")

    def test_many_unknown_names_are_cut_short(self):
        assert len(notices(open_page("start", **{f"{'x' * 500}{i}": "1" for i in range(50)}))[0]) < 400

    def test_names_of_other_pages_are_no_problem_and_change_nothing(self):
        at = open_page("start", m="9", decay_view="nonsense")
        assert not at.warning
        assert look(at) == usual("start")

    def test_name_that_is_given_twice_is_named_and_its_last_value_counts(self):
        at = open_page("start", base=["500", "600"])
        assert look(at) == look(open_page("start", base="600"))
        assert notices(at) == ["The link gives `base` more than once; the last value counts."]

    def test_streamlits_own_names_are_no_problem(self):
        at = open_page("start", embed="true", embed_options="light_theme")
        assert not at.warning
        assert said(at) == {}


class TestLanguage:
    @pytest.mark.parametrize("code", ["zh-CN", "zh", "zh_CN", "zh-Hans-CN", "zh-TW", "ZH"])
    def test_link_may_name_a_language_in_any_usual_way(self, code):
        at = open_page("start", code)
        assert at.title[0].value == open_page("start", "zh-CN").title[0].value
        assert look(at) == look(open_page("start", "zh-CN"))
        assert not at.warning

    @pytest.mark.parametrize("code", ["xx", "de", "<b>", "x" * 10_000])
    def test_language_that_we_do_not_have_is_named_and_english_is_used(self, code):
        at = open_page("start", code)
        assert at.title[0].value == PAGES["start"].question
        (notice,) = notices(at)
        assert notice.startswith(f"Language must be one of {', '.join(CATALOGUES)}, got `")
        at.selectbox(key="w.lang").set_value("ja")
        assert not run(at).warning

    @pytest.mark.parametrize(("spoken", "used"), [("zh-CN", "zh-CN"), ("zh", "zh-CN"), ("ja-JP", "ja"), ("de-DE", "en"), ("", "en")])
    def test_browser_chooses_the_language_when_the_link_does_not_and_the_address_says_it(self, spoken, used):
        at = open_page("start", "", browser={"locale": spoken})
        assert at.selectbox(key="w.lang").value == used
        assert at.query_params == {"lang": used}
        assert not at.warning

    def test_language_of_the_link_counts_more_than_that_of_the_browser(self):
        assert open_page("start", "en", browser={"locale": "zh-CN"}).title[0].value == PAGES["start"].question

    def test_choosing_a_language_keeps_every_value_and_goes_along_to_the_next_page(self):
        at = move(open_page("start"), base=500, position=7, start_view="two")
        hands = [trace["y"] for trace in figure(at)["data"] if trace.get("showlegend")]
        at.selectbox(key="w.lang").set_value("zh-CN")
        run(at)
        assert at.title[0].value == CATALOGUES["zh-CN"].gettext(PAGES["start"].question)
        assert address(at) == {"lang": "zh-CN", "base": "500", "position": "7", "start_view": "two"}
        assert value(at, "start_view") == "two"
        assert hands
        np.testing.assert_equal([trace["y"] for trace in figure(at)["data"] if trace.get("showlegend")], hands)
        assert go(at, "decay").title[0].value == CATALOGUES["zh-CN"].gettext(PAGES["decay"].question)
        move(at, decay_view="random")
        assert address(at) == {"lang": "zh-CN", "base": "500", "decay_view": "random"}

    @pytest.mark.parametrize("lang", CATALOGUES)
    def test_no_word_of_a_choice_reaches_the_address(self, lang):
        at = open_page("decay", lang)
        for name in [name for name in drawn(at) if isinstance(PARAMETERS[name], Choice)]:
            last = list(PARAMETERS[name].options)[-1]
            move(at, **{name: last})
            assert address(at)[name] == last
