"""Serves the page on this computer, and of large traces the part that is looked at.

Shares of a stretch of time come from sums up to each interval, so an answer takes a search for each
column of pixels, whatever the length of the trace.
"""

from __future__ import annotations

import gzip
import json
import urllib.parse
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from trainyard.usage import UsageError
from trainyard.view import document, page, timeline
from trainyard.view.files import Run

_COLUMNS_MAX = 20_000
WINDOW_ROWS_MAX = 150_000  # intervals of a window that are sent one by one


class Sums:
    """Ticks of each class before each interval of a track."""

    def __init__(self, track: timeline.Track) -> None:
        self.begin, self.end = track.rows["begin"], track.rows["end"]
        self.classes = timeline.CLASS_OF[track.rows["reason"]]
        self.before: dict[int, np.ndarray] = {}
        for kind in np.unique(self.classes).tolist():
            sums = np.zeros(len(self.end) + 1, np.int64)
            np.cumsum(np.where(self.classes == kind, self.end - self.begin, 0), out=sums[1:])
            self.before[kind] = sums

    def shares(self, start: int, stop: int, columns: int) -> np.ndarray:
        """Of each of `columns` equal parts of [start, stop), the share of each class."""
        shares = np.zeros((columns, timeline.CLASSES), np.float32)
        if not len(self.end):
            return shares
        times = np.linspace(start, stop, columns + 1)
        rows = np.searchsorted(self.end, times, side="right")
        inside = np.minimum(rows, len(self.end) - 1)
        partial = np.where(rows < len(self.end), np.maximum(times - self.begin[inside], 0), 0)
        for kind, sums in self.before.items():
            spent = sums[rows] + np.where(self.classes[inside] == kind, partial, 0)
            shares[:, kind] = np.diff(spent) * columns / (stop - start)
        return shares


class Served:
    """The runs of a page, with what answers questions about stretches of time."""

    def __init__(self, runs: list[Run], comparison: dict[str, Any] | None) -> None:
        self.runs = runs
        made = [run.as_dict(rows=False) for run in runs]
        text = json.dumps(document.document_of(made, comparison), separators=(",", ":"))
        self.document = gzip.compress(text.encode(), compresslevel=4, mtime=0)
        self._sums: dict[int, list[Sums]] = {}

    def sums(self, number: int) -> list[Sums]:
        """Of each track of a run; made when first asked for."""
        if number not in self._sums:
            found = self.runs[number].timeline
            self._sums[number] = [Sums(track) for track in found.tracks] if found else []
        return self._sums[number]

    def shares(self, number: int, start: int, stop: int, columns: int) -> bytes:
        """Float32 by track, column and class."""
        found = self.runs[number].timeline
        if found is not None and found.long is not None:
            return found.long.shares(timeline.CLASS_OF.tolist(), start, stop, columns)
        parts = [sums.shares(start, stop, columns) for sums in self.sums(number)]
        return np.concatenate(parts).tobytes() if parts else b""

    def window(self, number: int, start: int, stop: int) -> bytes:
        """The intervals that meet [start, stop) as tracks of a document; {} where too many do."""
        found = _window(self.runs[number].timeline, start, stop)
        if found is None:
            return b"{}"
        tracks = [
            {"name": track.name, "kind": track.kind, "core": track.core}
            | {"count": len(track)}
            | timeline.rows_of(track.rows)
            for track in found
        ]
        return json.dumps({"tracks": tracks}, separators=(",", ":")).encode()


def _window(found: timeline.Timeline | None, start: int, stop: int) -> list[timeline.Track] | None:
    """The tracks with the intervals that meet [start, stop); None where those are too many."""
    if found is None:
        return []
    if found.long is not None:
        made = found.long.window(timeline.CLASS_OF.tolist(), start, stop, WINDOW_ROWS_MAX)
        return None if made is None else [timeline.track_of(track) for track in made]
    cuts = [
        slice(
            int(np.searchsorted(track.rows["end"], start, side="right")),
            int(np.searchsorted(track.rows["begin"], stop, side="left")),
        )
        for track in found.tracks
    ]
    if sum(max(cut.stop - cut.start, 0) for cut in cuts) > WINDOW_ROWS_MAX:
        return None
    return [
        timeline.Track(
            track.name,
            track.kind,
            track.core,
            {key: column[cut] for key, column in track.rows.items()},
        )
        for track, cut in zip(found.tracks, cuts, strict=True)
    ]


class _Handler(BaseHTTPRequestHandler):
    served: Served
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        port = self.connection.getsockname()[1]
        if self.headers.get("Host") not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            # A page of somebody else's, which made its name mean this computer.
            return self._answer(b"not for other hosts", "text/plain", HTTPStatus.FORBIDDEN)
        parts = urllib.parse.urlsplit(self.path)
        try:
            query = {key: int(one) for key, one in urllib.parse.parse_qsl(parts.query)}
            self._route(parts.path, query)
        except (ValueError, KeyError, IndexError) as error:
            self._answer(f"bad request: {error}".encode(), "text/plain", HTTPStatus.BAD_REQUEST)
        return None

    def _route(self, path: str, query: dict[str, int]) -> None:
        if path == "/":
            return self._answer(page.served().encode(), "text/html; charset=utf-8")
        if path == "/document.json":
            return self._answer(self.served.document, "application/json", coding="gzip")
        if path not in ("/shares", "/window"):
            return self._answer(b"no such page", "text/plain", HTTPStatus.NOT_FOUND)
        number, start, stop = query["run"], query["from"], query["to"]
        if not 0 <= number < len(self.served.runs) or stop <= start:
            raise ValueError("a run that is there, and from before to, are needed")
        if path == "/window":
            return self._answer(self.served.window(number, start, stop), "application/json")
        columns = query["columns"]
        if not 0 < columns <= _COLUMNS_MAX:
            raise ValueError(f"columns is 1 to {_COLUMNS_MAX}")
        content = self.served.shares(number, start, stop, columns)
        return self._answer(content, "application/octet-stream")

    def _answer(
        self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK, coding: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if coding:
            self.send_header("Content-Encoding", coding)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: requests are of no interest to who reads the terminal."""


def server_of(
    runs: list[Run], comparison: dict[str, Any] | None = None, port: int = 0
) -> ThreadingHTTPServer:
    """A server on 127.0.0.1, for serve_forever(). Raises UsageError for a port that is taken."""
    handler = type("Handler", (_Handler,), {"served": Served(runs, comparison)})
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot serve on port {port}: {why}") from None
