"""The PyTorch lines are run and the file is read back: both hold the numbers of the figure that stands above them."""

import csv
import io
import math
import re

import numpy as np
import pytest
import streamlit as st

from tests.visit import figure, look, open_page, run, show, value, views
from ui.away import number_lines
from ui.kinds import Choice, Number
from ui.parameters import PARAMETERS
from ui.registry import LESSONS

TYPED = {"vectors": "typed", "layout": "interleaved", "q_head": "1 -2 0.5 3 4", "k_head": "0.3, 1, 1"}
OTHER = {"base": "500000", "head_dim": "64"}


def result(at):
    """What the code on the page computes."""
    names = {}
    exec(at.code[0].value, names)
    return names["result"].numpy()


def close(tolerance=1e-9):
    return {"rtol": tolerance, "atol": tolerance}


def turned(trace):
    """The angle at which a clock hand stands; it is drawn to a thousandth of its length."""
    return math.atan2(trace["y"][1] - trace["y"][0], trace["x"][1] - trace["x"][0])


def arrow(trace):
    return [trace["x"][1] - trace["x"][0], trace["y"][1] - trace["y"][0]]


def bins(middles):
    """The edges of bins of whole distances that begin at 1 and stand at their middles."""
    edges = [1]
    for middle in middles:
        edges.append(round(2 * middle) - edges[-1] + 1)
    return np.array(edges)


def file_of(at, monkeypatch):
    """The columns of the file that the page offers, as someone who downloads it gets them."""
    offered = []
    monkeypatch.setattr(st, "download_button", lambda label, data, **more: offered.append((data, more)))
    run(at)
    ((data, _),) = [(data, more) for data, more in offered if more["file_name"].endswith(".csv")]
    lines = [line for line in data().decode().splitlines() if not line.startswith("#")]
    header, *rows = csv.reader(lines)
    columns = zip(*rows, strict=True)
    return {name: [float(cell) for cell in column if cell] for name, column in zip(header, columns, strict=True)}


class TestCode:
    @pytest.mark.parametrize("link", [{}, OTHER, {"head_dim": "2", "position": "0"}, {"head_dim": "512", "position": "9999999"}])
    def test_clock_hands_stand_at_its_angles(self, link):
        at = open_page("start", **link)
        (angles,), hands = result(at), figure(at)["data"][1:]
        assert len(angles) == len(hands)
        for angle, hand in zip(angles, hands, strict=True):
            assert math.remainder(turned(hand) - angle, 2 * math.pi) == pytest.approx(0, abs=2e-3)

    @pytest.mark.parametrize("link", [{}, OTHER | {"position": "5000", "gap": "700"}])
    def test_hands_of_two_tokens_stand_at_its_angles(self, link):
        at = open_page("start", start_view="two", **link)
        for trace, angles in zip(figure(at)["data"][1:], result(at), strict=True):
            assert len(angles) == len(trace["x"]) // 3
            for index, angle in enumerate(angles):
                hand = {axis: trace[axis][3 * index : 3 * index + 2] for axis in ("x", "y")}
                assert math.remainder(turned(hand) - angle, 2 * math.pi) == pytest.approx(0, abs=2e-3)

    @pytest.mark.parametrize(
        "link",
        [{}, OTHER | {"m": "1000003", "n": "77", "pair": "31"}, {"speed": "own", "degrees": "33.3", "q": "1e-3, -7", "k": "0 2", "m": "0"}],
    )
    def test_solid_arrows_end_where_it_says(self, link):
        at = open_page("pair", **link)
        solid = [arrow(trace) for trace in figure(at)["data"] if trace["line"]["dash"] == "solid"]
        np.testing.assert_allclose(result(at), solid, **close())

    @pytest.mark.parametrize(
        "link", [{}, {"at": "3", "speed": "own", "degrees": "90"}, OTHER | {"at": "0 1 2 3 4 5 6 9999999", "q": "2 1"}]
    )
    def test_query_at_each_position_ends_where_it_says(self, link):
        at = open_page("pair", pair_view="positions", **link)
        solid = [arrow(trace) for trace in figure(at)["data"] if trace.get("name") and trace["line"]["dash"] == "solid"]
        np.testing.assert_allclose(result(at), solid, **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"m": "5", "n": "4000", "q": "3 4"}, {"speed": "own", "degrees": "0.5"}])
    def test_flat_line_of_both_shifted_has_its_scores(self, link):
        at = open_page("pair", pair_view="shift", **link)
        flat = next(trace for trace in figure(at)["data"] if trace["mode"] == "lines" and trace["line"].get("dash") is None)
        np.testing.assert_allclose(result(at), flat["y"], **close())
        assert np.ptp(flat["y"]) < 1e-9

    @pytest.mark.parametrize(
        "link",
        [
            {},
            OTHER | {"reach": "20000"},
            TYPED | {"reach": "3000"},
            TYPED | {"layout": "half", "head_dim": "6"},
            {"vectors": "peak", "peak": "500"},
        ],
    )
    def test_band_runs_from_the_lowest_to_the_highest_of_its_scores_in_every_bin(self, link):
        at = open_page("decay", **link)
        scores, (high, low) = result(at), figure(at)["data"]
        edges = bins(high["x"])
        assert edges[-1] == value(at, "reach") + 1
        assert len(scores) == value(at, "reach")
        np.testing.assert_allclose(np.maximum.reduceat(scores, edges[:-1] - 1), high["y"], **close())
        np.testing.assert_allclose(np.minimum.reduceat(scores, edges[:-1] - 1), low["y"], **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"seed": "7", "reach": "50"}, {"layout": "interleaved", "head_dim": "10"}])
    def test_mean_of_random_scores_is_its_at_the_first_and_the_last_distance(self, link):
        at = open_page("decay", decay_view="random", **link)
        mean = next(trace for trace in figure(at)["data"] if "markers" in trace["mode"])
        assert (mean["x"][0], mean["x"][-1]) == (1, value(at, "reach"))
        np.testing.assert_allclose(result(at), mean["y"][[0, -1]], **close())

    @pytest.mark.parametrize("link", [{}, OTHER, TYPED, {"vectors": "peak", "peak": "9", "reach": "100000"}])
    def test_bound_is_its_at_the_first_and_the_last_distance(self, link):
        at = open_page("decay", decay_view="bound", **link)
        bound = next(trace for trace in figure(at)["data"] if trace["mode"] == "markers")
        assert (bound["x"][0], bound["x"][-1]) == (1, value(at, "reach"))
        np.testing.assert_allclose(result(at), bound["y"][[0, -1]], **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"tokens": "1000"}, TYPED | {"tokens": "30000"}, {"vectors": "peak", "tokens": "17"}])
    def test_grey_line_of_the_spectrum_shows_the_largest_of_its_amplitudes_around_each_point(self, link):
        at = open_page("decay", decay_view="spectrum", **link)
        amplitudes = result(at)
        grey = next(trace for trace in figure(at)["data"] if trace["type"] == "scatter")
        step = 2 * math.pi / value(at, "tokens")
        middles = np.rint(grey["x"] / step).astype(int) - 1
        assert len(amplitudes) == value(at, "tokens") // 2
        assert grey["y"].max() == pytest.approx(amplitudes.max(), rel=1e-9)
        for before, middle, after, drawn in zip([-1, *middles], middles, [*middles[1:], len(amplitudes)], grey["y"], strict=False):
            near = amplitudes[before + 1 : after]
            assert near.min() - 1e-9 <= amplitudes[middle] <= drawn + 1e-9
            assert np.abs(near - drawn).min() < 1e-9

    def test_every_view_of_every_page_has_code_that_runs(self, subtests):
        for page in LESSONS:
            at = open_page(page)
            for view in views(page):
                with subtests.test(page=page, view=view.choices):
                    assert np.isfinite(result(show(at, view.choices))).all()


class TestFile:
    def test_every_number_comes_back_as_it_was(self):
        column = [0.1, 1 / 3, 5e-324, -1.7976931348623157e308, 2**53, 1e22, -0.0]
        columns = {"a": column, "b": np.array(column), "c": np.arange(7)}
        header, *rows = csv.reader(io.StringIO(number_lines(columns)))
        assert header == ["a", "b", "c"]
        for back, want in zip(zip(*rows, strict=True), columns.values(), strict=True):
            assert [float(cell).hex() for cell in back] == [float(cell).hex() for cell in want]

    def test_shorter_columns_end_in_empty_cells(self):
        assert number_lines({"a": [1], "b": [1, 2]}).split() == ["a,b", "1.0,1.0", ",2.0"]

    def test_file_of_the_start_page_holds_pair_speed_and_angle(self, monkeypatch):
        at = open_page("start", **OTHER)
        (angles,) = result(at)
        columns = file_of(at, monkeypatch)
        np.testing.assert_allclose(columns["angle_rad"], angles, rtol=1e-15)
        np.testing.assert_allclose(columns["theta"], [500_000 ** (-2 * pair / 64) for pair in columns["pair"]], rtol=1e-13)

    def test_file_of_two_tokens_holds_both_hands(self, monkeypatch):
        at = open_page("start", start_view="two", gap="5")
        angles = result(at)
        columns = file_of(at, monkeypatch)
        np.testing.assert_allclose([columns["angle_rad"], columns["second_angle_rad"]], angles, rtol=1e-13)

    def test_files_of_bounds_and_spectrum_hold_every_curve(self, monkeypatch):
        for view, names in (("bound", ("highest", "lowest", "bound", "relative")), ("spectrum", ("amplitude", "resolved_amplitude"))):
            at = open_page("decay", decay_view=view)
            shown = [list(trace["y"]) for trace in figure(at)["data"]]
            with monkeypatch.context() as patch:
                columns = file_of(at, patch)
            assert all(list(columns[name]) in shown for name in names)

    def test_file_of_the_score_is_the_band_that_is_drawn_to_the_last_digit(self, monkeypatch):
        at = open_page("decay", **TYPED)
        high, low = figure(at)["data"]
        columns = file_of(at, monkeypatch)
        for name, drawn in (("distance", high["x"]), ("highest", high["y"]), ("lowest", low["y"])):
            assert list(columns[name]) == list(drawn)

    def test_file_of_both_shifted_is_the_two_lines_that_are_drawn_to_the_last_digit(self, monkeypatch):
        at = open_page("pair", pair_view="shift")
        lines = [trace for trace in figure(at)["data"] if trace["mode"] == "lines"]
        columns = file_of(at, monkeypatch)
        assert [list(columns["score_rope"]), list(columns["score_additive"])] == [list(trace["y"]) for trace in lines]

    def test_every_view_of_every_page_has_a_file_with_numbers_of_its_figure(self, monkeypatch, subtests):
        for page in LESSONS:
            at = open_page(page)
            for view in views(page):
                with subtests.test(page=page, view=view.choices), monkeypatch.context() as patch:
                    show(at, view.choices)
                    shown = figure(at)["data"]
                    columns = file_of(at, patch)
                    assert all(np.isfinite(column).all() for column in columns.values())
                    drawn = {
                        float(f"{number:.3g}")
                        for trace in shown
                        for axis in "xyz"
                        for number in np.ravel(trace.get(axis, []))
                        if number is not None
                    }
                    found = [float(f"{number:.3g}") in drawn for column in columns.values() for number in column]
                    assert page == "start" or np.mean(found) > 0.5


class TestTry:
    @pytest.mark.parametrize("page", LESSONS)
    def test_button_sets_what_it_says_and_the_figure_shows_it(self, page, monkeypatch, subtests):
        offered = []
        button = st.button
        with monkeypatch.context() as patch:
            patch.setattr(st, "button", lambda label, **more: offered.append({"label": label} | more) or button(label, **more))
            at = open_page(page)
        start = look(at)
        offers = [more for more in offered if ".try" in more["key"]]
        assert offers
        for more in offers:
            with subtests.test(button=more["key"]):
                fresh = open_page(page)
                fresh.button(key=more["key"]).click()
                run(fresh)
                assert not fresh.warning
                promised = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", more["label"])]
                assert set(promised) <= {new for new in more["kwargs"].values() if not isinstance(new, str)}
                for name, new in more["kwargs"].items():
                    assert name in PARAMETERS
                    assert value(fresh, name) == new
                assert look(fresh) != start
                link = {name: new if isinstance(new, str) else f"{new:.15g}" for name, new in more["kwargs"].items()}
                assert look(open_page(page, **link)) == look(fresh)

    @pytest.mark.parametrize("page", LESSONS)
    def test_no_other_control_moves(self, page):
        at = open_page(page)
        before = {name: value(at, name) for name in PARAMETERS if isinstance(PARAMETERS[name], Number | Choice) and name in shared(at)}
        at.button(key=f"{page}.try0").click()
        run(at)
        assert {name: value(at, name) for name in before} == before


def shared(at):
    """Controls of the frame: the first suggestion of no page touches them."""
    return [name for name in ("base", "head_dim", "layout", "context") if name in at.session_state]
