"""What a compiled graph gives besides its program's results: arguments that it returns as they are,
and arguments that it writes, whose new values are results. Neither is copied, as AOTAutograd or the
program would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import fx

from trainyard.torch import buffers
from trainyard.torch.buffers import Buffer
from trainyard.torch.host_tensors import host_tensors
from trainyard.torch.tensor import NeuronTensor

_COPY = torch.ops.aten.copy_.default


@dataclass(frozen=True)
class Returned:
    """An argument that a graph returns, by place."""

    place: int


@dataclass(frozen=True)
class Outputs:
    """`order`: for each output of the graph what it is: Returned, nothing computed (None or a
    number), or the next result of the program; `written`: the places of arguments that the results
    behind these are the new values of."""

    order: tuple[Any, ...]
    written: tuple[int, ...]

    def count(self) -> int:
        """Of results that are outputs."""
        return sum(isinstance(each, fx.Node) for each in self.order)

    @cached_property
    def are_results(self) -> bool:
        """Whether each output is a result of the program."""
        return self.count() == len(self.order)

    def all_of(self, given: Sequence[Any], made: Sequence[Any]) -> list[Any]:
        """The outputs, of a call's arguments and results."""
        if self.are_results:
            return list(made[: len(self.order)])
        results = iter(made)
        return [
            given[each.place]
            if isinstance(each, Returned)
            else next(results)
            if isinstance(each, fx.Node)
            else each
            for each in self.order
        ]


def take(graph: fx.GraphModule) -> Outputs:
    """Takes the copies to arguments and the returned arguments out of a graph."""
    nodes = list(graph.graph.nodes)
    places = {node: i for i, node in enumerate(n for n in nodes if n.op == "placeholder")}
    written: dict[fx.Node, fx.Node] = {}
    for node in nodes:
        if node.target is _COPY and node.args[0] in places:
            target, value = node.args[:2]
            written[target] = value  # the last one counts
            node.replace_all_uses_with(value)
            graph.graph.erase_node(node)
    output = next(node for node in reversed(nodes) if node.op == "output")
    order = tuple(
        Returned(places[each])
        if isinstance(each, fx.Node) and each in places and each not in written
        else each
        for each in output.args[0]
    )
    made = [each for each in order if isinstance(each, fx.Node)]
    output.args = ((*made, *written.values()),)
    graph.recompile()
    return Outputs(order, tuple(places[target] for target in written))


def write(target: torch.Tensor, buffer: Buffer) -> None:
    """Gives an argument its new value; no gradient is recorded."""
    if isinstance(target, NeuronTensor):
        target.write(buffer)
        return
    target.copy_(buffers.to_host(buffer))
    host_tensors.keep(target, buffer)
