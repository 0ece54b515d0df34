"""Tells on stderr how far a long kernel is, where a person watches or --progress asks for it."""

from __future__ import annotations

import sys
import time
from typing import TextIO

QUIET_SECONDS = 1.0  # of a kernel, before anything is said
LINE_SECONDS = 2.0  # between lines where there is no terminal


class Progress:
    """Given to kernels as settings.progress: one line, rewritten, on a terminal; else lines."""

    def __init__(self, wanted: bool | None, stream: TextIO | None = None) -> None:
        """`wanted`: True, False, or None for "where stderr is a terminal"."""
        self._stream = stream or sys.stderr
        self._rewrites = self._stream.isatty()
        self.shown = self._rewrites if wanted is None else wanted
        self._begun = self._last = 0.0
        self._seen = -1
        self._open = False

    def __call__(self, kernel: str, done: int, total: int, nanoseconds: float) -> None:
        """`done` of `total` instructions have run; 0 where only the run can tell how many."""
        now = time.monotonic()
        if done < self._seen or self._seen < 0:
            self._begun = now
        self._seen = done
        if now - self._begun < QUIET_SECONDS:
            return
        if not self._rewrites and now - self._last < LINE_SECONDS:
            return
        self._last = now
        self._say(describe(kernel, done, total, nanoseconds, now - self._begun))

    def tell(self, text: str) -> None:
        """What begins now, where somebody watches."""
        if self.shown:
            self._say(text)

    def _say(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text}" if self._rewrites else f"{text}\n")
        self._stream.flush()
        self._open = self._rewrites

    def clear(self) -> None:
        """Takes the line away, before anything else is printed."""
        if self._open:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._open, self._seen = False, -1


def describe(kernel: str, done: int, total: int, nanoseconds: float, seconds: float) -> str:
    """The line: what has run, what has passed on the machine and here, what is left."""
    known = 0 < done <= total
    share = f" ({100 * done / total:.0f} %)" if known else ""
    parts = [f"{done:,} of {total:,} instructions{share}" if known else f"{done:,} instructions"]
    if nanoseconds:
        parts.append(f"{nanoseconds / 1e3:,.1f} us simulated")
    parts.append(f"{seconds:.0f} s")
    if known:
        parts.append(f"about {seconds * (total - done) / done:.0f} s left")
    return f"{kernel}: {', '.join(parts)}"
