"""How a case's seconds divide: Trainyard's (kernels: trace, compile, check, run) and its own.

Seconds are those of processors, all threads together, so that other work on the host counts for
nothing. A worker writes down where it is in memory that the pool, its parent, reads as well: the
pool must know whose a case that does not end is.
"""

from __future__ import annotations

import functools
import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def seconds_of(pid: int) -> float:
    """Processor seconds of another process; what time.process_time says in it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Meter:
    """Seconds inside kernels since the case began, in memory shared with forked processes."""

    def __init__(self) -> None:
        # Doubles: seconds of the calls that have ended, when the running one began (0: none does),
        # when the case began.
        self._words = memoryview(mmap.mmap(-1, 24)).cast("d")
        self._depth = 0

    def start(self, now: float) -> None:
        """A new case begins at `now`, a time of time.process_time in the worker."""
        self._words[0] = self._words[1] = 0.0
        self._words[2] = now
        self._depth = 0

    def is_inside(self) -> bool:
        """Whether a kernel is at work now."""
        return self._words[1] != 0.0

    def inside(self, now: float) -> float:
        """Seconds inside kernels until `now`."""
        ended, entered, _ = self._words
        return ended + (max(0.0, now - entered) if entered else 0.0)

    def outside(self, now: float) -> float:
        """Seconds of the case until `now` that were not inside kernels."""
        return max(0.0, now - self._words[2] - self.inside(now))

    def timed(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """`f`, whose time counts as the kernel's; calls may be nested."""

        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if self._depth == 0:
                self._words[1] = time.process_time()
            self._depth += 1
            try:
                return f(*args, **kwargs)
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._words[0] = self.inside(time.process_time())
                    self._words[1] = 0.0

        return wrapper


# The meter of the running process's case; the pool gives each worker one.
meter = Meter()


def watch_kernels() -> None:
    """Lets every run and trace of a kernel count; both front ends run through these."""
    from nki.kernel import Kernel

    for name in ("_run", "trace"):
        inner = getattr(Kernel, name)

        def counted(*args: Any, _inner: Callable[..., Any] = inner, **kwargs: Any) -> Any:
            return meter.timed(_inner)(*args, **kwargs)

        setattr(Kernel, name, functools.wraps(inner)(counted))
