"""What PyTorch's schemas say of an operator: what it writes, and which operator gives the same
without writing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import torch

VIEWS_IN_PLACE = {
    f"aten::{name}_"
    for name in ["squeeze", "unsqueeze", "transpose", "t", "swapaxes", "swapdims", "as_strided"]
}


_BITS = {
    "__iand__": "bitwise_and",
    "__ior__": "bitwise_or",
    "__ixor__": "bitwise_xor",
    "__ilshift__": "__lshift__",
    "__irshift__": "__rshift__",
}
_FACTORY = ("dtype", "layout", "device", "pin_memory")


_RANDOM_LIMITS = {"from": "low_dtype", "to": "default"}


def _kind(argument: Any) -> str:
    """An argument's type, without the mark of one that is written or left out."""
    kind = re.sub(r"\(\w+!?\)", "", str(argument.type))
    return re.sub(r"^Optional\[(.*)\]$", r"\1", kind).removesuffix("?")


@cache
def functional(overload: Any) -> Any:
    """The operator that gives what this one writes; None where there is none."""
    space, name = overload._schema.name.split("::")
    packets = getattr(torch.ops, space)
    renamed = {"normal_": "normal_functional", "_native_batch_norm_legit": None}
    if renamed.get(name):
        return getattr(packets, renamed[name]).default
    if overload._overloadname == "float" and name == "bernoulli_":
        return packets.bernoulli.p
    if name in _BITS:
        return getattr(getattr(packets, _BITS[name]), overload._overloadname)
    if name == "random_" and overload._overloadname in ("from", "to"):
        # A graph's code cannot say `random.from`.
        return getattr(packets.randint_like, _RANDOM_LIMITS[overload._overloadname])
    wanted = [
        (argument.name, _kind(argument))
        for argument in overload._schema.arguments
        if not (argument.is_out and argument.alias_info is not None)
    ]
    for candidate in (name.removesuffix("_"), name, f"{name}_functional"):
        packet = getattr(packets, candidate, None)
        if packet is None:
            continue
        for each in [overload._overloadname, *packet.overloads()]:
            found = getattr(packet, each, None)
            if found is None or found._schema.is_mutable:
                continue
            names = [(a.name, _kind(a)) for a in found._schema.arguments]
            if names == wanted or [n for n in names if n[0] not in _FACTORY] == wanted:
                return found
    return None


@cache
def written(overload: Any) -> list[int]:
    """Which arguments an operator writes, but for those named `out`."""
    return [
        i
        for i, argument in enumerate(overload._schema.arguments)
        if argument.alias_info is not None and argument.alias_info.is_write and not argument.is_out
    ]


@cache
def decomposes(overload: Any) -> bool:
    """Whether it is made of others, even where autograd does not see to it (inference mode)."""
    return overload.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd)
