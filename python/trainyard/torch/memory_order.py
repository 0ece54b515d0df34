"""as_strided names places in memory, and a program's values have none: what it takes is turned
first, so that its elements are in the order in which PyTorch has them in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import fx

from trainyard.torch.errors import TorchError
from trainyard.torch.lowering import place_of

_A = torch.ops.aten
_READS = (_A.as_strided.default, torch.ops.prims.as_strided.default)
_WRITES = _A.as_strided_scatter.default


def make_plain(module: fx.GraphModule) -> None:
    """Of a graph without sizes that change. Raises TorchError "torch.view" where places are asked
    for that are not among the elements of a tensor."""
    for node in module.graph.nodes:
        if node.target in _READS:
            _plain_read(module.graph, node)
        elif node.target is _WRITES:
            _plain_write(module.graph, node)
    module.recompile()


def _plain_read(graph: fx.Graph, node: fx.Node) -> None:
    source, size, stride, offset = _asked(node, 1)
    found = source
    while not _holds(found, size, stride, offset):
        viewed = _viewed(found)
        found = viewed if viewed is not None else _refuse(node, source)
    if _is_plain(found):
        node.args = (found, size, stride, offset)
    else:
        place = offset - found.meta["val"].storage_offset()
        node.args = (_turned(graph, node, found, _order(found)), size, stride, place)
    node.kwargs = {}


def _plain_write(graph: fx.Graph, node: fx.Node) -> None:
    source, size, stride, offset = _asked(node, 2)
    if not _holds(source, size, stride, offset):
        _refuse(node, source)
    if _is_plain(source):
        node.args = (source, node.args[1], size, stride, offset)
        node.kwargs = {}
        return
    order = _order(source)
    turned = _turned(graph, node, source, order)
    place = offset - source.meta["val"].storage_offset()
    with graph.inserting_before(node):
        made = graph.call_function(_WRITES, (turned, node.args[1], size, stride, place))
    made.meta = dict(node.meta, val=turned.meta["val"])
    back = _turned(graph, node, made, [order.index(i) for i in range(len(order))])
    node.replace_all_uses_with(back)
    graph.erase_node(node)


def _asked(node: fx.Node, first: int) -> tuple[Any, Any, Any, int]:
    """The source, then size, stride and place, which are the arguments from the first one on."""
    names = ("size", "stride", "storage_offset")
    given = dict(zip(names, node.args[first:], strict=False)) | dict(node.kwargs)
    source: Any = node.args[0]
    offset = given.get("storage_offset")
    if offset is None:
        offset = source.meta["val"].storage_offset()
    return source, given["size"], given["stride"], offset


def _holds(node: fx.Node, size: Sequence[int], stride: Sequence[int], offset: int) -> bool:
    value = node.meta["val"]
    place = offset - value.storage_offset()
    return holds(value.shape, value.stride(), size, stride, place)


def holds(
    shape: Sequence[int],
    strides: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int],
    place: int,
) -> bool:
    """Whether the places that as_strided asks for are all of the tensor's, whose elements have no
    gaps between them; `place` counts from its first element."""
    tensor = torch.empty_strided(shape, strides, device="meta")
    if not _A.is_non_overlapping_and_dense(tensor):
        return False
    last = place + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    return 0 in size or (place >= 0 and last < tensor.numel())


def _is_plain(node: fx.Node) -> bool:
    value = node.meta["val"]
    return value.is_contiguous() and value.storage_offset() == 0


def _viewed(node: fx.Node) -> fx.Node | None:
    """What the node is a view of."""
    base = node.args[0] if node.args else None
    if not isinstance(base, fx.Node) or not isinstance(base.meta.get("val"), torch.Tensor):
        return None
    storages = [each.meta["val"].untyped_storage()._cdata for each in (node, base)]
    return base if storages[0] == storages[1] else None


def _order(node: fx.Node) -> list[int]:
    value = node.meta["val"]
    return order_of(value.shape, value.stride())


def order_of(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The dimensions, from the one with the largest stride on."""
    return sorted(range(len(shape)), key=lambda i: (-strides[i], -shape[i]))


def _turned(graph: fx.Graph, node: fx.Node, source: fx.Node, order: Sequence[int]) -> fx.Node:
    with graph.inserting_before(node):
        made = graph.call_function(_A.permute.default, (source, list(order)))
    made.meta = dict(node.meta, val=source.meta["val"].permute(order))
    return made


def _refuse(node: fx.Node, source: fx.Node) -> Any:
    value = source.meta["val"]
    refuse(node, value.shape, value.stride())


def refuse(node: fx.Node, shape: Sequence[int], strides: Sequence[int]) -> None:
    """Raises TorchError: the node asks for other memory than that of such a tensor."""
    raise TorchError(
        "torch.view",
        "as_strided is of a tensor's own memory, without gaps",
        place_of(node),
        f"a tensor {list(shape)} of strides {list(strides)}",
        "as_strided of a clone() of it",
    )
