"""What it takes to run one published kernel: found by the row, run in time only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# A profile counts from the start of the program that the runtime wraps around a kernel: 13.0 to
# 14.0 us to the first instruction, 0.4 to 1.2 us behind the last (ten public Trn2 profiles of
# allenkchau/trainium-kernel-fusion).
LAUNCH_US = 14.3


class NotReproducibleError(Exception):
    """A row asks for something that its checkout, or this simulator, does not have."""


@dataclass
class Case:
    """A kernel with its arguments."""

    kernel: Callable[..., Any]
    arguments: dict[str, Any] = field(default_factory=dict)
    positional: list[Any] = field(default_factory=list)
    grid: int = 1
    # What the published time holds besides the kernel.
    launch_us: float = 0.0
    # Rows of one ladder are ranked against one another.
    ladder: str = ""
    # Launched behind this one; the published time is that of both.
    then: Case | None = None
