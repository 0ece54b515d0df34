"""Operators that run functions, outside of programs (control.py writes them in programs).

torch.nn.attention.flex_attention: PyTorch checks devices by a list of names, and keeps the
attention as one operator, which runs its functions of scores and masks. Here it becomes the
operators that it means, before gradients are made of them. In the eager mode torch.cond and
torch.while_loop run what the numbers of the device say, which the host reads.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import fx
from torch.utils._pytree import tree_flatten

from trainyard.torch.tensor import DEVICE, NeuronTensor

MODULE = "torch.nn.attention.flex_attention"


def expand(module: fx.GraphModule) -> None:
    """Replaces each attention of a graph, and of the graphs that its operators run."""
    for graph in module.modules():
        if not isinstance(graph, fx.GraphModule):
            continue
        found = [node for node in graph.graph.nodes if _is_attention(node.target)]
        for node in found:
            node.target = _attend
        if found:
            graph.recompile()


def _is_attention(target: Any) -> bool:
    return isinstance(target, torch._ops.HigherOrderOperator) and target.name() == "flex_attention"


def _attend(*args: Any, **kwargs: Any) -> Any:
    from torch._higher_order_ops.flex_attention import sdpa_dense

    return sdpa_dense(*args, **kwargs)


def _cond(predicate: Any, on_true: Any, on_false: Any, operands: Any = ()) -> Any:
    return (on_true if bool(predicate) else on_false)(*operands)


def _while_loop(goes_on: Any, body: Any, carried: Any, additional: Any = ()) -> Any:
    while bool(goes_on(*carried, *additional)):
        carried = tuple(body(*carried, *additional))
    return carried


def register() -> None:
    """Rules for tensors of the device; Dynamo is imported, and with it the operators."""
    import torch._higher_order_ops

    autograd = torch._C.DispatchKey.Autograd
    for name, rule in (("cond", _cond), ("flex_attention", _attend), ("while_loop", _while_loop)):
        operator = getattr(torch.ops.higher_order, name)
        operator.py_impl(NeuronTensor)(rule)
        above = _unless_traced(rule, operator.py_kernels[autograd])
        operator.py_impl(torch._C.DispatchKey.AutogradPrivateUse1)(above)


def _unless_traced(rule: Callable[..., Any], traced: Callable[..., Any]) -> Callable[..., Any]:
    """The rule, whose operators have gradients of their own; tracing sees no numbers."""

    def run(*args: Any) -> Any:
        tensors = [x for x in tree_flatten(args)[0] if isinstance(x, torch.Tensor)]
        is_ours = all(type(x) is NeuronTensor or x.device.type != DEVICE for x in tensors)
        return (rule if is_ours else traced)(*args)

    return run


def admit_device(module: ModuleType) -> None:
    """Tells the module that was imported of the device."""
    module._validate_device = _unless_ours(module._validate_device)


def _unless_ours(validate: Callable[..., None]) -> Callable[..., None]:
    def validate_device(query: Any, key: Any, value: Any) -> None:
        if query.device.type != DEVICE:
            validate(query, key, value)

    return validate_device
