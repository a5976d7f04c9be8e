"""A visitor without a browser: speaks to a served app as Streamlit's own front end does.

It keeps the state of every widget and sends all of them back, runs a fragment alone if the control belongs to one, remembers messages that
the server need not send twice, and finds its page by the name in the address.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE = 120  # seconds without a message, of a server that owes one


@dataclass(frozen=True)
class Control:
    """Something to move: its widget, the fragment that it is part of, the values that it can have, and its name in the address."""

    id: str
    fragment: str
    kind: str
    values: Sequence[Any]
    parameter: str


@dataclass
class Answer:
    """What came back for one message: seconds until the script had finished, bytes, drawn elements, exceptions, messages to live charts."""

    seconds: float = 0.0
    size: int = 0
    elements: int = 0
    errors: list[str] = field(default_factory=list)
    charts: dict[str, bytes] = field(default_factory=dict)

    def frames(self) -> int:
        """Count the bytes of animation frames."""
        return sum(map(_frames, self.charts.values()))


class Visitor:
    """One session; ``controls`` are found by the key that the page gave them."""

    def __init__(self, socket: websockets.ClientConnection, language: str = "en") -> None:
        self.socket = socket
        self.language = language
        self.page = ""
        self.query: dict[str, str] = {}
        self.pages: dict[str, str] = {}
        self.controls: dict[str, Control] = {}
        self.states: dict[str, WidgetState] = {}
        self.kept: dict[str, ForwardMsg] = {}
        self.steps = self.hold = 0

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
        """Give a control a value, as its widget would, and the address too where it is bound to it."""
        control = self.controls[key]
        self.states[control.id] = _state(control.id, control.kind, value)
        if control.parameter:
            self.query[control.parameter] = str(value)
        return await self._run(fragment=control.fragment)

    async def drag(self, key: str, value: float, *, rest: bool = False) -> Answer:
        """Move a live slider: one step of a drag, or its end. A slider of Streamlit's own is set."""
        if self.controls[key].kind != "live":
            return await self.set(key, value)
        self.steps += 1
        return await self.set(key, {"move": {"value": value, "step": self.steps, "rest": rest, "hold": self.hold}})

    async def press(self, key: str) -> Answer:
        """Click a button."""
        control = self.controls[key]
        self.states[control.id] = WidgetState(id=control.id, trigger_value=True)
        answer = await self._run(fragment=control.fragment)
        self.states.pop(control.id, None)
        return answer

    def held(self, key: str) -> Any:
        """Give what a control holds."""
        state = self.states[self.controls[key].id]
        held = getattr(state, state.WhichOneof("value"))
        return list(held.data) if hasattr(held, "data") else held

    def hero(self) -> str | None:
        """Give the key of the live slider of the page, or of its first slider; None where there is none."""
        return next((key for kind in ("live", "slider", "select_slider") for key, own in self.controls.items() if own.kind == kind), None)

    async def _run(self, *, name: str = "", fragment: str = "") -> Answer:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_script_hash, run.page_name, run.fragment_id = urlencode(self.query), self.page, name, fragment
        run.widget_states.widgets.extend(self.states.values())
        run.cached_message_hashes.extend(self.kept)
        run.context_info.locale, run.context_info.timezone = self.language, "UTC"
        answer, start, whole, seen = Answer(), time.perf_counter(), not fragment, set()
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
                    seen |= self._see(forward.delta, answer)
                case "new_session":  # st.rerun begins another, of everything or of a fragment
                    whole, seen = not forward.metadata.run.fragment_ids, set()
                case "script_finished" if forward.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    break
        answer.seconds = time.perf_counter() - start
        if whole:  # what is no longer on the page is no longer sent
            self.controls = {key: control for key, control in self.controls.items() if control.id in seen}
            self.states = {widget: state for widget, state in self.states.items() if widget in seen}
        return answer

    def _see(self, delta: Delta, answer: Answer) -> set[str]:
        """Note what a message puts on the page; give the widgets in it."""
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind is None:
            return set()
        answer.elements += 1
        if kind == "exception":
            answer.errors.append(element.exception.message)
        part = getattr(element, kind)
        if kind == "bidi_component" and part.WhichOneof("data") == "bytes":
            answer.charts[key_of(part.id)] = part.bytes
        found = _control(kind, part)
        if found is None:
            return set()
        kind, values, value = found
        if kind == "live":
            self.hold = json.loads(part.json)["hold"]
        self.controls[key_of(part.id)] = Control(part.id, delta.fragment_id, kind, values, getattr(part, "query_param_key", ""))
        if value is not None and (part.id not in self.states or getattr(part, "set_value", False)):
            self.states[part.id] = _state(part.id, kind, value)
        return {part.id}


def key_of(widget: str) -> str:
    """Give the key in the id of a widget, ``$$ID-<hash>-<key>``."""
    return widget.split("-", 2)[-1]


def _control(kind: str, part: Any) -> tuple[str, Sequence[Any], Any] | None:
    """Give kind, possible values and current value of a widget; None for what is none."""
    match kind:
        case "bidi_component" if part.json and "stops" in part.json:
            return "live", json.loads(part.json)["stops"], None
        case "slider" if part.type == Slider.SELECT_SLIDER:
            return "select_slider", list(part.options), list(part.raw_value if part.set_value else [part.options[int(part.default[0])]])
        case "slider":
            count = int((part.max - part.min) / part.step)
            values = [part.min + part.step * index for index in range(count + 1)]
            return "slider", values, list(part.value if part.set_value else part.default)
        case "number_input":
            return "number", [], part.value if part.set_value else part.default
        case "button":
            return "button", [], None
        case "text_input":
            return "text", [], part.value if part.set_value else part.default
        case "selectbox":
            default = part.options[part.default] if part.HasField("default") and part.options else None
            return "text", list(part.options), part.raw_value if part.set_value else default
        case "button_group":
            options = [option.content for option in part.options]
            return "buttons", options, list(part.raw_values) if part.set_value else [options[index] for index in part.default]
    return None


def _state(widget: str, kind: str, value: Any) -> WidgetState:
    """Write a value as the widget sends it."""
    state = WidgetState(id=widget)
    match kind:
        case "live":
            state.json_value = json.dumps(value)
        case "slider":
            state.double_array_value.data.extend(value if isinstance(value, list) else [value])
        case "select_slider" | "buttons":
            state.string_array_value.data.extend(value if isinstance(value, list) else [value])
        case "number":
            state.double_value = value
        case "text":
            state.string_value = value
    return state


@asynccontextmanager
async def visit(stream: str, language: str = "en") -> AsyncIterator[Visitor]:
    """Open a session and close it."""
    async with websockets.connect(stream, subprotocols=["streamlit"], max_size=None, open_timeout=PATIENCE) as socket:
        yield Visitor(socket, language)


def _frames(message: bytes) -> int:
    """Count the bytes of frames in a message to a live chart, which is JSON behind its length and then the arrays (ui/live/wire.py)."""
    length = int.from_bytes(message[:4], "little")
    frames = json.loads(message[4 : 4 + length]).get("frames")
    return len(json.dumps(frames)) if frames else 0
