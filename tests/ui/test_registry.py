"""The pages as files: one a lesson, short, and every text of theirs translated."""

import ast
import re
from pathlib import Path

import pytest

from parameters.types import Choice
from ui.parameters import PARAMETERS, SHARED
from lessons.registry import LESSONS, PAGES_FOLDER

PAGES = sorted(PAGES_FOLDER.glob("*.py"))
UI = Path(PAGES_FOLDER).parent / "ui"
DRAWERS = ("number", "whole", "choice", "vector", "search", "model_names", "own_config", "layer_choice")


def calls(tree, *names):
    """Calls of functions with one of some names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
            if name in names:
                yield node


def drawn_names(source):
    """Parameters that a page draws, in any of its views."""
    strings = lambda node: [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and part.value in PARAMETERS]  # noqa: E731
    tree = ast.parse(source)
    direct = {name for call in calls(tree, *DRAWERS) for argument in call.args for name in strings(argument)}
    looped = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.comprehension | ast.For) and any(True for _ in calls(tree, *DRAWERS))
        for name in strings(node.iter)
    }
    return direct | looped


def untranslated(source):
    """Texts of a page that nobody translates: string constants with a space or a capital that are no argument of ``_``."""
    tree = ast.parse(source)
    translated = {id(part) for call in calls(tree, "_") for part in ast.walk(call)}
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"[^\W\d_]", node.value)
        and re.search(r"\s|[A-Z]|[^\x00-\x7f]", node.value)
        and id(node) not in translated | docstrings
    ]


class TestRegistry:
    def test_every_lesson_has_a_page_and_every_page_a_lesson(self):
        assert {path.stem for path in PAGES} == set(LESSONS)

    @pytest.mark.parametrize("name", LESSONS)
    def test_lesson_is_named_like_its_file_and_its_address(self, name):
        assert LESSONS[name].name == name == LESSONS[name].path.stem
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)

    @pytest.mark.parametrize("name", LESSONS)
    def test_lesson_uses_shared_parameters_only(self, name):
        assert set(LESSONS[name].uses) <= set(SHARED)
        assert set(LESSONS[name].idle_while) <= set(LESSONS[name].uses)

    def test_titles_and_questions_differ(self):
        assert len({lesson.title for lesson in LESSONS.values()}) == len({lesson.question for lesson in LESSONS.values()}) == len(LESSONS)

    def test_every_lesson_asks_a_question(self):
        assert all(lesson.question.endswith("?") for lesson in LESSONS.values())

    def test_lessons_of_a_section_stand_together(self):
        sections = [lesson.section for lesson in LESSONS.values()]
        assert sections == sorted(sections, key=sections.index)


class TestPages:
    @pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
    def test_page_is_at_most_80_lines(self, path):
        assert len(path.read_text().splitlines()) <= 80

    @pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
    def test_every_text_of_a_page_is_translated(self, path):
        assert untranslated(path.read_text()) == []

    @pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
    def test_page_begins_with_its_question(self, path):
        assert (ast.get_docstring(ast.parse(path.read_text())) or "").endswith("?")

    @pytest.mark.parametrize(
        "line", ['st.markdown("Some words")', 'st.info(f"Pair {i} is fast")', 'st.button("Wörter")', 'st.title("Start")']
    )
    def test_text_that_nobody_translates_is_found(self, line):
        assert untranslated(line)
        assert not untranslated("st.markdown(_('Some words').format(i=1))\n'''A docstring.'''\nchoice('start_view')")

    def test_every_parameter_that_is_not_shared_is_drawn_by_exactly_one_page(self):
        heroes = {path.stem: {LESSONS[path.stem].hero} if any(calls(ast.parse(path.read_text()), "scene")) else set() for path in PAGES}
        drawn = {path.stem: drawn_names(path.read_text()) | heroes[path.stem] - set(SHARED) for path in PAGES}
        drawers = {name: [page for page, names in drawn.items() if name in names] for name in PARAMETERS}
        assert {name: pages for name, pages in drawers.items() if len(pages) != (name not in SHARED)} == {}

    def test_shell_draws_the_shared_parameters(self):
        assert any(calls(ast.parse((UI / "shell.py").read_text()), "shared_controls"))

    @pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
    def test_settings_to_try_are_parameters_of_the_frame_or_the_page(self, path):
        source = path.read_text()
        settings = {
            key.value: value.value if isinstance(value, ast.Constant) else None
            for call in calls(ast.parse(source), "scene")
            for keyword in call.keywords
            if keyword.arg == "tries"
            for node in ast.walk(keyword)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values, strict=True)
        }
        assert settings
        assert set(settings) <= drawn_names(source) | {LESSONS[path.stem].hero} | set(SHARED)
        assert all(value in spec.options for name, value in settings.items() if isinstance(spec := PARAMETERS[name], Choice))
