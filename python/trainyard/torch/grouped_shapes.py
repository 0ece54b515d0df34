"""Shapes of torch.nn.functional.grouped_mm while programs of this device are traced. PyTorch 2.13
knows them of bfloat16 alone, though its CPU and this device compute other types, too. What others
trace, for other backends and devices, has PyTorch's own rule.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

DEVICE = "neuron"
backends: list[Any] = []  # the functions that torch.compile calls for this device
_A = torch.ops.aten
_depth = 0


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """In the block, what is traced becomes a program of this device."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _forget()


def shape(
    a: torch.Tensor,
    b: torch.Tensor,
    offs: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """A tensor without values of the result's shape. Raises PyTorch's errors."""
    from torch._meta_registrations import meta_grouped_mm

    if a.dtype != b.dtype or not a.dtype.is_floating_point:
        return meta_grouped_mm(a, b, offs, bias, out_dtype)  # its error
    given = [x if x is None else x.to(torch.bfloat16) for x in (a, b, bias)]
    return meta_grouped_mm(*given[:2], offs, given[2], None).to(out_dtype or a.dtype)


def _is_ours(tensors: Any) -> bool:
    """Whether the device or its backend asks."""
    if _depth or any(isinstance(x, torch.Tensor) and x.device.type == DEVICE for x in tensors):
        return True
    return _is_backends()


def _is_backends() -> bool:
    """Whether Dynamo traces for the backend neuron."""
    from torch._guards import TracingContext

    if TracingContext.try_get() is None:
        return False
    from torch._dynamo.symbolic_convert import InstructionTranslator

    try:
        compiler: Any = InstructionTranslator.current_tx().output.compiler_fn
    except AttributeError:  # Dynamo is not at it
        return False
    while compiler is not None and compiler not in backends:
        inner = getattr(compiler, "_torchdynamo_orig_backend", None)
        compiler = inner or getattr(compiler, "compiler_fn", None)
    return compiler is not None


def _of_fake(mode: Any, overload: Any, *args: Any, **kwargs: Any) -> Any:
    if not _is_ours((*args, *kwargs.values())):
        return NotImplemented
    with mode:
        return shape(*args, **kwargs)


def _forget() -> None:
    """Shapes that PyTorch kept: other backends are to ask again."""
    from torch._subclasses import FakeTensorMode

    kept = FakeTensorMode.cache
    for key in [key for key in kept if key.key[0] is _A._grouped_mm.default]:
        del kept[key]


def register() -> None:
    """Before the first trace."""
    from torch._subclasses.fake_impls import register_op_impl

    register_op_impl(_A._grouped_mm.default)(_of_fake)
