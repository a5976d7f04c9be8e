"""Files of a page whose link brings texts that would run somewhere: in a browser, in a notebook, in Markdown. CSV: test_csv_file.py."""

import ast
import json

import pytest

from exports.notebook import write_notebook
from exports.page import write_page
from exports.table import tables
from lessons.view import Prose, Table
from parameters import parameters_of
from tests.exports.test_page_file import Texts
from tests.views import snapshot_of

HOSTILE = (
    "</script><img src=x onerror=MARK()>",
    '"""+MARK()+"""',
    "\\');MARK();('",
    "{MARK()}",
    "=MARK()",
    "<a href=javascript:MARK()>x</a>",
    "[x](javascript:MARK())",
)
VIEWS = [*parameters_of("models")["models_view"].options]
each_text = pytest.mark.parametrize("text", HOSTILE)


def own_config(view, text):
    speeds = {name: {"rope_type": "default", "rope_theta": base} for name, base in ((text, 100), ("b", 10))}
    config = {"head_dim": 8, "num_hidden_layers": 2, "max_position_embeddings": 64, "layer_types": [text, "b"], "model_type": text}
    link = json.dumps(config | {"rope_parameters": speeds, text: 5})
    return snapshot_of("models", models_way="own", models_view=view, models_config=link)


def snapshots(text):
    return [*(own_config(view, text) for view in VIEWS), snapshot_of("glossary", term=text)]


@each_text
def test_the_page_as_one_file_has_no_tag_of_a_link(text):
    scripts = Texts(write_page(snapshot_of("models")).decode()).tags.count("script")
    for snapshot in snapshots(text):
        page = Texts(write_page(snapshot).decode())
        assert "img" not in page.tags
        assert page.tags.count("script") == scripts
        assert page.fetched == []
        assert [link.partition(":")[0] for link in page.links] == ["http"]


@each_text
def test_no_code_of_a_notebook_calls_what_a_link_says(text):
    for snapshot in snapshots(text):
        for cell in json.loads(write_notebook(snapshot))["cells"]:
            if cell["cell_type"] == "code":
                assert "MARK" not in {node.id for node in ast.walk(ast.parse(cell["source"])) if isinstance(node, ast.Name)}


@each_text
def test_no_markdown_of_a_notebook_has_a_tag_or_a_link_of_a_link(text):
    for snapshot in snapshots(text):
        about = json.loads(write_notebook(snapshot))["cells"][0]["source"]
        outside = "".join(about.split("`")[::2])
        assert "MARK()" not in outside


@each_text
def test_headings_of_tables_are_plain_text(text):
    snapshot = snapshot_of("start")
    prose, table = tables({text: next(iter(snapshot.view.columns.values()))})
    assert isinstance(prose, Prose)
    assert isinstance(table, Table)
    [heading] = table.columns
    for mark in "<[`":
        assert heading.count(mark) == heading.count(f"\\{mark}")
