"""How a case's seconds divide: Trainyard's (kernels: trace, compile, check, run) and its own.

A worker writes down where it is in memory that the pool, its parent, reads as well: the pool must
know whose a case that does not end is.
"""

from __future__ import annotations

import functools
import mmap
import time
from collections.abc import Callable
from typing import Any


class Meter:
    """Seconds inside kernels since the case began, in memory shared with forked processes."""

    def __init__(self) -> None:
        # Doubles: seconds of the calls that have ended, when the running one began (0: none does).
        self._words = memoryview(mmap.mmap(-1, 16)).cast("d")
        self._depth = 0

    def reset(self) -> None:
        """A new case begins."""
        self._words[0] = self._words[1] = 0.0
        self._depth = 0

    def spent(self, now: float) -> float:
        """Seconds inside kernels until `now`, a time of time.monotonic."""
        ended, entered = self._words
        return ended + (now - entered if entered else 0.0)

    def timed(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """`f`, whose time counts as the kernel's; calls may be nested."""

        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if self._depth == 0:
                self._words[1] = time.monotonic()
            self._depth += 1
            try:
                return f(*args, **kwargs)
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._words[0] = self.spent(time.monotonic())
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
