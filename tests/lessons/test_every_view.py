"""Every view of every page, as a function: at every combination of its choices, at both ends of every number, in two languages."""

import functools
import json
import re

import numpy as np
import pytest

from lessons.page import Page
from lessons.registry import PAGES
from locales import speaking
from parameters import TABLES, parameters_of
from parameters.settings import Settings
from parameters.shared import SHARED
from parameters.types import Choice, Config, Method, Names, Number, Row, Text, Vector, Words
from server.wire import encode

TYPED = {
    Method: ['{"rope_type":"yarn","factor":4}', '{"rope_type":"proportional","rotary_fraction":0.25}'],
    Names: ["qwen3-8b", "gpt-oss-20b,gemma-3-4b-it"],
    Config: [
        '{"head_dim":64,"max_position_embeddings":2048,"rope_parameters":{"rope_theta":500,"rope_type":"linear","factor":2}}',
        '{"head_dim":8,"max_position_embeddings":64,"layer_types":["a","b"],"rope_parameters":{"a":{"rope_theta":9},"b":null}}',
    ],
    Row: [1, 2],
    Words: ["the same word and the same word and the same", " ".join(map(str, range(64)))],
    Text: ["pair-0", "i = P − 1"],
}
"""Two values of each kind whose values cannot be listed."""
BROKEN = re.compile(r"\b(?:nan|inf|None)\b|\{\w*\}`")


def combinations(page: Page) -> list[Settings]:
    """Return every combination of the choices that a page offers, found by walking from one to the next."""
    found: dict[tuple[object, ...], Settings] = {}
    waiting = [Settings(page.name)]
    while waiting:
        settings = waiting.pop()
        offered = [name for name in (page.choice, *page.controls(settings)) if isinstance(parameters_of(page.name)[name], Choice)]
        here = tuple((name, settings[name]) for name in offered)
        if here not in found:
            found[here] = Settings(page.name).replace(**dict(here))
            waiting += [settings.replace(**{name: option}) for name in offered for option in parameters_of(page.name)[name].options]
    return [*found.values()]


def name_of(settings: Settings) -> str:
    return "-".join((settings.page, *(str(value) for name, value in settings.changed)))


VIEWS = [settings for page in PAGES.values() for settings in combinations(page)]
FEW = [settings for settings in VIEWS if sum(name != PAGES[settings.page].choice for name, _ in settings.changed) <= 2]
"""Combinations in which at most two choices beside the view are not the first: three at once have no code of their own."""
every_view = pytest.mark.parametrize("settings", VIEWS, ids=name_of)


def others(settings: Settings, name: str) -> list[Settings]:
    """Set one parameter to other values: to both ends of a number, to each option of a choice."""
    match parameters_of(settings.page)[name]:
        case Number() as spec:
            values = [spec.low, settings.high(name)]
        case Choice() as spec:
            values = [*spec.options]
        case Vector() as spec:
            values = [" ".join([f"{spec.low:g}"] * spec.shortest), ", ".join([f"{spec.high:.0f}"] * min(spec.longest, 8))]
        case spec:
            values = TYPED[type(spec)]
    return [settings.replace(**{name: value}) for value in values if value != settings[name]]


def evaluate(settings, language="en"):
    with speaking(language):
        return PAGES[settings.page].view(settings)


usual_view = functools.lru_cache(len(VIEWS))(evaluate)


def drawn(view):
    """Return what a reader sees change: figure, sentences and numbers."""
    columns = [(name, np.asarray(column).tobytes()) for name, column in view.columns.items()]
    return encode({"data": view.figure.traces, "layout": view.figure.plain_layout}), view.sentences, columns


def assert_readable(view, numbers=1):
    """See that a view speaks in so many numbers at least, and in nothing that is none."""
    assert len(re.findall(r"\d[\d.,]*", view.alt)) >= numbers, view.alt
    assert len(view.sentences) >= 2
    assert sum(bool(re.search(r"`[^`]*\d[^`]*`", sentence)) for sentence in view.sentences) >= numbers, view.sentences
    lines = [line for formula in view.formula for line in re.split(r"\\\\", formula)]
    assert len(lines) >= 2
    assert re.search(r"[A-Za-z]", lines[0])
    assert re.search(r"\d", lines[-1]), lines
    assert not [text for text in (view.alt, *view.sentences, *view.formula) if not text or BROKEN.search(text)]


@every_view
def test_what_a_view_says_has_numbers(settings):
    assert_readable(usual_view(settings))


@pytest.mark.parametrize("settings", FEW, ids=name_of)
def test_each_control_of_a_view_changes_what_it_shows_and_at_both_ends_it_says_something(settings, subtests):
    view = usual_view(settings)
    for name in PAGES[settings.page].controls(settings):
        with subtests.test(control=name):
            is_number, changes = isinstance(parameters_of(settings.page)[name], Number), False
            for moved in others(settings, name):
                if is_number or not changes:  # options of a choice are views of their own
                    there = evaluate(moved)
                    assert_readable(there)
                    changes |= drawn(there) != drawn(view)
            assert changes


@every_view
def test_what_a_view_does_not_name_changes_nothing(settings):
    page = PAGES[settings.page]
    named = {page.choice, *page.controls(settings)}
    usual = usual_view(settings)
    for pick in (0, -1):  # all others at once: the lowest or first of each, and the highest or last
        moved = settings
        for name in parameters_of(page.name):
            if name not in named:
                moved = moved.replace(**{name: others(settings, name)[pick][name]})
        view = evaluate(moved)
        assert drawn(view) == drawn(usual), moved.write()
        assert (view.alt, view.formula, view.verdict) == (usual.alt, usual.formula, usual.verdict)


@every_view
def test_what_a_view_says_is_translated(settings):
    english, chinese = usual_view(settings), evaluate(settings, "zh-CN")
    assert chinese.alt != english.alt
    assert len(chinese.sentences) == len(english.sentences)
    assert not set(chinese.sentences) & set(english.sentences)
    assert not [text for text in (chinese.alt, *chinese.sentences) if BROKEN.search(text)]
    for name, column in english.columns.items():
        np.testing.assert_array_equal(chinese.columns[name], column)


@every_view
def test_the_address_of_a_view_leads_back_to_it(settings):
    page = PAGES[settings.page]
    for each in (settings, *(moved for name in page.controls(settings) for moved in others(settings, name))):
        assert Settings.read(page.name, json.loads(json.dumps(each.write()))) == (each, ())


@every_view
def test_controls_are_parameters_of_the_page_and_one_of_them_may_be_played(settings):
    page = PAGES[settings.page]
    names, live = page.controls(settings), page.live(settings)
    assert len({page.choice, *names}) == 1 + len(names)
    assert set(names) <= parameters_of(page.name).keys()
    assert live is None or (live in names and isinstance(parameters_of(page.name)[live], Number))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_an_alternative_text_and_sentences_of_at_least_two_numbers(page):
    assert_readable(usual_view(Settings(page)), numbers=2)


@pytest.mark.parametrize("page", PAGES)
def test_every_combination_of_choices_shows_something_of_its_own(page):
    shown = [drawn(usual_view(settings)) for settings in VIEWS if settings.page == page]
    assert len(shown) > 1
    for index, one in enumerate(shown):
        assert one not in shown[:index], VIEWS[index].write()


def controls_of(page):
    return {name for settings in VIEWS if settings.page == page for name in (PAGES[page].choice, *PAGES[page].controls(settings))}


@pytest.mark.parametrize("page", PAGES)
def test_every_parameter_of_a_page_is_a_control_of_one_of_its_views(page):
    assert TABLES[page].keys() <= controls_of(page) <= parameters_of(page).keys()


def test_every_shared_parameter_is_a_control_of_some_page():
    assert SHARED.keys() <= set().union(*map(controls_of, PAGES))
