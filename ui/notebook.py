"""A notebook that computes a page again: with rope_core, and with plain PyTorch lines as the second witness."""

from __future__ import annotations

import json
from typing import Any

from ui.taken import Away


def write_notebook(taken: Away, numbers: str) -> bytes:
    """Write the file, in the format that Jupyter calls 4.5; ``numbers`` are those of the page, as CSV."""
    _ = taken.say
    view = taken.view
    settings = "\n".join(f"- {label}: `{_code(words)}` (`{name}`)" for name, _t, label, words in taken.settings)
    about = _("Made by {maker}. It needs rope_core: `pip install .` in a checkout of RoPE Lab.").format(maker=taken.maker)
    # Named here because texts inside an f-string do not get into the catalogues.
    numbers_of_page, with_core = _("The numbers of the page"), _("The same with rope_core")
    in_torch, alone = _("The same numbers in PyTorch"), _("Without rope_core; what stands in the figure is left in result.")
    cells = [
        _words("about", f"# {taken.title}\n\n{about}\n\n[{_('Open this page as it is set')}]({taken.link})\n\n{settings}"),
        _words("numbers", f"## {numbers_of_page}"),
        _lines("page", PAGE.format(numbers=numbers)),
        _words("core", f"## {with_core}"),
        _lines("columns", view.core.strip()),
        _lines("compare", COMPARE),
        _words("torch", f"## {in_torch}\n\n{alone}"),
        _lines("result", view.code.strip() + "\nprint(result)"),
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": cells}
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()


def _code(text: str) -> str:
    return text.replace("`", " ")


def _words(identity: str, text: str) -> dict[str, Any]:
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

numbers = """{numbers}"""
header, *rows = csv.reader(io.StringIO(numbers))
page = {{name: np.array([float(cell) for cell in cells if cell]) for name, cells in zip(header, zip(*rows))}}'''
COMPARE = """assert columns.keys() == page.keys()
for name, column in columns.items():
    np.testing.assert_allclose(np.asarray(column, dtype=float), page[name], rtol=1e-9, atol=1e-9, err_msg=name)
    print(name, "agrees:", len(page[name]), "numbers")"""
