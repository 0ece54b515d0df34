"""What a run tells: time, bound, profile."""

from __future__ import annotations

from typing import Any


class Result:
    """The outcome of one run of a kernel on every core of its grid."""

    def __init__(self, machine: Any, instances: list[Any], runs: list[Any]) -> None:
        self.machine = machine
        self.instances = instances
        self.runs = runs
