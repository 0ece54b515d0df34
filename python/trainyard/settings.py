"""How kernels run when their call does not say: set by the command line, or by a script."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainyard.compilations import Collector


@dataclass
class Settings:
    """Defaults of every kernel call."""

    # A name, file, trainyard.Machine or trainyard.System; None: by environment, else trn3.
    machine: Any = None
    timed: bool = False  # simulate time too
    values: bool = True  # compute; without it outputs are zeros
    checks: bool = field(default_factory=lambda: os.environ.get("TRAINYARD_CHECKS") != "0")
    # ^ of runs with values; off makes them a little faster
    record: bool = False  # keep the full trace
    stop_at: str | None = "error"  # a finding this bad ("warning", "note") is raised as a Fault
    overflows: bool = False  # the checks also look for numerics.overflow, which takes some time
    suppress: tuple[str, ...] = ()  # ids of checks, or families, that are not to be heard of
    nki: str | None = None  # the NKI level, "0.3" to "0.6"; None: TRAINYARD_NKI_LEVEL, else newest
    # "author", "list" (the compiler may reorder independent instructions) or "free" (it may also
    # merge loads and balance engines). None: "author", of timed runs "list", of neuronxcc "free".
    schedule: str | None = None
    compiler_flags: str = ""  # of tensor programs, as neuronx-cc takes them
    faults: tuple[str, ...] = ()  # of timed runs on a system: what fails (trainyard.faults)
    # Of those runs: of chips that do the same, one is simulated. Turns of a hardware loop that are
    # alike are run once in any case, where only time is asked.
    folds: bool = True
    about: tuple[tuple[str, str], ...] = ()  # (key, value) for reports: how to repeat the run
    progress: Callable[[str, int, int, float], None] | None = None
    # ^ told now and then: kernel, instructions run, of how many (0: nobody knows), simulated ns
    compiles: Collector | None = None  # keeps what is compiled of tensor programs
    listeners: list[Callable[[Any], None]] = field(default_factory=list)  # get every Result


_current = Settings()


def current() -> Settings:
    """The settings in force."""
    return _current


@contextlib.contextmanager
def using(**changes: Any) -> Iterator[Settings]:
    """Changes some settings for the duration of a with block."""
    global _current
    outer = _current
    _current = replace(outer, **changes)
    try:
        yield _current
    finally:
        _current = outer
