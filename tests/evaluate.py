"""Evaluate views as functions: at an address, at every option and at both ends of every number, and see what they depend on."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lessons.page import Page
from lessons.view import View
from locales import CATALOGUES, speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Choice, Number, Words, write

TEXTS = ("one " * 64, " ".join(f"w{index}" for index in range(64)), "The-dog the dog. it's " * 16)
"""Sixty-four words: one, all different, a few again and again."""


def settings_of(page: str, **address: object) -> Settings:
    """Read an address that is allowed."""
    settings, problems = Settings.read(page, {name: str(value) for name, value in address.items()})
    assert not problems, [problem.sentence for problem in problems]
    return settings


def notebook_columns(view: View) -> dict[str, Any]:
    """Run the code of the notebook."""
    names: dict[str, Any] = {}
    exec(view.notebook_code, names)
    return names["columns"]


def assert_notebook_agrees(view: View) -> None:
    columns = notebook_columns(view)
    assert columns.keys() == view.columns.keys()
    for name, column in columns.items():
        np.testing.assert_allclose(np.asarray(column, dtype=float), view.columns[name], rtol=1e-9, atol=1e-9, err_msg=name)


def assert_readable(view: View) -> None:
    """See that everything was said in finite numbers, and nothing left open."""
    for text in (view.alt, *view.sentences, *view.formula):
        assert text
        assert not re.search(r"\bnan\b|\binf\b|\{\w*\}`", text), text
    assert all(np.isfinite(np.asarray(column, dtype=float)).all() for column in view.columns.values())


def extremes(page: Page, settings: Settings, names: Sequence[str]) -> Iterator[Settings]:
    """Yield settings with one parameter at each of its options or ends."""
    for name in names:
        spec = parameters_of(page.name)[name]
        values = spec.options if isinstance(spec, Choice) else (spec.low, settings.high(name)) if isinstance(spec, Number) else ()
        values = TEXTS if isinstance(spec, Words) else values
        for value in values:
            yield settings.replace(**{name: value})


def evaluate_everywhere(page: Page, settings: Settings) -> None:
    """Evaluate a view at the extremes of all that it can be set to, in every language; warnings are errors."""
    for each in extremes(page, settings, (page.choice, *page.controls(settings))):
        for language in CATALOGUES:
            with speaking(language), warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_readable(page.view(each))


def shown(view: View) -> tuple[object, ...]:
    """Return what a reader sees of a view, to compare it."""
    columns = tuple((name, np.asarray(column).tobytes()) for name, column in view.columns.items())
    return view.figure.to_json(), view.alt, view.sentences, columns


def dependences(page: Page, settings: Settings, **typed: str) -> set[str]:
    """Name the parameters that change what a view shows, when each alone goes to another option or end; texts as ``typed`` says."""
    usual, changing = shown(page.view(settings)), set()
    for name, spec in parameters_of(page.name).items():
        moved = [settings.replace(**{name: typed[name]})] if name in typed else [*extremes(page, settings, [name])]
        if name != page.choice and any(shown(page.view(each)) != usual for each in moved if write(each[name]) != write(settings[name])):
            changing.add(name)
        assert moved or name not in page.controls(settings), f"{name} is not tried: {spec.label}"
    return changing


def views_of(page: Page) -> list[Settings]:
    """Return every combination of choices that a page offers, found by walking through them."""
    found: dict[tuple[tuple[str, object], ...], Settings] = {}
    waiting = [settings_of(page.name)]
    while waiting:
        settings = waiting.pop()
        choices = [name for name in (page.choice, *page.controls(settings)) if isinstance(parameters_of(page.name)[name], Choice)]
        combination = tuple((name, settings[name]) for name in choices)
        if combination not in found:
            found[combination] = settings
            waiting += extremes(page, settings, choices)
    return [*found.values()]
