"""A served app, a Chromium, and a visitor who notes what should not happen: for the tests beside this file and for the screenshots.

Every visitor's browser holds the pages to their policy: a refused script, style, font, image or connection is an error in the console, and
a visit with one fails. Playwright waits by eval, which the policy forbids; ``stage.js`` waits in the page instead.
"""

from __future__ import annotations

import json
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
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect, sync_playwright

from lessons.registry import PAGES

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = int(os.environ.get("PATIENCE", 60_000))  # milliseconds, for a machine that is busy with other things
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATHS = {page: "/" if page == next(iter(PAGES)) else f"/{page}" for page in PAGES}
"""Where each page answers."""
expect.set_options(timeout=PATIENCE)

Look = dict[str, Any]
"""What a page shows: controls, figures, sentences, notices."""

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
    options = ["--lifespan", "on", "--ws-per-message-deflate", "false", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        command = [sys.executable, "-m", "uvicorn", "app:app", *options]
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
    _tabs: list[Page] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.new_tab()

    # Where to go.

    def new_tab(self) -> Page:
        """Open another tab, and look at it."""
        self.page = self.context.new_page()
        self._tabs.append(self.page)
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(path=Path(__file__).with_name("stage.js"))
        self.page.on("request", lambda request: self._ask(request.url))
        self.page.on("websocket", lambda websocket: self._ask(websocket.url))
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        return self.page

    def open(self, link: str = "/") -> str:
        """Follow a link, whole or below the server, in a fresh session; return the figure."""
        self.page.goto(link if link.startswith("http") else self.server + link, wait_until="commit")
        return self.settled()

    def turn(self, link: str) -> str:
        """Go to an address below the server as Back and Forward do, in the session that there is, if any; return the figure."""
        if not self.url().startswith(self.server):
            return self.open(link)
        path = urlsplit(self.server).path + link
        return self.run("(history.pushState(null, '', arg), dispatchEvent(new PopStateEvent('popstate')))", path)

    def go(self, title: str) -> str:
        """Follow a link of the navigation."""
        runs = self.measure("stage.runs()")
        self.page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
        return self.ran(runs)

    def back(self) -> str:
        return self.run("history.back()")

    def forward(self) -> str:
        return self.run("history.forward()")

    def run(self, script: str, arg: object = None) -> str:
        """Do in the page what leads to a run of the script, and return the figure after it."""
        return self.ran(self.measure(f"[stage.runs(), {script}][0]", arg))

    def ran(self, runs: int) -> str:
        """Wait until there were more runs than these and the page is complete; return the figure."""
        self.until("stage.runs() > arg && stage.settled()", runs)
        return self.figure()

    def leave(self) -> None:
        """Close all tabs of this visit."""
        for page in self._tabs:
            page.close()

    # When to look.

    def until(self, condition: str, arg: object = None) -> Any:
        """Wait until an expression of the page, which may ask for ``arg``, is something true, and return it."""
        return self.page.evaluate(f"arg => stage.wait(() => {condition}, {PATIENCE})", arg)

    def settled(self) -> str:
        """Wait until the page is complete, and return its figure as text."""
        self.until("stage.settled()")
        return self.figure()

    def changed(self, before: str) -> str:
        """Wait until the page is complete and shows another figure, and return that."""
        self.until("stage.settled() && stage.figure() !== arg", before)
        return self.figure()

    # What is shown.

    def figure(self) -> str:
        """Return the figure that is shown, as text."""
        return str(self.page.evaluate("stage.figure()"))

    def measure(self, script: str, arg: object = None) -> Any:
        """Ask the page for something."""
        return self.page.evaluate(f"arg => {script}", arg)

    def look(self) -> Look:
        """Return all that a page of this address must show."""
        look: Look = self.page.evaluate("stage.look()")
        return look

    def shown(self, selector: str) -> list[str]:
        """Return the text of each element that matches and is visible."""
        return [text for text in self.page.locator(selector).locator("visible=true").all_inner_texts() if text.strip()]

    def sentences(self) -> str:
        return " ".join(self.shown(".rope-sentences li"))

    def address(self) -> dict[str, str]:
        """Return the parameters of the address."""
        return dict(parse_qsl(urlsplit(self.url()).query, keep_blank_values=True))

    def link(self) -> str:
        """Return the address below the server."""
        return self.url().removeprefix(self.server)

    def url(self) -> str:
        """Return the whole address as the page has it: Playwright is told of a new one later."""
        return str(self.measure("location.href"))

    def wait_for_address(self, **expected: str | None) -> None:
        """Wait until the address carries these parameters; None is for one that it must not carry."""
        self.until("stage.says(arg)", expected)

    # Controls.

    def number(self, name: str) -> Locator:
        """Return the control of a number."""
        return self.page.locator(f".rope-number:has(#rope-{name})")

    def slider(self, name: str) -> Locator:
        return self.page.locator(f"#rope-{name}")

    def field(self, name: str) -> Locator:
        """Return what a parameter can be typed into: beside the slider of a number, else a native box."""
        return self.number(name).locator(".rope-value").or_(self.page.locator(f".st-key-w-{name} input[type=text]"))

    def type(self, name: str, text: str) -> None:
        """Type a text into a field and leave it by Enter."""
        self.field(name).fill(text)
        self.field(name).press("Enter")

    def press(self, name: str, *keys: str) -> None:
        """Press keys on a slider."""
        self.slider(name).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def step(self, figure: str, name: str, key: str = "ArrowRight") -> str:
        """Move a slider by a key, wait until the page is complete, and return the figure."""
        self.press(name, key)
        return self.changed(figure)

    def drag(self, name: str, *shares: float) -> None:
        """Move the mouse to shares of a slider's width, with its button pressed from the first on, and do not release it."""
        slider = self.slider(name)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box is not None
        for share in shares:
            self.page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)
            self.page.mouse.down()

    def option(self, name: str, index: int) -> Locator:
        """Return one of a row of buttons: of a choice, of the questions (``step``), of what is worth a try (``try``)."""
        return self.page.locator(f".st-key-{'try' if name == 'try' else 'w-' + name} [role=radio]").nth(index)

    def pick(self, name: str, label: str) -> None:
        """Choose from a list."""
        self.page.locator(f".st-key-w-{name} input").click()
        self.page.get_by_role("option", name=label, exact=True).click()

    def button(self, key: str) -> Locator:
        """Return a button by its key; one with a help is there twice, and one of them is not seen."""
        return self.page.locator(f".st-key-{key.replace('.', '-')} button").locator("visible=true")

    # What must not happen.

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


def traces(figure: str) -> list[dict[str, Any]]:
    """Return the traces of a figure that was read as text."""
    found: list[dict[str, Any]] = json.loads(figure)[0]["data"]
    return found
