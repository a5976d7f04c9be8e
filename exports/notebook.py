"""A notebook that computes a page again: with PyTorch alone, and where rope_core is installed with that too."""

from __future__ import annotations

import json
from textwrap import indent
from typing import Any

from exports.csv_file import number_rows
from exports.snapshot import Snapshot
from locales import _, speaking


def write_notebook(snapshot: Snapshot) -> bytes:
    """Write the file, in the format that Jupyter calls 4.5."""
    with speaking(snapshot.language):
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": _cells(snapshot)}
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()


def _cells(snapshot: Snapshot) -> list[dict[str, Any]]:
    view = snapshot.view
    settings = "\n".join(f"- {row.label}: `{_code(row.words)}` (`{row.name}`)" for row in snapshot.rows)
    about = _("Made by {maker}. NumPy and PyTorch are enough to run all of it.").format(maker=snapshot.maker)
    core = _(
        "These cells compare every number of the page with what rope_core computes. They do nothing where it is missing; "
        "`pip install .` in a checkout of RoPE Lab installs it."
    )
    return [
        _text("about", f"# {snapshot.title}\n\n{about}\n\n[{_('Open this page as it is set')}]({snapshot.link})\n\n{settings}"),
        _text("numbers", f"## {_('The numbers of the page')}"),
        _lines("page", PAGE.format(names=list(view.columns), numbers=number_rows(view.columns))),
        _text("torch", f"## {_('The same numbers in PyTorch')}\n\n{_('Without rope_core; what stands in the figure is left in result.')}"),
        _lines("result", view.code.strip() + "\nprint(result)"),
        _text("core", f"## {_('The same with rope_core')}\n\n{core}"),
        _lines("columns", _where_installed(view.notebook_code.strip())),
        _lines("compare", COMPARE),
    ]


def _where_installed(code: str) -> str:
    """Have a cell do its work only where rope_core is installed; what it imports from the future must stay on top."""
    future, _newline, rest = code.partition("\n")
    return FOUND.format(future=future, code=indent(rest.strip(), "    "))


def _code(text: str) -> str:
    """Make a text fit into a span of code: one line, and no mark that would end it."""
    return " ".join(text.replace("`", " ").split())


def _text(identity: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": identity, "metadata": {}, "source": text}


def _lines(identity: str, text: str) -> dict[str, Any]:
    return {"cell_type": "code", "id": identity, "metadata": {}, "execution_count": None, "outputs": [], "source": text}


METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
PAGE = '''import csv
import io

import numpy as np

names = {names!r}
numbers = """{numbers}"""
rows = csv.reader(io.StringIO(numbers))
page = {{name: np.array([float(cell) for cell in cells if cell]) for name, cells in zip(names, zip(*rows))}}'''
FOUND = """{future}

import importlib.util

if importlib.util.find_spec("rope_core") is None:
    columns = None
    print("rope_core is not installed: nothing is compared.")
else:
{code}"""
COMPARE = """if columns is not None:
    assert columns.keys() == page.keys()
    for name, column in columns.items():
        np.testing.assert_allclose(np.asarray(column, dtype=float), page[name], rtol=1e-9, atol=1e-9, err_msg=name)
        print(name, "agrees:", len(page[name]), "numbers")"""
