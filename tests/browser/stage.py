"""A served app, a Chromium, and a visitor who notes what should not happen: for the tests beside this file and for the screenshots."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, TimeoutError, WebError, expect, sync_playwright

from ui.parameters import PARAMETERS
from lessons.registry import LESSONS

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000  # milliseconds, for a machine that is busy with other things
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

# The choice of views of each page, and its codes.
SHORTER = {"frequencies": "freq", "extension": "ext"}
VIEWS = {page: (name, tuple(PARAMETERS[name].options)) for page in LESSONS for name in [f"{SHORTER.get(page, page)}_view"]}

# A figure as text: its traces, frames, labels and axes, without what Plotly notes for itself in names with an underscore.
READ_FIGURE = """
window.readFigure = () => {
    const gd = document.querySelector('.js-plotly-plot');
    if (!gd?._fullLayout || !gd.querySelector('.main-svg') || !gd._transitionData) return null;
    const plain = (key, value) => key.startsWith('_') ? undefined : ArrayBuffer.isView(value) ? Array.from(value) : value;
    const {annotations, shapes, xaxis, yaxis, yaxis2} = gd.layout;
    const words = [annotations, shapes, xaxis?.title?.text, yaxis?.title?.text, yaxis2?.title?.text];
    return JSON.stringify([gd.data, words, gd._transitionData._frames.map(frame => frame.data)], plain);
};
// A run may end before the browser has made all of it: style sheets and parts of a component come a moment later.
const QUIET = 100; // milliseconds
let changed = 0;
new MutationObserver(records => {
    if (records.some(({target}) => !target.parentElement?.closest('.js-plotly-plot'))) changed = performance.now();
}).observe(document, {attributes: true, characterData: true, childList: true, subtree: true});
window.isSettled = () =>
    performance.now() - changed > QUIET
    && document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
    && !document.querySelector('.rope-chart')?.ropeState?.busy && !document.querySelector('.rope-chart')?.ropeState?.lacking
    && [...document.querySelectorAll('.rope-slider input')].every(input => input.ropeState)
    && !document.querySelector('[data-stale=true]') && window.readFigure() !== null;
"""

# What a log must never say.
COMPLAINTS = re.compile(r"Traceback|torch\.classes|will be removed|deprecat|Exception", re.IGNORECASE)


@dataclass(frozen=True)
class Server:
    """A process that serves the app on a port of its own."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]


@contextmanager
def served(log: Path, *, port: int = 0, quiet: bool = True, **environment: str) -> Iterator[Server]:
    """Start the app, on a free port if none is given, wait until it is healthy, end it, and read its log, which must be ``quiet``."""
    port = port or _free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "app:app",
        "--lifespan",
        "on",
        "--ws-per-message-deflate",
        "false",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, stdout=output, stderr=subprocess.STDOUT)
    base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
    server = Server(f"http://127.0.0.1:{port}{'/' + base if base else ''}", log, process)
    try:
        _wait_until_healthy(server)
        yield server
    finally:
        process.terminate()
        process.wait(30)
    said = log.read_text()
    assert not (quiet and COMPLAINTS.search(said)), said


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_until_healthy(server: Server) -> None:
    for _ in range(1800):
        assert server.process.poll() is None, server.log.read_text()
        try:
            with urllib.request.urlopen(server.url + "/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer: {server.log.read_text()}")


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Start the browser on the PATH, or the one that Playwright keeps, with flags of one's own."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        yield browser
        browser.close()


@dataclass
class Visitor:
    """Someone with a browser window of their own; ``noise`` is what a visit must not cause."""

    context: BrowserContext
    server: str
    noise: list[str] = field(default_factory=list)
    page: Page = field(init=False)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        self.context.add_init_script(READ_FIGURE)
        self.context.on("request", lambda request: self._ask(request.url))
        self.context.on("console", self._hear)
        self.context.on("weberror", self._trip)
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        """Open another tab; the visitor looks at it when ``page`` is set to it."""
        page = self.context.new_page()
        page.on("websocket", lambda websocket: self._ask(websocket.url))
        return page

    def open(self, link: str = "/") -> str:
        """Follow a link, whole or below the server, and give the figure."""
        self.page.goto(link if link.startswith("http") else self.server + link)
        return self.settled()

    def settled(self) -> str:
        """Wait until the page is complete, and give its figure as text."""
        self._wait("isSettled()")
        return self.figure()

    def figure(self) -> str:
        """Give the figure that is shown, as text."""
        return self.page.evaluate("readFigure()")

    def changed(self, before: str) -> str:
        """Wait until the page is complete and shows another figure, and give that."""
        self._wait("before => isSettled() && readFigure() !== before", arg=before)
        return self.figure()

    def set_box(self, name: str, value: str) -> None:
        """Type a value into a box and leave it by Enter."""
        box = self.box(name)
        box.fill(value)
        box.press("Enter")

    def box(self, name: str) -> Locator:
        """Give the box that owns a parameter."""
        return self.page.locator(f".st-key-{name} input")

    def wait_for_boxes(self, **expected: str) -> None:
        """Wait until boxes show these values: they follow the figure when the hand rests."""
        for name, value in expected.items():
            expect(self.box(name)).to_have_value(value)

    def wait_for_another(self, name: str, value: str) -> str:
        """Wait until a box shows another value than this, and give it."""
        expect(self.box(name)).not_to_have_value(value)
        return self.box(name).input_value()

    def slider(self, name: str) -> Locator:
        """Give the thumb of a parameter's slider, as the keyboard reaches it."""
        return self.page.locator(f".st-key-{name}-slider input[type=range], .st-key-{name}-live input[type=range]").last

    def hand(self) -> Locator:
        """Give the live slider, which the figure follows."""
        return self.page.locator(".rope-slider input")

    def step(self, figure: str, key: str = "ArrowRight") -> str:
        """Move the live slider by a key, wait until the hand rests and the page is complete, and give the figure."""
        self.hand().focus()
        self.page.keyboard.press(key)
        self.changed(figure)
        self.wait_for_rest()
        return self.settled()

    def wait_for_rest(self) -> None:
        """Wait until the hand rests, and the server knows where."""
        self._wait("(hand => hand && !hand.touched && !hand.waiting)(document.querySelector('.rope-slider input')?.ropeState)")

    def view(self, choice: str, index: int) -> Locator:
        """Give a button of a row of buttons."""
        return self.page.locator(f".st-key-{choice}-buttons [role=radio]").nth(index)

    def choose_language(self, name: str) -> None:
        """Choose a language in the select box of the sidebar."""
        self.page.locator(".st-key-lang-choice input").click()
        self.page.get_by_role("option", name=name, exact=True).click()

    def go(self, title: str) -> None:
        """Follow a link of the navigation."""
        self.page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()

    def wait_for_address(self, **expected: str | None) -> None:
        """Wait until the address carries these parameters; None is for one that it must not carry."""
        script = "expected => Object.entries(expected).every(([name, value]) => new URLSearchParams(location.search).get(name) === value)"
        self._wait(script, arg=expected)

    def asked_for(self) -> dict[str, list[str]]:
        """Give the parameters of the address."""
        return parse_qs(urlsplit(self.page.url).query)

    def shown(self, selector: str) -> list[str]:
        """Give the text of each element that matches and is visible."""
        return [text for text in self.page.locator(selector).locator("visible=true").all_inner_texts() if text.strip()]

    def measure(self, script: str, **arguments: Any) -> Any:
        """Ask the page for numbers."""
        return self.page.evaluate(script, arguments or None)

    def _wait(self, script: str, **arguments: Any) -> None:
        try:
            self.page.wait_for_function(script, **arguments)
        except TimeoutError as error:
            error.add_note(f"{self.page.url} says {self.shown('[data-testid=stAlert]') + self.shown('[data-testid=stException]')}")
            raise

    def _trip(self, error: WebError) -> None:
        # Pause interrupts Plotly.animate, whose promise is then rejected with nothing, and Plotly's buttons leave it at that.
        if str(error.error) != "undefined":
            self.noise.append(f"error: {error.error}")

    def _ask(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme not in ("data", "blob", "about") and address.hostname != "127.0.0.1":
            self.noise.append(f"request to another host: {url}")

    def _hear(self, message: ConsoleMessage) -> None:
        url = message.location["url"]
        # Below a page Streamlit asks for its own files beside the page before it asks at the root: two 404s a deep link.
        expected = "404" in message.text and url.endswith(("/_stcore/health", "/_stcore/host-config")) and urlsplit(url).path.count("/") > 2
        if message.type == "error" and not expected:
            self.noise.append(f"console: {message.text} ({url})")
