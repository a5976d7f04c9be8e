"""Served apps for the benchmarks: a process each, on a port of its own on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
APP, BARE, BESIDE = "app:app", "benchmarks.bare.app:app", "benchmarks.bare.beside:app"
BARE_PATH = "/bare"
"""Where ``BESIDE`` keeps the bytes that were posted to it last."""


@dataclass(frozen=True)
class Server:
    """A process that serves an app; ``seconds`` is what it took from its start to its first healthy answer."""

    url: str
    pid: int
    seconds: float

    @property
    def stream(self) -> str:
        """Address of the websocket."""
        return self.url.replace("http", "ws", 1) + "/_stcore/stream"

    def megabytes(self) -> float:
        """Memory that the process holds."""
        return memory(self.pid)


@contextmanager
def served(app: str = APP) -> Iterator[Server]:
    """Start an app, wait until it is healthy, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--lifespan", "on", "--ws-per-message-deflate", "false", "--log-level", "warning"]
    command = [sys.executable, "-m", "uvicorn", app, *options, "--host", "127.0.0.1", "--port", str(port)]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL)
    try:
        _wait(process, f"http://127.0.0.1:{port}")
        yield Server(f"http://127.0.0.1:{port}", process.pid, time.perf_counter() - start)
    finally:
        process.terminate()
        process.wait(30)


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    for _ in range(3000):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("the server did not answer within a minute")


def memory(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1000
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout) / 1000
