"""Tables about memory: who holds SBUF and PSUM over time, and what was loaded of HBM."""

from __future__ import annotations

from typing import Any

import numpy as np

from trainyard.view.explorer.recorded import Columns, Recorded

_ROLES = {"input": "IN", "output": "OUT"}
_SAMPLED = (0, 32, 64, 96)  # the partitions that SbufUsage has a column for


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """Allocations, shares in use over time, and tensors in HBM."""
    memory = recorded.details["memory"]
    return {
        "SbufAllocation": _allocations(recorded, memory["sbuf"]["tensors"]),
        "SbufUsage": _sbuf_usage(recorded, memory["sbuf"]),
        "PsumUsage": _psum_usage(recorded, memory["psum"]),
        "TensorInfo": _tensors(recorded, memory["hbm"]["tensors"]),
    }


def _allocations(recorded: Recorded, tensors: list[dict[str, Any]]) -> Columns:
    """A row for each partition of each tensor."""
    counts = [tensor["partitions"][1] for tensor in tensors]
    parts = [np.arange(first, first + n) for first, n in (one["partitions"] for one in tensors)]

    def each(values: list[int]) -> np.ndarray:
        return np.repeat(np.array(values, np.int64), counts)

    rows = sum(counts)
    return {
        "start_ts": recorded.ns(each([one["begin"] for one in tensors])),
        "end_ts": recorded.ns(each([one["end"] for one in tensors])),
        "start_address": each([one["address"] for one in tensors]),
        "end_address": each([one["address"] + one["bytes"] for one in tensors]),
        "partition": np.concatenate(parts) if parts else np.zeros(0, np.int64),
        "tensor_name": np.repeat([one["name"] for one in tensors] or [""], counts or [0]).tolist(),
        "pcore_idx": np.zeros(rows, np.int64),
    }


def _changes(tensors: list[dict[str, Any]]) -> np.ndarray:
    """Each tick at which a tensor comes or goes, 0 first."""
    times = [one[key] for one in tensors for key in ("begin", "end")]
    return np.unique(np.array([0, *times], np.int64))


def _held(tensors: list[dict[str, Any]], times: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """By time and column: what the tensors hold; `shares` has a row for each of them."""
    change = np.zeros((len(times), shares.shape[1]))
    for key, sign in (("begin", 1), ("end", -1)):
        at = np.searchsorted(times, [one[key] for one in tensors])
        np.add.at(change, at, sign * shares)
    return np.cumsum(change, axis=0)


def _overlap(first: Any, count: Any, start: Any, stop: Any) -> np.ndarray:
    """How much of [start, stop) lies within [first, first + count)."""
    return np.maximum(np.minimum(first + count, stop) - np.maximum(first, start), 0)


def _columns(tensors: list[dict[str, Any]]) -> tuple[np.ndarray, ...]:
    """First partition, partitions, address and bytes of each tensor, as columns."""
    rows = [(*one["partitions"], one["address"], one["bytes"]) for one in tensors]
    table = np.array(rows, np.float64).reshape(-1, 4)
    return tuple(table[:, [k]] for k in range(4))


def _percent(values: np.ndarray) -> np.ndarray:
    """Shares as percent. Tensors that the author laid over each other are no more than full."""
    return np.clip(100 * values, 0, 100)


def _sbuf_usage(recorded: Recorded, space: dict[str, Any]) -> Columns:
    tensors = space["tensors"]
    times = _changes(tensors)
    first, count, _, size = _columns(tensors)
    share = size / space["bytes"]
    of_all = share * count / space["partitions"]
    of_one = share * np.hstack([_overlap(first, count, p, p + 1) for p in _SAMPLED])
    held = _percent(_held(tensors, times, np.hstack([of_all, of_one])))
    return {
        "timestamp": recorded.ns(times),
        "avg_util_percent": held[:, 0],
        "pcore_idx": np.zeros(len(times), np.int64),
    } | {f"partition_{p}_util_percent": held[:, 1 + k] for k, p in enumerate(_SAMPLED)}


def _psum_usage(recorded: Recorded, space: dict[str, Any]) -> Columns:
    tensors, banks = space["tensors"], space["banks"]
    times = _changes(tensors)
    _, count, address, size = _columns(tensors)
    bank = space["bytes"] / banks
    parts = [_overlap(address, size, bank * k, bank * (k + 1)) for k in range(banks)]
    shares = np.hstack(parts) / bank * count / space["partitions"]
    held = _percent(_held(tensors, times, shares))
    return {
        "timestamp": recorded.ns(times),
        "avg_util_percent": held.mean(axis=1),
        "pcore_idx": np.zeros(len(times), np.int64),
    } | {f"bank_{k}_util_percent": held[:, k] for k in range(min(banks, 8))}


def _tensors(recorded: Recorded, tensors: list[dict[str, Any]]) -> Columns:
    """Tensors in HBM, and how often each was loaded into SBUF."""
    loads = _loads(recorded)
    rows = []
    for one in tensors:
        count, total = loads.get(one["name"], (0, 0))
        rows.append(
            {
                "variable_name": one["name"],
                "type": _ROLES.get(one["role"], one["role"].upper()),
                "shape": " ".join(map(str, one["shape"])),
                "size": one["bytes"],
                "pcore_idx": 0,
                "load_to_sbuf_avg_size_bytes": total // count if count else 0,
                "load_to_sbuf_total_size_bytes": total,
                "load_to_sbuf_dma_count": count,
                "load_to_sbuf_repeat_factor": total / one["bytes"] if one["bytes"] else 0.0,
            }
        )
    return {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}


def _loads(recorded: Recorded) -> dict[str, tuple[int, int]]:
    """By tensor in HBM: how many transfers into SBUF read it, and how many bytes."""
    columns = recorded.transfers
    runs = np.bincount(recorded.queues.instruction, minlength=len(recorded.mnemonics))
    loads: dict[str, tuple[int, int]] = {}
    ends = zip(columns["instruction"], columns["read"], columns["written"], strict=True)
    for i, read, written in ends:
        if read < 0 or written < 0 or recorded.tiles[written]["space"] != "sbuf":
            continue
        if recorded.tiles[read]["space"] != "hbm":
            continue
        count, total = loads.get(recorded.tiles[read]["tensor"], (0, 0))
        times = int(runs[i])
        total += times * int(recorded.per_run["hbm_read"][i])
        loads[recorded.tiles[read]["tensor"]] = (count + times, total)
    return loads
