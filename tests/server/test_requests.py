"""What is closed stays closed, and what a browser refuses it does not get."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from server.requests import METRICS, RequestRules, accepted


def client() -> TestClient:
    async def tell(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.headers.get("accept-encoding", "nothing"))

    return TestClient(Starlette(routes=[Route("/{path:path}", tell)], middleware=[Middleware(RequestRules)]))


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("gzip, deflate, br", "gzip, deflate, br"),
        ("gzip;q=0", ""),
        ("identity, gzip ; Q=0.000 ,br", "identity,br"),
        ("gzip;q=0.5,identity;q=0", "gzip;q=0.5"),
        ("", ""),
    ],
)
def test_an_encoding_of_weight_0_is_refused(given: str, left: str) -> None:
    assert accepted(given.encode()).decode().replace(" ", "") == left.replace(" ", "")
    assert client().get("/", headers={"accept-encoding": given}).text.replace(" ", "") == left.replace(" ", "")


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/lab/rope/_stcore/metrics", "/_stcore/%6detrics"])
def test_metrics_are_closed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(METRICS, raising=False)
    assert client().get(path).status_code == 404
    assert client().get("/_stcore/health").status_code == 200
    monkeypatch.setenv(METRICS, "open")
    assert client().get(path).status_code == 200


def test_another_word_for_open_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(METRICS, "yes")
    with pytest.raises(ValueError, match="ROPE_LAB_METRICS must be open or unset, got 'yes'"):
        RequestRules(Starlette())
