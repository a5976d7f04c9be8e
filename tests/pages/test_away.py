"""What a reader takes along is opened and run: the file of numbers, the page as one file, the notebook."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pandas as pd
import pytest
import streamlit as st

from rope_core import __version__
from tests.visit import figure, in_language, look, move, open_page, run
from ui.columns import COLUMNS, tables
from ui.page_file import mathml
from ui.parameters import PARAMETERS
from ui.registry import LESSONS

TYPED = {"vectors": "typed", "layout": "interleaved", "q_head": "1 -2 0.5 3 4", "k_head": "0.3, 1, 1", "rotary": "0.5"}
HEAD = {"base": "500000", "head_dim": "64"}
YARN = '{"rope_type": "yarn", "factor": 4}'
METHODS = PARAMETERS["method"].options
LINKS = [
    ("start", {}),
    ("start", HEAD | {"start_view": "two", "gap": "5", "position": "1000000"}),
    *(("pair", {"pair_view": view, "speed": speed}) for view, speed in (("plane", "pair"), ("positions", "own"), ("shift", "own"))),
    *(("head", {"head_view": view}) for view in PARAMETERS["head_view"].options),
    *(
        ("head", {"head_view": view, "head_dim": "48", "rotary": "0.25", "layout": "interleaved", "head_seed": "7"})
        for view in PARAMETERS["head_view"].options
    ),
    *(("attention", {"attention_view": "scores", "encoding": encoding}) for encoding in PARAMETERS["encoding"].options),
    *(
        ("attention", {"attention_view": view, "encoding": "t5", "causal": "full", "alike": "alike", "attention_seed": "101"})
        for view in PARAMETERS["attention_view"].options
    ),
    *(("frequencies", {"freq_view": view} | HEAD) for view in PARAMETERS["freq_view"].options),
    ("frequencies", {"freq_view": "turns", "scaling": YARN}),
    ("frequencies", {"freq_view": "equal", "equal_speed": "one"}),
    *(("decay", {"decay_view": view} | TYPED) for view in PARAMETERS["decay_view"].options),
    ("decay", {"vectors": "peak", "peak": "500", "scaling": YARN}),
    ("bases", {"bases_view": "first", "head_dim": "8"}),
    ("bases", {"bases_view": "heat", "head_dim": "8"}),
    ("bases", {"bases_view": "critical"}),
    *(("extension", {"ext_view": view, "method": "yarn"}) for view in PARAMETERS["ext_view"].options),
    *(("extension", {"ext_view": "bands", "method": method, "rotary": "0.5"}) for method in METHODS),
    *(("extension", {"ext_view": "decode", "method": method}) for method in ("dynamic", "longrope")),
    ("extension", {"ext_view": "attention", "method": "longrope", "attention_factor": "1.5"}),
    ("extension", {"ext_view": "curve", "context": "1", "target": "1"}),
    *(("glossary", {"glossary_view": view} | HEAD) for view in PARAMETERS["glossary_view"].options),
    *(("models", {"models_view": view, "models_length": "20000"}) for view in PARAMETERS["models_view"].options),
]


def offers(at, monkeypatch):
    """Every file that a page offers, by its kind, as someone who downloads it gets it."""
    found = {}

    def take(label, data, *, file_name, **more):
        if callable(data):
            found[file_name.rpartition(".")[2]] = data

    with monkeypatch.context() as patch:
        patch.setattr(st, "download_button", take)
        run(at)
    return {kind: data() for kind, data in found.items()}


def numbers_of(file):
    return pd.read_csv(io.BytesIO(file), comment="#")


class TestNumbers:
    def test_pandas_and_numpy_read_the_numbers_that_are_drawn(self, monkeypatch):
        at = open_page("decay", **TYPED)
        file = offers(at, monkeypatch)["csv"]
        high, low = figure(at)["data"]
        frame = numbers_of(file)
        skipped = file.decode().count("\n#") + 2  # the lines above the numbers
        array = np.loadtxt(io.BytesIO(file), delimiter=",", skiprows=skipped)
        for index, (name, drawn) in enumerate((("distance", high["x"]), ("lowest", low["y"]), ("highest", high["y"]))):
            assert list(array[:, index]) == list(drawn)
            np.testing.assert_allclose(frame[name], drawn, rtol=1e-15)

    def test_header_says_settings_layout_units_and_version(self, monkeypatch):
        lines = offers(open_page("decay", **TYPED), monkeypatch)["csv"].decode().splitlines()
        assert lines[0] == f"# RoPE Lab {__version__}: {LESSONS['decay'].question}"
        assert "# layout = interleaved (Layout)" in lines
        assert "# q_head = 1 -2 0.5 3 4 (q)" in lines
        assert "# column distance: tokens" in lines
        assert "# column lowest: score units" in lines

    def test_where_no_layout_counts_the_header_says_so(self, monkeypatch):
        header = offers(open_page("bases", bases_view="critical"), monkeypatch)["csv"].decode()
        assert "\n# layout = any" in header

    @pytest.mark.parametrize("page", LESSONS)
    def test_link_in_the_header_opens_the_same_figure(self, page, monkeypatch):
        at = open_page(page, **HEAD)
        if page != "models":
            at.button(key=f"{page}.try1").click()
            run(at)
        lines = offers(at, monkeypatch)["csv"].decode().splitlines()
        link = next(line.removeprefix("# link: ") for line in lines if line.startswith("# link: "))
        query = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
        assert query.pop("lang") == "en"
        assert look(open_page(page, **query)) == look(at)

    def test_no_setting_can_break_out_of_the_header(self, monkeypatch):
        at = open_page("pair", q="1\n2\n")
        assert all(line.startswith("#") for line in offers(at, monkeypatch)["csv"].decode().splitlines()[:8])

    def test_every_column_is_known(self):
        assert {unit.unit for unit in COLUMNS.values()} >= {"tokens", "rad", "rad per token", "index"}

    def test_columns_are_taken_apart_where_another_axis_begins(self):
        names = dict.fromkeys(("distance", "bound", "relative", "bin", "lowest"), ())
        assert list(tables(names)) == [(["distance"], ["bound", "relative"]), (["bin"], ["lowest"])]
        assert list(tables({"q_before": (), "k_before": ()})) == [([], ["q_before", "k_before"])]


class Texts(HTMLParser):
    """The text of a page, the tags in it, and what it would fetch."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.fetched, self.links, self.text = [], [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "a":
            self.links.append(given["href"])
        else:
            self.fetched += [given[name] for name in ("src", "href") if name in given]

    def handle_data(self, data):
        self.text += data


class TestPage:
    def test_holds_figure_sentences_formula_and_settings_and_fetches_nothing(self, monkeypatch):
        at = open_page("decay", "zh-CN", **TYPED | {"decay_view": "score"})
        page = Texts(offers(at, monkeypatch)["html"].decode())
        assert in_language(at, LESSONS["decay"].question) in page.text
        assert "math" in page.tags
        assert in_language(at, "Layout") in page.text
        assert page.fetched == []
        assert page.tags.count("tr") == 1 + page.tags.count("th") - 3 > 5
        assert "lang=zh-CN" in page.links[0]
        assert f"RoPE Lab {__version__}" in page.text
        for sentence in at.markdown[1].value.split("\n"):
            for word in sentence.removeprefix("- ").replace("*", "").split("`"):
                assert word.strip() in page.text

    def test_what_a_link_brings_is_text(self, monkeypatch):
        at = open_page("models", models_way="own", models_config='{"head_dim": 8, "rope_theta": 100, "layer_types": ["<b>x</b>"]}')
        assert "b" not in Texts(offers(at, monkeypatch)["html"].decode()).tags

    def test_formulas_have_no_tex_left(self):
        tree = ET.fromstring(mathml(r"\begin{aligned}a &= \arg z_i\\ &= \frac{1}{2}\end{aligned}"))
        assert "\\" not in "".join(tree.itertext())
        assert tree.tag.endswith("math")


class TestNotebook:
    @pytest.mark.parametrize(("page", "link"), LINKS, ids=[f"{page}-{'-'.join(link.values())[:40]}" for page, link in LINKS])
    def test_computes_the_numbers_again(self, page, link, monkeypatch, capsys):
        taken = offers(open_page(page, **link), monkeypatch)
        book = nbformat.reads(taken["ipynb"].decode(), as_version=4)
        nbformat.validate(book)
        names = {}
        for cell in book.cells:
            if cell.cell_type == "code":
                exec(cell.source, names)
        assert capsys.readouterr().out.count("agrees") == len(names["page"]) > 0
        frame = numbers_of(taken["csv"])
        assert list(frame) == list(names["columns"])
        for name, column in names["columns"].items():
            np.testing.assert_allclose(np.asarray(column, dtype=float), frame[name].dropna(), rtol=1e-9, atol=1e-9)
        assert np.isfinite(np.asarray(names["result"], dtype=float)).all()

    def test_fails_where_a_number_of_the_page_is_another(self, monkeypatch):
        book = json.loads(offers(open_page("start"), monkeypatch)["ipynb"])
        code = [cell["source"] for cell in book["cells"] if cell["cell_type"] == "code"]
        names = {}
        exec(code[0], names)
        names["page"]["theta"][3] *= 1 + 1e-6
        exec(code[1], names)
        with pytest.raises(AssertionError, match="theta"):
            exec(code[2], names)

    def test_files_follow_the_controls(self, monkeypatch):
        at = open_page("start")
        move(at, position=7)
        assert "position = 7" in offers(at, monkeypatch)["csv"].decode()
