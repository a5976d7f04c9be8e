"""What the app's sources must not do with what a browser sends: run it, unpickle it, or put it into a page as HTML."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from lessons.registry import PAGES
from tests import test_imports
from ui.paths import path as path_of

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(test_imports.ROOMS)
SOURCES = [ROOT / "app.py", *(path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))]
SCRIPTS = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.js"))]
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "subprocess", "pty", "ctypes", "code", "runpy"}
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
ATTRIBUTES = {("os", "system"), ("os", "popen"), ("yaml", "load"), ("torch", "load"), ("importlib", "import_module"), ("np", "load")}
# A page's HTML is text of the code alone, not even a name; or a file that lies beside the code, named in full.
BESIDE = re.compile(r"(FOLDER / |Path\(__file__\)\.with_name\()'[a-z]+\.css'\)?")
HTML = {"html", "iframe"}
KNOWN: dict[str, set[str]] = {"lessons/notebook.py": {"compile"}}  # of our own functions, to see which names they use; nothing is run
# What lessons/markup.py has written and escaped: tests/lessons/test_markup.py.
WRITTEN = {
    "figure.js": (
        "this.verdict.innerHTML = shown.verdict;",
        'this.sentences.innerHTML = shown.sentences.map((sentence) => `<li>${sentence}</li>`).join("");',
        "this.compared.innerHTML = shown.compared;",
    )
}
JAVASCRIPT = re.compile(r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?://")


def dangers(source: str) -> list[str]:
    """Name each dangerous thing in a Python source, with its line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found += [(node.lineno, name.name) for name in names if name.name.split(".")[0] in MODULES]
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] in MODULES:
                found.append((node.lineno, module))
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                found.append((node.lineno, name))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if (owner, name) in ATTRIBUTES:
                found.append((node.lineno, f"{owner}.{name}"))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="st"), attr=name), args=args) if name in HTML:
                if not all(isinstance(arg, ast.Constant) or BESIDE.fullmatch(ast.unparse(arg)) for arg in args):
                    found.append((node.lineno, f"st.{name} of something computed"))
        if isinstance(node, ast.keyword) and node.arg in ("unsafe_allow_html", "unsafe_allow_javascript"):
            found.append((node.value.lineno, node.arg))
    return [f"{line}: {what}" for line, what in found]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_source_runs_nothing_that_it_is_given(path: Path) -> None:
    known = KNOWN.get(path.relative_to(ROOT).as_posix(), set())
    assert [danger for danger in dangers(path.read_text(encoding="utf-8")) if danger.split(": ")[1] not in known] == []


def test_what_is_run_are_our_pages() -> None:
    assert {path_of(page) for page in PAGES} == set((ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_makes_no_html_and_asks_no_other_host(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for line in WRITTEN.get(path.name, ()):
        assert line in source
        source = source.replace(line, "")
    assert not JAVASCRIPT.findall(source)


def test_all_rooms_are_read() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == {"app.py", *ROOMS}
    assert SCRIPTS


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from pickle import loads",
        "import joblib.numpy_pickle as p",
        "eval(text)",
        "exec(text)",
        "compile(text, '', 'eval')",
        "os.system(text)",
        "torch.load(file)",
        "yaml.load(text)",
        "st.markdown(text, unsafe_allow_html=True)",
        "st.html(f'<b>{name}</b>')",
        "st.html(text)",
    ],
)
def test_the_scan_can_fail(source: str) -> None:
    assert dangers(source)


def test_the_scan_lets_plain_code_pass() -> None:
    assert dangers("import re\nre.compile('x')\nst.html('<style></style>')\nst.markdown(text)\nmodel.eval()\njson.loads(text)") == []
