"""Who may open the stream."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from server.origin import is_own


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "lab.example:8501"),  # no page at all: a program
        ("http://lab.example:8501", "lab.example:8501"),
        ("https://lab.example", "lab.example"),
        ("http://localhost:8501", "lab.example"),
        ("http://127.0.0.1:8600", "lab.example"),
    ],
)
def test_own_pages_may(origin, host):
    headers = {"host": host} | ({"origin": origin} if origin is not None else {})
    assert is_own(Headers(headers))


@pytest.mark.parametrize(
    "origin",
    [
        "http://elsewhere.example",
        "null",
        "",
        "file://",
        "about:blank",
        "data:text/html,x",
        "evil",
        "http://[",
        "http://localhost:8.example",
    ],
)
def test_pages_of_nobody_known_may_not(origin):
    assert not is_own(Headers({"host": "lab.example", "origin": origin}))
