"""Write docs/reference.md: pages, controls, scaling methods, public names and commands, as the code declares them.

``make reference`` after a change of one of these; a test compares the file with what this writes.
"""

from __future__ import annotations

import inspect
import itertools
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import rope_core
from lessons.page import Page
from lessons.registry import PAGES
from locales import CATALOGUES
from parameters import PARAMETERS, TABLES
from parameters.settings import Settings
from parameters.shared import SHARED
from parameters.types import Choice, Config, Method, Names, Number, Parameter, Row, Text, Value, Vector, Words, write

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "reference.md"
HEADER = """\
# Reference

Written by `make reference` from the code; a test fails where it is out of date. Formulas and their sources: [theory.md](theory.md).

[Pages](#pages) · [Controls](#controls) · [Scaling methods](#scaling-methods) · [rope_core](#rope_core) · [Commands](#commands)
"""
SECTION = re.compile(r"(Args|Returns|Raises|Attributes):$")
ENTRY = re.compile(r"^(\w+): ")


def reference() -> str:
    """Return the text of the file."""
    return "\n".join((HEADER, pages(), controls(), methods(), names(), commands()))


def pages() -> str:
    """List the pages: what they ask, where they are, what changes them."""
    rows = (
        (page.section, page.title, f"`/{'' if page.name == 'start' else page.name}`", page.question, codes(shared(page)))
        for page in PAGES.values()
    )
    text = "Every page has an address, answers one question, and depends on some of the shared controls.\n\n"
    return "## Pages\n\n" + text + table(("section", "page", "address", "question", "shared controls"), rows)


def shared(page: Page) -> list[str]:
    """Return the shared parameters that some view of a page depends on."""
    choices = {name: spec.options for name, spec in TABLES[page.name].items() if isinstance(spec, Choice)}
    views = (dict(zip(choices, codes, strict=True)) for codes in itertools.product(*choices.values()))
    used = {name for view in views for name in page.controls(Settings.read(page.name, view)[0])}
    return [name for name in SHARED if name in used]


def controls() -> str:
    """List the controls: what they are called in a link, what they may be."""
    rows = ((f"`{name}`", spec.label, owner(name), allowed(spec), default(spec.default), spec.help) for name, spec in PARAMETERS.items())
    text = (
        "What a reader sets stands in the address: `?base=500000&head_dim=64`. A link may hold any of these, and leave out any. "
        f"`lang` is the language: {codes(CATALOGUES)}.\n\n"
    )
    return "## Controls\n\n" + text + table(("in the link", "control", "page", "values", "default", "what it is"), rows)


def default(value: Value) -> str:
    """Write a default as a link does; of a long row of numbers the first few."""
    text = write(value)
    return f"`{textwrap.shorten(text, 40, placeholder=' ...')}`" if text else ""


def owner(name: str) -> str:
    """Name the page that a parameter belongs to."""
    return "all" if name in SHARED else codes(page for page, table in TABLES.items() if name in table)


def allowed(spec: Parameter) -> str:
    """Say what a parameter may be."""
    match spec:
        case Number():
            kind = {0: "numbers", 1: "whole numbers"}.get(spec.step, f"multiples of {spec.step}")
            return f"{kind} from {shown(spec.low)} to {shown(spec.high)}"
        case Choice():
            return codes(spec.options)
        case Vector():
            many = f"{spec.shortest}" if spec.shortest == spec.longest else f"{spec.shortest} to {spec.longest}"
            return f"{many} {'whole ' if spec.whole else ''}numbers from {shown(spec.low)} to {shown(spec.high)}, commas between"
        case Words():
            return f"{spec.shortest} to {spec.longest} words, spaces between"
        case Method():
            return "a `rope_type` with its settings, as the page on context extension writes it; empty: none"
        case Names():
            return f"up to {spec.most} models by the last part of their name on the hub, in small letters, commas between"
        case Row():
            return "number of a row, counted from 0"
        case Config():
            return "the numbers of a config as transformers 5 writes them; empty: none"
        case Text():
            return f"text; its first {spec.longest} characters count"
        case _:
            raise TypeError(f"nobody says what {spec} may be")


def methods() -> str:
    """List the methods of context extension."""
    rows = []
    for rope_type, method in rope_core.SCALINGS.items():
        document = inspect.getdoc(method) or ""
        source = re.sub(r"\s+", " ", document.rpartition("Source: ")[2])
        rows.append((f"`{rope_type}`", link(method.__name__), plain(document.split("\n\n")[0]), plain(source)))
    return "## Scaling methods\n\n" + table(("rope_type", "class", "what it does", "source"), rows)


def names() -> str:
    """Describe every public name of the core."""
    parts = ["## rope_core\n\n" + plain(re.sub(r"\s+", " ", inspect.getdoc(rope_core) or "")) + "\n"]
    for name in sorted(rope_core.__all__, key=str.lower):
        parts.append(f"### {name}\n\n" + described(name, getattr(rope_core, name)))
    return "\n".join(parts)


def described(name: str, thing: object) -> str:
    """Describe one name: how it is called, and its docstring."""
    if thing is rope_core.SCALINGS:
        return f"Every `rope_type` and its class: {', '.join(link(each.__name__) for each in rope_core.SCALINGS.values())}.\n"
    if options := get_args(thing):
        return f"One of {codes(map(repr, options))}.\n"
    text = markdown(inspect.getdoc(thing) or "")
    # Protocols and errors are met, not made.
    if thing is not rope_core.Scaling and not (isinstance(thing, type) and issubclass(thing, Exception)):
        text = called(signature(name, thing)) + text
    if thing is rope_core.RotaryEmbedding:
        forward = rope_core.RotaryEmbedding.forward
        text += "\n" + called(signature(f"{name}(config)", forward).replace("(self, ", "(")) + markdown(inspect.getdoc(forward) or "")
    return text


def called(call: str) -> str:
    """Show a call as code."""
    return f"```py\n{call}\n```\n\n"


def signature(name: str, thing: object) -> str:
    """Write a call with its defaults; types and shapes stand in the docstring."""
    found = inspect.signature(thing)  # type: ignore[arg-type]
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in found.parameters.values()]
    call = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return name + call.replace("'", '"')  # as ruff writes it


def markdown(document: str) -> str:
    """Turn a docstring into Markdown: its sections into lists, what it quotes into code."""
    out: list[str] = []
    for block in document.split("\n\n"):
        first, *lines = block.splitlines()
        if not SECTION.match(first):
            out.append(plain(" ".join(block.split())) + "\n")
            continue
        entries: list[str] = []
        for line in map(str, lines):
            is_new = line.startswith("    ") and not line.startswith("     ") and (ENTRY.match(line.strip()) or not entries)
            entries += [line.strip()] if is_new else []
            if not is_new:
                entries[-1] += " " + line.strip()
        bold = [plain(ENTRY.sub(r"``\1``: ", entry, count=1)) for entry in entries]
        out.append(f"**{first}**\n\n" + "\n".join(f"- {entry}" for entry in bold) + "\n")
    return "\n".join(out)


def commands() -> str:
    """List what ``make`` can do, as ``make help`` says it."""
    said = re.findall(r"@echo 'make ([\w-]+) +(.+?)'$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    rows = ((f"`make {target}`", re.sub(r" {2,}", " ", words).replace("$(PORT)", "8501")) for target, words in said)
    return "## Commands\n\n" + table(("command", "what it does"), rows)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table."""
    cells = [list(head), *map(list, rows)]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells) + "\n"


def codes(texts: Iterable[str]) -> str:
    """Write texts as code, commas between."""
    return ", ".join(f"`{text}`" for text in texts)


def link(name: str) -> str:
    """Link to a public name."""
    return f"[`{name}`](#{name.lower()})"


def plain(text: str) -> str:
    """Turn the quotes of docstrings into those of Markdown."""
    return text.replace("``", "`")


def shown(value: object) -> str:
    """Write a number as readers do."""
    return f"{value:,.15g}" if isinstance(value, int | float) else str(value)


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
