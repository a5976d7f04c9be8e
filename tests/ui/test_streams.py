"""The first run of every stream is a whole one, and a browser that comes back is asked for it."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from server.reconnect import ALL, WholeFirstRuns


def rerun(fragment: str = "") -> bytes:
    return BackMsg(rerun_script={"query_string": "m=3", "fragment_id": fragment}).SerializeToString()


def talk(*sent: bytes, subprotocols: tuple[str, ...] = ("streamlit", "token")) -> tuple[list[bytes], list[Message]]:
    """Open a stream and send these messages; give what the app hears and what the browser hears."""
    inward: list[Message] = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "bytes": data} for data in sent)]
    heard: list[bytes] = []
    outward: list[Message] = []

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        for _message in sent:
            heard.append((await receive())["bytes"])

    async def receive() -> Message:
        return inward.pop(0)

    async def send(message: Message) -> None:
        outward.append(message)

    asyncio.run(WholeFirstRuns(app)({"type": "websocket", "subprotocols": list(subprotocols)}, receive, send))
    return heard, outward


def fragments(heard: list[bytes]) -> list[str]:
    return [BackMsg.FromString(data).rerun_script.fragment_id for data in heard]


def test_the_first_run_alone_is_made_whole() -> None:
    heard, outward = talk(rerun("part"), rerun("part"))
    assert fragments(heard) == ["", "part"]
    assert BackMsg.FromString(heard[0]).rerun_script.query_string == "m=3"
    assert len(outward) == 1


def test_what_is_no_run_does_not_count_and_passes_unchanged() -> None:
    other = BackMsg(clear_cache=True).SerializeToString()
    heard, _ = talk(other, b"\xff\xff", rerun("part"), rerun("part"))
    assert heard[:2] == [other, b"\xff\xff"]
    assert fragments(heard[2:]) == ["", "part"]


def test_a_whole_run_passes_unchanged() -> None:
    assert talk(rerun(), rerun("part"))[0] == [rerun(), rerun("part")]


def test_a_browser_that_comes_back_is_asked_and_its_answer_is_whole_whenever_it_comes() -> None:
    heard, [accept, request] = talk(rerun(), rerun(ALL), rerun("part"), subprotocols=("streamlit", "token", "session"))
    assert accept["type"] == "websocket.accept"
    assert ForwardMsg.FromString(request["bytes"]).auto_rerun.fragment_id == ALL
    assert fragments(heard) == ["", "", "part"]


@pytest.mark.parametrize("kind", ["http", "lifespan"])
def test_nothing_but_streams_is_looked_at(kind: str) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (receive, send) == (1, 2)

    asyncio.run(WholeFirstRuns(app)({"type": kind}, 1, 2))
