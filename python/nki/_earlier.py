"""What earlier releases of NKI made of the arguments of instructions, whose definitions name these
functions (isa::Earlier)."""

from __future__ import annotations

from typing import Any

from trainyard._core import TensorView

from nki import _level
from nki._enums import engine as engines


def padded(dst: Any, src: Any) -> Any:
    """dst of dma_transpose; releases before NKI 0.4 gave it dimensions of one up to src's rank."""
    both = isinstance(dst, TensorView) and isinstance(src, TensorView)
    if not both or _level.is_since("0.4"):
        return dst
    for d, extent in enumerate([src.shape[-1], *src.shape[1:-1], src.shape[0]]):
        lacks_it = d >= dst.ndim or dst.shape[d] != extent
        if d > 0 and extent == 1 and lacks_it and dst.ndim < src.ndim:
            dst = dst.expand_dim(d)
    return dst


def honoured(engine: Any) -> Any:
    """The engine that nc_transpose asks for; releases before NKI 0.4 ignored it."""
    return engine if _level.is_since("0.4") else engines.unknown
