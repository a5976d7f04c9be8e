"""Two settings of a page: A is drawn beneath B, on every page, and the table says how far their numbers lie apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import theme
from lessons.compare import LONGEST, Apart, Compared, comparable, compare, read_pin, write_pin
from lessons.registry import PAGES
from lessons.view import Prose, Table
from locales import CATALOGUES, speaking
from parameters.problems import Problem
from parameters.settings import Settings
from tests.evaluate import settings_of
from tests.views import each_option_once, view_of, views

OTHER = {
    "start": {"position": 5},
    "pair": {"m": 3},
    "head": {"head_position": 5},
    "attention": {"tokens_seen": 7},
    "frequencies": {"base": 500_000},
    "decay": {"base": 500_000},
    "bases": {"base": 500_000},
    "extension": {"target": 65_536},
    "models": {"models_length": 100_000},
    "glossary": {"base": 500_000},
}
"""Another value of a number that each page depends on."""


def compared(a: Settings, b: Settings) -> Compared:
    return compare(a, PAGES[a.page].view(a), b, PAGES[b.page].view(b))


def a_of(traces):
    """Return the traces of A beneath those of B; ends of bars stand in front."""
    return [trace for trace in traces if trace.get("zorder") == -1 or trace.get("marker", {}).get("symbol") == "line-ew-open"]


def looks_of(trace):
    """Return colours and dashes of the line and the points of a trace, where it has them."""
    mode = trace.get("mode", "markers")
    line, marker = trace.get("line", {}), trace.get("marker", {})
    yield from [(line.get("color"), line.get("dash", "solid"))] if "lines" in mode else []
    yield from [(marker.get("color"), None)] if "markers" in mode and isinstance(marker.get("color"), str) else []


@pytest.mark.parametrize("page", PAGES)
class TestEveryPage:
    def test_both_are_drawn_and_the_table_is_that_of_the_drawn_columns(self, page):
        a = Settings(page)
        b = a.replace(**OTHER[page])
        view_a, view_b = PAGES[page].view(a), PAGES[page].view(b)
        found = compare(a, view_a, b, view_b)
        assert (found.difference is not None) == (page == "attention")
        if found.difference is None:
            drawn = found.figure.traces
            beneath = a_of(drawn)
            assert len(beneath) >= len([trace for trace in view_a.figure.traces if trace.get("name")]) > 0 or page == "start"
            assert beneath
            assert all(trace.get("opacity", 1) == 1 for trace in beneath), "what is paler than its colour cannot be read"
            looks = [part for trace in drawn[len(view_b.figure.traces) :] for part in looks_of(trace)]
            others = [part for trace in view_b.figure.traces for part in looks_of(trace)]
            assert {color for color, _dash in looks} == {theme.A}
            assert theme.A not in {color for color, _dash in others}
            assert not {dash for _color, dash in looks} & {dash for _color, dash in others} - {None}
            names = [trace["name"] for trace in drawn if trace.get("name")]
            assert all(name.startswith(("A: ", "B: ")) for name in names)
        assert found.largest
        for each in found.largest:
            one, other = (np.asarray(view.columns[each.name], dtype=float) for view in (view_a, view_b))
            if len(one) == len(other) and page != "attention":
                assert each.largest == pytest.approx(np.nan_to_num(np.abs(one - other)).max(), rel=1e-9, abs=1e-12)
            assert abs(each.first - each.second) == pytest.approx(each.largest, rel=1e-9)
        assert isinstance(found.table, Table)
        assert {len(cells) for cells in found.table.columns.values()} == {len(found.largest)}
        assert found.largest[0].name in found.alt

    def test_the_figures_that_are_compared_stay_as_they_were(self, page):
        a = Settings(page)
        b = a.replace(**OTHER[page])
        view_b = PAGES[page].view(b)
        before = view_b.figure.to_json()
        assert compare(a, PAGES[page].view(a), b, view_b).figure.to_json() != before or page == "attention"
        assert view_b.figure.to_json() == before

    def test_a_link_brings_a_back(self, page):
        a = Settings(page).replace(**OTHER[page])
        assert read_pin(write_pin(a), page) == a

    def test_every_view_takes_a_of_every_other(self, page, subtests):
        """No traceback, whatever was pinned: where axes differ, one sentence says so."""
        a = Settings(page)
        for b in views(page):
            with subtests.test(b=b.write()):
                found = compared(a, b)
                assert found.html
                assert found.largest is not None or isinstance(found.table, Prose)

    def test_in_every_view_a_is_drawn_beneath_or_subtracted_cell_by_cell(self, page, subtests):
        ((name, other),) = OTHER[page].items()
        for a in each_option_once(page):
            with subtests.test(a=a.write()):
                b = a.replace(**{name: other}) if name in PAGES[page].controls(a) else a
                found = compared(a, b)
                assert found.largest is not None, "the number changes what the axes mean"
                assert a_of(found.figure.traces) or found.difference is not None


class TestBeside:
    @pytest.mark.parametrize(
        ("page", "view"),
        [
            ("attention", "scores"),
            ("attention", "weights"),
            ("attention", "values"),
            ("head", "table"),
            ("head", "matrix"),
            ("bases", "heat"),
        ],
    )
    def test_cells_of_a_stand_left_of_those_of_b_or_above_them_on_one_scale_of_colours(self, page, view):
        a = settings_of(page, **{PAGES[page].choice: view}).replace(head_dim=32)
        b = a.replace(head_dim=64)
        one, other = PAGES[page].view(a).figure, PAGES[page].view(b).figure
        both = compared(a, b).figure
        way = "y" if page == "head" else "x"  # three panels in a row: A stands above B
        for count, (single, shown) in enumerate(zip([*one.traces, *other.traces], both.traces, strict=True)):
            is_a = count < len(one.traces)
            ends = both.plain_layout[shown[f"{way}axis"].replace(way, f"{way}axis")]["domain"]
            assert max(ends) < 0.5 if is_a == (way == "x") else min(ends) > 0.5
            for name in ("x", "y", "z"):
                if name in single:
                    np.testing.assert_array_equal(np.asarray(shown[name], float), np.asarray(single[name], float))
        scales = {(trace.get("zmin"), trace.get("zmax")) for trace in both.traces if trace["type"] == "heatmap" and "zmin" in trace}
        assert len(scales) <= 1
        if "coloraxis" in both.plain_layout:
            ends = [figure.plain_layout["coloraxis"] for figure in (one, other)]
            assert both.plain_layout["coloraxis"]["cmax"] == max(end["cmax"] for end in ends)
            assert both.plain_layout["coloraxis"]["cmin"] == min(end["cmin"] for end in ends)
        axes = {name for name in both.plain_layout if name.startswith(("xaxis", "yaxis"))}
        used = {trace[f"{way}axis"].replace(way, f"{way}axis", 1) for trace in both.traces for way in "xy"}
        assert used <= axes


class TestPins:
    @pytest.mark.parametrize(
        "text",
        [
            "decay:base=0",
            "decay:nonsense=1",
            "decay:vectors=all",
            "decay:q_head=x",
            "decay:" + "x" * 3000,
            "decay:scaling={",
            "garbage",
            ":",
        ],
    )
    def test_a_setting_that_is_none_gets_one_sentence(self, text):
        problem = read_pin(text, "decay")
        assert isinstance(problem, Problem)
        assert "pinned setting A" in problem.sentence
        for language in CATALOGUES:
            with speaking(language):
                again = read_pin(text, "decay")
                assert isinstance(again, Problem)
                assert again.sentence

    def test_a_of_another_page_waits_there_and_none_is_none(self):
        assert read_pin("decay:base=500000", "pair") is None
        assert read_pin("", "pair") is None

    def test_a_pair_that_the_head_does_not_have_is_refused(self):
        assert isinstance(read_pin("pair:pair=200&head_dim=8", "pair"), Problem)
        assert isinstance(read_pin("pair:pair=3&head_dim=8", "pair"), Settings)

    @given(st.text(max_size=60))
    def test_any_text_is_settings_a_problem_or_nothing(self, text):
        assert isinstance(read_pin(text, "start"), Settings | Problem | None)
        assert isinstance(read_pin(f"start:{text}", "start"), Settings | Problem)

    @given(st.floats(1.01, 1e9), st.integers(0, 10_000_000))
    def test_every_digit_comes_back(self, base, position):
        a = Settings("start").replace(base=base, position=position)
        assert read_pin(write_pin(a), "start") == a

    def test_settings_without_room_in_a_link_are_not_written(self):
        a = settings_of("decay", vectors="typed", q_head=", ".join(["-0.123456"] * 400))
        assert write_pin(a) == ""
        assert len(write_pin(settings_of("decay", vectors="typed", q_head="1, 2"))) < LONGEST


class TestSettings:
    def test_only_what_differs_and_counts_is_named(self):
        a, b = settings_of("start", gap="9"), settings_of("start", position="7", gap="5")
        assert compared(a, b).apart == (Apart("Position m", "12", "7"),)

    def test_what_only_one_view_depends_on_has_no_value_on_the_other_side(self):
        apart = compared(Settings("start"), settings_of("start", start_view="two")).apart
        assert [each.label for each in apart] == ["View", "Distance between the two tokens"]
        assert apart[1] == Apart("Distance between the two tokens", "–", "3")

    def test_choices_are_in_words_of_the_language(self):
        with speaking("zh-CN"):
            (view, *_rest) = compared(Settings("start"), settings_of("start", start_view="two")).apart
        assert view.label == CATALOGUES["zh-CN"].gettext("View")
        assert view.b != "two"

    def test_nothing_that_differs_is_said_in_one_sentence(self):
        found = compared(Settings("decay"), Settings("decay"))
        assert found.apart == ()
        assert len(found.lines) == 1

    def test_a_text_of_a_link_is_no_markup(self):
        evil = "`</code><img src=x>` **x**" + "y" * 60
        found = compared(Settings("glossary"), settings_of("glossary", term=evil[:80]))
        assert "<img" not in found.html
        (line_b,) = [line for line in found.lines if line.startswith("**B:**")]
        assert line_b.count("`") == 2
        assert line_b.endswith("…`")


class TestAxes:
    def test_turns_in_texts_of_two_lengths_share_an_axis(self):
        found = compared(*(settings_of("models", **{"models_view": "turns"} | more) for more in ({}, {"models_length": "100000"})))
        assert a_of(found.figure.traces)
        assert found.largest

    def test_models_that_differ_are_not_laid_over_each_other(self):
        links = ({"models_view": "layers"}, {"models_view": "layers", "models_names": "qwen3-8b"})
        found = compared(*(settings_of("models", **link) for link in links))
        assert isinstance(found.table, Prose)
        assert "only the settings are compared" in found.table.text
        assert found.largest is None
        assert a_of(found.figure.traces) == []
        assert found.gaps == ()
        assert found.alt == ""

    def test_views_with_other_axes_cannot_be_compared(self):
        one, other = view_of("decay"), view_of("decay", decay_view="spectrum")
        assert comparable(one, one)
        assert not comparable(one, other)

    def test_names_of_a_are_in_the_language_of_the_page(self):
        with speaking("zh-CN"):
            found = compared(Settings("decay"), settings_of("decay", base="500000"))
        names = [trace["name"] for trace in found.figure.traces]
        assert f"A: {CATALOGUES['zh-CN'].gettext('maximum per bin')}" in names

    def test_axes_are_wide_enough_for_both(self):
        short, long = settings_of("decay", reach="100"), settings_of("decay", reach="5000")
        for a, b in itertools.permutations((short, long)):
            layout = compared(a, b).figure.plain_layout
            ranges = [PAGES["decay"].view(each).figure.plain_layout["xaxis"].get("range") for each in (a, b)]
            if all(ranges):
                assert layout["xaxis"]["range"] == [min(low for low, _ in ranges), max(high for _, high in ranges)]
