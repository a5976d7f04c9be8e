"""Work for visitors takes turns: runs of the script, and answers of the live route.

Python runs one thread at a time and switches every few milliseconds. Of ten runs that begin together each would be done as late as the
last one, and every switch costs; one after the other, the first is done in a tenth of that time and the last no later.

A turn ends with its work, or soon in any case: nobody waits for another's ten million distances, which torch counts outside of Python, nor
for a run that never came. Such counts take turns of their own: ``compute/turns.py``.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

AT_ONCE = 2  # one works while what the other has made is sent
LONGEST = 0.25  # seconds of a turn
SHORT = 100  # bytes; the message that ends a run has less


class Turn:
    """One of the turns that ``free`` counts; they are taken in the order in which they are asked for."""

    def __init__(self, free: asyncio.Semaphore) -> None:
        self.free = free
        self.alarm: asyncio.TimerHandle | None = None

    async def take(self) -> None:
        """Wait for the turn; whoever has it goes on at once."""
        if self.alarm is None:
            await self.free.acquire()
            self.alarm = asyncio.get_running_loop().call_later(LONGEST, self.end)

    def end(self) -> None:
        """Leave the turn to the next in line."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
            self.free.release()

    async def __aenter__(self) -> None:
        await self.take()

    async def __aexit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.end()


class RunLimiter:
    """Let requests for runs pass in turn, before Streamlit starts a thread for each."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self.app = app
        self.free = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; a request for a run waits for its turn, unless this browser has it."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        turn = Turn(self.free)

        async def receive_in_turn() -> Message:
            message = await receive()
            if asks_for_run(message.get("bytes")):
                await turn.take()
            return message

        async def send_and_see(message: Message) -> None:
            await send(message)
            if ends_run(message.get("bytes")):
                turn.end()

        try:
            await self.app(scope, receive_in_turn, send_and_see)
        finally:
            turn.end()


def asks_for_run(data: bytes | None) -> bool:
    """Return whether a message of a browser is a request for a run."""
    try:
        return bool(data and BackMsg.FromString(data).WhichOneof("type") == "rerun_script")
    except Exception:  # Streamlit closes the stream
        return False


def ends_run(data: bytes | None) -> bool:
    """Return whether a message to a browser is the last one of a run that no other follows at once."""
    if not data or len(data) > SHORT:
        return False
    message = ForwardMsg.FromString(data)
    return bool(message.WhichOneof("type") == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
