"""Tables about single DMA engines: what each moved of each transfer, and which serve a queue.

A row of DmaPacket is what one engine moves of one transfer, from its first to its last packet: a
trace times engines without telling packets apart. Bytes are shared out by the time that engines
work; an engine's packets of a transfer are alike.
"""

from __future__ import annotations

import numpy as np

from trainyard.view.explorer.recorded import ACTIVE, Columns, Recorded
from trainyard.view.explorer.transfers import transfer_rows

UNKNOWN = -1  # of AXI ports and DRAM channels, which AWS has not published
_BYTES = ("read_bytes", "write_bytes", "transfer_bytes")


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """DmaPacket and DmaQueuesInfo."""
    engine, transfer, begin, end, busy = _work(recorded)
    found, rows = recorded.queues, transfer_rows(recorded)
    numbers = {track: k for k, track in enumerate(np.unique(found.track).tolist())}
    queue = np.array([numbers[track] for track in found.track.tolist()], np.int64)
    sizes = {key: np.array([row[key] for row in rows], np.int64) for key in _BYTES}
    shares = {key: _shared_out(sizes[key], transfer, busy) for key in _BYTES}
    span = {"start_ts": recorded.ns(begin), "end_ts": recorded.ns(end)}
    length = span["end_ts"] - span["start_ts"]
    kinds = [rows[i]["queue_type"] for i in transfer.tolist()]
    names = recorded.names(found.track)
    first = np.flatnonzero(np.diff(transfer, prepend=-1))  # of each transfer
    packets: Columns = span | {
        "duration_ns": length,
        "pcore_idx": recorded.cores(found.track)[transfer],
        "id": np.arange(len(transfer)),
        "packet_idx": np.arange(len(transfer)) - np.repeat(first, _runs(first, len(transfer))),
        "packet_aggregation_id": transfer,
        "engine_idx": engine,
        **shares,
        "throughput": shares["transfer_bytes"] / np.maximum(length, 1) * 1e9,
        "queue_type": kinds,
        "variable": [rows[i]["variable"] for i in transfer.tolist()],
        "queue_name": [names[i] for i in transfer.tolist()],
        "queue_idx": queue[transfer],
        "crc": np.zeros(len(transfer), np.int64),  # values are not in a trace
    }
    return {"DmaPacket": packets, "DmaQueuesInfo": _queues(packets)}


def _work(recorded: Recorded) -> tuple[np.ndarray, ...]:
    """What each engine did of each transfer: the engine, the transfer's row, begin, end and ticks
    of work, by transfer and then by engine."""
    found = recorded.queues
    cores = recorded.cores(found.track)
    at = {
        key: row
        for row, key in enumerate(
            zip(cores.tolist(), found.instruction.tolist(), found.iteration.tolist(), strict=True)
        )
    }
    parts: list[tuple[np.ndarray, ...]] = []
    for track in recorded.timeline.tracks:
        if track.kind != "dma_engine":
            continue
        active = np.isin(track.rows["reason"], ACTIVE)
        rows = {key: column[active] for key, column in track.rows.items()}
        key = rows["instruction"].astype(np.int64) << 32 | rows["iteration"]
        keys, which = np.unique(key, return_inverse=True)
        begin = np.full(len(keys), recorded.timeline.end, np.int64)
        end, busy = np.zeros(len(keys), np.int64), np.zeros(len(keys), np.int64)
        np.minimum.at(begin, which, rows["begin"])
        np.maximum.at(end, which, rows["end"])
        np.add.at(busy, which, rows["end"] - rows["begin"])
        pairs = zip((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), strict=True)
        transfer = np.array([at.get((track.core, *pair), -1) for pair in pairs], np.int64)
        kept = transfer >= 0  # collectives have tables of their own
        number = int("".join(filter(str.isdigit, track.name)) or 0)
        engine = np.full(len(keys), number, np.int64)
        parts.append(tuple(one[kept] for one in (engine, transfer, begin, end, busy)))
    if not parts:
        return tuple(np.zeros(0, np.int64) for _ in range(5))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.lexsort((columns[0], columns[1]))
    return tuple(column[order] for column in columns)


def _runs(first: np.ndarray, count: int) -> np.ndarray:
    """How many rows follow from each first one."""
    return np.diff(first, append=count)


def _shared_out(sizes: np.ndarray, transfer: np.ndarray, busy: np.ndarray) -> np.ndarray:
    """Of each transfer's size the share of each row, by its ticks: whole bytes that sum to it."""
    if not len(transfer):
        return np.zeros(0, np.int64)
    first = np.flatnonzero(np.diff(transfer, prepend=-1))
    runs = _runs(first, len(transfer))
    weight = np.maximum(busy, 1).astype(np.float64)
    so_far = np.cumsum(weight)
    before = np.repeat(so_far[first] - weight[first], runs)
    whole = np.repeat(np.add.reduceat(weight, first), runs)
    until = np.rint(sizes[transfer] * np.minimum((so_far - before) / whole, 1)).astype(np.int64)
    last = first + runs - 1
    until[last] = sizes[transfer[last]]  # whatever rounding says
    start = np.concatenate(([0], until[:-1]))
    start[first] = 0
    return until - start


def _queues(packets: Columns) -> Columns:
    """Each engine that serves a queue, once."""
    keys = zip(
        packets["queue_name"],
        packets["queue_type"],
        packets["pcore_idx"].tolist(),
        packets["queue_idx"].tolist(),
        packets["engine_idx"].tolist(),
        strict=True,
    )
    rows = sorted({key[:1] + key[2:]: key for key in sorted(keys)}.values(), key=lambda k: k[2:])
    columns = list(zip(*rows, strict=True)) or [()] * 5
    names = ("name", "type", "pcore_idx", "idx", "engine_idx")
    return dict(zip(names, map(list, columns), strict=True)) | {
        "axi_port": [UNKNOWN] * len(rows),
        "dram_channel": [UNKNOWN] * len(rows),
    }
