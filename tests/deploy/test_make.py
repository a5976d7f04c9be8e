"""What `make` does before the app or the tests run: it installs once, and finds a browser."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIN = "torch==2.13.0"

FAKE_PIP = """
import os, sys
if "install" in sys.argv:
    with open(os.environ["PIP_LOG"], "a") as log:
        print(*sys.argv[1:], file=log)
"""

Install = Callable[..., list[str]]


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Runs scripts/install.py in a checkout of its own and returns what it asked of pip, which is a fake."""
    checkout = tmp_path / "checkout"
    (checkout / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/install.py", checkout / "scripts")
    (checkout / "requirements.txt").write_text(f"streamlit==1.67.0\n{PIN}  # mathematics\n")
    (checkout / "requirements-dev.txt").write_text("-r requirements.txt\npytest==9.2.0\n")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout / ".venv"], check=True)
    (tmp_path / "fake/pip").mkdir(parents=True)
    (tmp_path / "fake/pip/__main__.py").write_text(FAKE_PIP)
    (tmp_path / "empty").mkdir()
    log = tmp_path / "pip.log"

    def run(name: str = "requirements.txt", **variables: str) -> list[str]:
        log.write_text("")
        # No nvidia-smi on this PATH: a machine without a GPU.
        environment = {"PATH": str(tmp_path / "empty"), "PYTHONPATH": str(tmp_path / "fake"), "PIP_LOG": str(log), **variables}
        subprocess.run([sys.executable, "scripts/install.py", name], cwd=checkout, env=environment, check=True)
        return [line.split(" install ")[1] for line in log.read_text().splitlines()]

    return run


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """A package index on this machine that offers torch."""
    (tmp_path / "index/torch").mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(tmp_path / "index")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"nothing listens on port {port}")


def test_torch_alone_comes_from_its_index(install: Install, index: str) -> None:
    assert install(TORCH_INDEX=index) == [f"--no-deps --index-url {index} {PIN}", "-r requirements.txt"]


def test_an_empty_index_means_pypi(install: Install) -> None:
    assert install(TORCH_INDEX="") == [f"--no-deps {PIN}", "-r requirements.txt"]


def test_a_silent_index_costs_seconds_and_falls_back_to_the_plain_pin(install: Install) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        asked = install(TORCH_INDEX=f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert time.monotonic() - start < 8  # 4 of them are the wait; the rest is for a loaded machine
    assert asked == [f"--no-deps {PIN}", "-r requirements.txt"]


def test_the_second_install_does_nothing_and_remembers_the_index(install: Install, index: str) -> None:
    assert install(TORCH_INDEX=index)
    assert install(TORCH_INDEX=index) == []
    assert install() == []
    assert install("requirements-dev.txt") == [f"--no-deps --index-url {index} {PIN}", "-r requirements-dev.txt"]
    assert install("requirements-dev.txt") == []


def test_a_changed_requirement_installs_again(install: Install, tmp_path: Path) -> None:
    install(TORCH_INDEX="")
    with (tmp_path / "checkout/requirements.txt").open("a") as requirements:
        requirements.write("numpy==2.4.6\n")
    assert install() == [f"--no-deps {PIN}", "-r requirements.txt"]


def test_another_index_replaces_the_build_of_torch(install: Install, index: str) -> None:
    install(TORCH_INDEX="")
    assert install(TORCH_INDEX=index) == [f"--no-deps --index-url {index} --force-reinstall {PIN}", "-r requirements.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyPI has the right build")
def test_linux_without_a_gpu_asks_the_cpu_index(install: Install, tmp_path: Path) -> None:
    install(https_proxy="http://127.0.0.1:9")  # nothing listens on port 9: the index is out of reach
    assert (tmp_path / "checkout/.venv/torch-index").read_text().endswith("/whl/cpu")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyPI has the right build")
def test_linux_with_a_gpu_asks_pypi(install: Install, tmp_path: Path) -> None:
    executable(tmp_path / "empty/nvidia-smi")
    assert install() == [f"--no-deps {PIN}", "-r requirements.txt"]
    assert (tmp_path / "checkout/.venv/torch-index").read_text() == ""


def test_a_chromium_on_the_path_is_taken_and_nothing_is_installed(tmp_path: Path) -> None:
    for name in ("google-chrome", "chromium-browser"):
        executable(tmp_path / name)
    shell = shutil.which("sh")
    assert shell
    found = subprocess.run([shell, ROOT / "scripts/browser.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert found.stdout == f"{tmp_path}/chromium-browser\n"


@pytest.mark.parametrize("python", ["false", "no-such-python"])
def test_an_old_or_missing_python_gets_one_sentence(python: str) -> None:
    result = subprocess.run(["make", "python", f"PYTHON={python}"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode != 0
    assert "RoPE Lab needs Python 3.11 or newer" in result.stderr


def executable(path: Path) -> None:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
