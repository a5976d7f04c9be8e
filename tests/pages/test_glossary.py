"""The glossary: every symbol of every formula can be looked up, and what is looked for is found and marked."""

import re

import pytest

from figures.theme import OTHER
from rope_core import SCALINGS
from tests import visit
from tests.visit import alt, figure, look, move, open_page, show, views
from ui import glossary
from ui.glossary import ENTRIES, GROUPS, matches
from ui.i18n import CATALOGUES
from ui.parameters import PARAMETERS
from ui.registry import LESSONS

# What a formula is put together with; everybody who reads one knows these.
FURNITURE = re.compile(
    r"\\(?:begin|end)\{\w+\}|\\(?:t?frac|sum|textstyle|q?quad|left|right|[Bb]igg?[lr]?|min|max|dots|times|cdot|[lg]e|sqrt|infty|ln|log)"
    r"|\\text\{[ ,]*(?:at|for|if|else)[ ,]*\}|\\[,;:!#{}\\ ]"
)
METHODS = (
    '{"rope_type":"linear","factor":4}',
    '{"rope_type":"ntk","factor":4}',
    '{"rope_type":"dynamic","factor":2}',
    '{"rope_type":"yarn","factor":4}',
    '{"rope_type":"yarn","factor":4,"ramp":"rotation"}',
    '{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position":4096}',
    '{"rope_type":"longrope","short_factor":[1,2],"long_factor":[2,3],"original_max_position":4096}',
    '{"rope_type":"proportional","rotary_fraction":0.25}',
)
# Symbols that stand there only with other settings than those of the views.
ELSEWHERE = (
    *(("frequencies", {"scaling": text, "rotary": "0.5"} if "proportional" not in text else {"scaling": text}) for text in METHODS),
    *(("decay", {"scaling": text, "head_dim": "4"}) for text in METHODS),
    *(("frequencies", {"scaling": text, "head_dim": "4"}) for text in METHODS[6:]),
    ("decay", {"rotary": "0.5"}),
    ("decay", {"rotary": "0.5", "decay_view": "bound"}),
    ("head", {"rotary": "0.5"}),
    ("models", {"models_names": "phi-3.5-mini-instruct", "models_length": "131072"}),
    ("models", {"models_names": "deepseek-v3"}),
    ("models", {"models_names": "llama-4-scout-17b-16e-instruct"}),
    ("models", {"models_names": "internlm2_5-7b-chat", "models_length": "1000000"}),
    ("models", {"models_names": "gemma-4-31b-it"}),
)


def left_over(page, formula):
    """Letters and commands of a formula that no entry explains and that are no furniture."""
    text = list(formula)
    for entry in ENTRIES.values():
        if entry.pattern and (page in entry.pages or page == "glossary"):
            for found in entry.pattern.finditer(formula):
                text[slice(*found.span())] = "·" * (found.end() - found.start())
    return re.findall(r"\\?[A-Za-z]+", FURNITURE.sub(" ", "".join(text)))


@pytest.fixture(scope="module")
def formulas():
    """Formulas of every view of every page, and of some other settings."""
    found = {page: set() for page in LESSONS}
    for page in LESSONS:
        at = open_page(page)
        for view in views(page):
            found[page] |= set(visit.formulas(show(at, view.choices)))
    for page, link in ELSEWHERE:
        found[page] |= set(visit.formulas(open_page(page, **link)))
    return found


class TestSymbols:
    def test_every_symbol_of_every_formula_has_an_entry(self, formulas):
        assert sum(map(len, formulas.values())) > 100
        missing = {(page, *left_over(page, line)) for page, lines in formulas.items() for line in lines if left_over(page, line)}
        assert missing == set()

    def test_every_entry_with_a_symbol_stands_in_some_formula(self, formulas):
        seen = {entry.key for page, lines in formulas.items() for entry in glossary.in_formulas(page, sorted(lines))}
        assert {entry.key for entry in ENTRIES.values() if entry.tex} - seen == set()

    @pytest.mark.parametrize(
        ("page", "formula", "letters"),
        [
            ("start", r"\theta_i &= w^{-2i/d}", ["w"]),
            ("start", r"\theta_i &= \lambda_i", ["\\lambda"]),
            ("bases", r"B(m) &= \mathrm{sd}\,m", ["\\mathrm", "sd"]),
        ],
    )
    def test_symbol_without_an_entry_is_found(self, page, formula, letters):
        assert left_over(page, formula) == letters

    def test_line_below_the_formula_names_its_symbols_with_links(self):
        at = open_page("frequencies", "zh-CN")
        (line,) = [caption.value for caption in at.caption if "glossary?" in caption.value]
        assert "`λᵢ` [波长](glossary?term=wavelength&lang=zh-CN)" in line
        assert "`θᵢ`" in line
        assert "`A`" not in line

    @pytest.mark.parametrize("page", LESSONS)
    def test_every_page_has_that_line(self, page):
        assert any("glossary?term=" in caption.value for caption in open_page(page).caption)


class TestEntries:
    def test_there_are_enough_of_them_and_pages_exist(self):
        assert len(ENTRIES) == sum(map(len, GROUPS.values())) > 80
        assert {page for entry in ENTRIES.values() for page in entry.pages} == set(LESSONS) - {"glossary"}
        assert all(entry.pages for entry in ENTRIES.values())

    def test_meanings_are_sentences_and_keys_are_addresses(self):
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key) for key in ENTRIES)
        assert all(entry.meaning.endswith(".") and " " in entry.meaning for entry in ENTRIES.values())

    def test_settings_of_methods_can_be_looked_up_by_their_names_in_configs(self):
        extension = ("beta_fast", "beta_slow", "low_freq_factor", "high_freq_factor", "mscale", "mscale_all_dim", "attention_factor")
        shared = ("head_dim", "rope_theta", "partial_rotary_factor", "layout", "max_position_embeddings", "factor", "rope_type")
        lists = ("short_factor", "long_factor", "truncate", "ramp", "original_max_position_embeddings", "rope_scaling", "rope_parameters")
        assert [name for name in (*extension, *shared, *lists) if not any(name in entry.names for entry in matches(name))] == []
        assert set(extension) <= set(PARAMETERS)

    def test_methods_of_context_extension_have_entries(self):
        named = {name for entry in ENTRIES.values() for name in entry.names}
        assert set(SCALINGS) <= named

    def test_all_of_them_stand_on_the_page_in_every_language(self):
        for lang, catalogue in CATALOGUES.items():
            text = "\n".join(each.value for each in open_page("glossary", lang).markdown)
            for entry in ENTRIES.values():
                assert f"`{entry.symbol}` **{catalogue.gettext(entry.term)}**" in text
                assert catalogue.gettext(entry.meaning) in text
                assert entry.term in text
                assert CATALOGUES["zh-CN"].gettext(entry.term) in text


class TestSearch:
    @pytest.mark.parametrize("text", ["wavelength", "Wavelength ", "λᵢ", "波长", "wavelengths"])
    def test_name_symbol_translation_and_code_find_the_entry_alone(self, text):
        assert [entry.key for entry in matches(text)] == ["wavelength"]

    def test_part_of_a_title_finds_titles_before_meanings(self):
        found = [entry.key for entry in matches("wave")]
        assert found[0] == "wavelength"
        assert "last-pair" in found

    @pytest.mark.parametrize("text", ["", "   ", "zzz", "x" * 1000])
    def test_nothing_is_found_where_nothing_is(self, text):
        assert matches(text) == []

    @pytest.mark.parametrize("text", ["<script>", "`a`", "[x](http://example.org)", "$x$", "＄" * 200])
    def test_what_is_not_found_is_named_as_code_with_what_to_do(self, text):
        (note,) = [box.value for box in open_page("glossary", term=text).info]
        assert note.startswith("Nothing here is called `")
        assert note.count("`") == 2
        assert len(note) < 200

    def test_found_entry_stands_above_the_figure_and_is_framed_there(self):
        at = open_page("glossary", glossary_view="lengths", term="wavelength")
        assert at.markdown[0].value.startswith("`λᵢ` **wavelength** · 波长")
        framed = [note["text"] for note in figure(at)["layout"]["annotations"] if note.get("bordercolor") == OTHER]
        assert framed == ["<b>λ<sub>i</sub> = 2π / θ<sub>i</sub></b>"]

    def test_notes_stand_at_the_numbers_of_the_pairs(self):
        at = open_page("glossary", base="500000", head_dim="64")
        notes = {note["text"]: note for note in figure(at)["layout"]["annotations"]}
        last = next(note for text, note in notes.items() if text.startswith("pair 31"))
        assert last["x"] == 31
        assert 10 ** last["y"] == pytest.approx(500_000 ** (-62 / 64))
        assert "= 3.32e-06" in last["text"] or f"{500_000 ** (-62 / 64):.3g}" in last["text"]

    def test_alternative_text_follows_the_base(self):
        at = open_page("glossary")
        before = alt(at), look(at)
        move(at, base=500_000)
        assert (alt(at), look(at)) != before
