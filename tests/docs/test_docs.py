"""The documents say what is there, and what they say is true."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import rope_core
from lessons.registry import PAGES
from locales import CATALOGUES
from parameters import PARAMETERS
from parameters.settings import Settings
from parameters.shared import SHARED
from scripts import reference
from tests.docs.pages import FILES, ROOT, anchors, broken_links, prose, read
from ui.visit import EXTRAS

REFERENCE = read(ROOT / "docs/reference.md")
README = read(ROOT / "README.md")
MAKEFILE = read(ROOT / "Makefile")
TARGETS = re.findall(r"^([a-z][\w-]*):", MAKEFILE, re.MULTILINE)
INNER = {"help", "install", "install-dev", "python"}
"""Targets that others need, and the one that prints them."""
FUNCTIONS = {name: thing for name in rope_core.__all__ if inspect.isfunction(thing := inspect.unwrap(getattr(rope_core, name)))}
CLASSES = {name: thing for name in rope_core.__all__ if inspect.isclass(thing := getattr(rope_core, name))}


# The reference.


def test_the_reference_is_what_the_script_writes() -> None:
    assert reference.reference() == REFERENCE, "run `make reference`"


@pytest.mark.parametrize("name", rope_core.__all__)
def test_a_public_name_is_documented(name: str) -> None:
    assert f"\n### {name}\n" in REFERENCE


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_documented(name: str) -> None:
    page = PAGES[name]
    for document in (REFERENCE, README):
        assert re.search(rf"^\|.* {re.escape(page.title)} \|.* {re.escape(page.question)} \|", document, re.MULTILINE)


@pytest.mark.parametrize("rope_type", rope_core.SCALINGS)
def test_a_rope_type_is_documented(rope_type: str) -> None:
    name = rope_core.SCALINGS[rope_type].__name__
    assert f"\n| `{rope_type}` | [`{name}`](#{name.lower()}) |" in REFERENCE
    assert f"`{name}" in read(ROOT / "docs/theory.md")


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_control_is_documented(name: str) -> None:
    [row] = re.findall(rf"^\| `{name}` \|.*$", REFERENCE, re.MULTILINE)
    assert PARAMETERS[name].label in row
    assert PARAMETERS[name].help.replace("|", "\\|") in row


@pytest.mark.parametrize("name", [*EXTRAS, "embed"])
def test_what_else_a_link_says_is_documented(name: str) -> None:
    assert f"\n| `{name}=" in read(ROOT / "docs/teaching.md")


@pytest.mark.parametrize("code", CATALOGUES)
def test_a_language_is_documented(code: str) -> None:
    assert f"`{code}`" in REFERENCE


@pytest.mark.parametrize("target", sorted(set(TARGETS) - INNER))
def test_a_make_target_is_documented(target: str) -> None:
    assert f"| `make {target}` |" in REFERENCE
    assert f"`make {target}" in README or f"\nmake {target} " in README
    assert f"@echo 'make {target} " in MAKEFILE


def test_all_targets_are_seen() -> None:
    assert set(re.findall(r"\S+", MAKEFILE.split(".PHONY:")[1].splitlines()[0])) == set(TARGETS)


def test_a_parameter_belongs_to_its_page_or_to_all() -> None:
    assert reference.owner("pair") == "`pair`"  # a parameter and a page of one name
    assert reference.owner("base") == "all"


@pytest.mark.parametrize("name", PAGES)
def test_shared_controls_of_a_page_are_those_that_a_view_depends_on(name: str) -> None:
    page, shared = PAGES[name], reference.shared(PAGES[name])
    assert {each for each in page.controls(Settings(name)) if each in SHARED} <= set(shared) <= SHARED.keys()


def test_docstrings_become_lists() -> None:
    text = reference.markdown("Do it.\n\nArgs:\n    a: One\n        thing.\n    b: ``x: y``.\n\nReturns:\n    A number: whole.")
    assert text == "Do it.\n\n**Args:**\n\n- `a`: One thing.\n- `b`: `x: y`.\n\n**Returns:**\n\n- A number: whole.\n"


# Docstrings of the core, which others call.


def documented(text: str, name: str) -> bool:
    return bool(re.search(rf"^    {name}: \S", text, re.MULTILINE))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_goes_in_and_comes_out(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    assert [each for each in inspect.signature(FUNCTIONS[name]).parameters if not documented(text, each)] == []
    assert "\nReturns:\n    " in text


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if inspect.signature(FUNCTIONS[name]).parameters])
def test_a_public_function_says_what_it_refuses(name: str) -> None:
    nonsense = {each: object() for each in inspect.signature(FUNCTIONS[name]).parameters}
    refuses = False
    try:
        FUNCTIONS[name](**nonsense)
    except rope_core.RopeConfigError:
        refuses = True
    assert refuses == ("\nRaises:\n    RopeConfigError: " in (inspect.getdoc(FUNCTIONS[name]) or ""))


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_class_says_what_its_settings_are(name: str) -> None:
    text = inspect.getdoc(CLASSES[name]) or ""
    settings = set(inspect.signature(CLASSES[name]).parameters) - {"args", "kwargs", "values"}
    assert [each for each in settings if not documented(text, each)] == []


# All documents.


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path, read(path)) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# A title: `x`\n\n## Same\n\n## Same\n")
    text = "[a](there.md) [b](gone.md) [c](there.md#a-title-x) [d](there.md#same-1) [e](there.md#none) [f](#here) [g](#gone)\n# Here\n"
    assert broken_links(tmp_path / "this.md", text) == ["gone.md", "there.md#none", "#gone"]
    assert broken_links(tmp_path / "this.md", "[a](https://x.example)") == []
    assert broken_links(tmp_path / "this.md", "```sh\n[b](gone.md)\n```\n`[b](gone.md)`\n") == []
    assert anchors("```\n# no heading\n```\n# One\n") == {"one"}


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) < 120


def test_the_changelog_begins_with_the_version_of_the_package() -> None:
    released = re.findall(r"^## \[(.+?)\]", read(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert next(each for each in released if each != "Unreleased") == rope_core.__version__


def test_every_decision_has_a_number_of_its_own_one_page_and_reasons() -> None:
    files = sorted((ROOT / "docs/decisions").glob("*.md"))
    numbers = [file.name[:4] for file in files]
    assert numbers == sorted(set(numbers))
    assert [file.name for file in files if len(read(file).splitlines()) > 60] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_that_prose_names_is_there(path: Path) -> None:
    rooms = "rope_core|parameters|compute|figures|lessons|exports|server|ui|pages|locales|tests|scripts|docs|deploy|benchmarks"
    names = re.findall(rf"`((?:{rooms})/[\w./]+\.\w+)`", prose(read(path)))
    assert [name for name in names if not (ROOT / name).exists()] == []
