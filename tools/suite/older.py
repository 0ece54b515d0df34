"""What NKI 0.3 removed and kernels of NKI 0.2 still say, for checkouts that are as old as that."""

from __future__ import annotations

from typing import Any


def accept() -> None:
    """Lets nki.jit take a platform_target, which the tool has chosen, and tensor_copy a dtype."""
    import nki
    import nki.isa as nisa

    jit, copy = nki.jit, nisa.tensor_copy

    def jit_with_target(fn: Any = None, *, platform_target: object = None, **kwargs: Any) -> Any:
        return jit(fn, **kwargs)

    def tensor_copy(dst: Any, src: Any, *args: Any, dtype: object = None, **kwargs: Any) -> Any:
        assert dtype is None or str(dtype) == str(dst.dtype), "dtype is that of dst"
        return copy(dst, src, *args, **kwargs)

    nki.jit, nisa.tensor_copy = jit_with_target, tensor_copy
