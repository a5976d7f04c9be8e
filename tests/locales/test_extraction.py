"""Translators see every text that readers see: extraction finds what the code marks, wherever it stands."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "scripts/messages.sh").read_text(encoding="utf-8")
KEYWORDS = {name: (int(place),) if place else None for name, place in re.findall(r" -k (\w+)(?::(\d))?", SCRIPT)}
ROOMS = re.findall(r"\w+", SCRIPT.split("app.py ")[1].splitlines()[0])
MARKS = ("_", "N_", "say", "wording")


@pytest.fixture(scope="module")
def extracted() -> set[str]:
    with (ROOT / "scripts/messages.ini").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    return {row[2] for room in ROOMS for row in extract_from_dir(ROOT / room, methods, options, keywords=KEYWORDS)}


def marked(source: str) -> set[str]:
    """Return the texts that a file marks, those inside of f-strings too."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return {
        call.args[0].value
        for call in calls
        if call.func.id in MARKS and call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


def test_every_room_is_looked_into() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/*.py")} - {"tests", "benchmarks", "scripts", "locales", "compute"}
    assert set(ROOMS) == packages


@pytest.mark.parametrize("room", ROOMS)
def test_every_marked_text_of_a_room_is_found(room: str, extracted: set[str]) -> None:
    missed = {path: marked(path.read_text(encoding="utf-8")) - extracted for path in (ROOT / room).rglob("*.py")}
    assert {path.relative_to(ROOT).as_posix(): texts for path, texts in missed.items() if texts} == {}


def test_texts_of_figures_are_found(extracted: set[str]) -> None:
    texts = {text for path in (ROOT / "figures").rglob("*.py") for text in marked(path.read_text(encoding="utf-8"))}
    assert len(texts) > 50
    assert "first coordinate of the pair" in texts & extracted


def test_an_f_string_hides_no_mark_from_this_test() -> None:
    assert marked("""f"q {say('before')} {_('x' 'y')}" + say(text)""") == {"before", "xy"}


@pytest.mark.parametrize(
    "text",
    [
        "{key} must be a number, got {value}",  # reject: its second argument
        "{field} must be a positive even integer, got {value!r}",  # RopeConfigError
        "write a number",  # wording
        "Base b",  # a parameter
        "What is RoPE, in one moving picture?",  # a page
    ],
)
def test_texts_of_every_kind_are_found(text: str, extracted: set[str]) -> None:
    assert text in extracted


def test_texts_of_data_files_are_found(extracted: set[str]) -> None:
    for path in (ROOT / "lessons").glob("*/questions.toml"):
        (question, *_rest) = re.findall(r'^question = "([^"\\{]+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
        assert question in extracted
