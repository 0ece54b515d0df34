"""Shapes and types of the results of operators in eager mode, as tensors without values. PyTorch's
functions of shapes take most of an operator's time, so what they gave is kept by the kinds of
arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

from trainyard.torch import grouped_shapes
from trainyard.torch.decomposed import own
from trainyard.torch.errors import Refusal, TorchError
from trainyard.torch.places import users_frame
from trainyard.torch.queue import LIFTED
from trainyard.torch.tensor import NeuronTensor

_A = torch.ops.aten
KEPT_MAX = 1 << 14
_kept: dict[Any, Any] = {}


def of_argument(x: Any) -> Any:
    """Tensors without values, of the same shapes."""
    if isinstance(x, NeuronTensor):
        return x._meta
    if isinstance(x, torch.Tensor):
        return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")
    if isinstance(x, torch.device):
        return torch.device("meta")
    return None if isinstance(x, torch.Generator) else x


def without_marks(meta: torch.Tensor) -> torch.Tensor:
    """The same without PyTorch's marks of what is conjugated or negated when it is read: the
    device's values are as they are."""
    if not (meta.is_conj() or meta.is_neg()):
        return meta
    place = meta.storage_offset()
    reach = sum((n - 1) * step for n, step in zip(meta.shape, meta.stride(), strict=True)) + 1
    whole = torch.empty(place + max(reach, 0), dtype=meta.dtype, device="meta")
    return whole.as_strided(meta.shape, meta.stride(), place)


def mapped(function: Callable[[Any], Any], x: Any) -> Any:
    """The function of what an argument holds."""
    if isinstance(x, (list, tuple)):
        return [mapped(function, each) for each in x]
    return function(x)


def of_results(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """One, or a list of them; None where the operator gives none."""
    counts = str(overload) not in LIFTED  # whether results' shapes may depend on a float
    key = (
        overload,
        _kind_of(args, counts),
        tuple([(name, _kind_of(value, counts)) for name, value in kwargs.items()]),
        torch.get_default_dtype(),
    )
    made = _kept.get(key)
    if made is None:
        with _disable_current_modes():  # what is kept is of no mode
            made = ask(overload, args, kwargs)
        if len(_kept) >= KEPT_MAX:
            _kept.clear()
        _kept[key] = made
    return made


def _kind_of(x: Any, floats_count: bool) -> Any:
    """What the shapes and types of results may depend on."""
    if isinstance(x, torch.Tensor):
        meta = x._meta if isinstance(x, NeuronTensor) else x
        return meta.shape, meta.stride(), meta.storage_offset(), meta.dtype
    if isinstance(x, (list, tuple)):
        return tuple([_kind_of(each, floats_count) for each in x])
    if isinstance(x, float) and not floats_count:
        return float
    if isinstance(x, (int, float)):  # 1, 1.0 and True are not the same
        return type(x), x
    return None if isinstance(x, torch.Generator) else x


def ask(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """The same from PyTorch. Raises TorchError."""
    given = mapped(of_argument, args)
    named = {name: mapped(of_argument, value) for name, value in kwargs.items()}
    try:
        made = _SHAPES.get(overload, overload)(*given, **named)
    except NotImplementedError:  # PyTorch knows no shapes of it; what computes it does
        decomposition = own().get(overload)
        if decomposition is None:
            raise _unknown(overload) from None
        made = decomposition(*given, **named)
    except Refusal as refusal:
        raise _refused(overload, refusal) from None
    if isinstance(made, (bool, int)):  # what the shapes say
        return made
    if isinstance(made, (list, tuple)):
        return [_own(each) for each in made]
    return _own(made)


# Where PyTorch knows the shapes of fewer types than the device computes.
_SHAPES = {_A._grouped_mm.default: grouped_shapes.shape}


def _unknown(overload: Any) -> TorchError:
    rule = "an operator that the table has, or that PyTorch decomposes into such"
    fix = "write it with other operators, or compute it on the host: x.cpu()"
    return _error(rule, str(overload), fix)


def _refused(overload: Any, refusal: Refusal) -> TorchError:
    return _error(f"{overload} as the machine computes it", refusal.found, refusal.fix)


def _error(rule: str, found: str, fix: str) -> TorchError:
    file, line, name = users_frame()
    return TorchError("torch.operator", rule, f"{file}:{line} in {name}", found, fix)


def _own(meta: Any) -> torch.Tensor | None:
    if meta is None:
        return None
    if not isinstance(meta, torch.Tensor):
        raise TorchError(
            "torch.operator",
            "an operator of the device gives tensors",
            "eager mode",
            repr(meta),
            "copy the tensor to the host first: x.cpu()",
        )
    return without_marks(meta)
