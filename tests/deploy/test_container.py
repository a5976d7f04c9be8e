"""The image, without a container engine.

What the Dockerfile copies is copied into a read-only folder, and its own start and health commands run there as a user who is not root.
What this cannot show: that the base image can be pulled and that the requirements install in it.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.test_imports import ROOMS

ROOT = Path(__file__).resolve().parents[2]
PORT = "8501"


def read_dockerfile() -> list[tuple[str, str]]:
    """Return the instructions in order, as (name, rest)."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line.strip())]


INSTRUCTIONS = read_dockerfile()


def given(name: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def start_command() -> list[str]:
    [command] = given("CMD")
    return list(json.loads(command))  # JSON is the exec form: no shell stands between the engine's signals and the server


def health_command() -> list[str]:
    [check] = given("HEALTHCHECK")
    return list(json.loads(check.partition("CMD ")[2]))


def ignored(path: Path) -> bool:
    """Return whether .dockerignore keeps ``path`` out of the build: the last line that fits it or a folder above it decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = re.escape(line.removeprefix("!").rstrip("/")).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
        if any(re.fullmatch(pattern, str(each)) for each in (path, *path.parents)):
            out = not line.startswith("!")
    return out


def copy_image_to(folder: Path) -> None:
    for rest in given("COPY"):
        *sources, target = rest.split()
        for source in sources:
            paths = [path for path in (ROOT / source, *(ROOT / source).rglob("*")) if path.is_file()]
            kept = [path for path in paths if not ignored(path.relative_to(ROOT))]
            assert kept, f"COPY {rest}: .dockerignore leaves nothing of {source}"
            for path in kept:
                # A file goes into the folder `target`; of a folder, the content becomes that of `target`.
                inside = path.name if path == ROOT / source else path.relative_to(ROOT / source)
                (folder / target / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / target / inside)


def unprivileged() -> list[str]:
    """Return the command in front of another that makes it run as nobody, where the tests run as root."""
    if os.geteuid() != 0:
        return []
    # This Python may live in root's home, which nobody may enter. One capability lets it read everything; nothing lets it write.
    capability = "-all,+dac_read_search"
    prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", f"--inh-caps={capability}", f"--ambient-caps={capability}"]
    if not shutil.which("setpriv") or subprocess.run([*prefix, sys.executable, "-c", ""]).returncode:
        pytest.skip("the tests run as root and setpriv cannot become nobody here")
    return prefix


@dataclass
class Container:
    root: Path
    address: str
    environment: dict[str, str]
    prefix: list[str]
    server: subprocess.Popen[bytes]

    def healthy(self) -> bool:
        command = [part.replace(f"127.0.0.1:{PORT}", self.address) for part in health_command()]
        return subprocess.run([*self.prefix, *command], cwd=self.root, env=self.environment, stderr=subprocess.DEVNULL).returncode == 0


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    root, temporary = tmp_path / "app", tmp_path / "tmp"
    copy_image_to(root)
    temporary.mkdir()
    temporary.chmod(0o777)
    prefix = unprivileged()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])

    environment = dict(assignment.split("=", 1) for rest in given("ENV") for assignment in rest.split())
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment["HOME"] = environment["HOME"].replace("/tmp", str(temporary))
    environment["TMPDIR"] = str(temporary)
    command = [part.replace("0.0.0.0", "127.0.0.1").replace(PORT, port) for part in start_command()]

    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        with subprocess.Popen([*prefix, *command], cwd=root, env=environment) as server:
            try:
                yield Container(root, f"127.0.0.1:{port}", environment, prefix, server)
            finally:
                server.terminate()
    finally:
        for folder in folders:
            folder.chmod(0o755)


def run_start_page(address: str, query: str) -> list[ForwardMsg]:
    """Return what the server sends to a browser that opens the start page."""
    messages = []
    with connect(f"ws://{address}/_stcore/stream", subprotocols=["streamlit"], max_size=None) as browser:
        browser.send(BackMsg(rerun_script={"query_string": query}).SerializeToString())
        while not messages or messages[-1].WhichOneof("type") != "script_finished":
            messages.append(ForwardMsg.FromString(browser.recv(timeout=30)))
    return messages


def test_the_image_serves_read_only_and_its_health_check_tells(container: Container) -> None:
    before = sorted(container.root.rglob("*"))
    touch = subprocess.run([*container.prefix, "touch", container.root / "file"], stderr=subprocess.DEVNULL)
    assert touch.returncode != 0, "the server could write here"

    deadline = time.monotonic() + 300
    while not container.healthy():
        assert container.server.poll() is None, "the server ended"
        assert time.monotonic() < deadline, "not healthy within five minutes"
        time.sleep(0.2)

    messages = run_start_page(container.address, query="lang=zh-CN")
    assert messages[-1].script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
    assert not any(message.delta.new_element.WhichOneof("type") == "exception" for message in messages)
    titles = [page.page_name for message in messages for page in message.navigation.app_pages]
    assert any(re.search("[\u4e00-\u9fff]", title) for title in titles), "no translation was copied"
    config = next(message.new_session.config for message in messages if message.HasField("new_session"))
    assert config.toolbar_mode == config.VIEWER, "no settings were copied"
    assert sorted(container.root.rglob("*")) == before

    container.server.terminate()
    assert container.server.wait(timeout=30) is not None
    assert not container.healthy()


def test_the_image_runs_as_another_user_than_root() -> None:
    [user] = given("USER")
    assert user.split(":")[0] not in ("root", "0")
    assert INSTRUCTIONS.index(("USER", user)) > max(i for i, (name, _) in enumerate(INSTRUCTIONS) if name in ("RUN", "COPY"))


def test_the_image_serves_the_port_that_it_exposes_and_checks() -> None:
    assert given("EXPOSE") == [PORT]
    assert start_command()[-4:] == ["--host", "0.0.0.0", "--port", PORT]
    assert health_command()[-1] == f"http://127.0.0.1:{PORT}"


def test_the_image_has_every_room_of_the_app() -> None:
    copied = {source for rest in given("COPY") for source in rest.split()[:-1]}
    assert {*ROOMS, "app.py", ".streamlit"} <= copied
    [compiled] = [rest.split() for rest in given("RUN") if "compileall" in rest]
    assert {*ROOMS, "app.py"} <= set(compiled)


def test_the_image_needs_no_tool_beside_python() -> None:
    assert not re.search(r"\b(curl|wget|apt-get)\b", (ROOT / "Dockerfile").read_text())


def test_the_build_of_torch_can_be_chosen() -> None:
    names = [name for name, _ in INSTRUCTIONS]
    [argument] = given("ARG")
    assert argument.startswith("TORCH_INDEX=")
    assert names.index("ARG") < names.index("RUN")


@pytest.mark.parametrize(
    ("path", "kept_out"),
    [
        (".venv/bin/python", True),
        (".git/config", True),
        ("tests/deploy/test_container.py", True),
        ("scripts/browser.sh", True),
        ("ui/__pycache__/shell.cpython-311.pyc", True),
        ("scripts/install.py", False),
        ("rope_core/scaling/yarn.py", False),
        ("server/health.py", False),
        (".streamlit/config.toml", False),
    ],
)
def test_the_build_sees_the_app_alone(path: str, kept_out: bool) -> None:
    assert ignored(Path(path)) is kept_out
