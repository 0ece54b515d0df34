"""Values of kernels whose tensors do not fit on chip.

AWS's compiler keeps what does not fit in HBM between its uses. Which tensors is not public, so that
nothing is said of their time; what they hold does not depend on it. A run without time and without
checks therefore gets as much room as it needs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from trainyard import InputError

_ROOM = (
    "sbuf.partition_size=2MiB",
    "sbuf.partition_stride=2MiB",
    "psum.banks=64",
)
_T = TypeVar("_T")


def with_room(machine: Any, allowed: bool, run: Callable[[Any], _T]) -> _T:
    """run(machine), again with more memory on chip where that is allowed and was lacking.

    Raises the InputError "sbuf.capacity" or "psum.capacity" where it is not allowed.
    """
    try:
        return run(machine)
    except InputError as error:
        if not allowed or error.memory != "on_chip":
            raise
        lacking = error.violations[0]
        warnings.warn(
            f"{lacking.label}: the values were computed with more on-chip memory than the "
            f"machine has ({lacking.place})",
            stacklevel=5,
        )
    return run(machine.with_overrides(list(_ROOM)))
