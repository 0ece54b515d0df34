"""How a graph is divided into its forward and its backward pass: as PyTorch's default does, but for
views. A view that the backward pass reads is taken again there, so that what it is a view of is
kept, which a parameter is anyway; kept itself, it would be another copy in HBM.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import fx, ops
from torch._functorch.partitioners import default_partition

# Views of all elements: what they are of is no larger.
_VIEWS = {
    getattr(getattr(ops.aten, packet), overload)
    for packet, overload in (
        ("alias", "default"),
        ("detach", "default"),
        ("expand", "default"),
        ("permute", "default"),
        ("squeeze", "default"),
        ("squeeze", "dim"),
        ("squeeze", "dims"),
        ("t", "default"),
        ("transpose", "int"),
        ("unsqueeze", "default"),
        ("view", "default"),
        ("_unsafe_view", "default"),
    )
}


def partition(
    joint: fx.GraphModule, inputs: Sequence[Any], **rest: Any
) -> tuple[fx.GraphModule, fx.GraphModule]:
    """The forward pass and the backward pass of a graph of both."""
    _take_views_again(joint.graph)
    return default_partition(joint, inputs, **rest)


def _take_views_again(graph: fx.Graph) -> None:
    nodes = list(graph.nodes)
    forward = [node for node in nodes if node.meta.get("partitioner_tag") == "is_forward"]
    if not forward:
        return
    begin = nodes.index(forward[-1]) + 1
    again: dict[fx.Node, fx.Node] = {}
    earlier = set(nodes[:begin])
    for node in nodes[begin:]:
        if node.op == "output":
            continue

        def taken(view: fx.Node, before: fx.Node = node) -> fx.Node:
            if view not in earlier or view.target not in _VIEWS:
                return view
            if view not in again:
                source = taken(view.args[0])
                with graph.inserting_before(before):
                    again[view] = graph.create_node(
                        view.op, view.target, (source, *view.args[1:]), view.kwargs
                    )
                again[view].meta = {**view.meta, "partitioner_tag": "is_backward"}
            return again[view]

        for each in node.all_input_nodes:
            if (view := taken(each)) is not each:
                node.replace_input_with(each, view)
