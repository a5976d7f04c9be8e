"""The rule of the house: which room may import which. And proof that the rule can be broken.

``rope_core`` and ``figures`` know nothing of the others; each room below may use those before it. Nothing but ``ui``, ``pages`` and ``app``
speaks Streamlit, but for its options, which the server reads. The oracles share no code with the core.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {"tests", "benchmarks", "scripts"}
ROOMS = {
    "rope_core": set[str](),
    "figures": set[str](),
    "locales": set[str](),
    "compute": {"rope_core", "figures"},
    "parameters": {"rope_core", "locales"},
    "lessons": {"rope_core", "figures", "locales", "compute", "parameters"},
    "exports": {"rope_core", "figures", "locales", "compute", "parameters", "lessons"},
    "server": {"rope_core", "figures", "locales", "compute", "parameters", "lessons"},
    "ui": {"rope_core", "figures", "locales", "compute", "parameters", "lessons", "exports", "server"},
    "pages": {"lessons", "ui"},
}
"""Each room with those that it may use."""
NO_STREAMLIT = set(ROOMS) - {"server", "ui", "pages"}
FORBIDDEN = {
    room: ((set(ROOMS) | {"app"} | OUTSIDE) - allowed - {room}) | ({"streamlit"} if room in NO_STREAMLIT else set())
    for room, allowed in ROOMS.items()
} | {"tests/oracles": {"torch", "app", *ROOMS} | OUTSIDE - {"tests"}}
FORBIDDEN["rope_core"] |= {"plotly"}
FORBIDDEN["figures"] |= {"torch"}
FORBIDDEN["compute"] |= {"plotly"}


def imported_roots(source: str) -> Iterator[str]:
    """Yield the first name of everything that a file imports, wherever the import stands in it; relative ones stay in their room."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name.partition(".")[0] for name in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0]
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module.partition(".")[0]


def broken_rules(root: Path) -> list[str]:
    """List every import that looks into a room it may not."""
    return sorted(
        f"{file.relative_to(root)} imports {name}"
        for room, forbidden in FORBIDDEN.items()
        for file in (root / room).rglob("*.py")
        for name in set(imported_roots(file.read_text(encoding="utf-8"))) & forbidden
    )


def loaded_with(room: str, root: Path) -> set[str]:
    """Import every module of a room in a fresh interpreter and say which top-level names that has loaded."""
    script = (
        "import importlib, pkgutil, sys\n"
        f"room = importlib.import_module({room!r})\n"
        "for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True, timeout=120)
    return set(result.stdout.split())


def plant(root: Path, files: dict[str, str]) -> None:
    for name, source in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(source, encoding="utf-8")


def test_no_room_imports_what_it_may_not():
    assert broken_rules(ROOT) == []


@pytest.mark.parametrize("room", FORBIDDEN)
def test_every_room_is_looked_into(room):
    assert list((ROOT / room).rglob("*.py")) != []


@pytest.mark.parametrize("room", sorted(NO_STREAMLIT))
def test_importing_a_room_loads_nothing_that_it_may_not(room):
    loaded = loaded_with(room, ROOT)
    assert room in loaded
    assert loaded & FORBIDDEN[room] == set()


@pytest.mark.parametrize(
    ("file", "source", "broken"),
    [
        ("rope_core/laws.py", "import streamlit as st", "streamlit"),
        ("rope_core/scaling/linear.py", "import plotly.graph_objects as go", "plotly"),
        ("rope_core/laws.py", "from figures.plane import plane_figure", "figures"),
        ("rope_core/laws.py", "def late():\n    from ui import visit", "ui"),
        ("rope_core/laws.py", "import importlib\nimportlib.import_module('streamlit.web')", "streamlit"),
        ("rope_core/laws.py", "from importlib import import_module\nimport_module('pages.start')", "pages"),
        ("rope_core/laws.py", "__import__('plotly')", "plotly"),
        ("rope_core/laws.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import figures", "figures"),
        ("figures/plane.py", "from rope_core import rotate", "rope_core"),
        ("figures/plane.py", "import streamlit", "streamlit"),
        ("figures/plane.py", "import ui.visit", "ui"),
        ("ui/shell.py", "import pages.start", "pages"),
        ("ui/shell.py", "from pages import start", "pages"),
        ("lessons/start/views.py", "from pages import start", "pages"),
        ("lessons/start/views.py", "import streamlit as st", "streamlit"),
        ("lessons/start/views.py", "from ui.visit import visit", "ui"),
        ("lessons/start/views.py", "from exports.link import qr_code", "exports"),
        ("parameters/settings.py", "from compute.speeds import speeds", "compute"),
        ("parameters/settings.py", "from streamlit import session_state", "streamlit"),
        ("compute/speeds.py", "from locales import _", "locales"),
        ("compute/speeds.py", "from parameters.settings import Settings", "parameters"),
        ("exports/table.py", "import streamlit", "streamlit"),
        ("server/views.py", "from ui.visit import visit", "ui"),
        ("server/views.py", "from exports.link import qr_code", "exports"),
        ("pages/start.py", "from app import app", "app"),
        ("tests/oracles/rotation.py", "from rope_core.laws import geometric_frequencies", "rope_core"),
        ("tests/oracles/rotation.py", "import torch", "torch"),
    ],
)
def test_the_rule_sees_a_bad_import(tmp_path, file, source, broken):
    plant(tmp_path, {file: source})
    assert broken_rules(tmp_path) == [f"{file} imports {broken}"]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "rope_core/laws.py",
            "import math\nimport numpy\nimport torch\nfrom rope_core.errors import RopeConfigError\nfrom . import errors",
        ),
        ("figures/plane.py", "import numpy as np\nimport plotly.graph_objects as go\nfrom figures.theme import COLOURS"),
        ("ui/charts.py", "import streamlit as st\nimport rope_core\nimport figures.plane\nimport server.views"),
        ("pages/start.py", "import streamlit as st\nfrom lessons.start import PAGE\nfrom ui.page import draw"),
        ("lessons/start/views.py", "from compute.speeds import speeds\nfrom parameters.settings import Settings\nfrom locales import _"),
        ("rope_core/laws.py", '"""Never import streamlit here."""\n# import plotly'),
        ("rope_core/laws.py", "import uintegers"),
    ],
)
def test_the_rule_leaves_good_imports_alone(tmp_path, file, source):
    plant(tmp_path, {file: source})
    assert broken_rules(tmp_path) == []


def test_the_fresh_interpreter_sees_an_import_behind_an_import(tmp_path):
    plant(
        tmp_path,
        {
            "rope_core/__init__.py": "",
            "rope_core/scaling/__init__.py": "",
            "rope_core/scaling/late.py": "import innocent",
            "innocent.py": "import streamlit",
            "streamlit.py": "",
        },
    )
    assert broken_rules(tmp_path) == []
    assert loaded_with("rope_core", tmp_path) & FORBIDDEN["rope_core"] == {"streamlit"}
