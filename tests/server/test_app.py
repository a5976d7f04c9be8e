"""The application around the pages: its start, and what a page says when the core refuses its settings."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from streamlit.testing.v1 import AppTest

import app
from lessons.registry import PAGES
from locales import CATALOGUES
from rope_core import RopeConfigError
from tests.visit import SHELL, drawn, message, open_page

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "{field} must be a positive even integer, got {value!r}"


def ask(code: str) -> str:
    """Return what a fresh process prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()


class TestStart:
    def test_lifespan_warms_up_and_then_freezes_what_is_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        order: list[str] = []
        monkeypatch.setattr(app, "warm_up", lambda: order.append("warm"))
        monkeypatch.setattr(gc, "collect", lambda *_: order.append("collect"))
        monkeypatch.setattr(gc, "freeze", lambda: order.append("freeze"))

        async def live() -> None:
            async with app.lifespan(app.app):
                order.append("serve")

        asyncio.run(live())
        assert order == ["warm", "collect", "freeze", "serve"]

    def test_frozen_objects_are_left_out_of_collections_and_what_pages_need_is_loaded(self) -> None:
        code = (
            "import asyncio, gc, sys, app\n"
            "async def live():\n"
            "    async with app.lifespan(app.app):\n"
            "        print(gc.get_freeze_count() > 100_000, *(name in sys.modules for name in ('torch', 'plotly', 'figures.compare')))\n"
            "asyncio.run(live())"
        )
        assert ask(code) == "True True True True"


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Have the core refuse what the first page shows, until the function is called."""

    def refuse(_: object) -> NoReturn:
        raise RopeConfigError(TEMPLATE, field="head_dim", value=7)

    monkeypatch.setattr("lessons.start.PAGE", replace(PAGES["start"], view=refuse))
    return monkeypatch.undo


def open_refused(lang: str) -> AppTest:
    at = AppTest.from_file(SHELL, default_timeout=60)
    at.query_params["lang"] = lang
    at.switch_page("../pages/start.py").run()
    assert not at.exception
    return at


class TestRefusal:
    @pytest.mark.parametrize("lang", CATALOGUES)
    @pytest.mark.usefixtures("refused")
    def test_refusal_of_the_core_is_one_translated_sentence_on_a_page_that_goes_on(self, lang: str) -> None:
        at = open_refused(lang)
        assert [error.value for error in at.error] == [CATALOGUES[lang].gettext(TEMPLATE).format(field="head_dim", value=7)]
        assert at.title[0].value == CATALOGUES[lang].gettext(PAGES["start"].question)
        assert at.sidebar.selectbox(key="w.lang").value == lang
        assert [each.key for each in at.get("bidi_component")] != []

    def test_page_works_again_when_the_core_does(self, refused: Callable[[], None]) -> None:
        at = open_refused("en")
        assert at.error
        refused()
        at.run()
        assert not at.error
        assert message(at)["view"]["sentences"]
        assert drawn(at) == drawn(open_page("start"))
