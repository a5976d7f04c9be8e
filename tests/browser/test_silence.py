"""The server speaks to its readers only, and its log is clean. (``served`` reads the log of every server of these tests.)"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import websockets.exceptions
import websockets.sync.client

from tests.browser.stage import COMPLAINTS, Server, Visitor

# Python runs sitecustomize before anything else. The hook sees every look-up and connection, whoever makes it, and forbids it.
WATCH = textwrap.dedent("""
    import os, sys

    def _watch(event, arguments):
        if event == "socket.getaddrinfo":
            host = arguments[0]
        elif event in ("socket.connect", "socket.sendto"):
            host = arguments[1][0] if isinstance(arguments[1], tuple) else None
        elif event in ("socket.gethostbyname", "socket.gethostbyaddr"):
            host = arguments[0]
        else:
            return
        host = host.decode() if isinstance(host, bytes) else host
        if host and host not in ("127.0.0.1", "::1", "localhost", "0.0.0.0"):
            with open(os.environ["WATCH_FILE"], "a") as file:
                file.write(f"{event} {arguments}\\n")
            raise OSError(f"{event} {arguments} is not allowed here")

    sys.addaudithook(_watch)
    open(os.environ["WATCH_FILE"], "a").write("watching\\n")
""")


@pytest.fixture
def watched(tmp_path: Path) -> tuple[dict[str, str], Path]:
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    return {"PYTHONPATH": str(tmp_path), "WATCH_FILE": str(tmp_path / "calls.txt")}, tmp_path / "calls.txt"


def test_the_server_calls_nobody_at_its_start_nor_during_visits(
    visitor: Callable[..., Visitor], fresh_server: Callable[..., Server], watched: tuple[dict[str, str], Path]
) -> None:
    environment, calls = watched
    reader = visitor(url=fresh_server(**environment).url)
    figure = reader.open("/")
    reader.go("Distance decay")
    figure = reader.changed(figure)
    reader.set_box("reach", "10000000")
    reader.changed(figure)
    assert set(calls.read_text().splitlines()) == {"watching"}


def test_a_page_of_another_site_gets_no_stream_and_nobody_is_asked_about_it(
    fresh_server: Callable[..., Server], watched: tuple[dict[str, str], Path]
) -> None:
    """Left alone, Streamlit asks checkip.amazonaws.com whether the stranger is this machine."""
    environment, calls = watched
    stream = fresh_server(**environment).url.replace("http", "ws") + "/_stcore/stream"
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        websockets.sync.client.connect(stream, origin="http://somebody.example")
    assert set(calls.read_text().splitlines()) == {"watching"}


def test_the_log_of_a_visit_is_clean(ada: Visitor, server: Server) -> None:
    ada.open("/decay?decay_view=spectrum&base=abc")
    ada.open("/pair?pair_view=shift&m=-1")
    assert not COMPLAINTS.search(server.log.read_text())


def test_the_check_of_the_log_can_fail() -> None:
    for line in (
        "Traceback (most recent call last):",
        "RuntimeError: torch.classes",
        "use_container_width will be removed after 2025-12-31",
    ):
        assert COMPLAINTS.search(line)
