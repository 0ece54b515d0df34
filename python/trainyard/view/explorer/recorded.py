"""A recorded run as what tables are made of: each run of each instruction, with its times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trainyard.usage import UsageError
from trainyard.view import timeline
from trainyard.view.files import Run

Columns = dict[str, Any]  # by field a list or an array, all of one length

_SEMAPHORE, _DMA = (timeline.REASONS.index(name) for name in ("waiting_semaphore", "waiting_dma"))
ACTIVE = [timeline.REASONS.index(name) for name in ("working", "overhead", "throttle")]
# As Explorer scales arithmetic to the rate of BF16 (its Summary table), in quarters.
_BF16_QUARTERS = {"float32": 16, "float32r": 16}


@dataclass
class Executions:
    """Each run of each instruction on the tracks of one kind, in order of time, as arrays."""

    track: np.ndarray
    instruction: np.ndarray
    iteration: np.ndarray
    begin: np.ndarray  # ticks; of work, without the waits before it
    end: np.ndarray
    semaphore_wait: np.ndarray  # ticks
    dma_wait: np.ndarray

    def __len__(self) -> int:
        return len(self.begin)


class Recorded:
    """A run with what the tables are made of."""

    def __init__(self, run: Run) -> None:
        details = run.facts.get("details") or {}
        if run.timeline is None or not {"facts", "machine", "memory"} <= details.keys():
            raise UsageError(
                f"{run.facts['name']}: Parquet needs the trace (.tytrace) and the details "
                "(.details.json) of one run beside each other; trainyard profile writes both"
            )
        self.report: dict[str, Any] = run.facts["report"]
        self.name: str = run.facts["name"]
        self.timeline = run.timeline
        self.details: dict[str, Any] = details
        self.machine: dict[str, float] = details["machine"]
        facts = details["facts"]
        self.per_run = {
            key: np.asarray(column)
            for key, column in facts["instructions"].items()
            if key != "format"
        }
        self.formats: list[str] = facts["instructions"]["format"]
        self.transfers, self.tiles = facts["transfers"], facts["tiles"]
        self.semaphores: dict[str, Any] | None = facts.get("semaphores")  # none in older files
        labels = run.timeline.labels
        strings = labels["strings"]
        self.mnemonics = [strings[i] for i in labels["instructions"]["mnemonic"]]
        self.operands = [strings[i] for i in labels["instructions"]["operands"]]
        self.engines = executions(self, lambda track: track.kind == "engine")
        self.queues = executions(
            self, lambda track: track.kind == "dma_queue" and not is_collective(track)
        )
        self.collectives = executions(self, is_collective)

    def ns(self, ticks: Any) -> np.ndarray:
        """Nanoseconds, rounded, of an array of ticks."""
        return np.rint(np.asarray(ticks) / self.timeline.ticks_per_ns).astype(np.int64)

    def span(self, found: Executions) -> Columns:
        """Begin, end and length of executions. The length is of the two that stand there."""
        begin, end = self.ns(found.begin), self.ns(found.end)
        return {"start_ts": begin, "end_ts": end, "duration_ns": end - begin}

    def cores(self, tracks: np.ndarray) -> np.ndarray:
        """The core of each of some tracks."""
        return np.array([track.core for track in self.timeline.tracks], np.int64)[tracks]

    def names(self, tracks: np.ndarray) -> list[str]:
        """The name of each of some tracks."""
        return [self.timeline.tracks[i].name for i in tracks]

    def moved(self, which: np.ndarray, *keys: str) -> np.ndarray:
        """What each of some instructions does at each run: the sum of columns of the facts."""
        return np.sum([self.per_run[key][which] for key in keys], axis=0).astype(np.int64)


def is_collective(track: timeline.Track) -> bool:
    """Whether a track is a stream of collectives."""
    return track.kind == "dma_queue" and track.name.startswith("collectives ")


def executions(recorded: Recorded, wanted: Callable[[timeline.Track], bool]) -> Executions:
    """The runs of instructions on some of the tracks."""
    parts = []
    known = len(recorded.mnemonics)
    for number, track in enumerate(recorded.timeline.tracks):
        kept = track.rows["instruction"] < known
        if not wanted(track) or not kept.any():
            continue
        rows = {key: column[kept] for key, column in track.rows.items()}
        key = rows["instruction"].astype(np.int64) << 32 | rows["iteration"]
        keys, which = np.unique(key, return_inverse=True)
        length = rows["end"] - rows["begin"]
        active = np.isin(rows["reason"], ACTIVE)
        begin = np.full(len(keys), recorded.timeline.end, np.int64)
        end = np.zeros(len(keys), np.int64)
        last = np.zeros(len(keys), np.int64)
        np.minimum.at(begin, which[active], rows["begin"][active])
        np.maximum.at(end, which[active], rows["end"][active])
        np.maximum.at(last, which, rows["end"])
        never = end == 0  # it waited and had nothing to do
        begin[never] = end[never] = last[never]
        if is_collective(track):
            end = last  # waits for peers are part of it
        waits = [np.bincount(which, length * (rows["reason"] == why)) for why in (_SEMAPHORE, _DMA)]
        track_of = np.full(len(keys), number)
        parts.append((track_of, keys >> 32, keys & 0xFFFFFFFF, begin, end, *waits))
    if not parts:
        return Executions(*(np.zeros(0, np.int64) for _ in range(7)))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.lexsort((columns[0], columns[3]))
    return Executions(*(column[order] for column in columns))


def merged(begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The stretches that intervals cover together; those without length are left out."""
    kept = end > begin
    order = np.argsort(begin[kept], kind="stable")
    begin, end = begin[kept][order], end[kept][order]
    if not len(begin):
        return begin, end
    reach = np.maximum.accumulate(end)
    starts = np.concatenate(([True], begin[1:] > reach[:-1]))
    return begin[starts], np.concatenate((reach[:-1][starts[1:]], reach[-1:]))


def kernel_names(found: Executions) -> list[str]:
    """What joins instructions to their source: "I-7", and from the second run on "I-7.1"."""
    pairs = zip(found.instruction.tolist(), found.iteration.tolist(), strict=True)
    return [f"I-{i}.{n}" if n else f"I-{i}" for i, n in pairs]


def bf16_flops(recorded: Recorded, flops: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Operations as many of BF16 as take the same time."""
    quarters = np.array([_quarters(name) for name in recorded.formats], np.int64)
    return flops * quarters[which] // 4


def _quarters(dtype: str) -> int:
    """Four times what Explorer multiplies operations of a format by."""
    if dtype in _BF16_QUARTERS:
        return _BF16_QUARTERS[dtype]
    if dtype.endswith("_x4"):
        return 1
    return 2 if "float8" in dtype or dtype == "uint8" else 4
