"""The pages as files: one a page, short; each page with a name, a question and pages that follow."""

import ast
import re
from pathlib import Path

import pytest

from lessons.registry import PAGES
from parameters import TABLES
from parameters.types import Choice
from ui.paths import FOLDER, path

SCRIPTS = sorted(FOLDER.glob("*.py"))
ROOT = Path(__file__).resolve().parents[2]


class TestRegistry:
    def test_every_page_has_a_script_a_table_and_a_room_and_there_are_no_others(self):
        rooms = {each.parent.name for each in (ROOT / "lessons").glob("*/__init__.py")} - {"methods"}
        assert {each.stem for each in SCRIPTS} == set(PAGES) == set(TABLES) == rooms
        assert all(path(name) in SCRIPTS for name in PAGES)

    @pytest.mark.parametrize("name", PAGES)
    def test_page_is_named_like_its_file_and_its_address(self, name):
        assert PAGES[name].name == name
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)

    @pytest.mark.parametrize("name", PAGES)
    def test_choice_of_the_view_is_a_choice_of_the_page(self, name):
        assert isinstance(TABLES[name][PAGES[name].choice], Choice)

    @pytest.mark.parametrize("name", PAGES)
    def test_pages_that_follow_are_others(self, name):
        onward = PAGES[name].onward
        assert 0 < len(onward) == len(set(onward))
        assert set(onward) <= set(PAGES) - {name}

    def test_titles_questions_and_icons_differ(self):
        for part in ("title", "question", "icon"):
            assert len({getattr(page, part) for page in PAGES.values()}) == len(PAGES), part

    def test_every_page_asks_a_question(self):
        assert all(page.question.endswith("?") for page in PAGES.values())

    def test_pages_of_a_section_stand_together(self):
        sections = [page.section for page in PAGES.values()]
        assert sections == sorted(sections, key=sections.index)


class TestScripts:
    @pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.stem)
    def test_script_draws_its_page_and_says_nothing_itself(self, script):
        page = PAGES[script.stem]
        tree = ast.parse(script.read_text(encoding="utf-8"))
        docstring, *rest = tree.body
        assert ast.get_docstring(tree) == f"{page.title}: {page.question[0].lower()}{page.question[1:]}"
        assert ast.unparse(docstring) not in [ast.unparse(node) for node in rest]
        assert [node.value for each in rest for node in ast.walk(each) if isinstance(node, ast.Constant)] == []
        assert len(script.read_text(encoding="utf-8").splitlines()) <= 15
        assert f"from lessons.{script.stem} import PAGE" in [ast.unparse(node) for node in rest]
        assert ast.unparse(rest[-1]).startswith("draw(")
