"""Runs a study: by processes of this machine, or by the workers of a Dask cluster."""

from __future__ import annotations

import concurrent.futures
import hashlib
import importlib
import json
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trainyard
from trainyard import _core
from trainyard.planner import studies
from trainyard.planner.studies import Study
from trainyard.planner.study_results import Results
from trainyard.usage import UsageError

Json = dict[str, Any]
Answered = tuple[str, Json, float]
Tell = Callable[[str], None]
WRITE_SECONDS = 0.2  # of answers that one commit takes together
AHEAD = 4  # batches for each process that are handed out at once
BATCH_SECONDS = 0.5  # that a batch of points should take
BATCH_MOST = 256
ATTEMPTS = 2  # of a point that takes its process down
TELL_SECONDS = 0.5


@dataclass(frozen=True)
class Outcome:
    """What a run came to: points of the study in each state, and those that were answered now."""

    study: Study
    results: str
    counts: dict[str, int]
    new: int
    seconds: float
    rows: list[Json]

    @property
    def left(self) -> int:
        """Points without an answer."""
        return self.study.size - sum(self.counts.values())


def run(
    path: str | Path,
    results: str | Path = "",
    processes: int = 0,
    cluster: str = "",
    tell: Tell | None = None,
) -> Outcome:
    """Answers the points of the study at `path` that `results` (path with .sqlite) does not have.

    `processes`: of this machine; its cores. `cluster`: the address of a Dask scheduler, whose
    workers answer in their place. Raises UsageError.
    """
    study = studies.read_study(path)
    file = Path(results) if results else Path(path).with_suffix(".sqlite")
    if processes < 0 or processes > 1024:
        raise UsageError(f"processes are 1 to 1024, not {processes}")
    store = Results(file, figures_of(study))
    begun = time.monotonic()
    try:
        known = store.known()
        left = [point for point in study.points() if point not in known]
        answers = _on_cluster(left, cluster) if cluster else _on_processes(left, processes)
        new = _keep(answers, store, len(left), tell)
        points = study.points()
        counts = store.counts(points)
        rows = store.rows(points)
    finally:
        store.close()
    return Outcome(study, str(file), counts, new, time.monotonic() - begun, rows)


def figures_of(study: Study) -> str:
    """A name of the figures that answers depend on: of the version, the machines, the prices."""
    machines = study.axes.get("machine", [study.fixed.get("machine")])
    models = study.axes.get("model", [study.fixed.get("model")])
    text = [trainyard.__version__]
    for ask, names in ((_core.accelerator_document, machines), (_core.model_document, models)):
        for name in sorted(str(one) for one in names):
            try:
                text.append(ask(name))
            except _core.InputError:  # each of its points will say so
                text.append(name)
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def _keep(answers: Iterator[list[Answered]], store: Results, total: int, tell: Tell | None) -> int:
    """Writes what comes, a few commits a second, and says how far it is."""
    done, begun = 0, time.monotonic()
    held: list[Answered] = []
    written = told = begun
    try:
        for batch in answers:
            held += batch
            now = time.monotonic()
            if now - written >= WRITE_SECONDS:
                store.add(held)
                done += len(held)
                held, written = [], now
            if tell and now - told >= TELL_SECONDS:
                tell(progress(done + len(held), total, now - begun))
                told = now
    finally:
        store.add(held)
        done += len(held)
    return done


def progress(done: int, total: int, seconds: float) -> str:
    """ "1,200 of 5,000 points (24 %), 12 s, about 38 s left"."""
    line = f"{done:,} of {total:,} points ({100 * done / max(1, total):.0f} %), {seconds:.0f} s"
    if 0 < done < total:
        line += f", about {seconds * (total - done) / done:.0f} s left"
    return line


def answer_all(points: list[str]) -> list[Answered]:
    """The answers of a batch, in the process of a worker."""
    found = []
    for point in points:
        begun = time.monotonic()
        one = studies.answer(point)
        found.append((point, one, time.monotonic() - begun))
    return found


class _Batches:
    """Points in batches that grow until each takes about BATCH_SECONDS."""

    def __init__(self, points: list[str]) -> None:
        self._left = deque(points)
        self._size = 1

    def take(self) -> list[str]:
        """The next points; none when all are taken."""
        size = min(self._size, len(self._left))
        return [self._left.popleft() for _ in range(size)]

    def learn(self, answered: list[Answered]) -> None:
        """How long a batch took."""
        seconds = sum(one for _, _, one in answered) / len(answered)
        self._size = max(1, min(BATCH_MOST, int(BATCH_SECONDS / max(seconds, 1e-6))))

    def give_back(self, points: list[str]) -> None:
        """Points whose worker is gone."""
        self._left.extendleft(reversed(points))
        self._size = 1


def _on_processes(points: list[str], processes: int) -> Iterator[list[Answered]]:
    count = max(1, min(processes or len(os.sched_getaffinity(0)), len(points)))
    batches = _Batches(points)
    crashes: dict[str, int] = {}
    while batch := batches.take():
        batches.give_back(batch)
        lost = yield from _one_pool(batches, count)
        for point in lost:
            crashes[point] = crashes.get(point, 0) + 1
        alone = [point for point in lost if crashes[point] >= ATTEMPTS]
        batches.give_back([point for point in lost if crashes[point] < ATTEMPTS])
        for point in alone:  # it may have been another's fault: the last attempt is by itself
            yield [(point, _by_itself(point), 0.0)]


def _one_pool(batches: _Batches, count: int) -> Iterator[list[Answered]]:
    """Answers until all points are taken, or a process is gone; returns the points it took."""
    context = multiprocessing.get_context("forkserver")
    lost: list[str] = []
    running: dict[concurrent.futures.Future[list[Answered]], list[str]] = {}
    pool = concurrent.futures.ProcessPoolExecutor(count, mp_context=context)
    try:
        while True:
            while not lost and len(running) < AHEAD * count and (batch := batches.take()):
                try:
                    running[pool.submit(answer_all, batch)] = batch
                except concurrent.futures.process.BrokenProcessPool:
                    lost += batch
            if not running:
                return lost
            ready, _ = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in ready:
                batch = running.pop(future)
                try:
                    answered = future.result()
                except concurrent.futures.process.BrokenProcessPool:
                    lost += batch
                    continue
                batches.learn(answered)
                yield answered
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _by_itself(point: str) -> Json:
    context = multiprocessing.get_context("forkserver")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        try:
            return pool.submit(answer_all, [point]).result()[0][1]
        except concurrent.futures.process.BrokenProcessPool:
            return {"state": "crashed", "why": "the process that asked ended", "values": {}}


def _on_cluster(points: list[str], address: str) -> Iterator[list[Answered]]:
    """By Dask's workers: who dies is replaced by another, and points are few in flight."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install distributed") from None
    try:
        client = distributed.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if workers == 0:
            raise UsageError(f"the Dask scheduler at {address} has no worker")
        batches = _Batches(points)
        running: dict[str, list[str]] = {}
        done = distributed.as_completed(loop=client.loop)

        def hand_out() -> None:
            while len(running) < AHEAD * workers and (batch := batches.take()):
                future = client.submit(answer_all, batch, pure=False)
                running[future.key] = batch
                done.add(future)

        hand_out()
        while running:
            future = next(done)
            batch = running.pop(future.key)
            if future.status == "finished":
                answered = future.result()
                batches.learn(answered)
                yield answered
            else:  # a point that took several workers down
                why = f"no worker lived to answer: {future.exception()}"
                yield [
                    (point, {"state": "crashed", "why": why, "values": {}}, 0.0) for point in batch
                ]
            hand_out()


def dumps(outcome: Outcome) -> Json:
    """For JSON."""
    return {
        "study": {"ask": outcome.study.ask, "points": outcome.study.size},
        "results": outcome.results,
        "counts": outcome.counts,
        "new": outcome.new,
        "left": outcome.left,
        "seconds": outcome.seconds,
        "rows": json.loads(json.dumps(outcome.rows)),
    }
