"""What numbers of a load, a replica and a fleet may be: the core's bounds by its names, and those
of what the core is never told."""

from __future__ import annotations

from trainyard import _core
from trainyard.usage import UsageError

Bound = tuple[float, float]
BOUNDS: dict[str, Bound] = _core.serving_bounds() | {
    "seed": (0, 2**31 - 1),
    "users": (1, 1e6),  # who wait for their answers
    "tp": (1, 1e6),
    "dp": (1, 1e6),
    "draft_layers": (0, 1e6),
    "acceptance": (0, 1),
    "host_us": (0, 1e9),
    "cold_start": (0, 1e6),
}


def check(name: str, value: float | None, option: str = "") -> None:
    """Raises UsageError for a number beyond its bounds; None is one that is not given. option: what
    the caller calls it, where that is another name."""
    low, high = BOUNDS[name]
    if value is not None and not low <= value <= high:  # nan is not
        known = option or name
        raise UsageError(f"{known} is {low:g} to {high:g}, not {value:g}", known)
