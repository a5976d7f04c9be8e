"""Every number is live: figure and sentences follow a drag, and at its end control, address and figure say the same."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from lessons.registry import PAGES
from locales import speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Number
from server.answers import Question, answer
from tests.browser.stage import PATHS, Visitor
from tests.views import views
from tests.visit import read


def link(settings: Settings, **more: str) -> str:
    return f"{PATHS[settings.page]}?{urlencode({'lang': 'en'} | settings.write() | more)}"


def sliders(page: str) -> Iterator[tuple[Settings, list[str]]]:
    """Yield views of a page, the usual one first, each with the numbers that no view before had a slider for."""
    known: set[str] = set()
    for settings in (Settings(page), *views(page)):
        names = [name for name in PAGES[page].controls(settings) if isinstance(parameters_of(page)[name], Number)]
        if new := [name for name in names if name not in known and settings.high(name) > parameters_of(page)[name].low]:
            known.update(new)
            yield settings, new


def settings_at(reader: Visitor, page: str) -> Settings:
    """Return what the address says."""
    settings, problems = Settings.read(page, {name: text for name, text in reader.address().items() if name != "lang"})
    assert not problems
    return settings


def said(settings: Settings) -> list[object]:
    """Return the message of the figure and the sentences of settings, computed here."""
    with speaking("en"):
        view = read(answer(Question(settings, None, "en", coarse=False)))
    return [view["figures"][0]["alt"], [html.unescape(re.sub("<[^>]*>", "", sentence)) for sentence in view["sentences"]]]


@pytest.mark.parametrize("page", PAGES)
def test_each_slider_moves_figure_or_sentences_before_it_is_released(ada: Visitor, page: str) -> None:
    for settings, names in sliders(page):
        ada.turn(link(settings))
        for name in names:
            if name not in PAGES[page].controls(settings_at(ada, page)):  # another number decided it
                ada.turn(link(settings))
            before, address = ada.measure("[stage.shown(), stage.share(arg), stage.drawn()]", name), ada.address()
            ada.drag(name, before[1], *((0.6, 0.7) if before[1] < 0.5 else (0.4, 0.3)))
            ada.until("stage.drawn() > arg[2] && stage.shown() !== arg[0]", before)
            assert ada.address() == address, "the address waits for the release"
            ada.page.mouse.up()
            ada.settled()
            shown, now = ada.look(), settings_at(ada, page)
            assert ada.address()[name] != address.get(name)
            assert now[name] == ada.measure("stage.control(arg).value", name)
            assert ada.measure("[stage.alt(), stage.text('.rope-sentences li')]") == said(now), name
    ada.open(ada.page.url)
    assert ada.look() == shown
