"""What the worker and the metrics ask of a scheduler, of those of several replicas together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainyard.serving.ranks import summed

SUMMED = ("prefill_ticks", "decode_ticks", "joules", "chunks", "decodes", "preemptions")


class Schedulers:
    """Those of all members of several.Replicas as one."""

    def __init__(
        self, members: Sequence[Any], places: Sequence[tuple[Any, Any, int] | None]
    ) -> None:
        self._members, self._places = members, places
        self.ended: list[int] = []
        self.failed: list[int] = []  # that no replica could take over
        self.left: list[dict[str, int]] = []  # counters of those that were lost
        self.homeless: dict[int, tuple[Any, Any, Any]] = {}  # who wait for a replica
        self.flying: dict[int, Any] = {}  # whose keys and values are on their way
        self.waiting_tasks: list[Any] = []
        self._before: dict[int, dict[str, Any]] = {}  # records on replicas that were lost

    def keep(self, number: int, record: dict[str, Any]) -> None:
        """What a request had on a replica that is lost."""
        before = self._before.get(number)
        self._before[number] = joined(before, record) if before else record

    @property
    def _all(self) -> list[Any]:
        return [one.server.scheduler for one in self._members]

    @property
    def is_idle(self) -> bool:
        """Whether all are, and nobody waits for one."""
        tasks = any(one.tasks or (one.step and one.step.task) for one in self._members)
        waits = self.homeless or self.flying or self.waiting_tasks or tasks
        return not waits and all(one.is_idle for one in self._all)

    @property
    def running(self) -> int:
        """Requests of all."""
        return sum(one.running for one in self._all)

    @property
    def waiting(self) -> int:
        """Requests of all, and those that no replica has."""
        elsewhere = len(self.homeless) + len(self.flying)
        return sum(one.waiting for one in self._all) + elsewhere

    @property
    def used_blocks(self) -> float:
        """Of a cache, in the mean."""
        return sum(one.used_blocks for one in self._all) / len(self._all)

    def record(self, number: int) -> Any:
        """Of a request, with what it had on replicas that were lost."""
        place, before = self._places[number], self._before.get(number)
        if place is None:
            return before
        member, scheduler, local = place
        record = scheduler.record(local) | {"replica": self._members.index(member)}
        return joined(before, record) if before else record

    def counters(self) -> dict[str, int]:
        """Sums; a peak is that of the highest."""
        found = [*(one.counters() for one in self._all), *self.left]
        return summed(found, ("peak",))


# Of a request that waits for the first replica that comes back.
NOT_YET = dict.fromkeys(("first_scheduled", "first_token", "end"), -1)
NOT_YET |= dict.fromkeys(("arrival", "prompt", "output", "cached", *SUMMED), 0)


def joined(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """A request's record from those of two replicas, one behind the other."""
    made = after | {name: before[name] + after[name] for name in SUMMED}
    made["arrival"] = before["arrival"]
    if before["first_scheduled"] >= 0:
        made |= {name: before[name] for name in ("first_scheduled", "cached")}
    return made
