"""Tables about DMA: what each transfer moved from where to where, and bytes over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainyard.view.explorer.recorded import Columns, Recorded

# Who made the descriptors, as Explorer names the queues.
_QUEUE_TYPES = {"hardware": "hardware_dynamic", "software": "software_dynamic"}


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """DmaPacketAggregated and the samples that follow from it."""
    return {
        "DmaPacketAggregated": _transfers(recorded),
        "DmaUsage": _usage(recorded, "transfer_bytes"),
        "HbmUsage": _usage(recorded, "hbm"),
        "PendingDma": _pending(recorded),
    }


def transfer_rows(recorded: Recorded) -> list[dict[str, Any]]:
    """Of each run of a transfer what it moved from where to where."""
    columns = recorded.transfers
    at = {number: k for k, number in enumerate(columns["instruction"])}
    made: dict[int, dict[str, Any]] = {}
    for i in np.unique(recorded.queues.instruction).tolist():
        k = at[i]
        read, written = (
            recorded.tiles[columns[side][k]] if columns[side][k] >= 0 else None
            for side in ("read", "written")
        )
        maker = columns["maker"][k]
        kind = _QUEUE_TYPES.get(maker, "unknown")
        if maker == "fixed":
            into = written and written["space"] == "hbm"
            kind = "output" if into else "input" if read and read["space"] == "hbm" else "data"
        which = np.array([i])
        sides = [
            int(recorded.moved(which, *(f"{space}_{side}" for space in ("hbm", "sbuf", "psum")))[0])
            for side in ("read", "written")
        ]
        named = next((one for one in (read, written) if one and one["space"] == "hbm"), read)
        made[i] = {
            "queue_type": kind,
            "op": recorded.mnemonics[i],
            "variable": (named or written or {}).get("tensor", ""),
            "read_bytes": sides[0],
            "write_bytes": sides[1],
            "transfer_bytes": max(sides),
            "hbm": int(recorded.moved(which, "hbm_read", "hbm_written")[0]),
            **_side("read", "source", read),
            **_side("write", "dest", written),
        }
    return [made[i] for i in recorded.queues.instruction.tolist()]


def _side(name: str, end: str, tile: dict[str, Any] | None) -> dict[str, Any]:
    """Where one side of a transfer lies: in the words of its table."""
    tile = tile or {"space": "", "offset": "", "steps": [], "counts": []}
    start, count = tile.get("partitions", (0, 0))
    return {
        end: tile["space"].upper(),
        f"{name}_sbuf_partitions": f"{start}-{start + count - 1}" if count else "",
        f"{name}_num_sbuf_partitions": count,
        f"{name}_shape": str(tile["counts"]),
        f"{name}_offset": str(tile["offset"]),
        f"{name}_steps": str(tile["steps"]),
    }


def _transfers(recorded: Recorded) -> Columns:
    found = recorded.queues
    rows = transfer_rows(recorded)
    names = [key for key in (rows[0] if rows else ()) if key != "hbm"]
    length = np.maximum(recorded.ns(found.end) - recorded.ns(found.begin), 1)
    columns: Columns = {name: [row[name] for row in rows] for name in names}
    numbers = {track: k for k, track in enumerate(np.unique(found.track).tolist())}
    return recorded.span(found) | {
        "id": np.arange(len(found)),
        "pcore_idx": recorded.cores(found.track),
        "block_id": found.instruction,
        "queue_idx": [numbers[track] for track in found.track.tolist()],
        "queue_name": recorded.names(found.track),
        "semaphore_id": [""] * len(found),  # numbers of semaphores are not in a trace
        "throughput": [
            row["transfer_bytes"] / ns * 1e9 for row, ns in zip(rows, length, strict=True)
        ],
        **columns,
    }


def _usage(recorded: Recorded, key: str) -> Columns:
    """Bytes per second wherever it changes, and bytes so far: each transfer at an even rate."""
    found = recorded.queues
    sizes = np.array([row[key] for row in transfer_rows(recorded)], np.float64)
    length = found.end - found.begin
    kept = (length > 0) & (sizes > 0)
    times = np.unique(np.concatenate(([0], found.begin[kept], found.end[kept])))
    change = np.zeros(len(times))
    rate = sizes[kept] / length[kept]  # bytes per tick
    np.add.at(change, np.searchsorted(times, found.begin[kept]), rate)
    np.add.at(change, np.searchsorted(times, found.end[kept]), -rate)
    rates = np.maximum(np.cumsum(change), 0)
    so_far = np.concatenate(([0], np.cumsum(rates[:-1] * np.diff(times))))
    rates[rates < rate.min(initial=np.inf) / 2] = 0  # what rounding leaves
    return {
        "timestamp": recorded.ns(times),
        "current_throughput": rates * recorded.timeline.ticks_per_ns * 1e9,
        "total_transfer_bytes": np.rint(so_far).astype(np.int64),
        "pcore_idx": np.zeros(len(times), np.int64),
    }


def _pending(recorded: Recorded) -> Columns:
    """Transfers that move bytes, wherever their number changes."""
    found = recorded.queues
    times = np.unique(np.concatenate((found.begin, found.end)))
    change = np.zeros(len(times), np.int64)
    np.add.at(change, np.searchsorted(times, found.begin), 1)
    np.add.at(change, np.searchsorted(times, found.end), -1)
    return {
        "timestamp": recorded.ns(times),
        "value": np.cumsum(change),
        "pcore_idx": np.zeros(len(times), np.int64),
    }
