"""Who plays in the browser tests.

Whatever else a test looks at, it fails if a visit asks another host or writes an error to the console.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.browser.stage import Server, Visitor, chromium, served


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


@pytest.fixture
def visitor(browser: Browser, server: Server, fresh_server: Callable[..., Server]) -> Iterator[Callable[..., Visitor]]:
    """Let people in; keyword arguments are Playwright's for a context, and ``url`` of another server.

    It asks for ``fresh_server`` so that people leave before their server stops.
    """
    people: list[Visitor] = []

    def enter(*, url: str = server.url, width: int = 1280, height: int = 860, locale: str = "en-US", **options: object) -> Visitor:
        # Playwright waits by eval, which the policy of the pages forbids: test_policy.py holds them to it.
        context = browser.new_context(viewport={"width": width, "height": height}, locale=locale, bypass_csp=True, **options)
        people.append(Visitor(context, url))
        return people[-1]

    yield enter
    for person in people:
        person.context.close()
    noise = [sound for person in people for sound in person.noise]
    assert not noise, noise


@pytest.fixture
def ada(visitor: Callable[..., Visitor]) -> Visitor:
    """A reader with an English browser on a desk."""
    return visitor()
