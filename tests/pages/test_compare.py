"""A pinned setting is drawn beneath the one that follows, on every page, and the table says how far the numbers lie apart."""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.visit import disabled, drawn, figure, in_language, look, message, messages, move, open_page, run, show, value, views
from ui import lesson
from ui.differences import Difference, differences
from ui.registry import LESSONS

OTHER = {
    "start": {"position": 5},
    "pair": {"m": 3},
    "head": {"head_position": 5},
    "attention": {"tokens_seen": 20},
    "frequencies": {"base": 500_000},
    "decay": {"base": 500_000},
    "bases": {"base": 500_000},
    "extension": {"target": 65_536},
    "models": {"models_length": 100_000},
    "glossary": {"base": 500_000},
}
"""Another value of the hero of each page."""
ROW = re.compile(r"^\| `(.+?)` \| (\S+) \| `(.+?)` \| (\S+) \| (\S+) \|$", re.MULTILINE)


def pin(at: AppTest) -> AppTest:
    page = at.session_state["_lesson"]
    at.button(key=f"{page}.pin").click()
    return run(at)


def charts(at):
    return [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-chart"]


def rows(at):
    """The table of differences: name, largest, A and B."""
    found = [ROW.findall(text.value) for text in at.markdown]
    return {name: tuple(map(float, numbers)) for table in found for name, *numbers in [(r[0], r[1], r[3], r[4]) for r in table]}


def a_of(traces):
    """The traces of A beneath those of B; ends of bars stand in front."""
    return [trace for trace in traces if trace.get("zorder") == -1 or trace.get("marker", {}).get("symbol") == "line-ew-open"]


def each_option_once(page):
    """Views of a page in which each option of each choice is seen; all of them take minutes."""
    known = set()
    for view in (dict(each.choices) for each in views(page)):
        if not view.items() <= known:
            known |= view.items()
            yield view


def said(at):
    return " ".join(text.value for text in at.markdown)


@pytest.fixture
def seen(monkeypatch):
    """Every view that a page shows."""
    views = []
    monkeypatch.setattr(lesson, "words", lambda view: views.append(view))
    return views


def test_the_heroes_are_those_of_the_pages():
    assert {page: list(other) for page, other in OTHER.items()} == {name: [each.hero] for name, each in LESSONS.items()}


@pytest.mark.parametrize("page", LESSONS)
class TestEveryPage:
    def test_both_are_drawn_and_the_table_is_that_of_the_drawn_columns(self, page, seen):
        at = open_page(page)
        before = figure(at)["data"]
        pin(at)
        a = seen[-1].drawn
        move(at, **OTHER[page])
        b = seen[-1].drawn
        sent = charts(at)
        assert len(sent) == (2 if page == "attention" else 1)
        if len(sent) == 1:
            after = figure(at)["data"]
            beneath = a_of(after)
            assert len(beneath) >= len([trace for trace in before if trace.get("name")]) > 0 or page == "start"
            assert beneath
            assert all(trace.get("opacity", 1) == 1 for trace in beneath), "what is paler than its colour cannot be read"
            names = [trace["name"] for trace in after if trace.get("name")]
            assert all(name.startswith(("A: ", "B: ")) for name in names)
        table = rows(at)
        assert table
        for name, (largest, first, second) in table.items():
            one, other = (np.asarray(columns[name], dtype=float) for columns in (a, b))
            if len(one) == len(other) and page != "attention":
                gap = np.nan_to_num(np.abs(one - other))
                assert largest == pytest.approx(gap.max(), rel=1e-5, abs=1e-12)
            assert abs(first - second) == pytest.approx(largest, rel=1e-4, abs=1e-4 * max(abs(first), abs(second)))

    def test_a_link_brings_a_back(self, page):
        at = open_page(page, lang := "en")
        assert lang
        pin(move(at, **OTHER[page]))
        text = at.session_state["pin"]
        move(at, **{name: value(open_page(page), name) for name in OTHER[page]})
        again = open_page(page, pin=text)
        np.testing.assert_equal([each["figure"] for each in messages(again)], [each["figure"] for each in messages(at)])
        assert rows(again) == rows(at)
        assert not again.warning

    def test_let_go_leaves_the_figure_as_it_was(self, page):
        at = open_page(page)
        before = look(at)
        pin(at)
        at.button(key=f"{page}.unpin").click()
        run(at)
        assert look(at) == before
        assert at.session_state["pin"] == ""

    def test_every_view_takes_a_of_every_other(self, page, subtests):
        """No traceback, whatever was pinned: where axes differ, one sentence says so."""
        at = pin(open_page(page))
        for view in views(page):
            with subtests.test(view=view.choices):
                show(at, view.choices)
                assert len(charts(at)) in (1, 2)

    def test_in_every_view_a_is_drawn_beneath_or_taken_away_cell_by_cell(self, page, subtests):
        at = open_page(page)
        ((hero, other),) = OTHER[page].items()
        stops = itertools.cycle((other, value(at, hero)))
        for view in each_option_once(page):
            with subtests.test(view=view):
                pin(show(at, view))
                if hero in drawn(at) and not disabled(at, hero):
                    move(at, **{hero: next(stops)})
                sent = [each["figure"]["data"] for each in messages(at)]
                only_settings = any("only the settings are compared" in text.value for text in at.caption)
                at.button(key=f"{page}.unpin").click()
                run(at)
                assert not only_settings, "the hero changes what the axes mean"
                assert a_of(sent[0]) or len(sent) == 2


class TestLinks:
    @pytest.mark.parametrize(
        "text",
        ["decay:base=0", "decay:nonsense=1", "decay:vectors=all", "decay:q_head=x", "decay:" + "x" * 3000, "decay:scaling={", "garbage"],
    )
    def test_a_setting_that_is_none_gets_one_sentence(self, text):
        at = open_page("decay", pin=text)
        assert len(at.warning) == 1
        assert "pinned setting A" in at.warning[0].value
        assert look(at) == look(open_page("decay"))

    def test_a_of_another_page_waits_there(self):
        at = open_page("pair", pin="decay:base=500000")
        assert look(at) == look(open_page("pair"))
        assert not at.warning
        assert at.session_state["pin"] == "decay:base=500000"

    def test_a_pair_that_the_head_does_not_have_is_not_asked_for(self):
        assert not open_page("pair", pin="pair:pair=200&head_dim=8").exception

    def test_a_speaks_the_language_of_the_page(self):
        at = open_page("decay", pin="decay:base=500000")
        at.selectbox(key="lang.choice").set_value("zh-CN")
        at.run()
        names = [trace["name"] for trace in figure(at)["data"]]
        assert f"A: {in_language(at, 'highest score in the bin')}" in names

    def test_turns_in_texts_of_two_lengths_share_an_axis(self):
        at = open_page("models", models_view="turns", models_length="100000", pin="models:models_view=turns")
        assert a_of(figure(at)["data"])
        assert rows(at)

    def test_models_that_differ_are_not_laid_over_each_other(self):
        at = open_page("models", models_view="layers", models_names="qwen3-8b", pin="models:models_view=layers")
        assert len(at.caption) > 0
        assert any("only the settings are compared" in text.value for text in at.caption)


class TestCost:
    def test_a_ready_a_costs_a_step_little(self):
        at = open_page("decay")
        times = {}
        for name in ("alone", "pinned"):
            if name == "pinned":
                pin(at)
            steps = []
            for base in (20_000, 30_000, 40_000, 50_000, 60_000):
                at.number_input(key="base").set_value(float(base))
                start = time.perf_counter()
                at.run()
                steps.append(time.perf_counter() - start)
            times[name] = min(steps)
        assert times["pinned"] < 2 * times["alone"]

    def test_zoom_and_hidden_traces_keep_their_names(self):
        at = open_page("decay")
        before = message(at)["figure"]["layout"]
        after = message(pin(at))["figure"]["layout"]
        assert (after["uirevision"], after["legend"]["uirevision"]) == (before["uirevision"], before["legend"]["uirevision"])


class TestDifferences:
    def test_bins_count_only_as_far_as_all_of_them_agree(self):
        a = {"distance": [1, 2, 3.5, 6], "lowest": [0, 0, 0, 0]}
        b = {"distance": [1, 2, 4.0, 6], "lowest": [1, 2, 9, 9]}
        assert list(differences(a, b)) == [Difference("lowest", 2.0, (("distance", 2.0),), 0.0, 2.0)]

    def test_whole_distances_are_no_bins_wherever_they_start(self):
        a = {"distance": [-2, -1, 0, 1, 2], "score": [9.0, 1.0, 2.0, 3.0, 9.0]}
        b = {"distance": [-1, 0, 1], "score": [1.0, 2.0, 5.0]}
        for one, other in ((a, b), (b, a)):
            assert [(each.largest, each.where) for each in differences(one, other)] == [(2.0, (("distance", 1.0),))]

    def test_other_places_count_where_both_have_them(self):
        a = {"query": [0, 1, 1], "key": [0, 0, 1], "score": [1.0, 2.0, 3.0]}
        b = {"query": [1, 1, 2], "key": [0, 1, 0], "score": [2.5, 3.0, 9.0]}
        assert list(differences(a, b)) == [Difference("score", 0.5, (("query", 1.0), ("key", 0.0)), 2.0, 2.5)]

    def test_rows_count_where_there_are_no_places(self):
        assert list(differences({"q_before": [1, 2]}, {"q_before": [1, 5]})) == [Difference("q_before", 3.0, (("row", 1.0),), 2.0, 5.0)]
        assert list(differences({"theta": [1, 2]}, {"theta": [1]})) == []

    def test_infinite_in_both_is_no_difference(self):
        pair = {"pair": [0, 1], "wavelength": [6.3, np.inf]}
        assert next(differences(pair, pair)).largest == 0

    def test_columns_of_different_length_are_compared_as_far_as_they_go(self):
        a = {"pair": [0, 1, 2], "turns x": [1.0, 2.0], "turns y": [1.0, 2.0, 3.0]}
        assert [each.largest for each in differences(a, {"pair": [0, 1], "turns x": [1.0, 4.0]})] == [2.0]


def test_an_a_whose_drawing_was_ended_by_the_next_request_is_drawn_again():
    at = open_page("decay", "en", pin="decay:base=500000")
    whole, table = look(at), rows(at)
    assert table
    # As Streamlit leaves the session when a browser asks for another run in the middle of one.
    at.session_state["_instead"] = dict(at.session_state["_pinned"].settings)
    at.session_state["_pinned"] = replace(at.session_state["_pinned"], view=None, beneath=None)
    run(at)
    assert (look(at), rows(at)) == (whole, table)
    assert value(at, "base") == 10_000
