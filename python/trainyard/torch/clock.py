"""The device's clock: simulated seconds of the programs that were launched. It counts only while
an event needs it, as a program's first run takes longer where it is simulated in time, too.
"""

from __future__ import annotations

import weakref
from typing import Any


class Clock:
    """Counts from the first `start` on, for as long as one of its users is alive."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._users: weakref.WeakSet[Any] = weakref.WeakSet()

    def start(self, user: Any) -> None:
        """Counts while `user` is alive."""
        self._users.add(user)

    @property
    def is_running(self) -> bool:
        return bool(self._users)

    def add(self, seconds: float) -> None:
        """A launch of this length."""
        if self._users:
            self.seconds += seconds


clock = Clock()
