"""What a link carries, what it may not carry, and what stays when a reader turns the page."""

import functools
import re

import pytest

from tests.visit import alt, checked, drawn, figure, go, look, move, open_page, run, slider, value
from locales import CATALOGUES
from parameters.types import Number
from ui.parameters import PARAMETERS
from lessons.registry import LESSONS

BY_HAND = {
    "start": {"start_view": "two", "base": 500_000, "head_dim": 64, "position": 1_000_003, "gap": 17},
    "pair": {"pair_view": "shift", "base": 123.456, "head_dim": 96, "m": 41, "n": 1, "pair": 11, "q": "1, 2", "k": "-0.5 3e-3"},
    "decay": {
        "vectors": "typed",
        "q_head": "1 2 3",
        "k_head": "0.25",
        "base": 1e6,
        "head_dim": 10,
        "layout": "interleaved",  # can be moved since the vectors are typed
        "context": 777,  # can be moved until the bounds are shown
        "reach": 1234,
        "decay_view": "bound",
    },
    "head": {"head_view": "mix", "head_dim": 8, "rotary": 0.5, "head_distance": 9},
    "frequencies": {"freq_view": "turns", "base": 500_000, "context": 777},
    "attention": {
        "tokens_seen": 17,
        "base": 500,
        "head_dim": 64,
        "alike": "alike",
        "causal": "full",
        "attention_seed": 7,
        "encoding": "alibi",
        "alibi_head": 3,
        "attention_view": "values",
    },
    "bases": {"base": 123_456, "head_dim": 64, "context": 777, "bases_view": "heat"},
    "extension": {
        "method": "yarn",
        "base": 500_000,
        "head_dim": 64,
        "rotary": 0.5,  # can be moved until A is shown
        "context": 777,
        "target": 12_345,
        "ramp": "index",
        "truncate": "off",
        "beta_fast": 20,
        "beta_slow": 2,
        "ext_view": "curve",
        "attention_rule": "ratio",
        "mscale": 0.7,
        "mscale_all_dim": 0.5,
    },
    "models": {"models_names": "qwen3-8b,internlm2_5-7b-chat", "models_layer": "1", "models_length": 77_777, "models_view": "turns"},
    "glossary": {"glossary_view": "lengths", "base": 123_456, "head_dim": 64, "context": 777, "term": "wavelength"},
}
OWN_ANGLE = {"speed": "own", "degrees": 12.25, "pair_view": "positions", "at": "0, 7, 9999999"}


def address(at):
    """What the browser writes into the address: the box of every control that is drawn."""
    return {name: f"{value(at, name):.15g}" if isinstance(PARAMETERS[name], Number) else value(at, name) for name in drawn(at)}


@functools.cache
def usual(page):
    """What a page looks like that no link has changed."""
    return look(open_page(page))


def problem(at):
    """The one notice of the page."""
    assert len(at.warning) == 1
    return at.warning[0].value


class TestLink:
    @pytest.mark.parametrize("page", LESSONS)
    def test_link_opens_in_a_new_session_as_the_controls_were_set_by_hand(self, page):
        by_hand = open_page(page)
        move(by_hand, **BY_HAND[page])
        opened = open_page(page, **address(by_hand))
        assert not opened.warning
        assert look(opened) == look(by_hand)
        assert alt(opened) == alt(by_hand)
        assert look(opened) != look(open_page(page))

    def test_link_carries_an_angle_and_positions_of_ones_own(self):
        by_hand = move(open_page("pair"), **OWN_ANGLE)
        assert look(open_page("pair", **address(by_hand))) == look(by_hand)

    def test_link_may_leave_everything_out(self):
        assert look(open_page("start", "")) == usual("start")

    def test_one_move_after_a_link_is_one_change(self):
        at = move(open_page("start", base="500000"), base=600)
        assert value(at, "base") == slider(at, "base").value == 600
        assert look(at) == look(open_page("start", base="600"))

    def test_slider_moves_a_value_that_a_link_gave(self):
        at = open_page("start", base="500000")
        slider(at, "base").set_value(10.0)
        run(at)
        assert look(at) == look(open_page("start", base="10"))

    @pytest.mark.parametrize("written", ["500", "5e2", "500.0", "+500"])
    def test_number_may_be_written_in_any_way_that_means_it(self, written):
        at = open_page("start", base=written)
        assert not at.warning
        assert value(at, "base") == 500

    def test_link_of_an_idle_control_is_kept_for_the_page_that_uses_it(self):
        at = open_page("start", context="777")
        go(at, "decay")
        assert value(at, "context") == 777


class TestPages:
    def test_settings_are_there_after_visiting_every_other_page(self):
        at = move(open_page("start"), base=500_000, head_dim=64, position=42, start_view="two", gap=5)
        before = look(at)
        for page in [*LESSONS, "start"]:
            go(at, page)
            assert value(at, "base") == 500_000
            assert value(at, "head_dim") == 64
        assert look(at) == before
        assert [value(at, name) for name in ("position", "start_view", "gap")] == [42, "two", 5]

    def test_settings_that_no_view_draws_for_a_while_are_there_when_it_draws_them_again(self):
        at = move(open_page("decay"), vectors="peak", peak=321)
        before = look(at)
        move(at, decay_view="random")
        move(at, decay_view="score")
        assert value(at, "vectors") == "peak"
        assert value(at, "peak") == 321
        assert look(at) == before

    def test_one_session_does_not_see_what_another_one_sets(self):
        one, other = open_page("start"), open_page("start", "zh-CN")
        untouched = look(other)
        move(one, base=50, position=7)
        run(other)
        assert look(other) == untouched
        assert (value(one, "base"), value(other, "base")) == (50, 10_000)
        assert (value(one, "position"), value(other, "position")) == (7, 12)
        assert one.title[0].value != other.title[0].value


class TestBadLink:
    @pytest.mark.parametrize(
        ("given", "shown"),
        [
            ("abc", "`abc`"),
            ("nan", "`nan`"),
            ("inf", "`inf`"),
            ("-1", "`-1`"),
            ("1e400", "`1e400`"),
            ("1", "`1`"),
            ("1e10", "`10000000000`"),
            ("", "` `"),
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
        assert problem(at) == f"Base b must be a number from 1.01 to 1,000,000,000, got {shown}; using 10,000."

    @pytest.mark.parametrize("given", ["7", "65", "1e9", "2.5", "0", "-2"])
    def test_width_that_makes_no_pairs_is_named_with_its_rule(self, given):
        at = open_page("start", head_dim=given)
        assert look(at) == usual("start")
        assert problem(at) == f"Head width d must be a multiple of 2 from 2 to 512, got `{float(given):.15g}`; using 128."

    def test_box_keeps_a_number_that_is_not_allowed_and_the_slider_shows_what_is_used(self):
        at = open_page("start", head_dim="65")
        assert value(at, "head_dim") == 65
        assert slider(at, "head_dim").value == 128

    def test_pair_beyond_the_head_is_named_and_the_last_pair_is_used(self):
        at = open_page("pair", pair="40", head_dim="8")
        assert problem(at) == "Pair i must be a whole number from 0 to 3, got `40`; using 3."
        assert value(at, "pair") == 40
        assert look(at) == look(open_page("pair", pair="3", head_dim="8"))

    def test_pair_beyond_the_head_is_used_again_when_the_head_is_wide_enough(self):
        at = move(open_page("pair", pair="40", head_dim="8"), head_dim=128)
        assert not at.warning
        assert look(at) == look(open_page("pair", pair="40"))

    @pytest.mark.parametrize("given", ["a b", "1", "1 2 3", "nan 1", "inf 1", "1e400 1", "", ",", "101 0", "1;2", "1 <b>"])
    def test_vector_that_is_not_allowed_is_replaced_by_the_default_and_stays_in_its_box(self, given):
        at = open_page("pair", q=given)
        assert look(at) == usual("pair")
        assert problem(at) == f"q must be 2 numbers from -100 to 100, got `{given or ' '}`; using 1.5, 0.5."
        assert value(at, "q") == given

    @pytest.mark.parametrize("given", ["0.5", "-1", "1 2 3 4 5 6 7 8 9", "10000001", "1e-9"])
    def test_positions_that_are_not_whole_or_too_many_are_named(self, given):
        at = open_page("pair", pair_view="positions", at=given)
        assert look(at) == look(open_page("pair", pair_view="positions"))
        assert problem(at).startswith("Positions must be 1 to 8 ")
        assert f"`{given}`; using 0, 1, 2, 10, 50." in problem(at)

    @pytest.mark.parametrize("given", ["xx", "", "SCORE", "<i>x</i>"])
    def test_code_that_no_button_has_is_named_with_those_that_there_are(self, given):
        at = open_page("decay", decay_view=given)
        assert look(at) == usual("decay")
        assert problem(at) == f"View must be one of score, random, bound, spectrum, got `{given or ' '}`; using score."

    def test_shared_value_that_is_not_allowed_is_named_on_a_page_that_does_not_use_it(self):
        at = open_page("start", context="0", layout="x")
        assert look(at) == usual("start")
        assert len(problem(at).splitlines()) == 2

    def test_everything_that_is_wrong_stands_in_one_notice(self):
        at = open_page("pair", base="x", head_dim="7", layout="x", m="-1", q="1", color="red")
        lines = problem(at).splitlines()
        assert len(lines) == 6
        assert all(word in problem(at) for word in ("Base b", "Head width d", "Layout", "Position m of q", "q must", "`color`"))

    def test_name_that_no_page_knows_is_named(self):
        at = open_page("start", **{"<script>": "1"})
        assert problem(at) == "The link sets `<script>`, which this page does not know; look for a misspelt name, or leave it out."
        assert look(at) == usual("start")

    def test_many_unknown_names_are_cut_short(self):
        assert len(problem(open_page("start", **{f"{'x' * 500}{i}": "1" for i in range(50)}))) < 400

    def test_name_that_is_given_twice_is_named_and_its_last_value_counts(self):
        at = open_page("start", base=["500", "600"])
        assert look(at) == look(open_page("start", base="600"))
        assert "base" in problem(at).lower()

    def test_streamlits_own_names_are_no_problem(self):
        assert not open_page("start", embed="true", embed_options="light_theme").warning

    def test_notice_goes_away_when_the_value_is_mended(self):
        at = move(open_page("start", base="-1"), base=500)
        assert not at.warning

    def test_notice_speaks_the_language_of_the_page(self):
        notice = problem(open_page("start", "zh-CN", base="-1"))
        assert "`-1`" in notice
        assert "must" not in notice

    def test_number_that_is_typed_wrong_is_named_like_one_in_a_link(self):
        at = move(open_page("start"), head_dim=7)
        assert problem(at) == "Head width d must be a multiple of 2 from 2 to 512, got `7`; using 128."


class TestLanguage:
    @pytest.mark.parametrize("code", ["zh-CN", "zh", "zh_CN", "zh-Hans-CN", "zh-TW", "ZH"])
    def test_link_may_name_a_language_in_any_usual_way(self, code):
        at = open_page("start", code)
        assert at.title[0].value == open_page("start", "zh-CN").title[0].value
        assert at.query_params["lang"] == "zh-CN"
        assert not at.warning

    @pytest.mark.parametrize("code", ["xx", "de", "<b>", "x" * 10_000])
    def test_language_that_we_do_not_have_is_named_and_english_is_used(self, code):
        at = open_page("start", code)
        assert at.title[0].value == LESSONS["start"].question
        assert problem(at).startswith(f"Language must be one of {', '.join(CATALOGUES)}, got `")

    @pytest.mark.parametrize(("spoken", "used"), [("zh-CN", "zh-CN"), ("zh", "zh-CN"), ("de-DE", "en"), ("en-GB", "en"), ("", "en")])
    def test_browser_chooses_the_language_when_the_link_does_not(self, spoken, used):
        at = open_page("start", "", browser={"locale": spoken})
        assert at.selectbox(key="lang.choice").value == used
        assert not at.warning

    def test_language_of_the_link_counts_more_than_that_of_the_browser(self):
        assert open_page("start", "en", browser={"locale": "zh-CN"}).title[0].value == LESSONS["start"].question

    def test_address_says_the_language_even_if_the_browser_chose_it(self):
        assert open_page("start", "", browser={"locale": "zh-CN"}).query_params["lang"] == "zh-CN"

    def test_choosing_a_language_keeps_every_value_and_travels_to_the_next_page(self):
        at = move(open_page("start"), base=500, position=7)
        angles = [trace["y"] for trace in figure(at)["data"][1:]]
        at.selectbox(key="lang.choice").set_value("zh-CN").run()
        checked(at, "start")
        assert at.title[0].value != LESSONS["start"].question
        assert (value(at, "base"), value(at, "position")) == (500, 7)
        assert [trace["y"] for trace in figure(at)["data"][1:]] == angles
        go(at, "decay")
        assert at.title[0].value != LESSONS["decay"].question


@pytest.mark.parametrize("page", LESSONS)
def test_a_frame_in_another_page_leads_to_none(page):
    whole, framed = open_page(page), open_page(page, browser={"is_embedded": True})
    assert [button.key for button in framed.button if ".open." in (button.key or "")] == []
    assert framed.get("page_link") == []
    addresses = [re.findall(r"\]\((?!https?:)[^)]*\)", text.value) for text in [*framed.markdown, *framed.caption]]
    assert [found for found in addresses if found] == []
    assert whole.get("page_link")
