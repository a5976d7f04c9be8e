"""The application around the pages: its start, what it says when the core refuses, and that it calls nothing that will go away."""

import asyncio
import gc
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import app
import server.warmup
from rope_core import RopeConfigError
from tests.visit import SHELL, message, open_page, show, views
from compute import scores as compute
from locales import CATALOGUES
from lessons.registry import LESSONS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "{field} must be a positive even integer, got {value!r}"


def ask(code):
    """Answer of a fresh process."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()


class TestStart:
    def test_lifespan_warms_up_and_then_freezes_what_is_there(self, monkeypatch):
        order = []
        monkeypatch.setattr(ui.warmup, "warm_up", lambda: order.append("warm"))
        monkeypatch.setattr(gc, "collect", lambda *_: order.append("collect"))
        monkeypatch.setattr(gc, "freeze", lambda: order.append("freeze"))

        async def live():
            async with app.lifespan(app.app):
                order.append("serve")

        asyncio.run(live())
        assert order == ["warm", "collect", "freeze", "serve"]

    def test_frozen_objects_are_left_out_of_collections(self):
        code = (
            "import asyncio, gc, app\n"
            "async def live():\n"
            "    async with app.lifespan(app.app):\n"
            "        print(gc.get_freeze_count() > 100_000)\n"
            "asyncio.run(live())"
        )
        assert ask(code) == "True"

    def test_importing_the_application_loads_nothing_heavy(self):
        assert ask("import sys, app; print([name for name in ('torch', 'rope_core', 'figures') if name in sys.modules])") == "[]"

    def test_warming_up_loads_what_the_pages_need(self):
        code = (
            "import sys, ui.warmup; ui.warmup.warm_up(); print(all(name in sys.modules for name in ('torch', 'plotly', 'figures.decay')))"
        )
        assert ask(code) == "True"


class TestRefusal:
    @pytest.mark.parametrize("lang", CATALOGUES)
    def test_refusal_of_the_core_is_one_translated_sentence(self, lang, monkeypatch):
        def refuse(*_, **__):
            raise RopeConfigError(TEMPLATE, field="head_dim", value=7)

        monkeypatch.setattr(compute, "speeds", refuse)
        at = AppTest.from_file(SHELL, default_timeout=60)
        at.query_params["lang"] = lang
        at.switch_page("../pages/start.py").run()
        assert not at.exception
        assert [error.value for error in at.error] == [CATALOGUES[lang].gettext(TEMPLATE).format(field="head_dim", value=7)]
        assert at.title[0].value == CATALOGUES[lang].gettext(LESSONS["start"].question)
        assert at.sidebar.select_slider

    def test_page_works_again_when_the_core_does(self, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(compute, "speeds", lambda *_: (_ for _ in ()).throw(RopeConfigError("no {x}", x=1)))
            at = AppTest.from_file(SHELL, default_timeout=60)
            at.switch_page("../pages/start.py").run()
            assert at.error
        at.run()
        assert not at.error
        assert message(at)


class TestFuture:
    @pytest.fixture
    def said(self, monkeypatch):
        """Everything that is logged, whatever logger says it."""
        records = []
        monkeypatch.setattr(logging.Logger, "handle", lambda self, record: records.append(record.getMessage()))
        return records

    def outdated(self, said):
        return [text for text in said if "deprecat" in text.lower() or "will be removed" in text.lower()]

    def test_no_page_calls_what_will_be_removed(self, said):
        for page in LESSONS:
            at = open_page(page)
            for view in views(page):
                show(at, view.choices)
        assert self.outdated(said) == []

    def test_call_that_will_be_removed_is_noticed(self, said):
        AppTest.from_string("import streamlit as st\nst.plotly_chart({}, use_container_width=True)", default_timeout=60).run()
        assert self.outdated(said)


def test_sidebar_names_the_device_that_computes():
    at = open_page("start")
    assert any(f"`{compute.best_device()}`" in caption.value for caption in at.sidebar.caption)
