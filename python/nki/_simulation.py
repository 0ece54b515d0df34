"""What AWS's CPU simulator does otherwise than a device: `nki.simulate` and NKI_SIMULATOR=1.

Everything here runs on the simulated machine anyway, so little is left: operators that no silicon
has, and NKI_PRECISE_FP=0, which keeps float32 values beside those of low-precision tensors. Source:
NKI CPU Simulator guide; release notes of NKI 0.4.0.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from nki import _level


def by_environment() -> bool:
    """Whether NKI_SIMULATOR asks for every kernel to be simulated."""
    return os.environ.get("NKI_SIMULATOR", "0") not in ("", "0")


def machine_of(machine: Any, level: str) -> Any:
    """The machine with the operators, and at a level of NKI the formats, that a simulator has."""
    default = "1" if _level.has("NKI_PRECISE_FP", level) else "0"
    return _machine(machine, os.environ.get("NKI_PRECISE_FP", default) != "0")


@functools.cache
def _machine(machine: Any, precise: bool) -> Any:
    kept = [] if precise else ["policy.low_precision=float32"]
    return machine.with_overrides(["feature.simulator_operators=true", *kept])
