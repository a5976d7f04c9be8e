"""What a file says about its view: link, rows of settings, title."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from lessons.registry import PAGES
from locales import CATALOGUES
from rope_core import __version__
from tests.evaluate import settings_of
from tests.views import snapshot_of


def test_rows_are_the_choice_of_the_view_and_what_the_view_depends_on():
    for name, page in PAGES.items():
        snapshot = snapshot_of(name)
        assert [row.name for row in snapshot.rows] == [page.choice, *page.controls(snapshot.settings)]


def test_a_row_says_a_value_as_the_link_and_as_the_control_does():
    rows = {row.name: row for row in snapshot_of("start", base="500000.5").rows}
    assert (rows["base"].text, rows["base"].words) == ("500000.5", "500,000.5")
    assert (rows["start_view"].text, rows["start_view"].words) != ("one", "one")


@pytest.mark.parametrize("language", CATALOGUES)
def test_it_speaks_its_language_whatever_is_spoken_around_it(language):
    snapshot, say = snapshot_of("start", language), CATALOGUES[language].gettext
    assert snapshot.title == say(PAGES["start"].question)
    assert snapshot.rows[1].label == say("Position m")


def test_link_holds_the_language_and_what_is_not_at_its_default_to_the_last_digit():
    snapshot = snapshot_of("pair", "zh-CN", q="1, 2", base="1.0100000000000002")
    assert snapshot.link.startswith("http://127.0.0.1:8501/pair?")
    query = dict(parse_qsl(urlsplit(snapshot.link).query))
    assert query == {"lang": "zh-CN", "q": "1, 2", "base": "1.0100000000000002"}
    assert settings_of("pair", **{name: text for name, text in query.items() if name != "lang"}) == snapshot.settings


def test_maker_has_a_version():
    assert snapshot_of("start").maker == f"RoPE Lab {__version__}"


def test_names_of_models_and_rows_of_a_page_are_in_words():
    rows = {row.name: row for row in snapshot_of("models").rows}
    assert rows["models_names"].text.startswith("meta-llama-3.1-8b,")
    assert "," in rows["models_names"].words
    assert rows["models_names"].words != rows["models_names"].text
    assert not rows["models_layer"].words.isdecimal()
