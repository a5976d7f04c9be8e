"""Every control says in a sentence what it is for, in the language of the page."""

import pytest

from tests.prose import is_one_sentence
from tests.visit import live_sliders, open_page, show, views
from locales import CATALOGUES
from ui.parameters import PARAMETERS
from lessons.registry import LESSONS
from lessons.quiz import steps_of

KINDS = (
    *("selectbox", "multiselect", "select_slider", "number_input", "text_input", "text_area", "button", "checkbox", "toggle", "radio"),
    *("button_group", "download_button", "file_uploader", "slider", "color_picker", "date_input", "time_input", "chat_input", "feedback"),
)
OWN = '{"head_dim":64,"max_position_embeddings":2048,"rope_parameters":{"rope_theta":500,"rope_type":"linear","factor":2}}'
LINKS = {
    "models": [{"models_way": "own", "models_config": OWN}],
    "extension": [{"scaling": '{"rope_type":"yarn","factor":4}'}],
    "frequencies": [{"scaling": '{"rope_type":"yarn","factor":4}'}],
}
"""Links that bring controls which no view has."""


def exempt(element):
    """Whether a control needs no help of its own: a box whose slider beside it has it, a box that nobody sees, a setting to try."""
    key = element.key or ""
    spec = PARAMETERS.get(key)
    return (element.type == "number_input" and spec is not None) or key == element.label or ".try" in key


def without_help(at):
    """Controls without a sentence of help."""
    elements = [element for kind in KINDS for element in at.get(kind)] + live_sliders(at)
    asked = [element for element in elements if not (hasattr(element, "type") and exempt(element))]
    assert asked
    help_of = lambda element: getattr(element, "help", None) or getattr(getattr(element, "proto", None), "help", "")  # noqa: E731
    return [element.key or element.label for element in asked if not (help_of(element) or "").rstrip().endswith((".", "。"))]


@pytest.mark.parametrize("page", LESSONS)
def test_every_control_of_every_view_has_a_sentence_of_help(page):
    at = open_page(page)
    for view in views(page):
        assert without_help(show(at, view.choices)) == []
    for link in LINKS.get(page, []):
        assert without_help(open_page(page, **link)) == []
    for number in range(1, len(steps_of(page)) + 1):
        for link in ({"step": f"{number}"}, {"step": f"{number}-answer"}, {"step": f"{number}", "present": "1"}):
            assert without_help(open_page(page, **link)) == []


@pytest.mark.parametrize("lang", CATALOGUES)
def test_help_is_there_in_every_language(lang):
    assert all(without_help(open_page(page, lang)) == [] for page in ("start", "models", "glossary"))


def test_every_parameter_has_help_of_one_sentence_that_says_more_than_its_label():
    helps = {name: spec.help for name, spec in PARAMETERS.items()}
    assert [name for name, text in helps.items() if not is_one_sentence(text)] == []
    assert [name for name, text in helps.items() if len(text) <= len(PARAMETERS[name].label)] == []


def test_box_for_several_numbers_says_in_the_same_sentence_how_many_it_takes():
    box = open_page("pair").text_input(key="q")
    assert box.help == "Two numbers: the query before rotation (2 numbers from -100 to 100)."
