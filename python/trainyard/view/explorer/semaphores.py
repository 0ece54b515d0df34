"""The table of semaphores: each change of a count, with the count behind it.

A count grows when the instruction that raises it has done its work (a transfer: when its last byte
is there), and falls by what a wait takes when the waiting instruction starts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trainyard.view.explorer.recorded import Columns, Executions, Recorded


def tables_of(recorded: Recorded) -> dict[str, Columns]:
    """SemaphoreUpdate; none for a run whose details do not tell of semaphores."""
    told = recorded.semaphores
    if told is None:
        return {}
    runs = _runs_of(recorded)
    parts = [
        _changes(runs, told["signals"], "end", +1),
        _changes(runs, told["waits"], "begin", -1),
    ]
    columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    # A wait that ends at the moment of a signal takes what it brought.
    order = np.lexsort((-columns["amount"], columns["time"]))
    columns = {key: column[order] for key, column in columns.items()}
    track = columns["track"].tolist()
    adds = columns["amount"] > 0
    return {
        "SemaphoreUpdate": {
            "timestamp": recorded.ns(columns["time"]),
            "id": [str(one) for one in columns["semaphore"].tolist()],
            "value": _counts(columns),
            "update_source": recorded.names(columns["track"]) if track else [],
            "double_set_or_clear": [False] * len(track),
            "update_operation_type": ["add" if one else "subtract" for one in adds.tolist()],
            "update_trigger_timing": ["completion" if one else "start" for one in adds.tolist()],
            "pcore_idx": columns["core"],
        }
    }


def _runs_of(recorded: Recorded) -> dict[str, np.ndarray]:
    """Each run of each instruction once: when its engine began and when all of its work was done,
    that of a queue besides."""
    parts: list[Executions] = [recorded.engines, recorded.queues, recorded.collectives]
    columns = {
        key: np.concatenate([getattr(part, key) for part in parts])
        for key in ("track", "instruction", "iteration", "begin", "end")
    }
    columns["core"] = recorded.cores(columns["track"])
    keys = np.stack([columns[key] for key in ("core", "instruction", "iteration")])
    _, first, which = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    which = which.reshape(-1)
    end = np.zeros(len(first), np.int64)
    np.maximum.at(end, which, columns["end"])
    last = np.zeros(len(first), np.int64)  # the part that is done last raises semaphores
    order = np.argsort(columns["end"], kind="stable")
    last[which[order]] = order
    return {key: columns[key][first] for key in ("core", "instruction", "begin", "track")} | {
        "end": end,
        "last": columns["track"][last],
    }


def _changes(
    runs: dict[str, np.ndarray], told: dict[str, Any], when: str, sign: int
) -> dict[str, np.ndarray]:
    """A row for each count that each run changes."""
    instruction, semaphore, amount = (
        np.asarray(told[key], np.int64) for key in ("instruction", "semaphore", "amount")
    )
    order = np.argsort(instruction, kind="stable")
    instruction, semaphore, amount = instruction[order], semaphore[order], amount[order]
    low = np.searchsorted(instruction, runs["instruction"], "left")
    many = np.searchsorted(instruction, runs["instruction"], "right") - low
    run = np.repeat(np.arange(len(many)), many)
    place = np.arange(len(run)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(low, many)
    return {
        "time": runs[when][run],
        "core": runs["core"][run],
        "track": runs["last" if sign > 0 else "track"][run],
        "semaphore": semaphore[place],
        "amount": sign * amount[place],
    }


def _counts(columns: dict[str, np.ndarray]) -> np.ndarray:
    """The count of its semaphore behind each change."""
    order = np.lexsort((np.arange(len(columns["time"])), columns["semaphore"], columns["core"]))
    amount = columns["amount"][order]
    key = np.stack([columns["core"][order], columns["semaphore"][order]])
    counts = np.cumsum(amount)
    if len(counts):
        first = np.concatenate(([True], (np.diff(key, axis=1) != 0).any(axis=0)))
        before = (counts - amount)[first]
        counts = counts - np.repeat(before, np.diff(np.flatnonzero(first), append=len(counts)))
    result = np.zeros(len(counts), np.int64)
    result[order] = counts
    return result
