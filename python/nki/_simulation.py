"""What AWS's CPU simulator does otherwise than a device: `nki.simulate` and NKI_SIMULATOR=1.

Everything here runs on the simulated machine anyway, so little is left: operators that no silicon
has, and NKI_PRECISE_FP=0, which keeps low-precision tensors as float32. Source: NKI CPU Simulator
guide; release notes of NKI 0.4.0.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from nki import _context, _level

_LOW_PRECISION = frozenset({"bfloat16", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"})


def by_environment() -> bool:
    """Whether NKI_SIMULATOR asks for every kernel to be simulated."""
    return os.environ.get("NKI_SIMULATOR", "0") not in ("", "0")


def keeps_precision(level: str) -> bool:
    """Whether low-precision tensors have their own dtypes: NKI_PRECISE_FP, 1 since NKI 0.4."""
    default = "1" if _level.has("NKI_PRECISE_FP", level) else "0"
    return os.environ.get("NKI_PRECISE_FP", default) != "0"


@functools.cache
def machine_of(machine: Any) -> Any:
    """The machine with the operators that only the simulator has."""
    return machine.with_overrides(["feature.simulator_operators=true"])


def storage(dtype: str) -> str:
    """The dtype that a new tensor of the kernel being traced really gets."""
    context = _context.current
    widens = context is not None and context.widens and dtype in _LOW_PRECISION
    return "float32" if widens else dtype


def remember(tensor: Any, dtype: str) -> Any:
    """`tensor`, which was made for `dtype`; its author sees that one."""
    if tensor._dtype_name != dtype:
        _context.context().asked[tensor._id] = dtype
    return tensor


def dtype_of(tensor: Any) -> str:
    """The dtype of a tensor as its author has it, which is not the one it is kept in."""
    kept = tensor._dtype_name
    context = _context.current
    return kept if context is None or kept != "float32" else context.asked.get(tensor._id, kept)
