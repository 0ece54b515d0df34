"""Operators of others: those that Python functions make (torch.library.custom_op), whose functions
are made of operators of the device, and torchvision's.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import torch

from trainyard.torch import counted

_ANY = torch._C.DispatchKey.CompositeExplicitAutograd
_OURS = ("aten", "prims", "trainyard", "transformers")


def _roi_align(*args: Any) -> Any:
    module = importlib.import_module("torchvision.ops.roi_align")  # not the function of that name
    function = module._roi_align  # its own decomposition, which it compiles where it uses it
    return getattr(function, "__wrapped__", function)(*args)


VISION = "torchvision"
_DECOMPOSED = {"roi_align": _roi_align}
_libraries: list[torch.library.Library] = []
SPECIAL = {f"{VISION}::nms": counted.suppress}  # in eager mode, by name


def tell(_: ModuleType) -> None:
    """Puts the operators of torchvision, which has been imported, in front of autograd, which then
    sees those that they are made of."""
    library = torch.library.Library(VISION, "IMPL")
    for name, function in _DECOMPOSED.items():
        library.impl(name, function, "AutogradPrivateUse1")
    _libraries.append(library)


def body_of(overload: Any) -> Callable[..., Any] | None:
    """What computes an operator that somebody made of other operators."""
    if overload.namespace in _OURS:
        return None
    if overload.namespace == VISION:
        return _DECOMPOSED.get(overload._schema.name.removeprefix(f"{VISION}::"))
    if not overload.has_kernel_for_dispatch_key(_ANY):
        return None
    return partial(overload._op_dk, _ANY)


def bodies() -> dict[Any, Callable[..., Any]]:
    """Of those that there are now, by overload."""
    overloads = [each._opoverload for each in torch._library.custom_ops.OPDEFS.values()]
    if hasattr(getattr(torch.ops, VISION), "roi_align"):
        overloads += [getattr(getattr(torch.ops, VISION), name).default for name in _DECOMPOSED]
    return {overload: body for overload in overloads if (body := body_of(overload))}
