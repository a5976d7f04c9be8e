"""The notebook is run: with rope_core it computes the numbers of its page again, and so do the lines of PyTorch."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import nbformat
import numpy as np
import pytest

from exports.notebook import write_notebook
from lessons.registry import PAGES
from parameters import PARAMETERS
from tests.views import snapshot_of

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


def code_of(snapshot):
    book = nbformat.reads(write_notebook(snapshot).decode(), as_version=4)
    nbformat.validate(book)
    return [cell.source for cell in book.cells if cell.cell_type == "code"]


def run(cells, names=None):
    names = {} if names is None else names
    for cell in cells:
        exec(compile(cell, "<notebook>", "exec"), names)
    return names


@pytest.mark.parametrize(("page", "link"), LINKS, ids=[f"{page}-{'-'.join(link.values())[:40]}" for page, link in LINKS])
def test_computes_the_numbers_again(page, link, capsys):
    snapshot = snapshot_of(page, **link)
    names = run(code_of(snapshot))
    columns = snapshot.view.columns
    assert capsys.readouterr().out.count("agrees") == len(names["page"]) == len(columns) > 0
    assert list(names["columns"]) == list(columns)
    for name, column in names["columns"].items():
        np.testing.assert_allclose(np.asarray(column, dtype=float), np.asarray(columns[name], dtype=float), rtol=1e-9, atol=1e-9)
    assert np.isfinite(np.asarray(names["result"], dtype=float)).all()


def test_fails_where_a_number_of_the_page_is_another():
    page, _result, columns, compare = code_of(snapshot_of("start"))
    names = run([page])
    names["page"]["theta"][3] *= 1 + 1e-6
    with pytest.raises(AssertionError, match="theta"):
        run([columns, compare], names)


# A process in an empty folder that finds torch and NumPy, and of this project nothing.
ALONE = """
import importlib.util, json, sys
assert not any(importlib.util.find_spec(name) for name in ("rope_core", "lessons", "compute"))
for book in json.load(sys.stdin):
    names = {}
    for cell in book:
        exec(compile(cell, "<notebook>", "exec"), names)
    assert names["columns"] is None and names["result"] is not None
"""


def test_runs_to_its_end_where_the_project_is_not_installed(tmp_path):
    books = [code_of(snapshot_of(page)) for page in PAGES]
    alone = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", "-c", ALONE]
    done = subprocess.run(command, input=json.dumps(books), cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("rope_core is not installed: nothing is compared.") == len(PAGES)


@pytest.mark.parametrize("name", ['x"""\nraise SystemExit\n"""', "a\\", "=1+1", "two\nlines", "{0}"])
def test_the_name_of_a_column_is_text_whatever_it_says(name):
    snapshot = snapshot_of("start")
    view = replace(snapshot.view, columns={name: [1.0, 2.0]})
    names = run(code_of(replace(snapshot, view=view))[:1])
    assert {each: list(column) for each, column in names["page"].items()} == {name: [1.0, 2.0]}


def test_a_setting_is_one_line_of_code_in_the_text():
    book = json.loads(write_notebook(snapshot_of("glossary", term="`x`\n# <script>")))
    (about,) = [cell["source"] for cell in book["cells"] if cell["id"] == "about"]
    assert "`x # <script>` (`term`)" in about


def test_settings_are_those_that_the_view_depends_on():
    book = json.loads(write_notebook(snapshot_of("start", position="7")))
    about = book["cells"][0]["source"]
    assert "`7` (`position`)" in about
    assert "(`gap`)" not in about
