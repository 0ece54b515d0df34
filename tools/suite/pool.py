"""Runs cases in forked processes: a case that hangs or dies takes nothing else with it."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import selectors
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from suite import clock

# A worker is replaced after so many cases, which bounds what leaks.
CASES_PER_WORKER = 100
# A case that waits uses no processor; it is stopped after its limits on the clock so many times.
PATIENCE = 4

Run = Callable[[int], dict[str, Any]]


@dataclass
class _Worker:
    pid: int
    meter: clock.Meter  # of the case it runs
    tell: int  # write end: the number of the next case
    hear: int  # read end: its record as a line of JSON
    case: int = -1
    began: float = 0.0
    done: int = 0
    text: bytes = b""
    stopped: dict[str, Any] = field(default_factory=dict)  # the record of a case that was


@dataclass(frozen=True)
class Limits:
    """What a case may take: memory, processor seconds inside kernels and in its checkout's code."""

    kernels: float
    own: float
    gib: float


class Pool:
    """Forked workers of this process, which has loaded everything a case needs."""

    def __init__(self, run: Run, jobs: int, limits: Limits, log: str, scratch: str) -> None:
        self._run, self._jobs, self._limits = run, jobs, limits
        self._log, self._scratch = log, scratch
        self._selector = selectors.DefaultSelector()

    def run(self, cases: Iterable[int], report: Callable[[int, dict[str, Any]], None]) -> None:
        """Runs every case once and reports each record as it comes."""
        waiting = deque(cases)
        gc.collect()
        gc.freeze()  # the pages of what is loaded stay shared
        workers = [self._start() for _ in range(min(self._jobs, len(waiting)))]
        busy = sum(self._give(worker, waiting) for worker in workers)
        while busy:
            for worker in self._ready():
                record = self._hear(worker)
                if record is None:
                    continue
                report(worker.case, record)
                busy -= 1
                if not waiting:
                    self._stop(worker)
                    continue
                if worker.done >= CASES_PER_WORKER or worker.pid == 0:
                    self._stop(worker)
                    worker = self._start()
                busy += self._give(worker, waiting)

    def _start(self) -> _Worker:
        meter = clock.Meter()
        ours_read, theirs_write = os.pipe()
        theirs_read, ours_write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            for key in self._selector.get_map().values():  # else no other worker sees its end
                os.close(key.data.tell)
                os.close(key.data.hear)
            os.close(ours_read)
            os.close(ours_write)
            clock.meter = meter
            self._serve(theirs_read, theirs_write)
        os.close(theirs_read)
        os.close(theirs_write)
        worker = _Worker(pid, meter, ours_write, ours_read)
        self._selector.register(ours_read, selectors.EVENT_READ, worker)
        return worker

    def _serve(self, read: int, write: int) -> None:
        """The life of a worker; never returns. Its output goes to the log."""
        faulthandler.register(signal.SIGUSR1, file=self._stack_file(os.getpid()).open("w"))
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        with os.fdopen(read) as orders, os.fdopen(write, "w") as answers:
            for order in orders:
                clock.meter.start(time.process_time())
                record = {**self._run(int(order)), **_seconds(clock.meter, time.process_time())}
                answers.write(json.dumps(record) + "\n")
                answers.flush()
        os._exit(0)

    def _give(self, worker: _Worker, waiting: deque[int]) -> int:
        worker.case, worker.began = waiting.popleft(), time.monotonic()
        worker.text = b""
        worker.meter.start(clock.seconds_of(worker.pid))
        os.write(worker.tell, f"{worker.case}\n".encode())
        return 1

    def _ready(self) -> list[_Worker]:
        """The workers that said something, died or are over time."""
        heard = [key.data for key, _ in self._selector.select(timeout=0.5)]
        for key in list(self._selector.get_map().values()):
            worker = key.data
            if worker in heard or worker.case < 0:
                continue
            now = clock.seconds_of(worker.pid)
            kernels, own = worker.meter.inside(now), worker.meter.outside(now)
            status, cause = self._over(worker, kernels, own)
            if status:
                worker.stopped = {
                    "status": status,
                    "reason": f"{cause} ({kernels:.0f} s in kernels, {own:.0f} s in its own code)",
                    "cause": cause,
                    "where": next(iter(self._stack_of(worker.pid)), ""),
                    **_seconds(worker.meter, now),
                }
                _kill(worker)
                worker.pid = 0
                heard.append(worker)
        return heard

    def _over(self, worker: _Worker, kernels: float, own: float) -> tuple[str, str]:
        """The status and cause of a case that has to be stopped; empty for others."""
        limits = self._limits
        if kernels > limits.kernels:
            return "timeout", f"no end after {limits.kernels:g} s in kernels"
        if own > limits.own:
            return "too_large", f"no end after {limits.own:g} s in its own code"
        if _resident_gib(worker.pid) > limits.gib:
            return "too_large", f"more than the {limits.gib:.1f} GiB a case may use"
        if time.monotonic() - worker.began > PATIENCE * (limits.kernels + limits.own):
            ours = worker.meter.is_inside()
            return ("timeout", "a kernel waits") if ours else ("too_large", "its own code waits")
        return "", ""

    def _stack_file(self, pid: int) -> Path:
        return Path(self._scratch) / f"{pid}.stack"

    def _stack_of(self, pid: int) -> list[str]:
        """Where a worker is now, innermost first: lines of faulthandler."""
        file = self._stack_file(pid)
        os.kill(pid, signal.SIGUSR1)
        time.sleep(0.5)
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return [line.strip() for line in lines if line.lstrip().startswith("File ")]

    def _hear(self, worker: _Worker) -> dict[str, Any] | None:
        """The record of the worker's case; None while its line is not complete."""
        if worker.pid == 0:
            return worker.stopped
        part = os.read(worker.hear, 1 << 16)
        worker.text += part
        if worker.text.endswith(b"\n"):
            worker.done += 1
            return json.loads(worker.text)
        if part:
            return None
        _, status = os.waitpid(worker.pid, 0)
        self._stack_file(worker.pid).unlink(missing_ok=True)
        worker.pid = 0
        code = os.waitstatus_to_exitcode(status)
        how = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return {"status": "crash", "reason": f"the process {how}", "cause": how}

    def _stop(self, worker: _Worker) -> None:
        self._selector.unregister(worker.hear)
        os.close(worker.tell)
        os.close(worker.hear)
        if worker.pid:
            os.waitpid(worker.pid, 0)
            self._stack_file(worker.pid).unlink(missing_ok=True)
        worker.case = -1


def _seconds(meter: clock.Meter, now: float) -> dict[str, float]:
    """What a record says of a case's time."""
    kernels = meter.inside(now)
    return {
        "seconds": round(kernels + meter.outside(now), 2),
        "kernel_seconds": round(kernels, 2),
    }


def _resident_gib(pid: int) -> float:
    """Memory of a process, what it shares with others included; of files the host can drop it."""
    resident, of_files = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1:3]
    return (int(resident) - int(of_files)) * os.sysconf("SC_PAGESIZE") / 2**30


def _kill(worker: _Worker) -> None:
    os.kill(worker.pid, signal.SIGKILL)
    os.waitpid(worker.pid, 0)
