"""Where torch.compile cuts a function into several graphs, why, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from trainyard.torch import programs


@dataclass(frozen=True)
class Break:
    """`place`: FILE:LINE in function; `bytes`: of the tensors that the graph before it leaves in
    HBM for what comes after."""

    place: str
    reason: str
    bytes: int


@dataclass(frozen=True)
class Explanation:
    """`seconds`: simulated, of each launch; one more launch for each break."""

    graphs: int
    breaks: list[Break]
    seconds: list[float]

    @property
    def text(self) -> str:
        """For people."""
        total = sum(self.seconds)
        lines = [
            f"{self.graphs} graphs, {len(self.seconds)} launches, {total * 1e6:.3f} us simulated"
        ]
        for each in self.breaks:
            lines.append(f"{each.place}: {each.bytes:,} bytes pass: {each.reason}")
        return "\n".join(lines)


def explain(function: Callable[..., Any]) -> Callable[..., Explanation]:
    """A function of the same arguments that tells of one call: graphs, breaks with line and
    reason, and the launches' simulated seconds."""

    def told(*args: Any, **kwargs: Any) -> Explanation:
        torch._dynamo.reset()
        found = torch._dynamo.explain(function)(*args, **kwargs)
        torch._dynamo.reset()
        compiled = torch.compile(function, backend="neuron")
        with torch.no_grad(), programs.timing() as launches:
            compiled(*args, **kwargs)
        reasons = [each for each in found.break_reasons if each.graph_break]
        passed = [_bytes(graph) for graph in found.graphs] + [0] * len(reasons)
        breaks = [
            Break(_place(each), each.reason.strip().splitlines()[0], size)
            for each, size in zip(reasons, passed, strict=False)
        ]
        return Explanation(found.graph_count, breaks, [each.seconds for each in launches])

    return told


def _place(reason: Any) -> str:
    frame = reason.user_stack[-1]
    return f"{frame.filename}:{frame.lineno} in {frame.name}"


def _bytes(graph: torch.fx.GraphModule) -> int:
    """Of the graph's results."""
    output = next(node for node in graph.graph.nodes if node.op == "output")
    made = [node.meta.get("example_value") for node in output.all_input_nodes]
    return sum(x.numel() * x.itemsize for x in made if isinstance(x, torch.Tensor))
