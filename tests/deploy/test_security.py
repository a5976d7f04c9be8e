"""What strangers may send to a served app, and what they get."""

from __future__ import annotations

import contextlib
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from server.assets import script_path
from server.security import ancestors, security_headers, trusted_hosts
from tests.browser.stage import Server, served
from tests.raw import ask, say

INDEX = (Path(streamlit.__file__).parent / "static/index.html").read_bytes()
BUNDLE = "/" + re.search(rb'src="\./(static/js/index\.[^"]+)"', INDEX)[1].decode()
MEGABYTE = 1024 * 1024
NOBODY = "/_stcore/upload_file/nobody/file"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("strangers") / "log.txt") as running:
        yield running


def stream(server: Server, **options: object) -> ClientConnection:
    return connect(
        server.url.replace("http", "ws") + "/_stcore/stream", subprotocols=["streamlit"], max_size=None, close_timeout=1, **options
    )


def raw_stream(server: Server, frame: bytes = b"", host: str = "localhost") -> bytes:
    """Ask for a stream, write one frame, and return all that the server says."""
    head = f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    return say(server, head.encode() + frame, wait=0.5)


def visit(server: Server) -> str:
    """Run the start page to its end, and return the name of the session."""
    with stream(server) as browser:
        browser.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
        session = ""
        while True:
            message = ForwardMsg.FromString(browser.recv(timeout=30))
            session = message.new_session.initialize.session_id or session
            if message.WhichOneof("type") == "script_finished":
                assert message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                return session


# What every answer says.


@pytest.mark.parametrize("path", ["/", "/decay", BUNDLE, script_path(), "/_stcore/health", "/_stcore/nothing", "/media/nothing", "//x"])
def test_every_answer_tells_the_browser_what_it_may_do(server: Server, path: str) -> None:
    _, headers, _ = ask(server, path)
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy", "Cache-Control"):
        assert len(headers.get_all(name)) == 1
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == policy["connect-src"] == "'self'"
    assert "'unsafe" not in policy["script-src"]
    assert not re.search(r"https?:|wss?:|//|\*", headers["Content-Security-Policy"]), "another host is allowed"


def test_only_files_whose_name_has_their_version_are_kept(server: Server) -> None:
    assert "immutable" in ask(server, BUNDLE)[1]["Cache-Control"]
    assert "immutable" in ask(server, script_path())[1]["Cache-Control"]
    for path in ("/", "/decay", "/decay?base=500000", "/_stcore/health", "/_stcore/host-config", "/media/nothing", "/static/js/gone.js"):
        assert ask(server, path)[1]["Cache-Control"] == "no-cache"


def test_the_policy_allows_the_script_of_the_page_by_its_content() -> None:
    one = security_headers("'self'", "<script>a()</script>")["content-security-policy"]
    assert one != security_headers("'self'", "<script>b()</script>")["content-security-policy"]
    # The digest of "a()" as openssl gives it.
    assert "'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='" in one


# Who may show the app in a frame.


def test_frames_are_for_this_site_unless_others_are_named() -> None:
    assert ancestors({}) == "'self'"
    assert ancestors({"ROPE_LAB_FRAME_ANCESTORS": " "}) == "'self'"
    named = "'self' https://school.example https://*.school.example:8443 http://127.0.0.1:*"
    assert ancestors({"ROPE_LAB_FRAME_ANCESTORS": named}) == named


@pytest.mark.parametrize("value", ["https://a.example; script-src *", "a.example,b", "https://a\r\nx: y", "javascript:", "'unsafe-inline'"])
def test_a_frame_policy_that_says_more_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="ROPE_LAB_FRAME_ANCESTORS must be"):
        ancestors({"ROPE_LAB_FRAME_ANCESTORS": value})


# Which hosts are known.

LOCAL = ["localhost", "localhost:8501", "127.0.0.1:8501", "[::1]", "[::1]:8501", "x.localhost", "LOCALHOST"]
STRANGE = [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "xlocalhost",
    "LOCALHOST.",
    "classroom",
    "lab.local",
    "192.168.0.7",
    "user@127.0.0.1",
    "@localhost",
    "127.0.0.1/x",
    "localhost?x",
    "localhost#x",
    "localhost:port",
    "[::1",
    "::1",
    "a b",
    "",
    ".",
    "*",
]


def answers_to(host: str) -> bool:
    """Return whether a server that is set as Streamlit's options are answers to a host, as the app itself is guarded."""

    async def page(_: Scope, _receive: Receive, send: Send) -> None:
        await PlainTextResponse("page")({"type": "http"}, _receive, send)

    guarded = TrustedHostMiddleware(page, allowed_hosts=trusted_hosts(), www_redirect=False)
    status = TestClient(guarded, base_url="http://localhost").get("/", headers={"Host": host}, follow_redirects=False).status_code
    assert status in (200, 400)
    return status == 200


@pytest.mark.parametrize("host", LOCAL)
def test_local_names_are_known(server: Server, host: str) -> None:
    assert ask(server, Host=host)[0] == 200
    assert raw_stream(server, host=host).startswith(b"HTTP/1.1 101 ")


@pytest.mark.parametrize("host", STRANGE)
def test_a_stranger_is_not(server: Server, host: str) -> None:
    for path in ("/", "/view/start", "/_stcore/health"):
        status, _, body = ask(server, path, Host=host)
        assert status == 400
        assert len(body) < 100
    assert raw_stream(server, host=host).startswith(b"HTTP/1.1 400 ")


def test_no_host_or_two_are_no_host(server: Server) -> None:
    for hosts in ("", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n"):
        for version in ("1.0", "1.1"):
            assert b" 400 " in say(server, f"GET / HTTP/{version}\r\n{hosts}\r\n".encode(), wait=0.5)[:20]


def test_a_list_of_hosts_holds_instead_of_local_names(monkeypatch: pytest.MonkeyPatch) -> None:
    named = ["rope.school.example", "*.lab.example", "www.example.org", "192.168.0.7", "::1"]
    monkeypatch.setattr(streamlit, "get_option", {"server.allowedHosts": named}.get)
    for host in ("rope.school.example", "ROPE.school.example:443", "a.lab.example", "192.168.0.7:8501", "[::1]:8501"):
        assert answers_to(host)
    for host in ("localhost", "127.0.0.1", "192.168.0.8", "lab.example", "xlab.example", "rope.school.example.evil.example", "example.org"):
        assert not answers_to(host)


def test_a_star_stands_for_every_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "get_option", {"server.allowedHosts": ["*"]}.get)
    assert answers_to("anything.example")


def test_the_stream_is_for_pages_of_this_server(server: Server) -> None:
    with stream(server, origin=server.url):
        pass
    for origin in ("https://evil.example", "null", server.url + ".evil.example"):
        with pytest.raises(InvalidStatus, match="403"), stream(server, origin=origin):
            pass


def test_other_sites_may_not_read_answers(server: Server) -> None:
    _, headers, _ = ask(server, "/_stcore/host-config", Origin="https://evil.example")
    assert headers["Access-Control-Allow-Origin"] in (None, "https://localhost", "http://localhost:8501")


# What is asked for.


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "%3Cscript%3Ealert(1)%3C/script%3E", "%22%27onload=alert(1)"])
def test_nothing_of_a_link_comes_back_in_the_page(server: Server, text: str) -> None:
    for path in (f"/?q={text}", f"/{text}", f"/decay?{text}={text}"):
        status, headers, body = ask(server, path)
        assert status == 200
        assert headers["Content-Type"].startswith("text/html")
        assert body == INDEX
    for path in (f"/media/{text}", f"/component/{text}/x", f"/_stcore/bidi-components/{text}/x"):
        status, headers, body = ask(server, path)
        assert status >= 400
        assert b"alert" not in body or headers["Content-Type"].startswith("text/plain")


CLIMBS = [
    "../" * 8,
    "..%2f" * 8,
    "%2e%2e/" * 8,
    "%252e%252e%252f" * 8,
    "..\\" * 8,
    "..%5c" * 8,
    "....//" * 8,
    "/",
    "%2f",
    "%00",
    "C:%5c",
    "./" * 8,
]
PLACES = [
    "/",
    "/static/",
    "/static/js/",
    "/media/",
    "/component/x/",
    "/_stcore/bidi-components/rope-lab-figure/",
    "/view/",
    "/app/static/",
    "/~/",
]


@pytest.mark.parametrize("place", PLACES)
def test_no_path_leads_out_of_what_is_served(server: Server, place: str) -> None:
    targets = ["etc/passwd", os.fspath(Path(__file__).resolve())[1:], "app.py", ".streamlit/config.toml", "ui/live/figure.js"]
    for climb in CLIMBS:
        for target in targets:
            status, _, body = ask(server, place + climb + target)
            assert body == INDEX if status == 200 else status in (301, 307, 400, 403, 404) and len(body) < 200, (climb, target)


# How much is sent.


def test_a_huge_header_or_address_is_refused(server: Server) -> None:
    for request in (
        f"GET / HTTP/1.1\r\nHost: localhost\r\nX: {'x' * MEGABYTE}\r\n\r\n",
        f"GET /{'x' * MEGABYTE} HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ):
        assert b" 200 " not in say(server, request.encode())[:20]
    visit(server)


@pytest.mark.parametrize("request_text", ["\x00\xff" * 99, "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"])
def test_what_is_no_request_gets_no_page(server: Server, request_text: str) -> None:
    assert INDEX[:50] not in say(server, request_text.encode("latin-1"), wait=1)
    visit(server)


def token(server: Server) -> str:
    """The token that a browser gets with its first answers."""
    return re.search(r"_streamlit_xsrf=([^;]+)", ask(server, "/_stcore/health")[1]["Set-Cookie"])[1]


def multipart(content: bytes) -> bytes:
    return b'--b\r\nContent-Disposition: form-data; name="f"; filename="../../x.txt"\r\n\r\n' + content + b"\r\n--b--\r\n"


def test_metrics_are_closed_and_a_refused_encoding_is_not_sent(server: Server) -> None:
    assert ask(server, "/_stcore/metrics")[0] == 404
    for path in ("/view/frequencies?freq_view=laws", script_path()):
        assert "Content-Encoding" not in ask(server, path, Accept_Encoding="gzip;q=0, identity")[1]
        assert ask(server, path, Accept_Encoding="gzip")[1]["Content-Encoding"] == "gzip"


def test_an_upload_needs_its_token(server: Server) -> None:
    right, other = token(server), token(server)
    assert right != other
    header, cookie, wrong = {"X_Xsrftoken": right}, {"Cookie": f"_streamlit_xsrf={right}"}, {"Cookie": f"_streamlit_xsrf={other}"}
    for headers in ({}, header, cookie, header | wrong):
        for method in ("PUT", "DELETE"):
            assert ask(server, NOBODY, method, Content_Length="0", **headers)[0] == 403
    assert ask(server, NOBODY, "PUT", Content_Length="0", **header, **cookie)[0] == 400  # nobody has such a session
    assert ask(server, NOBODY, "POST", Content_Length="0", **header, **cookie)[0] == 405


def test_an_upload_may_not_be_huge(server: Server) -> None:
    limit = streamlit.get_option("server.maxUploadSize") * MEGABYTE
    assert limit == MEGABYTE
    right = token(server)
    with stream(server) as browser:
        browser.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
        while not (session := ForwardMsg.FromString(browser.recv(timeout=30)).new_session.initialize.session_id):
            pass
        head = f"PUT /_stcore/upload_file/{session}/file HTTP/1.1\r\nHost: localhost\r\nX-Xsrftoken: {right}\r\n"
        head += f"Cookie: _streamlit_xsrf={right}\r\nContent-Type: multipart/form-data; boundary=b\r\nConnection: close\r\n"
        small = multipart(b"x")
        assert b" 204 " in say(server, f"{head}Content-Length: {len(small)}\r\n\r\n".encode() + small)[:20]
        assert b" 413 " in say(server, f"{head}Content-Length: {limit + 1}\r\n\r\n".encode())[:20]
        big = multipart(bytes(limit + 2 * MEGABYTE))  # nothing in front says how long it is
        chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(big), big)
        assert b" 204 " not in say(server, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunked)[:20]
    visit(server)


# What is said on the stream. These lines in the log are Streamlit's, and meant for the owner: a server of its own.


def test_bad_frames_end_one_stream_and_no_other(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with served(log, quiet=False) as server, stream(server) as bystander:
        for frame in (
            b"\x82\x05hello",  # not masked
            b"\xf2\x80\x00\x00\x00\x00",  # reserved bits
            b"\x8b\x80\x00\x00\x00\x00",  # no such opcode
            b"\x82\xff" + struct.pack("!Q", 2**62) + b"\x00" * 4,  # four exabytes are to come
            b"\x81\x82\x00\x00\x00\x00\xff\xfe",  # text that is no UTF-8
        ):
            assert raw_stream(server, frame).startswith(b"HTTP/1.1 101")
        for message in ("text", b"\xff" * 100, b"\x00" * (20 * MEGABYTE)):
            with stream(server) as browser:
                with contextlib.suppress(ConnectionClosed):
                    browser.send(message)
                    got = b""
                    while True:
                        got += browser.recv(timeout=20)
                assert not re.search(rb"Traceback|site-packages", got)
        for switch in ("debug_shutdown_runtime", "debug_disconnect_websocket", "clear_cache"):
            bystander.send(BackMsg(**{switch: True}).SerializeToString())
        strange = {"query_string": "base=%00&q=" + "x" * 10_000, "page_script_hash": "../../etc"}
        bystander.send(BackMsg(rerun_script=strange).SerializeToString())
        while ForwardMsg.FromString(bystander.recv(timeout=30)).WhichOneof("type") != "script_finished":
            pass
        visit(server)
