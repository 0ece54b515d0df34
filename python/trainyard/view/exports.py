"""A timeline for other viewers: chrome://tracing's JSON, and a table of intervals as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from trainyard.usage import UsageError
from trainyard.view.timeline import NONE, REASONS, Timeline

COLUMNS = (
    "track",
    "kind",
    "reason",
    "begin_ns",
    "end_ns",
    "instruction",
    "mnemonic",
    "place",
)
EVENTS_MAX = 1_000_000  # what viewers of this JSON still open


def rows(found: Timeline) -> Iterator[dict[str, Any]]:
    """Every interval with the name and the source line of its instruction, track by track."""
    labels = found.labels
    strings, instructions, frames = labels["strings"], labels["instructions"], labels["frames"]
    for track in found.tracks:
        columns = (track.rows[key].tolist() for key in ("begin", "end", "reason", "instruction"))
        for begin, end, reason, i in zip(*columns, strict=True):
            known = i != NONE and i < len(instructions["mnemonic"])
            frame = instructions["frame"][i] if known else -1
            yield {
                "track": track.name,
                "kind": track.kind,
                "reason": REASONS[reason],
                "begin_ns": begin / found.ticks_per_ns,
                "end_ns": end / found.ticks_per_ns,
                "instruction": i if known else "",
                "mnemonic": strings[instructions["mnemonic"][i]] if known else "",
                "place": f"{strings[frames['file'][frame]]}:{frames['line'][frame]}"
                if frame >= 0
                else "",
            }


def csv_text(found: Timeline) -> str:
    """The intervals as comma-separated values with a line of heads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([row[name] for name in COLUMNS] for row in rows(found))
    return text.getvalue()


def chrome_json(found: Timeline) -> str:
    """The intervals as complete events of the Trace Event Format; times in microseconds.

    Raises UsageError for more than its viewers open.
    """
    if found.count > EVENTS_MAX:
        raise UsageError(
            f"the trace has {found.count:,} intervals, and viewers of this format open "
            f"{EVENTS_MAX:,} at most; use trainyard view --serve, or --perfetto of trainyard report"
        )
    number = {track.name: i for i, track in enumerate(found.tracks)}
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": found.program}}
    ]
    for name, tid in number.items():
        events.append(
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": tid, "args": {"name": name}}
        )
        events.append(
            {"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": tid}
            | {"args": {"sort_index": tid}}
        )
    for row in rows(found):
        events.append(
            {
                "ph": "X",
                "name": (row["mnemonic"] or row["reason"])
                if row["reason"] == "working"
                else row["reason"],
                "cat": row["reason"],
                "pid": 0,
                "tid": number[row["track"]],
                "ts": row["begin_ns"] / 1e3,
                "dur": (row["end_ns"] - row["begin_ns"]) / 1e3,
                "args": {"instruction": row["instruction"], "place": row["place"]},
            }
        )
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, separators=(",", ":"))
