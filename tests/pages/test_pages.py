import json
import re

import plotly.graph_objects as go
import pytest
from plotly.utils import PlotlyJSONEncoder

from tests.visit import SHELL, alt, figure, formulas, message, open_page, prose, sent, sliders, texts, views
from locales import CATALOGUES
from lessons.registry import LESSONS


@pytest.fixture(scope="module", params=[(name, lang) for name in LESSONS for lang in CATALOGUES], ids=lambda param: "-".join(param))
def opened(request):
    """A page, just opened, with its lesson and its language."""
    name, lang = request.param
    return open_page(name, lang), LESSONS[name], lang


def test_app_is_complete():
    assert set(LESSONS) >= {"start", "pair", "decay"}
    assert set(CATALOGUES) >= {"en", "zh-CN"}


def test_headline_is_the_question_of_the_lesson_in_the_language_of_the_link(opened):
    at, lesson, lang = opened
    assert at.title[0].value == CATALOGUES[lang].gettext(lesson.question)
    assert (at.title[0].value == lesson.question) == (lang == "en")


def test_page_shows_nothing_to_worry_about(opened):
    at, *_ = opened
    assert not at.warning


def test_page_has_one_figure_whose_alternative_text_gives_numbers(opened):
    at, *_ = opened
    assert message(at)["figure"]["data"]
    assert len(re.findall(r"\d+", alt(at))) >= 2


def test_alternative_text_is_translated(opened):
    at, lesson, lang = opened
    assert (alt(at) == alt(open_page(lesson.name))) == (lang == "en")


def test_two_or_three_sentences_with_numbers_stand_under_the_figure(opened):
    at, *_ = opened
    (lines,) = [element.value.splitlines() for element in at.markdown if element.value.startswith("- ")]
    assert 2 <= len(lines) <= 3
    assert all(line.startswith("- ") for line in lines)
    assert sum(bool(re.search(r"`[^`]*\d[^`]*`", line)) for line in lines) >= 2


def test_formula_stands_with_symbols_and_then_with_numbers(opened):
    at, *_ = opened
    lines = "\\\\".join(formulas(at)).split("\\\\")
    assert len(lines) >= 2
    assert "\\theta" in lines[0]
    assert re.search(r"\d\.\d", lines[-1])


def test_two_to_four_settings_are_offered_to_try(opened):
    at, *_ = opened
    offers = [button for button in at.button if ".try" in button.key]
    assert 2 <= len(offers) <= 4
    assert len({button.label for button in offers}) == len(offers)


def test_code_of_the_figure_is_shown_and_its_numbers_are_offered(opened):
    at, *_ = opened
    assert [block.language for block in at.code] == ["python"]
    assert [button.key.rpartition(".")[2] for button in at.get("download_button")] == ["csv", "html", "ipynb"]


def test_page_leads_on_to_other_pages(opened):
    at, lesson, _ = opened
    links = [link.proto.page for link in at.get("page_link")]
    assert links
    assert lesson.name not in links


def test_no_text_on_the_page_is_damaged_or_taken_for_a_formula(opened):
    at, *_ = opened
    said = prose(at)
    said += [part for element in (*sliders(at), *at.text_input, *at.button) for part in (element.label, element.help or "")]
    assert said
    for text in (*said, *formulas(at), alt(at)):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), text
    for text in said:
        assert "$" not in text
        assert not re.search(r"\{\w*\}", text), "a place was left empty"


def test_no_text_of_the_figure_is_tex(opened):
    at, *_ = opened
    shown = list(texts(figure(at)))
    assert shown
    assert not [text for text in shown if "$" in text or "\\" in text or re.search(r"[\x00-\x1f]", text)]


def test_words_of_controls_are_translated(opened):
    at, lesson, lang = opened
    english = {control.key: control.help for control in sliders(open_page(lesson.name))}
    assert english
    for control in sliders(at):
        assert (control.help == english[control.key]) == (lang == "en"), control.key


def test_main_script_is_not_beside_the_pages():
    assert not (SHELL.parent / "pages").exists(), "Streamlit would discover them by itself"


def test_no_english_sentence_is_left_on_a_translated_page(subtests):
    english = re.compile(r"[A-Za-z]{3,} [A-Za-z]{3,}")  # but for code, and for the English terms of the glossary, in italics
    for page in LESSONS:
        for view in views(page):
            at = open_page(page, "zh-CN", **view.choices)
            chart = figure(at)
            shown = [*texts(chart["data"]), *texts({**chart["layout"], "template": ""}), alt(at)]
            shown += prose(at)
            shown += [part for box in (*sliders(at), *at.number_input, *at.button) for part in (box.label, box.help or "")]
            with subtests.test(page=page, view=view.choices):
                assert [text for text in shown if english.search(re.sub(r"<[^>]*>|`[^`]*`|\b_[^_]*_", " ", text))] == []


def test_figures_stay_small_and_are_as_plotly_checks_them_at_the_largest_settings(subtests):
    largest = {"head_dim": "512", "reach": "10000000", "tokens": "1048576", "position": "9999999", "m": "10000000"}
    for page in LESSONS:
        for view in views(page):
            with subtests.test(page=page, view=view.choices):
                link = {name: value for name, value in largest.items() if name in view.drawn}
                at = open_page(page, **view.choices, **link)
                drawn = full(json.loads(json.dumps(figure(at), cls=PlotlyJSONEncoder)))
                assert full(json.loads(go.Figure(drawn).to_json())) == drawn  # figures are built without plotly's checks
                is_matrix = any(trace["type"] == "heatmap" for trace in drawn["data"])
                assert len(sent(at)) < (4_000_000 if is_matrix else 400_000)


def full(part):
    """Leave out what is empty, as plotly.py does."""
    if isinstance(part, dict):
        return {key: full(inner) for key, inner in part.items() if inner not in (None, [], {})}
    return [full(inner) for inner in part] if isinstance(part, list) else part
