"""The shipped nginx.conf in front of two apps, for real: only ports, folders and the certificate are the test's own."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.browser.stage import Server, Visitor, chromium, served

ROOT = Path(__file__).resolve().parents[2]
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
OPENSSL = shutil.which("openssl")
MEGABYTE = 1024 * 1024
ENVIRONMENT = {"STREAMLIT_SERVER_BASE_URL_PATH": "rope", "STREAMLIT_SERVER_ALLOWED_HOSTS": "*.school.example 127.0.0.1"}
TRUST = ssl._create_unverified_context()  # the certificate is made below

pytestmark = pytest.mark.skipif(
    not (NGINX and OPENSSL), reason="needs nginx and openssl: sh scripts/nginx.sh, or apt-get install nginx-light openssl"
)


@dataclass(frozen=True)
class Farm:
    """Two apps behind one nginx."""

    address: str
    apps: dict[str, Server]
    errors: Path
    certificate: Path

    @property
    def url(self) -> str:
        return f"https://{self.address}/rope"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def render(folder: Path, apps: list[str], port: int) -> str:
    """The shipped file with TLS on, and with the places of this test."""
    text = (ROOT / "deploy/nginx.conf").read_text()
    places = {
        "/tmp/": f"{folder}/",
        "listen 8080;": "",
        "# listen 8443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "# ssl_certificate": "ssl_certificate",
        "/etc/nginx/tls/": f"{folder}/",
        "/dev/stderr": f"{folder}/errors.log",
        "rope-lab-1:8501": apps[0],
        "rope-lab-2:8501": apps[1],
        # Which app answered is the test's business alone.
        "add_header Set-Cookie": "add_header X-App $upstream_addr always; add_header Set-Cookie",
    }
    for shipped, ours in places.items():
        assert shipped in text
        text = text.replace(shipped, ours)
    return text


@contextmanager
def running_nginx(folder: Path, apps: dict[str, Server]) -> Iterator[Farm]:
    assert NGINX
    assert OPENSSL
    make = [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*make, "-keyout", folder / "tls.key", "-out", folder / "tls.crt"], check=True, capture_output=True)
    port = free_port()
    (folder / "nginx.conf").write_text(render(folder, list(apps), port))
    user = "user root; " if os.geteuid() == 0 else ""  # the workers write into this folder
    process = subprocess.Popen([NGINX, "-p", folder, "-e", folder / "errors.log", "-c", folder / "nginx.conf", "-g", f"{user}daemon off;"])
    try:
        for _ in range(100):
            assert process.poll() is None, (folder / "errors.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Farm(f"127.0.0.1:{port}", apps, folder / "errors.log", folder / "tls.crt")
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    folder = tmp_path_factory.mktemp("farm")
    with ExitStack() as stack:
        servers = [stack.enter_context(served(folder / f"{name}.log", **ENVIRONMENT)) for name in "ab"]
        apps = {server.url.split("/")[2]: server for server in servers}
        yield stack.enter_context(running_nginx(folder, apps))


def ask(
    farm: Farm, path: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    link = http.client.HTTPSConnection(farm.address, timeout=20, context=TRUST)
    link.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = link.getresponse()
    content = answer.read()
    link.close()
    return answer.status, answer.headers, content


def newcomer(farm: Farm) -> tuple[str, str]:
    """A first visit: the cookie that it gets, and the app that it is served by."""
    _, headers, _ = ask(farm, "/rope/_stcore/health")
    [cookie] = [each.partition(";")[0] for each in headers.get_all("Set-Cookie") if each.startswith("rope_lab=")]
    return cookie, headers["X-App"]


def stream(farm: Farm, cookie: str = "", **options: object) -> ClientConnection:
    address = farm.url.replace("https", "wss") + "/_stcore/stream"
    headers = {"Cookie": cookie} if cookie else {}
    return connect(address, subprotocols=["streamlit"], ssl=TRUST, additional_headers=headers, max_size=None, close_timeout=1, **options)


def test_the_base_path_holds_for_everything(farm: Farm) -> None:
    assert ask(farm, "/?base=5")[1]["Location"] == ask(farm, "/rope?base=5")[1]["Location"] == "/rope/?base=5"
    for path in ("/rope/", "/rope/decay"):
        status, headers, body = ask(farm, path)
        assert status == 200
        assert b"<title>Streamlit" in body
        assert "frame-ancestors" in headers["Content-Security-Policy"]
    assert ask(farm, "/rope/_stcore/health")[2] == b"ok"
    assert ask(farm, "/_stcore/health")[0] == 404


def test_the_health_check_of_the_image_knows_the_base_path(farm: Farm) -> None:
    assert all(map(healthy, farm.apps))


def test_plotly_is_served_under_the_base_path_alone(farm: Farm) -> None:
    import plotly

    name = f"/plotly-{plotly.__version__}.min.js"
    status, headers, body = ask(farm, "/rope" + name)
    assert status == 200
    assert headers["Content-Type"].startswith("text/javascript")
    assert len(body) > MEGABYTE
    for address in farm.apps:
        link = http.client.HTTPConnection(address, timeout=20)
        link.request("GET", name)
        assert link.getresponse().status == 404
        link.close()


def test_a_class_behind_one_address_is_spread_and_everybody_stays(farm: Farm) -> None:
    readers = [newcomer(farm) for _ in range(40)]
    assert len({cookie for cookie, _ in readers}) == 40
    with ExitStack() as stack:
        for cookie, app in readers:
            answer = stack.enter_context(stream(farm, cookie)).response
            assert answer.headers["X-App"] == app
    for cookie, app in readers:
        _, headers, _ = ask(farm, "/rope/", Cookie=cookie)
        assert headers["X-App"] == app
        assert not [each for each in headers.get_all("Set-Cookie", []) if each.startswith("rope_lab=")]
    assert set(farm.apps) == {app for _, app in readers}
    assert min(sum(app == each for _, app in readers) for each in farm.apps) >= 5


def test_the_cookie_is_out_of_reach_of_scripts_and_a_made_up_one_is_replaced(farm: Farm) -> None:
    for headers in ({}, {"Cookie": "rope_lab=<script>; a=b"}, {"Cookie": "rope_lab="}):
        _, answer, _ = ask(farm, "/rope/", **headers)
        [cookie] = [each for each in answer.get_all("Set-Cookie") if each.startswith("rope_lab=")]
        assert re.fullmatch(r"rope_lab=[0-9a-f]{32}; Path=/rope; HttpOnly; SameSite=Lax", cookie)


def test_protection_stays_on_behind_the_proxy(farm: Farm) -> None:
    assert ask(farm, "/rope/", Host="evil.example")[0] == 400
    assert ask(farm, "/rope/", Host="rope.school.example")[0] == 200
    with stream(farm, origin=f"https://{farm.address}"):
        pass
    with pytest.raises(InvalidStatus, match="403"), stream(farm, origin="https://evil.example"):
        pass
    assert ask(farm, "/rope/_stcore/upload_file/a/b", "PUT", b"x")[0] == 403


def test_an_upload_reaches_the_app_that_knows_the_reader(farm: Farm) -> None:
    for sizes in ([(10, 204)], [(10, 204)], [(MEGABYTE - 1000, 204), (3 * MEGABYTE, 413)]):  # some of them on either app
        cookie, _ = newcomer(farm)
        _, headers, _ = ask(farm, "/rope/_stcore/health", Cookie=cookie)
        token = re.search(r"_streamlit_xsrf=([^;]+)", headers["Set-Cookie"])[1]
        with stream(farm, cookie) as browser:
            browser.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
            while not (session := ForwardMsg.FromString(browser.recv(timeout=30)).new_session.initialize.session_id):
                pass
            sent = {"Cookie": f"{cookie}; _streamlit_xsrf={token}", "X_Xsrftoken": token, "Content_Type": "multipart/form-data; boundary=b"}
            for size, expected in sizes:
                body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n' + bytes(size) + b"\r\n--b--\r\n"
                assert ask(farm, f"/rope/_stcore/upload_file/{session}/file", "PUT", body, **sent)[0] == expected


def test_one_browser_does_not_take_the_connections_of_all(farm: Farm) -> None:
    (greedy, _), (other, _) = newcomer(farm), newcomer(farm)
    with ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(stream(farm, greedy))
        with pytest.raises(InvalidStatus, match="429"), stream(farm, greedy):
            pass
        with stream(farm, other):
            pass


def test_one_browser_does_not_take_the_requests_of_all(farm: Farm) -> None:
    (greedy, _), (other, _) = newcomer(farm), newcomer(farm)
    host, port = farm.address.split(":")
    request = f"GET /rope/_stcore/health HTTP/1.1\r\nHost: {farm.address}\r\nCookie: {greedy}\r\n\r\n".encode()
    with TRUST.wrap_socket(socket.create_connection((host, int(port)), timeout=60)) as link:
        link.sendall(request * 900 + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        answers = b"".join(iter(lambda: link.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 200 ") >= 400
    assert answers.count(b"HTTP/1.1 429 ") > 0
    assert ask(farm, "/rope/_stcore/health", Cookie=other)[0] == 200


def trust(certificate: Path) -> str:
    """A flag by which Chromium takes this certificate as good.

    With errors of certificates merely ignored it starts a request anew for every connection, and on a busy machine it gives up on some.
    """
    assert OPENSSL
    shown = subprocess.run([OPENSSL, "x509", "-in", certificate, "-noout", "-pubkey"], check=True, capture_output=True, text=True).stdout
    key = base64.b64decode("".join(shown.splitlines()[1:-1]))
    return f"--ignore-certificate-errors-spki-list={base64.b64encode(hashlib.sha256(key).digest()).decode()}"


@pytest.fixture
def reader(farm: Farm) -> Iterator[Visitor]:
    with chromium(trust(farm.certificate)) as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        yield Visitor(context, farm.url)
        context.close()


def healthy(app: str) -> bool:
    """What the image's own health check says about an app under the base path."""
    check = re.search(r"^HEALTHCHECK .*?CMD (\[.*\])$", (ROOT / "Dockerfile").read_text().replace("\\\n", ""), re.MULTILINE)[1]
    _, *command = [part.replace("127.0.0.1:8501", app) for part in json.loads(check)]
    return subprocess.run([sys.executable, *command], cwd=ROOT, env=os.environ | ENVIRONMENT, capture_output=True).returncode == 0


def app_of(farm: Farm, reader: Visitor) -> str:
    [cookie] = [each["value"] for each in reader.context.cookies() if each["name"] == "rope_lab"]
    return ask(farm, "/rope/_stcore/health", Cookie=f"rope_lab={cookie}")[1]["X-App"]


def download(reader: Visitor) -> bytes:
    """Download the table of the page."""
    with reader.page.expect_download() as table:
        reader.button("download.csv").click()
    return table.value.path().read_bytes()


def test_a_reader_works_and_keeps_everything_when_the_app_dies(farm: Farm, reader: Visitor) -> None:
    figure = reader.open("/decay")
    reader.type("reach", "3000")
    figure = reader.changed(figure)
    figure = reader.step(figure, "base")
    set_to = reader.address()
    assert set_to["reach"] == "3000"
    reader.page.locator(".st-key-below [role=radio]").last.click()
    table = download(reader)
    assert table.count(b"\n") > 10
    assert reader.noise == []

    first = app_of(farm, reader)
    farm.apps[first].process.kill()
    farm.apps[first].process.wait(20)
    state = "document.querySelector('[data-testid=stApp]').dataset"
    reader.until(f"{state}.testConnectionState !== 'CONNECTED'")
    reader.until(f"{state}.testConnectionState === 'CONNECTED'")  # the browser finds the other app by itself
    assert not healthy(first)

    # Whoever comes now is served, on the other app.
    assert {newcomer(farm)[1].split(", ")[-1] for _ in range(10)} == set(farm.apps) - {first}
    assert app_of(farm, reader).split(", ")[-1] != first
    assert reader.settled() == figure
    assert reader.address() == set_to
    reader.type("reach", "2000")
    figure = reader.changed(figure)
    assert reader.address() == set_to | {"reach": "2000"}
    assert download(reader) != table
    shown = reader.look() | {"formula": None}  # a reload opens the formula again
    reader.page.reload()
    assert reader.settled() == figure
    assert reader.look() | {"formula": None} == shown
