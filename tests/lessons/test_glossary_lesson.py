"""The glossary: every symbol of every formula can be looked up, and what is looked for is found and marked."""

import re

import pytest

from figures.theme import OTHER
from lessons.glossary import PAGE
from lessons.glossary.entries import ENTRIES, GROUPS, in_formulas, matches, symbols_line
from lessons.registry import PAGES
from lessons.view import Fold, Prose
from locales import CATALOGUES, speaking
from parameters import PARAMETERS
from rope_core import SCALINGS
from tests.evaluate import assert_notebook_agrees, assert_readable, dependences, evaluate_everywhere, settings_of, views_of

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
    ("models", {"models_names": "gemma-4-31b-it-nvfp4"}),
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
    found = {name: {line for settings in views_of(page) for line in page.view(settings).formula} for name, page in PAGES.items()}
    for page, address in ELSEWHERE:
        found[page] |= set(view(page, **address).formula)
    return found


def view(page, **address):
    return PAGES[page].view(settings_of(page, **address))


def notes(**address):
    return view("glossary", **address).figure.layout.annotations


class TestSymbols:
    def test_every_symbol_of_every_formula_has_an_entry(self, formulas):
        assert sum(map(len, formulas.values())) > 100
        missing = {(page, *left_over(page, line)) for page, lines in formulas.items() for line in lines if left_over(page, line)}
        assert missing == set()

    def test_every_entry_with_a_symbol_stands_in_some_formula(self, formulas):
        seen = {entry.key for page, lines in formulas.items() for entry in in_formulas(page, sorted(lines))}
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
        with speaking("zh-CN"):
            line = symbols_line("frequencies", view("frequencies").formula)
        assert "`λᵢ` [波长](glossary?term=wavelength&lang=zh-CN)" in line
        assert "`θᵢ`" in line
        assert "`A`" not in line

    @pytest.mark.parametrize("page", PAGES)
    def test_every_page_has_that_line(self, page):
        assert "glossary?term=" in symbols_line(page, view(page).formula)

    def test_line_without_links_says_the_same(self):
        formula = view("frequencies").formula
        line = symbols_line("frequencies", formula, linked=False)
        assert "`λᵢ` wavelength" in line
        assert not re.search(r"[](?]", line)
        assert re.sub(r"\[([^]]+)]\([^)]+\)", r"\1", symbols_line("frequencies", formula)) == line

    def test_formula_without_symbols_has_no_line(self):
        assert symbols_line("start", ["1 + 1"]) == ""


class TestEntries:
    def test_there_are_enough_of_them_and_pages_exist(self):
        assert len(ENTRIES) == sum(map(len, GROUPS.values())) > 80
        assert {page for entry in ENTRIES.values() for page in entry.pages} == set(PAGES) - {"glossary"}
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
            with speaking(lang):
                heading, *folds = PAGE.after(settings_of("glossary"))
                text = "\n".join(part.text for fold in folds for part in fold.parts())
            assert heading == Prose(text=catalogue.gettext("All terms"), kind="heading")
            assert [fold.title.split(" (")[0] for fold in folds] == [catalogue.gettext(name) for name in GROUPS]
            for entry in ENTRIES.values():
                assert f"`{entry.symbol}` **{catalogue.gettext(entry.term)}**" in text
                assert catalogue.gettext(entry.meaning) in text
                assert entry.term in text
                assert CATALOGUES["zh-CN"].gettext(entry.term) in text

    def test_folds_have_keys_of_their_own_and_entries_link_to_pages(self):
        folds = [part for part in PAGE.after(settings_of("glossary")) if isinstance(part, Fold)]
        assert len({fold.key for fold in folds}) == len(folds) == len(GROUPS)
        text = "\n".join(part.text for fold in folds for part in fold.parts())
        assert set(re.findall(r"\]\((.*?)\?lang=en\)", text)) == {"./", *PAGES} - {"start", "glossary"}


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
        (note,) = PAGE.before(settings_of("glossary", term=text))
        assert note.kind == "info"
        assert note.text.startswith("Nothing here is called `")
        assert note.text.count("`") == 2
        assert len(note.text) < 200

    def test_found_entry_stands_above_the_figure_and_is_framed_there(self):
        (found,) = PAGE.before(settings_of("glossary", glossary_view="lengths", term="wavelength"))
        assert found.text.startswith("`λᵢ` **wavelength** · 波长")
        framed = [note["text"] for note in notes(glossary_view="lengths", term="wavelength") if note.bordercolor == OTHER]
        assert framed == ["<b>λ<sub>i</sub> = 2π / θ<sub>i</sub></b>"]

    def test_entries_that_do_not_fit_above_the_figure_are_counted(self):
        shown, rest = PAGE.before(settings_of("glossary", term="the"))
        assert shown.text.count("\n\n") == 4
        assert rest == Prose(text=f"{len(matches('the')) - 5} more are not shown; a longer text finds fewer.", kind="caption")

    @pytest.mark.parametrize("text", ["", "  "])
    def test_without_a_search_nothing_stands_above_the_figure(self, text):
        assert PAGE.before(settings_of("glossary", term=text)) == ()


class TestViews:
    def test_notes_stand_at_the_numbers_of_the_pairs(self):
        (last,) = (note for note in notes(base=500_000, head_dim=64) if note.text.startswith("pair 31"))
        assert last.x == 31
        assert 10**last.y == pytest.approx(500_000 ** (-62 / 64))
        assert f"{500_000 ** (-62 / 64):.3g}" in last.text

    @pytest.mark.parametrize("mode", ["speeds", "lengths"])
    def test_alternative_text_follows_the_base(self, mode):
        assert view("glossary", glossary_view=mode).alt != view("glossary", glossary_view=mode, base=500_000).alt

    @pytest.mark.parametrize("mode", ["speeds", "lengths"])
    @pytest.mark.parametrize("address", [{}, {"head_dim": 2}, {"base": 1e9, "head_dim": 512}, {"base": 1.01, "context": 1}], ids=str)
    def test_code_and_notebook_compute_the_columns(self, mode, address):
        shown = view("glossary", glossary_view=mode, **address)
        assert_readable(shown)
        assert_notebook_agrees(shown)
        names = {}
        exec(shown.code, names)
        drawn = [*shown.columns.values()][1]
        assert names["result"].numpy() == pytest.approx(drawn, rel=1e-12)
        assert shown.figure.data[0].y == pytest.approx(drawn)

    @pytest.mark.parametrize(("mode", "term"), [("speeds", "speed"), ("lengths", "wavelength")])
    def test_controls_are_the_parameters_that_change_the_view(self, mode, term):
        settings = settings_of("glossary", glossary_view=mode)
        assert set(PAGE.controls(settings)) == dependences(PAGE, settings, term=term)
        assert PAGE.live(settings) in PAGE.controls(settings)

    @pytest.mark.parametrize("mode", ["speeds", "lengths"])
    @pytest.mark.parametrize("term", ["", "zzz", "base"])
    def test_every_option_and_end_is_evaluated(self, mode, term):
        evaluate_everywhere(PAGE, settings_of("glossary", glossary_view=mode, term=term))

    def test_settings_that_the_page_suggests_find_an_entry_and_frame_it(self):
        for each in PAGE.tries(settings_of("glossary")):
            assert len(matches(str(each.values["term"]))) == 1
            assert any(note.bordercolor == OTHER for note in notes(**each.values))
