"""A setting is pinned as A: both are drawn, the link brings A back, and what is no setting gets one sentence."""

import re

import numpy as np
import pytest

from lessons.registry import PAGES
from locales import CATALOGUES
from parameters.settings import Settings
from parameters.types import write
from tests.visit import address, edit, figure, go, look, message, move, notices, numbers, open_page, press, run, view


def changed(at):
    return {name: text for name, text in address(at).items() if name != "lang"}


def a_of(shown):
    """The traces of A beneath those of B; ends of bars stand in front."""
    traces = shown["figures"][0]["figure"]["data"]
    return [trace for trace in traces if trace.get("zorder") == -1 or trace.get("marker", {}).get("symbol") == "line-ew-open"]


class TestEveryPage:
    @pytest.mark.parametrize("page", PAGES)
    def test_a_is_drawn_with_what_follows_a_link_brings_it_back_and_unpinning_leaves_the_figure_as_it_was(self, page):
        at = open_page(page)
        before = look(at)
        press(at, "pin")
        assert changed(at) == {"pin": f"{page}:"}
        assert "**A**" not in view(at)["compared"]
        assert "<strong>A</strong>" in view(at)["compared"]
        name = PAGES[page].live(Settings(page)) or next(iter(numbers(at)))
        stops, now = numbers(at)[name]["stops"], numbers(at)[name]["value"]
        stop = write(next((each for each in stops if each > now), stops[0]))
        move(at, **{name: float(stop)})
        shown = view(at)
        assert a_of(shown) or len(shown["figures"]) == 2
        assert shown["compared"].count("<td") + shown["compared"].count("only the settings") > 0
        assert "Compared with A" in shown["figures"][0]["alt"] or "only the settings" in shown["compared"]
        assert "pin=" in message(at)["query"]
        again = open_page(page, **changed(at))
        np.testing.assert_equal(view(again), shown)
        assert not again.warning
        press(at, "unpin")
        assert changed(at) == {name: stop}
        assert look(at) == look(open_page(page, **{name: stop}))
        edit(at, lang="en")
        assert look(at) == before


class TestBack:
    def test_back_after_pinning_offers_to_pin_and_forward_to_let_go(self):
        at = open_page("decay")
        press(at, "pin")
        for pin, offered in (("", "pin"), ("decay:", "unpin"), ("", "pin")):
            edit(at, lang="en", **({"pin": pin} if pin else {}))
            assert [button.key for button in at.button if button.key in ("pin", "unpin")] == [offered]


class TestLinks:
    @pytest.mark.parametrize(
        "text",
        ["decay:base=0", "decay:nonsense=1", "decay:vectors=all", "decay:q_head=x", "decay:" + "x" * 3000, "decay:scaling={", "garbage"],
    )
    def test_a_setting_that_is_none_gets_one_sentence(self, text):
        at = open_page("decay", pin=text)
        (notice,) = notices(at)
        assert "pinned setting A" in notice
        assert look(at) == look(open_page("decay"))
        press(at, "pin")
        assert not at.warning

    def test_a_of_another_page_waits_there(self):
        at = open_page("pair", pin="decay:base=500000")
        assert look(at) == look(open_page("pair"))
        assert not at.warning
        move(at, m=3)
        assert changed(at)["pin"] == "decay:base=500000"
        press(at, "pin")
        assert changed(at)["pin"] == "pair:m=3"

    def test_a_stays_with_its_page(self):
        at = press(open_page("decay"), "pin")
        move(at, base=500)
        before = look(at)
        go(at, "start")
        assert changed(at) == {"base": "500"}
        go(at, "decay")
        assert changed(at) == {"pin": "decay:", "base": "500"}
        assert look(at) == before

    @pytest.mark.parametrize("lang", CATALOGUES)
    def test_a_speaks_the_language_of_the_page(self, lang):
        at = open_page("decay", lang, pin="decay:base=500000")
        names = [trace["name"] for trace in figure(at)["data"]]
        assert f"A: {CATALOGUES[lang].gettext('maximum per bin')}" in names

    def test_changing_the_language_keeps_a(self):
        at = open_page("decay", pin="decay:base=500000")
        at.selectbox(key="w.lang").set_value("zh-CN")
        run(at)
        assert look(at) == look(open_page("decay", "zh-CN", pin="decay:base=500000"))

    def test_every_digit_of_a_comes_back(self):
        at = press(move(open_page("start"), base=85_565.312345678901, head_dim=64), "pin")
        assert changed(at)["pin"] == "start:base=85565.3123456789&head_dim=64"
        edit(at, lang="en", pin=changed(at)["pin"])
        assert not at.warning

    def test_setting_without_room_in_a_link_cannot_be_pinned(self):
        at = open_page("decay", vectors="typed", q_head=" ".join(["-999.123"] * 300))
        assert at.button(key="pin").proto.disabled

    def test_numbers_lie_apart_by_what_the_data_say(self):
        at = press(open_page("start"), "pin")
        move(at, position=13)
        at.get_by_key("below").set_value("data")
        run(at)
        assert len(at.table) > 1
        assert any("B − A" in text.value for text in at.caption)
        assert re.search(r"<td[^>]*>angle_rad", view(at)["compared"])
