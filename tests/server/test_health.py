"""What the health check of the image asks for; tests/deploy/test_container.py and test_proxy.py run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from server.health import request

URL = "http://127.0.0.1:8501"
ROOT = Path(__file__).resolve().parents[2]


def test_it_asks_under_the_base_path() -> None:
    assert request(URL, {}).full_url == f"{URL}/_stcore/health"
    assert request(URL, {"STREAMLIT_SERVER_BASE_URL_PATH": "/lab/rope/"}).full_url == f"{URL}/lab/rope/_stcore/health"


@pytest.mark.parametrize(
    ("allowed", "host"),
    [
        ("", "localhost"),
        ("rope.school.example *.lab.example", "rope.school.example"),
        ("*.lab.example,rope.school.example", "any.lab.example"),
        ("*", "any"),
        ("::1", "[::1]"),
        ("[::1]", "[::1]"),
    ],
)
def test_it_asks_for_a_host_that_the_server_answers_to(allowed: str, host: str) -> None:
    assert request(URL, {"STREAMLIT_SERVER_ALLOWED_HOSTS": allowed}).get_header("Host") == host


def test_it_fails_where_nobody_answers() -> None:
    done = subprocess.run([sys.executable, "-m", "server.health", "http://127.0.0.1:1"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode != 0
