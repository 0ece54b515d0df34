"""The simulated clock beside the host's, for clients that send requests while others are answered:
`real` gives each token when its simulated time has passed, a factor F lets F simulated seconds pass
in a second of the host's.

A request then arrives when it is read, in simulated time; what a step takes is simulated as ever.
"""

from __future__ import annotations

import math
import time

from trainyard import _core
from trainyard.usage import UsageError

REAL = "real"


class Pace:
    """A clock that has stood at 0 until start()."""

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self._origin: float | None = None

    @staticmethod
    def parse(text: str) -> Pace:
        """Of "real" or a factor."""
        try:
            factor = 1.0 if text == REAL else float(text)
        except ValueError:
            factor = math.nan
        if not 1e-9 <= factor <= 1e9:
            raise UsageError(f"a pace is {REAL} or a factor from 1e-9 to 1e9, not {text!r}", "pace")
        return Pace(factor)

    def start(self) -> None:
        """The clock runs."""
        self._origin = time.perf_counter()

    @property
    def ticks(self) -> int:
        """Of the simulated clock, now."""
        if self._origin is None:
            return 0
        passed = time.perf_counter() - self._origin
        return round(passed * self.factor * _core.TICKS_PER_SECOND)

    def seconds_until(self, ticks: int) -> float:
        """Of the host, from now; negative: since then."""
        return (ticks - self.ticks) / _core.TICKS_PER_SECOND / self.factor


def check(pace: Pace, simulated: float, wall: float, what: str) -> None:
    """Raises UsageError where the host, which takes `wall` seconds for so many simulated ones,
    cannot hold the pace."""
    most = simulated / wall
    if pace.factor > most:
        raise UsageError(
            f"--pace {pace.factor:g}: this host computes {what} at {most:.2g} of the simulated "
            f"clock; name a factor of at most {_rounded(most):g}, or leave --pace out"
        )


def _rounded(value: float) -> float:
    """Down, to one digit."""
    unit = 10.0 ** math.floor(math.log10(value))
    return math.floor(value / unit) * unit
