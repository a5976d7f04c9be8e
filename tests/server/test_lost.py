"""Addresses below those of pages."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lessons.registry import PAGES
from server.lost import lost_routes


@pytest.mark.parametrize("page", PAGES)
def test_below_a_page_there_is_nothing(page: str) -> None:
    client = TestClient(Starlette(routes=lost_routes()), follow_redirects=False)
    for lost in ("nosuch", "static/js/index.js", "_stcore/health", "a/b?base=5"):
        assert client.get(f"/{page}/{lost}").status_code == 404
    said = client.get(f"/{page}/nosuch?lang=zh-CN")
    assert said.text == "没有这个页面。\n"
    assert client.get(f"/{page}/?base=5").headers["location"].endswith(f"/{page}?base=5")
