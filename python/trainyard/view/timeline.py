"""A trace as columns of numbers, in memory as NumPy arrays and in documents as lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

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
    rows: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.rows["begin"])


@dataclass
class Timeline:
    """All tracks of a run with what their instructions are."""

    program: str
    machine: str
    end: int  # ticks
    ticks_per_ns: int
    tracks: list[Track]
    labels: dict[str, Any]  # strings, instructions, frames, nests as a document holds them

    @property
    def count(self) -> int:
        """Intervals of all tracks."""
        return sum(map(len, self.tracks))


def of_columns(found: dict[str, Any]) -> Timeline:
    """The timeline in the columns that the core tells of a run or of a trace file."""
    tracks = [
        Track(
            track["name"],
            track["kind"],
            track["core"],
            {key: np.frombuffer(track[key], dtype) for key, dtype in _ROWS.items()},
        )
        for track in found["tracks"]
    ]
    labels = {
        "strings": found["strings"],
        "instructions": _lists(found["instructions"]),
        "frames": _lists(found["frames"]),
        "nests": [[list(loop) for loop in nest] for nest in found["nests"]],
    }
    return Timeline(
        found["program"], found["machine"], found["end"], found["ticks_per_ns"], tracks, labels
    )


def _lists(columns: dict[str, bytes]) -> dict[str, list[int]]:
    """Columns of uint32 as lists, with -1 for none."""
    return {key: _signed(np.frombuffer(column, np.uint32)) for key, column in columns.items()}


def _signed(column: np.ndarray) -> list[int]:
    wide = column.astype(np.int64)
    wide[wide == NONE] = -1
    return wide.tolist()


def as_document(timeline: Timeline, rows: bool = True) -> dict[str, Any]:
    """The timeline for a document; without `rows` a server tells of them."""
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
