"""The browser holds the pages to their Content-Security-Policy, and they work under it.

A refused script, style, font, image or connection is an error in the console, and every visitor fails at those.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from tests.browser.stage import VIEWS, Server, Visitor

ADDRESSES = {name: "/" if name == "start" else f"/{name}" for name in VIEWS}
GIVEN = ("q", "m", "lang", "pair_view", "base", "nobody")
NASTY = [
    "<img src=x onerror=document.title='caught'>",
    "<script>document.title='caught'</script>",
    "[x](javascript:document.title='caught')",
]


class Strict(Visitor):
    """A visitor whose browser enforces the policy. Playwright waits by eval, which is forbidden here: look again and again instead."""

    def _wait(self, script: str, *, arg: Any = None) -> None:
        deadline = time.monotonic() + 30
        while not self.page.evaluate(script, arg):
            assert time.monotonic() < deadline, (script, self.noise)
            self.page.wait_for_timeout(50)


@pytest.fixture
def enter(browser: Browser, server: Server, fresh_server: Callable[..., Server]) -> Iterator[Callable[..., Strict]]:
    people: list[Strict] = []

    def come(url: str = server.url) -> Strict:
        people.append(Strict(browser.new_context(viewport={"width": 1280, "height": 860}), url))
        return people[-1]

    yield come
    for person in people:
        person.context.close()
    assert not [person.noise for person in people if person.noise]


@pytest.fixture
def eve(enter: Callable[..., Strict]) -> Strict:
    return enter()


@pytest.mark.parametrize("name", VIEWS)
def test_every_page_lives_within_the_policy(eve: Strict, name: str) -> None:
    choice, codes = VIEWS[name]
    figure = eve.open(ADDRESSES[name])
    if len(codes) > 1:
        eve.view(choice, len(codes) - 1).click()
        eve.changed(figure)
    with eve.page.expect_download() as table:
        eve.page.get_by_test_id("stDownloadButton").get_by_role("button").first.click()
    assert table.value.path().stat().st_size > 100
    assert eve.noise == []


def test_the_live_chart_and_the_pictures_that_leave_it_need_no_more(eve: Strict) -> None:
    """Its parts are modules made in the browser, its library comes from our own route, its PNG goes through a picture of an SVG."""
    figure = eve.open("/decay")
    assert eve.page.locator(".rope-chart.js-plotly-plot").count() == 1
    hand = eve.page.locator(".rope-slider input")
    if hand.count():
        hand.first.focus()
        eve.page.keyboard.press("ArrowRight")
        eve.changed(figure)
    with eve.page.expect_download() as picture:
        eve.page.locator(".js-plotly-plot").hover()
        eve.page.locator(".modebar-btn[data-title*=PNG], .modebar-btn[data-title*=png]").click()
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    assert eve.noise == []


@pytest.mark.parametrize(
    "attempt",
    [
        "setTimeout('window.caught = 1')",
        "const script = document.createElement('script'); script.text = 'window.caught = 1'; document.body.append(script)",
        "new Image().src = 'http://127.0.0.1:9/x.png'",
        "fetch('http://127.0.0.1:9/').catch(() => 0)",
        "const frame = document.createElement('iframe'); frame.src = 'http://127.0.0.1:9/'; document.body.append(frame)",
    ],
)
def test_what_the_policy_forbids_is_heard(eve: Strict, attempt: str) -> None:
    eve.page.goto(f"{eve.server}/_stcore/health")  # any answer carries the policy
    eve.page.evaluate(f"() => {{ {attempt} }}")
    eve.page.wait_for_timeout(100)
    assert any("Content Security Policy" in sound for sound in eve.noise)
    assert eve.page.evaluate("window.caught") is None
    eve.noise.clear()


def test_scripts_in_a_link_stay_text(eve: Strict) -> None:
    for text in NASTY:
        eve.page.goto(f"{eve.server}/pair?{urlencode(dict.fromkeys(GIVEN, text))}")
        eve.settled()
        assert eve.page.title() != "caught"
        assert eve.page.locator("img[src=x], a[href^='javascript:']").count() == 0


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Serve a page of another site, which shows an address in a frame."""
    (tmp_path / "favicon.ico").touch()
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        Thread(target=site.serve_forever).start()
        origin = f"http://127.0.0.1:{site.server_port}"

        def put(address: str) -> str:
            (tmp_path / "course.html").write_text(f"<iframe width=1200 height=800 src='{address}'></iframe>")
            return f"{origin}/course.html"

        yield put
        site.shutdown()


def test_no_other_site_may_frame_the_app(eve: Strict, school: Callable[[str], str]) -> None:
    eve.page.goto(school(f"{eve.server}/?embed=true"))
    eve.page.wait_for_timeout(300)
    assert eve.page.frames[1].url.startswith("chrome-error:")
    assert any("frame-ancestors" in sound for sound in eve.noise)
    eve.noise.clear()


def test_a_site_that_is_named_may(enter: Callable[..., Strict], fresh_server: Callable[..., Server], school: Callable[[str], str]) -> None:
    reader = enter(fresh_server(ROPE_LAB_FRAME_ANCESTORS="https://school.example http://127.0.0.1:*").url)
    reader.page.goto(school(f"{reader.server}/?embed=true"))
    reader.page.frame_locator("iframe").locator(".js-plotly-plot .main-svg").first.wait_for()
