"""A trace as columns of numbers, in memory as NumPy arrays and in documents as lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from trainyard.usage import UsageError

ROWS_MAX = 5_000_000  # intervals that are held in memory; longer traces are read where looked at
NONE = 0xFFFFFFFF  # no instruction, no cause, no frame
# The order in which src/trace/reason.h numbers them; `idle`, the last one, is in no column.
REASONS = (
    "working",
    "waiting_semaphore",
    "waiting_operand",
    "waiting_bank",
    "waiting_queue",
    "waiting_dma",
    "waiting_link",
    "waiting_peer",
    "throttle",
    "overhead",
    "idle",
)
# How the page tells reasons apart: works, waits, issues, throttled; src/rows.ts.
CLASSES = 4
CLASS_OF = np.array([0, 1, 1, 1, 1, 1, 1, 1, 3, 2, 1], np.uint8)  # by REASONS
_ROWS = {
    "begin": np.int64,
    "end": np.int64,
    "reason": np.uint8,
    "instruction": np.uint32,
    "iteration": np.uint32,
    "cause": np.uint32,
}


@dataclass
class Track:
    """What one engine, queue, DMA engine, memory or link did: an array for each column."""

    name: str
    kind: str
    core: int
    rows: dict[str, np.ndarray]  # of a long trace none
    count: int = -1  # of a long trace, intervals

    def __len__(self) -> int:
        return self.count if self.count >= 0 else len(self.rows["begin"])


@dataclass
class Timeline:
    """All tracks of a run with what their instructions are."""

    program: str
    machine: str
    end: int  # ticks
    ticks_per_ns: int
    tracks: list[Track]
    labels: dict[str, Any]  # strings, instructions, frames, nests as a document holds them
    long: Any = None  # of a long trace, who tells of stretches of time: _core.LongTrace

    @property
    def count(self) -> int:
        """Intervals of all tracks."""
        return sum(map(len, self.tracks))


def of_long(long: Any) -> Timeline:
    """The timeline of a trace whose rows are too many for memory. Reads all of it once.

    Raises InputError for a damaged one.
    """
    long.prepare(CLASS_OF.tolist())
    found = long.description()
    tracks = [
        Track(track["name"], track["kind"], track["core"], {}, track["count"])
        for track in found["tracks"]
    ]
    return _timeline(found, tracks, long)


def of_columns(found: dict[str, Any]) -> Timeline:
    """The timeline in the columns that the core tells of a run or of a trace file."""
    return _timeline(found, [track_of(track) for track in found["tracks"]])


def track_of(found: dict[str, Any]) -> Track:
    """A track in the columns that the core tells of it."""
    rows = {key: np.frombuffer(found[key], dtype) for key, dtype in _ROWS.items()}
    return Track(found["name"], found["kind"], found["core"], rows)


def _timeline(found: dict[str, Any], tracks: list[Track], long: Any = None) -> Timeline:
    labels = {
        "strings": found["strings"],
        "instructions": _lists(found["instructions"]),
        "frames": _lists(found["frames"]),
        "nests": [[list(loop) for loop in nest] for nest in found["nests"]],
    }
    return Timeline(
        found["program"],
        found["machine"],
        found["end"],
        found["ticks_per_ns"],
        tracks,
        labels,
        long,
    )


def _lists(columns: dict[str, bytes]) -> dict[str, list[int]]:
    """Columns of uint32 as lists, with -1 for none."""
    return {key: _signed(np.frombuffer(column, np.uint32)) for key, column in columns.items()}


def _signed(column: np.ndarray) -> list[int]:
    wide = column.astype(np.int64)
    wide[wide == NONE] = -1
    return wide.tolist()


def need_rows(timeline: Timeline) -> None:
    """Raises UsageError where the rows are too many to be in memory."""
    if timeline.long is not None:
        raise UsageError(
            f"the trace has {timeline.count:,} intervals, which is more than the {ROWS_MAX:,} that "
            "are held at once; use trainyard view --serve"
        )


def as_document(timeline: Timeline, rows: bool = True) -> dict[str, Any]:
    """The timeline for a document; without `rows` a server tells of them.

    Raises UsageError for the rows of a long trace.
    """
    if rows:
        need_rows(timeline)
    return {
        "end": timeline.end,
        "ticks_per_ns": timeline.ticks_per_ns,
        "reasons": list(REASONS),
        "tracks": [_track(track, rows) for track in timeline.tracks],
        **timeline.labels,
    }


def _track(track: Track, rows: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": track.name,
        "kind": track.kind,
        "core": track.core,
        "count": len(track),
    }
    return found | (rows_of(track.rows) if rows else {})


def rows_of(rows: dict[str, np.ndarray]) -> dict[str, list[int]]:
    """The columns of a document: gap to the row before, length, and differences of instructions."""
    begin, end = rows["begin"], rows["end"]
    before = np.concatenate(([0], end[:-1])) if len(end) else end
    instruction = rows["instruction"].astype(np.int64)
    instruction[instruction == NONE] = -1
    return {
        "gap": (begin - before).tolist(),
        "length": (end - begin).tolist(),
        "reason": rows["reason"].tolist(),
        "instruction": np.diff(instruction, prepend=0).tolist(),
        "iteration": rows["iteration"].tolist(),
        "cause": _signed(rows["cause"]),
    }
