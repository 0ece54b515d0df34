"""A core that is lost while it serves: `core@2s=down` for ever, `core@2s=down+500ms` for a time; of
several replicas `replica:1@2s=down`.

Times are of the simulated clock. A step that is under way is the last one of a core, and void of a
replica. What was in the device's memory is gone: requests are computed again, by a core that comes
back or by the other replicas; where there is none and none comes back, they fail, and so does every
later one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trainyard import _core
from trainyard.usage import UsageError

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = r"([0-9]+(?:\.[0-9]+)?)(us|ms|s)"
FORM = re.compile(rf"(?:core|replica:([0-9]{{1,4}}))@{TIME}=down(?:\+{TIME})?")


@dataclass(frozen=True)
class Loss:
    """In ticks of the simulated clock; back: None, never."""

    at: int
    back: int | None = None
    replica: int | None = None  # None: the core of a server without others

    @staticmethod
    def parse(text: str) -> Loss:
        """Raises UsageError."""
        match = FORM.fullmatch(text)
        if not match:
            raise UsageError(
                f"{text!r} is no fault of a server: write core@2s=down or core@2s=down+500ms, of "
                "several replicas replica:1@2s=down",
                "fault",
            )
        at = _ticks(match[2], match[3])
        back = at + _ticks(match[4], match[5]) if match[4] else None
        return Loss(at, back, int(match[1]) if match[1] else None)

    def __str__(self) -> str:
        seconds = self.at / _core.TICKS_PER_SECOND
        what = "the core" if self.replica is None else f"replica {self.replica}"
        return f"{what} was lost at {seconds:g} s of the simulated clock"


def check(losses: Sequence[Loss], replicas: int) -> None:
    """Raises UsageError for a fault of something that is not there."""
    for one in losses:
        if (one.replica is None) != (replicas == 1):
            kind = "core@2s=down" if replicas == 1 else "replica:1@2s=down"
            raise UsageError(f"a fault of {replicas} replica{'s'[: replicas > 1]} is {kind}")
        if one.replica is not None and one.replica >= replicas:
            raise UsageError(f"there is no replica {one.replica} of {replicas}: they count from 0")


def _ticks(number: str, unit: str) -> int:
    return round(float(number) * UNITS[unit] * _core.TICKS_PER_SECOND)
