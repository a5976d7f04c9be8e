"""Junk on a stream ends it with a line in the log, and what comes again and again is logged once a minute."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect
from websockets.typing import Origin

from server import junk
from server.junk import INVALID, JunkFilter, OnceAMinute, limit_log
from tests.browser.stage import served


def message(kind: str, value: str) -> Message:
    return {"type": "websocket.receive", "bytes": BackMsg(rerun_script={"widget_states": {"widgets": [{kind: value}]}}).SerializeToString()}


GOOD = [
    message("json_value", '{"a": [1, null, "x"]}'),
    message("json_trigger_value", json.dumps([{"event": "released", "value": {"name": "m", "text": "3"}}])),
    message("string_value", "{"),
    {"type": "websocket.receive", "bytes": b""},
    {"type": "websocket.connect"},
]
BAD = [
    *(message(kind, value) for kind in ("json_value", "json_trigger_value") for value in ("{", "", "9" * 5000, "[" * 100_000)),
    {"type": "websocket.receive", "text": "hello"},
    {"type": "websocket.receive", "bytes": b"\xff" * 50},
]


def pass_on(given: Message) -> tuple[Message, list[Message]]:
    """What an application hears of a message, and what its browser is sent."""
    heard, sent = [], []

    async def app(_: Scope, receive: Receive, __: Send) -> None:
        heard.append(await receive())

    async def receive() -> Message:
        return given

    async def send(answer: Message) -> None:
        sent.append(answer)

    asyncio.run(JunkFilter(app)({"type": "websocket"}, receive, send))
    return heard[0], sent


@pytest.mark.parametrize("given", GOOD, ids=range(len(GOOD)))
def test_what_a_browser_sends_is_passed_on(given: Message) -> None:
    assert pass_on(given) == (given, [])


@pytest.mark.parametrize("given", BAD, ids=range(len(BAD)))
def test_junk_closes_its_stream_with_one_line(given: Message, caplog: pytest.LogCaptureFixture) -> None:
    assert pass_on(given) == ({"type": "websocket.disconnect", "code": INVALID}, [{"type": "websocket.close", "code": INVALID}])
    [record] = caplog.records
    assert record.getMessage().startswith("A stream was closed: ")
    assert record.exc_info is None
    assert "\n" not in record.getMessage()


def test_a_served_app_closes_each_stream_with_junk_and_says_so_once(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with served(log, quiet=False) as server:
        for _ in range(3):
            for given in BAD:
                with connect(server.url.replace("http", "ws", 1) + "/_stcore/stream", origin=Origin(server.url)) as browser:
                    browser.send(given.get("bytes", given.get("text")))
                    with pytest.raises(ConnectionClosedError) as closed:
                        list(browser)
                assert closed.value.rcvd.code == INVALID
    said = log.read_text()
    assert said.count("A stream was closed") == 1
    assert "Traceback" not in said


@pytest.fixture
def logger(caplog: pytest.LogCaptureFixture) -> logging.Logger:
    logger = logging.Logger("streamlit.of_a_test")
    logger.addFilter(OnceAMinute())
    logger.addHandler(caplog.handler)
    return logger


def fail(logger: logging.Logger, error: Exception) -> None:
    try:
        raise error
    except type(error):
        logger.warning("It %s", "failed", exc_info=sys.exc_info())


def test_a_complaint_is_logged_once_a_minute_and_the_next_one_counts(
    logger: logging.Logger, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(junk.time, "monotonic", lambda: now)
    for now in (0.0, 1.0, 59.0, 61.0, 62.0, 200.0):
        fail(logger, ValueError(f"at {now}"))
    assert caplog.messages == ["It failed", "It failed (and 2 more like this)", "It failed (and 1 more like this)"]


def test_other_errors_and_other_places_are_logged_beside_it(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        fail(logger, ValueError())
        fail(logger, KeyError())
        logger.error("Something else")
        logger.info("No complaint")
    assert sorted(caplog.messages) == ["It failed"] * 2 + ["No complaint"] * 3 + ["Something else"]


def test_loggers_that_a_visitor_can_make_speak_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["streamlit.error_util", "uvicorn.error", "elsewhere"]
    monkeypatch.setattr(logging.root.manager, "loggerDict", {name: logging.Logger(name) for name in names})
    limit_log()
    assert [len(logging.getLogger(name).filters) for name in names] == [1, 1, 0]
