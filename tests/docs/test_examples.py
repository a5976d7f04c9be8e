"""Code in the documents runs, and prints what it says; numbers and names beside it are those of the code."""

from __future__ import annotations

import doctest
import re
from typing import Any

import pytest

import rope_core
import rope_core.scaling
from tests.docs.pages import ROOT, blocks, prose, read

THEORY = read(ROOT / "docs/theory.md")
SECTIONS = {part.splitlines()[0]: part for part in THEORY.split("\n## ")[1:]}
NUMBER = re.compile(r"(?<![\w.])\d[\d,_]*(?:\.\d+)?(?:e-?\d+)?(?!\w)")
NO_NUMBERS = re.compile(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\b\d{4}\.\d{5}\b|\b20\d\d\b|(?:section|eq\.) [\d.]+|\d+\.\d+\.\d+")
"""Code, formulas, links, arXiv identifiers, years, places in a paper, versions."""


class Failures(list[str]):
    """Takes what doctest says."""

    def write(self, text: str) -> None:
        self.append(text)


def run(name: str, text: str) -> list[str]:
    """Run the Python of a document as one session, and give what went otherwise than it says."""
    names: dict[str, Any] = {}
    failures = Failures()
    runner = doctest.DocTestRunner(verbose=False)
    for code in blocks(text, "python"):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, name, name, 0)
            runner.run(test, out=failures.write, clear_globs=False)
            names |= test.globs
        else:
            exec(code, names)
    return failures


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/theory.md"])
def test_the_code_of_a_document_runs(name: str) -> None:
    text = read(ROOT / name)
    assert blocks(text, "python")
    assert run(name, text) == []


def test_a_wrong_number_is_seen() -> None:
    assert run("x", "```python\n>>> x = 2\n\n```\n```python\n>>> x + 1\n3\n\n```\n") == []
    assert "Got:\n    3" in "".join(run("x", "```python\n>>> 1 + 2\n4\n\n```\n"))
    with pytest.raises(NameError):
        run("x", "```python\nprint(y)\n```\n")


def unproved(section: str) -> list[str]:
    """Numbers of three digits or more in the text of a section that no block of it computes or takes."""
    known = {float(number.replace(",", "").replace("_", "")) for code in blocks(section, "python") for number in NUMBER.findall(code)}
    told = NUMBER.findall(NO_NUMBERS.sub(" ", prose(section)))
    plain = [number.replace(",", "").rstrip(".") for number in told]
    return [number for number in plain if len(re.sub(r"\D|e.*", "", number.lstrip("0."))) > 2 and float(number) not in known]


@pytest.mark.parametrize("title", SECTIONS)
def test_numbers_of_the_text_are_computed(title: str) -> None:
    assert unproved(SECTIONS[title]) == []


def test_a_number_from_nowhere_is_seen() -> None:
    code = "```python\n>>> 1707, 820 / 1000\n(1707, 0.82)\n\n```\n"
    assert unproved("It is 1,707 or 0.820, 12 times (arXiv 2405.14591, section 3.4.3, `4096`, $2^{100}$), not 1,708.\n" + code) == ["1708"]


def found(name: str) -> bool:
    """Whether the core has a thing of a dotted name: public, or in one of its modules."""
    first, *rest = name.split(".")
    for room in (rope_core, rope_core.scaling):
        thing = getattr(room, first, None)
        for part in rest:
            thing = getattr(thing, part, None)
        if thing is not None:
            return True
    return False


def test_names_beside_the_formulas_are_those_of_the_core() -> None:
    dotted = set(re.findall(r"`([a-zA-Z]\w*\.\w+)`", prose(THEORY)))
    assert len(dotted) > 5
    assert [name for name in dotted if not found(name)] == []
    assert found("ramps.kept_by_turns")
    assert not found("ramps.nothing")


def test_every_function_of_the_core_stands_beside_a_formula() -> None:
    without = {"best_device", "catalogue_models", "parse_config", "to_huggingface", "tabulated_widths", "relative_distances"}
    functions = {name for name in rope_core.__all__ if name.islower()} - without
    assert {name for name in functions if f"`{name}`" not in THEORY} == set()
