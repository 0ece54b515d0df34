"""A core that is lost while it serves: `core@2s=down` for ever, `core@2s=down+500ms` for a time.

Times are of the simulated clock. A step that is under way is the last one. What was in the device's
memory is gone: with a core that comes back, requests are computed again and move on; with one that
does not, they fail, and so does every later one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trainyard import _core
from trainyard.usage import UsageError

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = r"([0-9]+(?:\.[0-9]+)?)(us|ms|s)"
FORM = re.compile(rf"core@{TIME}=down(?:\+{TIME})?")


@dataclass(frozen=True)
class Loss:
    """In ticks of the simulated clock; back: None, never."""

    at: int
    back: int | None = None

    @staticmethod
    def parse(text: str) -> Loss:
        """Raises UsageError."""
        match = FORM.fullmatch(text)
        if not match:
            raise UsageError(
                f"{text!r} is no fault of a server: write core@2s=down or core@2s=down+500ms"
            )
        at = _ticks(match[1], match[2])
        return Loss(at, at + _ticks(match[3], match[4]) if match[3] else None)

    def __str__(self) -> str:
        seconds = self.at / _core.TICKS_PER_SECOND
        return f"the core was lost at {seconds:g} s of the simulated clock"


def _ticks(number: str, unit: str) -> int:
    return round(float(number) * UNITS[unit] * _core.TICKS_PER_SECOND)
