"""Lists of numbers as indices in a graph of Dynamo's: `x[..., [-2], :]`. PyTorch makes a tensor of
the device of them while it traces, where only tensors without values may be; here the graph makes
it, as of torch.tensor.
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import fx

from trainyard.torch.tensor import DEVICE, listless

_TARGETS = (operator.getitem, operator.setitem)


def make_tensors(module: fx.GraphModule) -> None:
    """Replaces such lists, where they are indices of tensors of the device."""
    changed = False
    for node in list(module.graph.nodes):
        if node.op != "call_function" or node.target not in _TARGETS or not _has_list(node.args[1]):
            continue
        source = node.args[0]
        value = source.meta.get("example_value") if isinstance(source, fx.Node) else None
        if isinstance(value, torch.Tensor) and value.device.type == DEVICE:
            with module.graph.inserting_before(node):
                index = listless(node.args[1], lambda each: _tensor(module.graph, each))
            node.args = (source, index, *node.args[2:])
            changed = True
    if changed:
        module.recompile()


def _has_list(index: Any) -> bool:
    if isinstance(index, tuple):
        return any(_has_list(each) for each in index)
    return isinstance(index, list) and not any(isinstance(each, fx.Node) for each in index)


def _tensor(graph: fx.Graph, numbers: list[Any]) -> fx.Node:
    kind = None if numbers else torch.int64
    return graph.call_function(torch.tensor, (list(numbers),), {"dtype": kind, "device": DEVICE})
