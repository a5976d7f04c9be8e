"""A served app, one browser for each file of tests, and visitors whose browsers keep what they have loaded for the next test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.stage import Server, Visitor, chromium, served

Enter = Callable[..., Visitor]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("server") / "log.txt") as running:
        yield running


@pytest.fixture
def fresh_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Start servers that have seen nobody yet; keyword arguments are environment variables."""
    with ExitStack() as stack:
        yield lambda **environment: stack.enter_context(served(tmp_path_factory.mktemp("server") / "log.txt", **environment))


# Not for the session: while Playwright runs, asyncio.run() fails in this thread, and other tests may want it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Callable[..., BrowserContext]:
    """Return the browser profile of a seat for some options: whoever sits there next finds the app's files in its cache.

    A seat is for one person: of two tabs in a profile a browser draws the one in front.
    """
    made: dict[str, BrowserContext] = {}

    def find(seat: int, **options: object) -> BrowserContext:
        key = f"{seat} {sorted(options.items())}"
        if key not in made:
            made[key] = browser.new_context(**options)
        return made[key]

    return find


@pytest.fixture
def visitor(contexts: Callable[..., BrowserContext], server: Server, fresh_server: Callable[..., Server]) -> Iterator[Enter]:
    """Let people in; keyword arguments are Playwright's for a context, and ``url`` of another server.

    It asks for ``fresh_server`` so that people leave before their server stops.
    """
    people: list[Visitor] = []

    def enter(*, url: str = server.url, width: int = 1280, height: int = 800, locale: str = "en-US", **options: object) -> Visitor:
        context = contexts(2 + len(people), viewport={"width": width, "height": height}, locale=locale, **options)
        people.append(Visitor(context, url))
        return people[-1]

    yield enter
    for person in people:
        person.leave()
    noise = [sound for person in people for sound in person.noise]
    assert not noise, noise


@pytest.fixture(scope="module")
def seat(contexts: Callable[..., BrowserContext], server: Server) -> Callable[[int], Visitor]:
    return cache(lambda number: Visitor(contexts(number, viewport={"width": 1280, "height": 800}, locale="en-US"), server.url))


def _seated(reader: Visitor) -> Iterator[Visitor]:
    yield reader
    noise, reader.noise = reader.noise, []
    assert not noise, noise


@pytest.fixture
def ada(seat: Callable[[int], Visitor]) -> Iterator[Visitor]:
    """A reader with an English browser on a desk, who stays for a file of tests: ``open`` begins a session, ``turn`` goes on with one."""
    yield from _seated(seat(0))


@pytest.fixture
def bob(seat: Callable[[int], Visitor]) -> Iterator[Visitor]:
    """Another one, with a session of his own: what he sees of an address is what it says."""
    yield from _seated(seat(1))


@pytest.fixture
def phone(visitor: Enter) -> Visitor:
    # By its name Streamlit knows a telephone, whose sidebar it closes when a link of it was followed.
    agent = "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
    return visitor(width=375, height=667, has_touch=True, is_mobile=True, device_scale_factor=2, user_agent=agent)
