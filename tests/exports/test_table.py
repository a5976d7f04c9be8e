"""The numbers of a figure as a table: honest about what it leaves out."""

from __future__ import annotations

import math
from itertools import zip_longest

import numpy as np
import pytest

from exports import table
from lessons.compare import compare
from lessons.registry import PAGES
from lessons.view import Prose, Table
from tests.evaluate import settings_of
from tests.views import view_of


def parts_of(columns, caption=""):
    """Return captions and tables, in turn."""
    parts = table.tables(columns, caption)
    assert [type(part) for part in parts] == [Prose, Table] * (len(parts) // 2)
    return [part.text for part in parts[::2]], [part.columns for part in parts[1::2]]


class TestThinning:
    @pytest.mark.parametrize(("count", "limit"), [(1, 100), (99, 100), (100, 100), (101, 100), (587, 100), (10_000_000, 16)])
    def test_rows_are_even_and_hold_both_ends(self, count, limit):
        rows = table.thin(count, limit)
        assert rows[0] == 0
        assert rows[-1] == count - 1
        assert len(rows) == min(count, limit) == len(set(rows))
        steps = np.diff(rows)
        assert len(steps) == 0 or steps.max() - steps.min() <= 1

    def test_nothing_has_no_rows(self):
        assert table.thin(0, 100) == []


class TestNumbers:
    @pytest.mark.parametrize(("value", "text"), [(1_048_576.0, "1,048,576"), (-3.0, "-3"), (0.1234567, "0.123457"), (math.nan, "")])
    def test_whole_numbers_are_whole_and_others_have_six_digits(self, value, text):
        assert table.readable(value) == text

    def test_a_unit_stands_beside_what_has_one(self):
        heads = ["theta", "wavelength_at_100", "turns gemma", "score", "turnstile"]
        assert [table.heading(name) for name in heads] == [
            "theta (rad per token)",
            r"wavelength\_at\_100 (tokens)",
            "turns gemma (turns)",
            "score (score units)",
            "turnstile",
        ]


class TestMatrix:
    def test_every_cell_stands_at_its_row_and_column_and_what_is_hidden_is_empty(self):
        rows, heads = np.nonzero(np.tri(5))
        matrix, down, across = table.pivot({"query": rows, "key": heads, "score": 10.0 * rows + heads}, "query", "key", "score")
        assert down.tolist() == across.tolist() == [0, 1, 2, 3, 4]
        for row in range(5):
            for head in range(5):
                assert matrix[row, head] == 10 * row + head or (head > row and math.isnan(matrix[row, head]))

    def test_scores_of_the_attention_page_are_a_matrix(self):
        view = view_of("attention", alike="random")
        columns = view.columns
        scores = {
            (int(query), int(key)): float(score)
            for query, key, score in zip(columns["query"], columns["key"], columns["score"], strict=True)
        }
        captions, (shown,) = parts_of(columns)
        down, *heads = shown
        for row, query in enumerate(shown[down]):
            for head in heads:
                cell, expected = shown[head][row], scores.get((int(query), int(head.removeprefix("key "))))
                assert (cell == "") is (expected is None)
                assert expected is None or float(cell) == pytest.approx(expected, rel=1e-5)
        assert "16 of 32 rows" in captions[0]

    @pytest.mark.parametrize(
        ("name", "query"),
        [("head", {"head_view": "table"}), ("attention", {"attention_view": "values"}), ("bases", {"bases_view": "heat"})],
    )
    def test_every_map_is_offered_as_a_matrix(self, name, query):
        view = view_of(name, **query)
        assert any(trace["type"] == "heatmap" for trace in view.figure.traces)
        _captions, tables = parts_of(view.columns)
        assert len(tables[0]) == table.GRID_COLUMNS + 1


@pytest.mark.parametrize("name", [name for name in PAGES if name != "attention"])
def test_a_table_has_the_numbers_that_are_drawn_and_says_how_many_it_leaves_out(name):
    columns = view_of(name).columns
    rows = list(zip_longest(*(map(float, column) for column in columns.values()), fillvalue=math.nan))
    (caption,), (shown,) = parts_of(columns)
    assert list(shown) == [table.heading(column) for column in columns]
    kept = table.thin(len(rows), table.ROWS)
    for cells, row in zip(zip(*shown.values(), strict=True), (rows[index] for index in kept), strict=True):
        for cell, number in zip(cells, row, strict=True):
            assert (cell == "") is math.isnan(number)
            assert cell == "" or float(cell.replace(",", "")) == pytest.approx(number, rel=1e-5, abs=1e-12)
    assert f"{len(kept)} of {len(rows)} rows" in caption or f"All {len(rows)} rows" in caption


def test_a_caption_of_the_caller_stands_in_for_the_count():
    assert parts_of({"pair": [0, 1], "theta": [1.0, 0.1]}, "B − A")[0] == ["B − A"]


@pytest.mark.parametrize("name", ["attention", "decay"])
def test_b_minus_a_stands_at_the_same_places_as_the_numbers(name):
    a, b = settings_of(name), settings_of(name, base="20000")
    view_a, view_b = PAGES[name].view(a), PAGES[name].view(b)
    ((one, *_), (other, *_)) = (parts_of(view.columns)[1] for view in (view_a, view_b))
    gap = parts_of(compare(a, view_a, b, view_b).gaps[0])[1][0]
    places = [head for head in gap if "B − A" not in head and not head.startswith("key ")]
    cells = [head for head in other if head not in places]
    shared = [row for row in range(len(gap[places[0]])) if one[places[0]][row] == other[places[0]][row] == gap[places[0]][row]]
    assert shared
    moved = 0
    for row in shared:
        for head, of in zip(cells, [each for each in gap if each not in places], strict=True):
            first, second, apart = (float((text or "nan").replace(",", "")) for text in (one[head][row], other[head][row], gap[of][row]))
            moved += apart != 0
            assert second - first == pytest.approx(apart, abs=3e-5 * max(abs(first), abs(second), 1e-9), nan_ok=True)
    assert moved
