"""A visitor without a browser: speaks to a served app as Streamlit's own front end and the components of ``ui/live`` do.

It keeps the state of every native widget and sends all of them back, releases numbers, asks the live route for the steps of a drag,
remembers messages that the server need not send twice, and completes the address of a page that was just entered.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE = 120  # seconds without a message, of a server that owes one


@dataclass(frozen=True)
class Control:
    """Something to move: its widget, its kind, and the values that it can have."""

    id: str
    kind: str
    values: Sequence[Any]


@dataclass
class Answer:
    """What came back for one message: seconds until the script had finished, bytes, elements drawn, exceptions, the figure's message."""

    seconds: float = 0.0
    size: int = 0
    elements: int = 0
    errors: list[str] = field(default_factory=list)
    figure: bytes = b""


class Visitor:
    """One session; ``controls`` are found by the key that the page gave them, every number by ``number.`` and its name.

    ``live`` is the key of the number under the figure, empty where there is none.
    """

    def __init__(self, socket: websockets.ClientConnection, language: str = "en") -> None:
        self.socket = socket
        self.language = language
        self.page = ""
        self.query: dict[str, str] = {}
        self.pages: dict[str, str] = {}
        self.controls: dict[str, Control] = {}
        self.states: dict[str, WidgetState] = {}
        self.kept: dict[str, ForwardMsg] = {}
        self.live = self.route = self.asked = ""
        self.serial = 0

    async def open(self, name: str = "", query: str = "") -> Answer:
        """Follow a link to a page: the first message of a visit."""
        self.states, self.controls, self.page, self.query = {}, {}, "", dict(parse_qsl(query))
        return await self._run(name=name)

    async def go(self, name: str) -> Answer:
        """Choose a page in the navigation."""
        self.page, self.query = self.pages[name], {}
        return await self._run()

    async def again(self) -> Answer:
        """Run the page once more."""
        return await self._run()

    async def set(self, key: str, value: Any) -> Answer:
        """Give a control a value: choose, slide, press, or release a number."""
        control = self.controls[key]
        state = WidgetState(id=control.id)
        match control.kind:
            case "number":
                self.serial += 1
                sent = {"name": key.removeprefix("number."), "text": str(value), "serial": self.serial}
                state = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{control.id}__events")
                state.json_trigger_value = json.dumps([{"event": "released", "value": sent}])
                return await self._run(state)
            case "button":
                state.trigger_value = True
                return await self._run(state)
            case "slider":
                state.double_array_value.data.append(value)
            case "buttons":
                state.string_array_value.data.append(value)
            case "list":
                state.string_value = value
        self.states[control.id] = state
        return await self._run()

    def step(self, value: Any) -> str:
        """Return the path of the live route for a step of a drag of the number under the figure."""
        name = self.live.removeprefix("number.")
        return f"{self.route}?{urlencode(dict(parse_qsl(self.asked)) | {name: str(value)})}"

    async def _run(self, *triggers: WidgetState, name: str = "") -> Answer:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_script_hash, run.page_name = urlencode(self.query), self.page, name
        run.widget_states.widgets.extend([*self.states.values(), *triggers])
        run.cached_message_hashes.extend(self.kept)
        run.context_info.locale, run.context_info.timezone = self.language, "UTC"
        answer, start = Answer(), time.perf_counter()
        seen: dict[str, Control] = {}
        await self.socket.send(message.SerializeToString())
        while True:
            data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            answer.size += len(data)
            forward = ForwardMsg.FromString(data)
            if forward.HasField("ref_hash"):
                forward = self.kept[forward.ref_hash]
            elif forward.metadata.cacheable and forward.hash:
                self.kept[forward.hash] = forward
            match forward.WhichOneof("type"):
                case "page_info_changed":
                    self.query = dict(parse_qsl(forward.page_info_changed.query_string))
                case "navigation":
                    self.page = forward.navigation.page_script_hash
                    self.pages = {page.url_pathname: page.page_script_hash for page in forward.navigation.app_pages}
                case "delta":
                    self._see(forward.delta, answer, seen)
                case "new_session":  # st.rerun begins another
                    seen = {}
                case "script_finished" if forward.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    break
        answer.seconds = time.perf_counter() - start
        known = {control.id for control in seen.values()}
        self.controls, self.states = seen, {widget: state for widget, state in self.states.items() if widget in known}
        return answer

    def _see(self, delta: Delta, answer: Answer, seen: dict[str, Control]) -> None:
        """Note what a message puts on the page."""
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind is None:
            return
        answer.elements += 1
        part = getattr(element, kind)
        if kind == "exception":
            answer.errors.append(part.message)
        elif kind == "bidi_component" and part.bytes:
            answer.figure = part.bytes
            page = header(part.bytes)
            self.route, self.asked = page["route"], page["query"]
            if page["replace"] is not None:
                self.query = dict(parse_qsl(page["replace"], keep_blank_values=True))
            self.live = f"number.{page['number']['name']}" if page["number"] else ""
            if self.live:
                seen[self.live] = Control(part.id, "number", page["number"]["stops"])
        elif found := _control(kind, part):
            key = key_of(part.id)
            seen[key] = Control(part.id, *found)
            if getattr(part, "set_value", False):  # the page overrules what the widget holds
                self.states.pop(part.id, None)


def header(message: bytes) -> dict[str, Any]:
    """Return the JSON of a message as ``server/wire.py`` writes it."""
    length = int.from_bytes(message[:4], "little")
    found: dict[str, Any] = json.loads(message[4 : 4 + length])
    return found


def key_of(widget: str) -> str:
    """Return the key in the id of a widget, ``$$ID-<hash>-<key>``."""
    return widget.split("-", 2)[-1]


def _control(kind: str, part: Any) -> tuple[str, Sequence[Any]] | None:
    """Return kind and possible values of a widget; None for what is none, or what a class leaves alone."""
    match kind:
        case "bidi_component" if part.json and "stops" in part.json:
            return "number", json.loads(part.json)["stops"]
        case "slider":
            count = int((part.max - part.min) / part.step)
            return "slider", [part.min + part.step * index for index in range(count + 1)]
        case "button":
            return "button", ()
        case "selectbox":
            return "list", list(part.options)
        case "button_group":
            return "buttons", [option.content for option in part.options]
    return None


@asynccontextmanager
async def visit(stream: str, language: str = "en") -> AsyncIterator[Visitor]:
    """Open a session and close it."""
    protocols = [websockets.Subprotocol("streamlit")]
    async with websockets.connect(stream, subprotocols=protocols, max_size=None, open_timeout=PATIENCE) as socket:
        yield Visitor(socket, language)


class Fetcher:
    """Asks a server over one connection that stays open, as a browser does."""

    def __init__(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.host, self.reader, self.writer = host, reader, writer

    async def get(self, path: str, body: bytes | None = None) -> tuple[float, bytes]:
        """Return the seconds until an answer was whole, and the answer; with a body the request is a POST.

        Raises:
            OSError: If the server refuses.
        """
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        request = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: {self.host}\r\n{length}\r\n".encode() + (body or b"")
        start = time.perf_counter()
        self.writer.write(request)
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        content = await self.reader.readexactly(int(found[1]) if found else 0)
        seconds = time.perf_counter() - start
        if b" 200 " not in head[:20]:
            raise OSError(f"{path}: {head.splitlines()[0].decode()} {content[:200].decode(errors='replace')}")
        return seconds, content


@asynccontextmanager
async def fetcher(url: str) -> AsyncIterator[Fetcher]:
    """Connect, and hang up."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        yield Fetcher(place.netloc, reader, writer)
    finally:
        writer.close()
