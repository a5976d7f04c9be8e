"""The numbers of a figure as a table: honest about what it leaves out, and free as long as nobody opens it."""

from __future__ import annotations

import math
from itertools import zip_longest

import numpy as np
import pytest

from tests import visit
from ui import lesson, table
from ui.assets import SCRIPT
from ui.live.toolbar import WORDS
from ui.registry import LESSONS


def opened(name: str, lang: str = "en", **query: str):
    at = visit.open_page(name, lang, **query)
    at.session_state[f"{name}_figure.table"] = True
    return visit.run(at)


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
            "wavelength_at_100 (tokens)",
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


@pytest.mark.parametrize("name", LESSONS)
class TestPages:
    def test_a_closed_table_is_not_made(self, name, monkeypatch):
        monkeypatch.setattr(table, "thin", lambda *_: pytest.fail("made although nobody looks"))
        at = visit.open_page(name)
        assert any(fold.label == "Data as a table" for fold in at.get("expander"))

    def test_an_open_table_has_the_numbers_that_are_drawn_and_says_how_many_it_leaves_out(self, name, monkeypatch):
        views = []
        picture = lesson.picture
        monkeypatch.setattr(lesson, "picture", lambda view, *, key: (views.append(view), picture(view, key=key)))
        at = opened(name)
        drawn = views[-1].drawn
        rows = [dict(zip(drawn, map(repr, map(float, row)), strict=True)) for row in zip_longest(*drawn.values(), fillvalue=math.nan)]
        shown = next(each.value for each in at.table if len(each.value))
        said = " ".join(caption.value for caption in at.caption)
        if name == "attention":  # a map is a matrix
            scores = {(int(float(row["query"])), int(float(row["key"]))): float(row["score"]) for row in rows}
            for record in shown.to_dict("records"):
                for head, cell in list(record.items())[1:]:
                    expected = scores.get((int(record["query"]), int(head.removeprefix("key "))))
                    assert (cell == "") is (expected is None)
                    assert expected is None or float(cell) == pytest.approx(expected, rel=1e-5)
            assert "16 of 32 rows" in said
            return
        assert list(shown.columns) == [table.heading(column) for column in rows[0]]
        kept = table.thin(len(rows), table.ROWS)
        assert len(shown) == len(kept)
        for record, row in zip(shown.to_dict("records"), (rows[index] for index in kept), strict=True):
            for cell, number in zip(record.values(), row.values(), strict=True):
                assert (cell == "") is (number == "nan")
                assert cell == "" or float(cell.replace(",", "")) == pytest.approx(float(number), rel=1e-5, abs=1e-12)
        assert f"{len(kept)} of {len(rows)} rows" in said or f"All {len(rows)} rows" in said


def test_every_map_is_offered_as_a_matrix():
    for name, query in (("head", {"head_view": "table"}), ("attention", {"attention_view": "values"}), ("bases", {"bases_view": "heat"})):
        at = opened(name, **query)
        assert any(trace["type"] == "heatmap" for trace in visit.figure(at)["data"])
        assert len(at.table[0].value.columns) == table.GRID_COLUMNS + 1


@pytest.mark.parametrize("name", ["attention", "decay"])
def test_while_a_is_pinned_b_minus_a_stands_under_the_numbers(name):
    at = opened(name)
    alone = [each.value for each in at.table]
    at.button(key=f"{name}.pin").click()
    visit.move(visit.run(at), base=20_000)
    a, b, gap = alone[0], at.table[0].value, at.table[len(alone)].value
    places = [head for head in gap.columns if not head.endswith("B − A") and "B − A (" not in head and not head.startswith("key ")]
    cells = [head for head in b.columns if head not in places]
    shared = [row for row in range(len(gap)) if a[places[0]][row] == b[places[0]][row] == gap[places[0]][row]]
    assert shared
    moved = 0
    for row in shared:
        for head, of in zip(cells, [each for each in gap.columns if each not in places], strict=True):
            one, other, apart = (float((text or "nan").replace(",", "")) for text in (a[head][row], b[head][row], gap[of][row]))
            moved += apart != 0
            assert other - one == pytest.approx(apart, abs=3e-5 * max(abs(one), abs(other), 1e-9), nan_ok=True)
    assert moved
    said = [caption.value for caption in at.caption]
    assert sum("CSV below" in line for line in said) == len(alone)
    assert any(line.startswith("B − A, rounded") for line in said)


def test_plotly_knows_each_word_that_is_translated_for_it():
    script = SCRIPT.read_text(encoding="utf-8")
    assert [word for word in WORDS if f'"{word}"' not in script] == ["Full screen"]
