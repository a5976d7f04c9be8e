"""Catalogues: complete, undamaged, and enough to add a language by adding a file."""

import importlib.util
import io
import re
import string
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po
from hypothesis import given
from hypothesis import strategies as st

import locales
from lessons.glossary.entries import ENTRIES, GROUPS
from lessons.registry import PAGES
from locales import CATALOGUES, NAMES, _, language, negotiate, speak, speaking
from parameters import PARAMETERS
from parameters.types import Choice
from scripts.toml_messages import extract

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "scripts/messages.sh").read_text(encoding="utf-8")
ROOMS = ("ui", "lessons", "parameters", "exports", "server", "figures", "pages", "rope_core")
KEYWORDS = {
    "_": None,
    "N_": None,
    "say": None,
    "RopeConfigError": None,
    "wording": None,
    "note": (2,),
    "warn": (2,),
    "reject": (2,),
    "assume": (2,),
}
CATALOGUE_FILES = sorted((ROOT / "locales").glob("*.po"))
COMPLETE = [path for path in CATALOGUE_FILES if path.stem == "zh_CN"]
IN_PART = [path for path in CATALOGUE_FILES if path not in COMPLETE]
FIRST = (
    *("ui/", "exports/", "parameters/"),
    *("lessons/compare.py", "lessons/start/", "lessons/glossary/__init__.py", "lessons/glossary/views.py"),
)
"""Files, and rooms, of which every language says all: the frame, the controls, files, Start with its questions; the rest may be English."""
LATER = ("ui/config_input.py", "parameters/own_config.py", "parameters/head_config.py")
"""Files in them that may be English: all that is said of a config of one's own, and why a method is refused."""
MARKS = ("**", "`", "<br>", "<sub>", "</sub>", "θ", "√", "±", "°")


def files():
    """Every message in the code and its data files, with the files that say it."""
    with (ROOT / "scripts/messages.ini").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    found = [("app.py", row[1]) for row in extract_from_file("python", ROOT / "app.py", keywords=KEYWORDS)]
    for room in ROOMS:
        rows = extract_from_dir(ROOT / room, methods, options, keywords=KEYWORDS)
        found += [(f"{room}/{row[0]}", row[2]) for row in rows]
    said = {}
    for path, message in found:
        said.setdefault(message[0] if isinstance(message, tuple) else message, set()).add(path)
    return said


def said_first(said):
    """Messages that no language may lack."""
    found = {message for message, paths in said.items() if any(path.startswith(FIRST) and path not in LATER for path in paths)}
    found |= {word for page in PAGES.values() for word in (page.section, page.title, page.question)}
    found |= {word for spec in PARAMETERS.values() for word in (spec.label, spec.help) if len(word) > 1}
    found |= {word for spec in PARAMETERS.values() if isinstance(spec, Choice) for word in spec.options.values()}
    return found | set(GROUPS) | {entry.term for entry in ENTRIES.values()}


def places(text):
    """The places of a message, with what is done to the values in them."""
    return {(field, spec, conversion) for _, field, spec, conversion in string.Formatter().parse(text) if field is not None}


def faults(catalog, messages):
    """What is wrong with a catalogue, a line each."""
    entries = {entry.id: entry for entry in catalog if entry.id}
    lines = [f"missing: {message}" for message in sorted(messages - entries.keys())]
    lines += [f"not in the code: {message}" for message in sorted(entries.keys() - messages)]
    lines += [f"obsolete: {message}" for message in catalog.obsolete]
    for message, entry in entries.items():
        if entry.fuzzy:
            lines.append(f"fuzzy: {message}")
        if not entry.string or not entry.string.strip():
            lines.append(f"empty: {message}")
            continue
        try:
            if places(entry.string) != places(message):
                lines.append(f"places: {message}")
        except ValueError:
            lines.append(f"places: {message}")
        lines += [f"{mark}: {message}" for mark in MARKS if entry.string.count(mark) != message.count(mark)]
        if damage(entry.string):
            lines.append(f"characters: {message}")
    return lines


def named(missing, said):
    """Messages with their files, a line each."""
    return sorted(f"{', '.join(sorted(said[message]))}: {message}" for message in missing)


def damage(text):
    """Whether Markdown or Plotly would take a part of a text for something else."""
    return bool(re.search(r"[\x00-\x1f\x7f$\\]", text))


def read(path):
    return read_po(io.BytesIO(path.read_bytes()), locale=path.stem)


@pytest.fixture(scope="module")
def said():
    return files()


@pytest.fixture(scope="module")
def messages(said):
    return said.keys()


class TestCode:
    def test_extraction_finds_messages_of_every_room_and_kind(self, messages):
        assert len(messages) > 100
        assert PAGES["start"].question in messages
        assert PARAMETERS["base"].help in messages
        assert "{field} must be a positive even integer, got {value!r}" in messages
        assert any(message.startswith("**A pair is a hand.**") for message in messages)

    def test_no_message_has_a_character_that_is_taken_for_something_else(self, messages):
        assert [message for message in messages if damage(message)] == []

    def test_no_message_is_empty_because_gettext_answers_that_with_its_header(self, messages):
        assert all(message.strip() for message in messages)

    def test_every_word_of_a_parameter_is_a_message(self, messages):
        words = {word for spec in PARAMETERS.values() for word in (spec.label, spec.help)}
        words |= {word for spec in PARAMETERS.values() if isinstance(spec, Choice) for word in spec.options.values()}
        assert {word for word in words if len(word) > 1} <= messages  # q and k are q and k everywhere

    def test_every_word_of_a_page_is_a_message(self, messages):
        assert {word for page in PAGES.values() for word in (page.section, page.title, page.question)} <= messages

    def test_make_messages_looks_where_this_test_looks(self):
        assert f"app.py {' '.join(ROOMS)}\n" in SCRIPT
        assert "-F scripts/messages.ini" in SCRIPT
        named = {name: (int(place),) if place else None for name, place in re.findall(r" -k (\w+)(?::(\d))?", SCRIPT)}
        assert named == KEYWORDS

    def test_texts_inside_an_f_string_are_messages_though_extraction_skips_them(self, messages):
        inside = re.compile(r"""\{_\((['"])(.+?)\1\)""")
        assert {text for room in ROOMS for path in (ROOT / room).rglob("*.py") for _, text in inside.findall(path.read_text())} <= messages

    def test_code_never_translates_a_finished_sentence(self):
        finished = re.compile(r"\b_\(\s*f[\"']")
        assert [path for room in ROOMS for path in (ROOT / room).rglob("*.py") if finished.search(path.read_text())] == []

    def test_texts_of_data_files_are_those_below_the_keys_that_readers_see(self):
        data = b"""
            code = "kept"
            sentence = "shown"
            [[steps]]
            question = "asked"
            options = ["this", "that"]
            code = "kept"
            [steps.options_of]
            inner = "kept"
            [steps.hint]
            en = "deep"
        """
        found = list(extract(io.BytesIO(data), (), (), {"keys": "sentence question options hint"}))
        assert found == [(0, None, text, []) for text in ("shown", "asked", "this", "that", "deep")]


class TestCatalogues:
    def test_simplified_chinese_is_there(self):
        assert "zh_CN" in [path.stem for path in CATALOGUE_FILES]

    @pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
    def test_catalogue_says_everything_that_the_code_says(self, path, messages):
        assert faults(read(path), messages) == []

    @pytest.mark.parametrize("path", IN_PART, ids=lambda path: path.stem)
    def test_catalogue_in_part_says_what_every_language_says_and_nothing_damaged(self, path, said, messages, capsys):
        found, first = read(path), said_first(said)
        assert first < messages
        empty = {entry.id for entry in found if entry.id and not entry.string}
        assert named(first & empty, said) == []
        assert [fault for fault in faults(found, messages) if fault.removeprefix("empty: ") not in empty] == []
        spoken = CATALOGUES[path.stem.replace("_", "-")]
        assert [message for message in empty if spoken.gettext(message) != message] == []
        with capsys.disabled():
            print(f"\n{path.stem}: {len(messages) - len(empty)} of {len(messages)} messages, the others (-rP) are said in English")
        print(*named(empty, said), sep="\n")

    @pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.stem)
    def test_catalogue_is_of_the_language_that_its_name_says(self, path):
        assert f'"Language: {path.stem}\\n"' in path.read_text()

    @pytest.mark.parametrize("path", CATALOGUE_FILES, ids=lambda path: path.stem)
    def test_translations_are_in_another_language(self, path):
        same = [
            entry.id
            for entry in read(path)
            if entry.id and entry.id == entry.string and re.search("[A-Za-z]{3}", entry.id) and " " in entry.id
        ]
        assert same == []

    @pytest.mark.parametrize(
        ("harm", "found"),
        [
            (lambda text: re.sub(r'(?m)^msgid "View"\nmsgstr .*\n', "", text), "missing: View"),
            (lambda text: re.sub(r'(?m)^msgid "View"\nmsgstr .*', 'msgid "View"\nmsgstr ""', text), "empty: View"),
            (lambda text: text.replace('msgid "View"', '#, fuzzy\nmsgid "View"'), "fuzzy: View"),
            (lambda text: text.replace('msgid "View"\n', 'msgid "Sight"\n'), "not in the code: Sight"),
            (lambda text: text + '\n#~ msgid "Old"\n#~ msgstr "alt"\n', "obsolete: Old"),
            (
                lambda text: re.sub(r'(msgid "mean of \{count\} scores"\nmsgstr ".*)\{count\}', r"\1{counts}", text),
                "places: mean of {count} scores",
            ),
            (
                lambda text: re.sub(r'(msgid "mean of \{count\} scores"\nmsgstr ".*)\{count\}', r"\1{count:.0f}", text),
                "places: mean of {count} scores",
            ),
            (
                lambda text: re.sub(r'(msgid "mean of \{count\} scores"\nmsgstr ".*)\{count\}', r"\1{count", text),
                "places: mean of {count} scores",
            ),
            (lambda text: re.sub(r'(msgid "View"\nmsgstr ")', r"\1**", text), "**: View"),
            (lambda text: re.sub(r'(msgid "View"\nmsgstr ")', r"\1<br>", text), "<br>: View"),
            (lambda text: re.sub(r'(msgid "View"\nmsgstr ")', r"\1$x$", text), "characters: View"),
        ],
        ids=lambda param: param if isinstance(param, str) else "",
    )
    def test_damage_is_found(self, harm, found, messages):
        path = ROOT / "locales/zh_CN.po"
        text = harm(path.read_text())
        assert text != path.read_text()
        assert found in faults(read_po(io.BytesIO(text.encode()), locale="zh_CN"), messages)

    def test_what_is_missing_is_named_with_its_files(self, said):
        assert named({"Under the figure"}, said) == ["ui/downloads.py: Under the figure"]

    def test_empty_catalogue_misses_everything(self, messages):
        assert len(faults(Catalog(locale="fr"), messages)) == len(messages)


@pytest.fixture(scope="module")
def with_french(tmp_path_factory):
    """The module as it would be with one more file beside the Chinese one."""
    root = tmp_path_factory.mktemp("app")
    (root / "locales").mkdir()
    (root / "locales/__init__.py").write_text(Path(locales.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    for path in CATALOGUE_FILES:
        (root / "locales" / path.name).write_bytes(path.read_bytes())
    french = Catalog(locale="fr")
    french.add("View", "Vue")
    french.add("Layout", "Disposition", flags=["fuzzy"])
    with (root / "locales/fr.po").open("wb") as file:
        write_po(file, french)
    spec = importlib.util.spec_from_file_location("locales_with_french", root / "locales/__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestNewLanguage:
    def test_one_file_is_enough(self, with_french):
        assert set(with_french.CATALOGUES) == set(CATALOGUES) | {"fr"}
        assert with_french.CATALOGUES["fr"].gettext("View") == "Vue"

    def test_it_is_offered_under_the_name_it_gives_itself(self, with_french):
        assert with_french.NAMES["fr"] == "français"

    def test_it_is_found_by_codes_of_its_regions(self, with_french):
        assert with_french.negotiate("fr-CA") == "fr"
        assert negotiate("fr-CA") is None

    def test_what_it_lacks_or_is_unsure_of_is_said_in_english(self, with_french):
        assert with_french.CATALOGUES["fr"].gettext("Layout") == "Layout"
        assert with_french.CATALOGUES["fr"].gettext("Positions") == "Positions"


class TestNegotiation:
    def test_every_language_is_found_by_its_own_code_and_calls_itself_by_its_own_name(self):
        assert {code: negotiate(code) for code in CATALOGUES} == {code: code for code in CATALOGUES}
        assert set(NAMES) == set(CATALOGUES)
        assert NAMES["en"] == "English"
        assert NAMES["zh-CN"].startswith("中文")

    @pytest.mark.parametrize("wanted", ["zh", "zh_CN", "zh-Hans-CN", "zh-Hans", "ZH-cn"])
    def test_chinese_is_found_by_any_of_its_codes(self, wanted):
        assert negotiate(wanted) == "zh-CN"

    @pytest.mark.parametrize("wanted", ["", None, "de", "xx", "../zh_CN", "zh" * 50])
    def test_what_we_do_not_have_is_nothing(self, wanted):
        assert negotiate(wanted) is None

    @given(st.text(max_size=60))
    def test_any_text_is_a_language_that_we_have_or_nothing(self, wanted):
        assert negotiate(wanted) in {None, *CATALOGUES}


# English words of the field, as entries of the glossary, that sentences always say the same in Chinese.
FIXED = ("attention factor", "attention score", "causal mask", "context length", "critical dimension", "trained length", "wavelength")
STRAY = {
    "底数": "基数",
    "(?<!角)速度": "角速度",
    "(?<!推理)引擎": "推理引擎",
    "几何规律": "等比规律",
    "得到的是|现为": "实际为",
    "维数": "维度",
    "头宽度": "头维度",
}
"""Words that say in another way what the glossary has a word for."""


class TestChineseTerms:
    @pytest.mark.parametrize("term", FIXED)
    def test_one_english_term_is_one_chinese_term(self, term):
        catalog, chinese = read(COMPLETE[0]), CATALOGUES["zh-CN"].gettext(term)
        used = [entry for entry in catalog if entry.id and re.search(rf"\b{term}\b", entry.id, re.IGNORECASE)]
        assert len(used) > 1
        assert [entry.string for entry in used if chinese not in entry.string] == []

    @pytest.mark.parametrize(("stray", "term"), STRAY.items())
    def test_no_sentence_has_another_word_for_it(self, stray, term):
        assert [entry.string for entry in read(COMPLETE[0]) if entry.id and re.search(stray, entry.string)] == []
        assert re.search(stray, term) is None

    def test_punctuation_beside_chinese_is_full_width_and_latin_stands_apart(self):
        han = "[\u4e00-\u9fff]"
        wrong = re.compile(rf"{han}[,;:?!]|[,;:?!]{han}|{han}[A-Za-z0-9]|[A-Za-z0-9]{han}")
        assert [entry.string for entry in read(COMPLETE[0]) if entry.id and wrong.search(entry.string)] == []


class TestSpeaking:
    def test_a_language_is_spoken_for_a_while_and_in_no_other_thread(self):
        question = PAGES["start"].question
        with speaking("zh-CN"):
            assert (language(), _(question)) == ("zh-CN", CATALOGUES["zh-CN"].gettext(question))
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(language).result() == "en"
            with speaking("ja"):
                assert language() == "ja"
            assert language() == "zh-CN"
        assert (language(), _(question)) == ("en", question)

    def test_who_speaks_on_speaks_until_he_speaks_another_in_his_thread(self):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(speak, "ja").result()
            assert pool.submit(language).result() == "ja"
        assert language() == "en"

    @pytest.mark.parametrize("code", ["xx", "", "zh_CN"])
    def test_what_we_do_not_have_is_english(self, code):
        with speaking(code):
            assert language() == "en"

    def test_a_failure_ends_it_too(self):
        with pytest.raises(KeyError), speaking("ja"):
            raise KeyError
        assert language() == "en"
