"""How long the server waits for a client: for a request to be whole, and for what was sent to be
read. Who takes longer is cut off, so that slow clients hold nothing for ever."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from trainyard.serving.protocol import ApiError


def protocol_of(seconds: float) -> type[H11Protocol]:
    """The protocol of connections with so much patience."""
    return type("Patient", (_Patient,), {"patience": seconds})


class _Patient(H11Protocol):
    """Two timers a connection: `reading` runs while a request is not whole, `writing` while the
    client does not read what the system's buffers no longer hold."""

    patience = 60.0
    _reading: asyncio.TimerHandle | None = None
    _writing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_reading()
        self._stop_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._await_request()
        super().data_received(data)
        if self.conn.their_state is not h11.SEND_BODY and self.conn.their_state is not h11.IDLE:
            self._stop_reading()

    def on_response_complete(self) -> None:
        self._stop_reading()  # the next request begins with its first byte
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._writing is None:
            self._writing = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_writing()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, msg)

    def _await_request(self) -> None:
        if self._reading is None:
            self._reading = self.loop.call_later(self.patience, self._give_up)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def _give_up(self) -> None:
        text = f"the request was not whole within {self.patience:g} s of the host's clock"
        self._refuse(408, text)

    def _refuse(self, status: int, text: str) -> None:
        """Ends the connection, with an answer in OpenAI's shape where none has begun."""
        if self.cycle is None or not self.cycle.response_started:
            body = json.dumps(ApiError(status, text).body).encode()
            phrase = {400: "Bad Request", 408: "Request Timeout"}[status]
            head = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode() + body)
        self.transport.close()
