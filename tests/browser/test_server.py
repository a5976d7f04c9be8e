"""What a browser and a server keep to: the policy of the pages, who may frame them, whom the server calls, and what a lost server loses.

The browsers of all visitors hold the pages to their policy, and a visit with an error in the console fails (``stage.py``).
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode, urlsplit

import pytest
import websockets.exceptions
import websockets.sync.client

from tests.browser.conftest import Enter
from tests.browser.stage import COMPLAINTS, Server, Visitor, served

NASTY = [
    "<img src=x onerror=document.title='caught'>",
    "<script>document.title='caught'</script>",
    "[x](javascript:document.title='caught')",
]
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
def test_what_the_policy_forbids_is_heard(visitor: Enter, attempt: str) -> None:
    eve = visitor()
    eve.page.goto(f"{eve.server}/_stcore/health")  # any answer carries the policy
    with eve.page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        eve.page.evaluate(f"() => {{ {attempt} }}")
    assert eve.page.evaluate("window.caught") is None
    eve.noise.clear()


@pytest.mark.parametrize("text", NASTY)
def test_scripts_in_a_link_stay_text(ada: Visitor, text: str) -> None:
    ada.turn(f"/pair?{urlencode(dict.fromkeys(('q', 'm', 'lang', 'pair_view', 'base', 'pin', 'step', 'nobody'), text))}")
    assert ada.page.title() != "caught"
    assert ada.page.locator("img[src=x], a[href^='javascript:']").count() == 0
    assert len(ada.shown("[data-testid=stAlertContentWarning]")) == 1


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Serve a page of another site, which shows an address in a frame."""
    folder = tmp_path / "school"
    folder.mkdir()
    (folder / "favicon.ico").touch()
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        Thread(target=site.serve_forever).start()

        def put(address: str) -> str:
            (folder / "course.html").write_text(f"<iframe width=1200 height=800 src='{address}'></iframe>")
            return f"http://127.0.0.1:{site.server_port}/course.html"

        yield put
        site.shutdown()


def test_no_other_site_may_frame_the_app(visitor: Enter, school: Callable[[str], str]) -> None:
    eve = visitor()
    with eve.page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        eve.page.goto(school(f"{eve.server}/?embed=true"))
        eve.page.wait_for_load_state("networkidle")  # the school's page asks for its icon
    assert eve.page.frames[1].url.startswith("chrome-error:")
    eve.noise.clear()


def test_a_server_below_a_path_calls_nobody_works_and_is_framed_by_the_site_that_it_names(
    visitor: Enter, fresh_server: Callable[..., Server], school: Callable[[str], str], tmp_path: Path
) -> None:
    calls = tmp_path / "calls.txt"
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    sites = "'self' https://school.example http://127.0.0.1:*"
    watched = {"PYTHONPATH": str(tmp_path), "WATCH_FILE": str(calls)}
    server = fresh_server(STREAMLIT_SERVER_BASE_URL_PATH="lab/rope", ROPE_LAB_FRAME_ANCESTORS=sites, **watched)

    # Left alone, Streamlit asks checkip.amazonaws.com whether the stranger is this machine.
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        websockets.sync.client.connect(server.url.replace("http", "ws") + "/_stcore/stream", origin="http://somebody.example")

    reader = visitor(url=server.url)
    figure = reader.open("/pair?m=5&lang=en")
    reader.drag("m", 0.1, 0.3)
    reader.until("stage.figure() !== arg", figure)
    reader.page.mouse.up()
    reader.settled()
    reader.type("m", "6")
    reader.wait_for_address(m="6")
    reader.settled()
    reader.button("share").first.click()
    dialog = reader.page.get_by_role("dialog")
    dialog.get_by_text(f"{server.url}/pair?lang=en&m=6", exact=True).wait_for()
    assert "https://school.example" in dialog.inner_text()
    reader.page.keyboard.press("Escape")
    reader.go("Distance decay")
    reader.page.goto(school(f"{server.url}/?embed=true"))
    reader.page.frame_locator("iframe").locator(".rope-figure .main-svg").first.wait_for()
    assert set(calls.read_text().splitlines()) == {"watching"}


def test_the_log_of_a_visit_is_clean(ada: Visitor, server: Server) -> None:
    ada.turn("/decay?decay_view=spectrum&base=abc")
    ada.turn("/pair?pair_view=shift&m=-1")
    assert not COMPLAINTS.search(server.log.read_text())


def test_the_check_of_the_log_can_fail() -> None:
    for line in (
        "Traceback (most recent call last):",
        "RuntimeError: torch.classes",
        "use_container_width will be removed after 2025-12-31",
    ):
        assert COMPLAINTS.search(line)


@pytest.mark.exhaustive  # two starts of a server; tests/deploy loses one behind a proxy in every run
def test_a_server_that_starts_again_finds_the_lesson_where_it_was(visitor: Enter, tmp_path: Path) -> None:
    state = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState"
    with served(tmp_path / "first.txt") as server:
        reader = visitor(url=server.url)
        figure = reader.open("/decay?lang=zh-CN&base=50000")
        reader.type("reach", "3000")
        figure = reader.step(reader.changed(figure), "base")
        base = reader.address()["base"]
    reader.until(f"{state} !== 'CONNECTED'")
    reader.press("base", "ArrowRight")  # lost nowhere: it is sent when there is a server again
    with served(tmp_path / "second.txt", port=urlsplit(server.url).port or 0):
        reader.until(f"{state} === 'CONNECTED'")
        assert reader.changed(figure)
        later = reader.address()
        assert (later["reach"], later["lang"]) == ("3000", "zh-CN")
        assert float(later["base"]) > float(base)
        reader.step(reader.figure(), "base")
        assert float(reader.address()["base"]) > float(later["base"])
        reader.leave()
    reader.noise.clear()  # a browser complains of every knock at a closed door
