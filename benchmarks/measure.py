"""Shared by the benchmarks in Python: kernels ready to run, and CPU seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import trainyard
from trainyard import _core

ROOT = Path(__file__).resolve().parents[1]
MACHINE = "trn3"
nki_library: Path | None = None  # a checkout of the user's: run.py --nki-library


def cpu_seconds(what: Callable[[], object], repetitions: int = 3) -> float:
    """Of the fastest repetition."""
    return _seconds(what, repetitions, time.process_time)


def wall_seconds(what: Callable[[], object], repetitions: int = 3) -> float:
    """Of the fastest repetition, for what runs on several threads."""
    return _seconds(what, repetitions, time.perf_counter)


def _seconds(what: Callable[[], object], repetitions: int, clock: Callable[[], float]) -> float:
    fastest = float("inf")
    for _ in range(repetitions):
        begin = clock()
        what()
        fastest = min(fastest, clock() - begin)
    return fastest


def normal(*shape: int) -> np.ndarray:
    """bfloat16 numbers of a normal distribution, always the same."""
    values = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    return values.astype(ml_dtypes.bfloat16)


class Loaded:
    """A kernel traced for given inputs, compiled, and placed in a session with them."""

    def __init__(self, kernel: Any, *inputs: Any, schedule: str = "author") -> None:
        machine = trainyard.load_machine(MACHINE)
        begin = time.process_time()
        traced = kernel.trace(*inputs)
        after_trace = time.process_time()
        self.session = _core.Session(machine)
        self.instance = self.session.load(traced.program, schedule, take=True)
        self.trace_seconds = after_trace - begin
        self.compile_seconds = time.process_time() - after_trace
        self.inputs = {
            source.tensor._id: np.ascontiguousarray(source.array).view(np.uint8).reshape(-1)
            for source in traced.inputs
        }
        for tensor, content in self.inputs.items():
            self.session.write(self.instance, tensor, content)

    def run(self, **options: bool) -> Any:
        """One run; values without time, checks or recording unless `options` says otherwise."""
        chosen = _core.RunOptions()
        chosen.timed, chosen.values, chosen.checks, chosen.record = False, True, False, False
        for name, value in options.items():
            setattr(chosen, name, value)
        return self.session.run([self.instance], chosen)[0]

    def seconds(self, repetitions: int = 3, **options: bool) -> float:
        """CPU seconds of a run."""
        return cpu_seconds(lambda: self.run(**options), repetitions)
