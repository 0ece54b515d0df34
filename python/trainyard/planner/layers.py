"""The time of a block on one core: its program (programs.py), compiled by trainyard.model and run
for its time.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from typing import Any

from trainyard.planner.programs import SCOPES, Block, filled, program
from trainyard.usage import UsageError


@dataclass(frozen=True)
class Timed:
    """A block's time on one core, and why it is not less."""

    seconds: float
    peak: float  # share of the tensor engine's peak, which is that of bf16
    busiest: tuple[str, float]  # the unit, and its share of the time
    operations: tuple[tuple[str, float], ...]  # the longest, with their shares of engine time


def check_jax() -> None:
    """Raises UsageError where JAX is missing, which traces the blocks."""
    if importlib.util.find_spec("jax") is None:
        raise UsageError(
            "--exact traces layers by JAX, which is not installed: pip install jax, or leave "
            "--exact out"
        )


@cache
def timed(block: Block, machine: str) -> Timed:
    """The block on one core of the machine, simulated."""
    check_jax()
    import numpy as np

    from trainyard import model

    function, shapes = program(block)
    arguments = filled(shapes, np.zeros)
    run = model.compile(function, *arguments, machine=machine).run(
        *arguments, timed=True, values=False
    )
    reports = run.reports
    longest = max(reports, key=lambda one: one["duration_ns"])
    peaks = [_peak(one) * one["duration_ns"] for one in reports]
    whole = sum(one["duration_ns"] for one in reports)
    return Timed(
        run.seconds,
        sum(peaks) / whole,
        (longest["bound"]["busiest"], longest["bound"]["busy"]),
        _operations(reports),
    )


def _peak(report: dict[str, Any]) -> float:
    limits = report["speed_of_light"]["limits"]
    return float(sum(one["share"] for one in limits if one["unit"] == "tensor arithmetic"))


def _operations(reports: list[dict[str, Any]]) -> tuple[tuple[str, float], ...]:
    """Engine time, working and waiting, by the name that the function's scopes give."""
    ticks: dict[str, float] = {}
    for report in reports:
        for one in report["operations"]:
            name = _scope(one["function"])
            ticks[name] = ticks.get(name, 0) + sum(one["engine_ticks"].values())
    whole = sum(ticks.values()) or 1
    ranked = sorted(ticks.items(), key=lambda one: (-one[1], one[0]))
    return tuple((name, spent / whole) for name, spent in ranked)


def _scope(function: str) -> str:
    for name in SCOPES:
        if f"{name})" in function or f"{name}/" in function:
            return name
    last = function.rsplit("/", 1)[-1]
    return "other" if not last or last.startswith("jit(") else last.replace("_", " ")
