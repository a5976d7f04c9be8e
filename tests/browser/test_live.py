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


def said(page: str, address: dict[str, str]) -> tuple[str, list[str]]:
    """Return the message of the figure and the sentences of an address, computed here."""
    settings, problems = Settings.read(page, {name: text for name, text in address.items() if name != "lang"})
    assert not problems
    with speaking("en"):
        view = read(answer(Question(settings, None, "en", coarse=False)))
    return view["figures"][0]["alt"], [html.unescape(re.sub("<[^>]*>", "", sentence)) for sentence in view["sentences"]]


@pytest.mark.parametrize("page", PAGES)
def test_each_slider_moves_figure_or_sentences_before_it_is_released(ada: Visitor, page: str) -> None:
    ada.open(PATHS[page])
    for settings, names in sliders(page):
        ada.turn(link(settings))
        for name in names:
            before, address = ada.measure("[stage.shown(), stage.share(arg)]", name), ada.address()
            ada.drag(name, before[1], *((0.6, 0.7) if before[1] < 0.5 else (0.4, 0.3)))
            ada.until("stage.shown() !== arg", before[0])
            assert ada.address() == address, "the address waits for the release"
            ada.page.mouse.up()
            ada.settled()
            shown = ada.look()
            assert float(ada.address()[name]) == ada.measure("stage.control(arg).value", name) != settings[name]
            alt, sentences = said(page, ada.address())
            assert ada.measure("[stage.alt(), stage.text('.rope-sentences li')]") == [alt, sentences], name
    ada.open(ada.page.url)
    assert ada.look() == shown
