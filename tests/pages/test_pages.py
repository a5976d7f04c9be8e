"""Every page in every language: what stands on it when it opens, in a frame, and when the core refuses; and that little is drawn anew."""

import dataclasses
import functools
import logging
import re
import warnings

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest, local_script_runner

import lessons.start
from lessons.registry import PAGES
from locales import CATALOGUES
from parameters import PARAMETERS
from parameters.settings import Settings
from rope_core import RopeConfigError
from server.answers import Question, answer
from server.assets import SCRIPT
from tests import visit
from tests.prose import is_one_sentence
from tests.visit import SHELL, alt, drawn, figure, formulas, message, move, numbers, open_page, prose, release, run, sentences, texts
from ui.live import TOOLBAR

MOST = 25
"""Elements that a whole move may draw."""
MODELS = ("w.model", "w.models_names", "w.models_layer")
"""Lists of names that no language has words for."""
METHOD = {"scaling": '{"rope_type":"yarn","factor":4}'}

WIDGETS = (
    *("selectbox", "multiselect", "select_slider", "number_input", "text_input", "text_area", "button", "checkbox", "toggle", "radio"),
    *("button_group", "download_button", "file_uploader", "slider", "color_picker", "date_input", "time_input", "feedback"),
)
EXEMPT = {"try", "w.step", *(f"w.{page.choice}" for page in PAGES.values())}
"""Rows of buttons that need none: their options say what they are."""


@functools.cache
def opened(page, lang="en"):
    """A page, just opened; who moves something opens one of her own."""
    return open_page(page, lang)


each_page = pytest.mark.parametrize("page", PAGES)
each_language = pytest.mark.parametrize("lang", CATALOGUES)


def words(at):
    """Labels and help of all controls."""
    native = [element for kind in ("button", "selectbox", "multiselect", "text_input", "button_group") for element in at.get(kind)]
    shown = [part for element in native for part in (element.label, element.help, *getattr(element, "options", ()))]
    return [part for part in [*shown, *(each[part] for each in numbers(at).values() for part in ("label", "help"))] if part]


class TestOpened:
    @each_page
    @each_language
    def test_headline_is_the_question_of_the_page_in_the_language_of_the_link(self, page, lang):
        (title,) = opened(page, lang).title
        assert title.value == CATALOGUES[lang].gettext(PAGES[page].question)
        assert (title.value == PAGES[page].question) == (lang == "en")

    @each_page
    @each_language
    def test_page_shows_nothing_to_worry_about(self, page, lang):
        assert not opened(page, lang).warning
        assert opened(page, lang).query_params == {"lang": lang}

    @each_page
    @each_language
    def test_page_has_one_figure_with_an_alternative_text_and_sentences_in_numbers(self, page, lang):
        at = opened(page, lang)
        (shown,) = visit.view(at)["figures"]
        assert shown["figure"]["data"]
        assert len(re.findall(r"\d+", alt(at))) >= 2
        assert 2 <= len(sentences(at)) <= 3
        assert sum(bool(re.search(r"<code>[^<]*\d", line)) for line in sentences(at)) >= 2

    @each_page
    @each_language
    def test_figure_and_its_words_are_those_of_the_view_in_that_language(self, page, lang):
        question = Question(Settings(page), None, lang, coarse=False)
        np.testing.assert_equal(visit.view(opened(page, lang)), visit.read(answer(question)))
        assert (alt(opened(page, lang)) == alt(opened(page))) == (lang == "en")

    @each_page
    @each_language
    def test_formula_stands_with_symbols_and_then_with_numbers(self, page, lang):
        lines = "\\\\".join(formulas(opened(page, lang))).split("\\\\")
        assert len(lines) >= 2
        assert "\\theta" in lines[0]
        assert re.search(r"\d\.\d", lines[-1])

    @each_page
    def test_controls_are_those_that_the_view_depends_on_in_their_order(self, page):
        settings = Settings(page)
        names = [name for name in (PAGES[page].choice, *PAGES[page].controls(settings)) if name != "scaling"]
        assert list(drawn(opened(page))) == sorted(names, key=lambda name: name == PAGES[page].live(settings))

    @each_page
    @each_language
    def test_two_to_four_settings_are_offered_to_try(self, page, lang):
        (offers,) = [group for group in opened(page, lang).get("button_group") if group.key == "try"]
        assert 2 <= len(offers.options) == len(set(offers.options)) <= 4
        english = [each.label for each in PAGES[page].tries(Settings(page))]
        assert [CATALOGUES[lang].gettext(label) for label in english] == offers.options

    @each_page
    def test_page_leads_on_to_other_pages(self, page):
        links = [link.proto.page for link in opened(page).get("page_link")]
        assert tuple(links) == tuple("" if name == "start" else name for name in PAGES[page].onward)
        assert page not in links

    @each_page
    @each_language
    def test_words_of_controls_are_translated(self, page, lang):
        english, here = numbers(opened(page)), numbers(opened(page, lang))
        assert list(english) == list(here)
        for name, each in here.items():
            assert (each["help"] == english[name]["help"]) == (lang == "en"), name

    @each_page
    @each_language
    def test_no_text_on_the_page_is_damaged_or_taken_for_a_formula(self, page, lang):
        at = opened(page, lang)
        said = prose(at) + words(at)
        assert len(said) > 20
        for text in (*said, *formulas(at), alt(at)):
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), text
        for text in said:
            assert "$" not in text
            assert not re.search(r"\{\w*\}", text), "a place was left empty"

    @each_page
    @each_language
    def test_no_text_of_the_figure_is_tex(self, page, lang):
        shown = list(texts(figure(opened(page, lang))))
        assert shown
        assert not [text for text in shown if "$" in text or "\\" in text or re.search(r"[\x00-\x1f]", text)]

    @each_page
    def test_no_english_sentence_is_left_on_a_translated_page(self, page):
        english = re.compile(r"[A-Za-z]{3,} [A-Za-z]{3,}")  # but for code, and for the English terms of the glossary, in italics
        at = opened(page, "zh-CN")
        layout = {**figure(at)["layout"], "template": ""}
        said = [*texts(figure(at)["data"]), *texts(layout), alt(at), *prose(at), *words(at), *message(at)["words"].values()]
        kept = {name for box in (*at.selectbox, *at.multiselect) if box.key in MODELS for name in box.options}
        plain = [re.sub(r"<[^>]*>|`[^`]*`|\b_[^_]*_|:material/\w+:", " ", text) for text in said if text not in kept]
        assert [text for text in plain if english.search(text)] == []


class TestBelow:
    """What stands under the figure, one at a time."""

    def open(self, at, name):
        at.get_by_key("below").set_value(name)
        return run(at)

    @each_page
    def test_lines_numbers_and_files_stand_there_when_they_are_asked_for(self, page):
        at = open_page(page)
        shown = visit.look(at)
        assert formulas(at)
        assert not at.code
        self.open(at, "code")
        (code,) = at.code
        assert code.language == "python"
        names = {}
        exec(code.value, names)
        assert np.isfinite(np.asarray(names["result"], dtype=float)).all()
        assert not formulas(at)
        self.open(at, "data")
        assert at.table
        self.open(at, "files")
        assert [button.key for button in at.get("download_button")] == ["download.csv", "download.html", "download.ipynb"]
        assert not at.code
        assert visit.look(at) == shown

    def test_what_is_open_stays_open_when_something_is_moved_and_when_a_reader_comes_back(self):
        at = self.open(open_page("start"), "code")
        move(at, position=7)
        assert "7" in at.code[0].value
        visit.go(at, "pair")
        assert visit.go(at, "start").code
        at.selectbox(key="w.lang").set_value("zh-CN")
        assert run(at).code

    def test_names_are_in_the_language_of_the_page(self):
        english, chinese = (set(opened("start", lang).get_by_key("below").options) for lang in ("en", "zh-CN"))
        assert english & chinese == {"PyTorch"}


class TestFrame:
    @each_page
    def test_a_frame_in_another_page_leads_to_none(self, page):
        whole, framed = opened(page), open_page(page, browser={"is_embedded": True}, embed="true")
        assert not {"share", "present", "pin"} & {button.key for button in framed.button}
        assert framed.get("page_link") == []
        found = [re.findall(r"\]\((?!https?:)[^)]*\)", text.value) for text in [*framed.markdown, *framed.caption, *framed.info]]
        assert [addresses for addresses in found if addresses] == []
        assert {"share", "present", "pin"} <= {button.key for button in whole.button}
        assert framed.query_params == {"embed": "true", "lang": "en"}
        np.testing.assert_equal(visit.view(framed), visit.view(whole))

    def test_buttons_that_lead_to_other_pages_are_not_in_a_frame(self):
        offers = {button.key for button in opened("models").button if button.key.startswith("offer.")}
        assert offers
        framed = open_page("models", browser={"is_embedded": True})
        assert not offers & {button.key for button in framed.button if "open" in button.key}

    def test_main_script_is_not_beside_the_pages(self):
        assert not (SHELL.parent / "pages").exists(), "Streamlit would discover them by itself"

    def test_plotly_knows_each_word_that_is_translated_for_it(self):
        script = SCRIPT.read_text(encoding="utf-8")
        assert [word for word in TOOLBAR if f'"{word}"' not in script] == ["Full screen"]


class TestElements:
    """Everything that a run sends is drawn anew in the browser."""

    @pytest.fixture
    def runs(self, monkeypatch):
        """The messages of every run."""
        kept, parse = [], local_script_runner.parse_tree_from_messages
        monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", lambda sent: kept.append(list(sent)) or parse(sent))
        return kept

    @each_page
    def test_a_whole_move_draws_few_elements(self, page, runs):
        at = open_page(page)
        name = PAGES[page].live(Settings(page)) or next(iter(numbers(at)))
        release(at, name, numbers(at)[name]["stops"][-2])
        kinds = [each.delta.new_element.WhichOneof("type") for each in runs[-1] if each.delta.WhichOneof("type") == "new_element"]
        assert "bidi_component" in kinds
        assert len(kinds) <= MOST, kinds


class TestHelp:
    def without_help(self, at):
        found = {element.key: element.help for kind in WIDGETS for element in at.get(kind) if hasattr(element, "help")}
        found |= {element.key: element.proto.help for element in at.get("file_uploader")}
        found |= {name: each["help"] for name, each in numbers(at).items()}
        assert found
        return [
            key
            for key, help in found.items()
            if key not in EXEMPT and not key.startswith("below") and not (help or "").rstrip().endswith((".", "。", "……"))
        ]

    @each_page
    @each_language
    def test_every_control_says_in_a_sentence_what_it_is_for(self, page, lang):
        assert self.without_help(opened(page, lang)) == []

    @pytest.mark.parametrize(
        ("page", "link"),
        [
            ("models", {"models_way": "own", "models_config": '{"head_dim":64,"rope_theta":500}'}),
            ("models", {"models_view": "ratio", "models_names": "phi-3.5-mini-instruct"}),
            ("extension", {"method": "longrope", "ext_view": "decode"} | METHOD),
            ("decay", {"vectors": "typed", "pin": "decay:base=500"} | METHOD),
            ("pair", {"speed": "own", "pair_view": "positions"}),
            ("glossary", {"term": "base"}),
            ("start", {"step": "1"}),
            ("start", {"step": "1-answer"}),
            ("pair", {"step": "4"}),
            ("start", {"step": "2", "present": "1"}),
        ],
    )
    def test_and_so_do_those_that_stand_there_at_times(self, page, link):
        assert self.without_help(open_page(page, **link)) == []

    def test_every_parameter_has_help_of_one_sentence_that_says_more_than_its_label(self):
        helps = {name: spec.help for name, spec in PARAMETERS.items()}
        assert [name for name, text in helps.items() if not is_one_sentence(text)] == []
        assert [name for name, text in helps.items() if len(text) <= len(PARAMETERS[name].label)] == []

    def test_box_for_several_numbers_says_in_the_same_sentence_how_many_it_takes(self):
        box = opened("pair").text_input(key="w.q")
        assert box.help == "Two numbers: the query before rotation (2 numbers from -100 to 100)."


class TestRefusal:
    TEMPLATE = "{field} must be a positive even integer, got {value!r}"

    def refuse(self, monkeypatch):
        def view(_settings):
            raise RopeConfigError(self.TEMPLATE, field="head_dim", value=7)

        monkeypatch.setattr(lessons.start, "PAGE", dataclasses.replace(lessons.start.PAGE, view=view))

    @each_language
    def test_refusal_of_the_core_is_one_translated_sentence_and_the_controls_stay(self, lang, monkeypatch):
        self.refuse(monkeypatch)
        at = AppTest.from_file(SHELL, default_timeout=60)
        at.query_params["lang"] = lang
        at.run()
        assert not at.exception
        assert [error.value for error in at.error] == [CATALOGUES[lang].gettext(self.TEMPLATE).format(field="head_dim", value=7)]
        assert at.title[0].value == CATALOGUES[lang].gettext(PAGES["start"].question)
        assert [each.key for each in at.get("bidi_component")] == ["number.base", "number.head_dim"]

    def test_page_works_again_when_the_core_does(self, monkeypatch):
        at = AppTest.from_file(SHELL, default_timeout=60)
        with monkeypatch.context() as patch:
            self.refuse(patch)
            assert at.run().error
        run(at)
        assert message(at)


class TestGuards:
    """A call that Streamlit or Python will remove fails the test that makes it, see tests/conftest.py."""

    def test_call_that_streamlit_will_remove_is_noticed(self, outdated):
        AppTest.from_string("import streamlit as st\nst.plotly_chart({}, use_container_width=True)", default_timeout=60).run()
        assert len(outdated) == 1
        outdated.clear()

    def test_what_other_programs_log_is_left_alone(self, outdated):
        logging.getLogger("transformers").warning("deprecated")
        assert outdated == []

    def test_warning_in_the_thread_of_a_script_is_an_error(self):
        at = AppTest.from_string("import warnings\nwarnings.warn('gone soon', DeprecationWarning)", default_timeout=60).run()
        assert at.exception
        with pytest.raises(DeprecationWarning):
            warnings.warn("gone soon", DeprecationWarning, stacklevel=1)
