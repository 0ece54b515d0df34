"""How long the kernels of the running case took, apart from what the checkout does around them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

_spent = 0.0


def timed(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, whose time counts as the kernel's."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        global _spent
        began = time.monotonic()
        try:
            return f(*args, **kwargs)
        finally:
            _spent += time.monotonic() - began

    return wrapper


def taken() -> float:
    """Seconds since the last call; starts again at 0."""
    global _spent
    result, _spent = _spent, 0.0
    return round(result, 2)
