"""Computes a graph of symbolic sizes at the sizes of a bucket: as operators of fixed shapes, with
masks where elements behind the end of a dimension would count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import sympy
import torch
from torch import fx
from torch.fx import traceback as fx_traceback

from trainyard.torch.padding.factors import (
    Dim,
    Dims,
    Factor,
    Unpadded,
    any_padded,
    extent_of,
    is_padded,
    plain,
    plain_dims,
)

_KEPT = ("stack_trace", "nn_module_stack", "fwd_nn_module_stack", "original_aten")


class Padded:
    """A value at the sizes of the bucket, and how its dimensions are made."""

    __slots__ = ("dims", "tensor")

    def __init__(self, tensor: torch.Tensor, dims: Dims) -> None:
        if tuple(tensor.shape) != tuple(1 if d is None else extent_of(d) for d in dims) and not any(
            d is None for d in dims
        ):
            raise Unpadded(f"sizes {list(tensor.shape)} that do not follow from the buckets'")
        self.tensor = tensor
        self.dims = dims

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def padded(self) -> bool:
        return any_padded(self.dims)


class Interpreter:
    """`names`: which symbol stands for each of the graph's, those of equal value for one;
    `extents`: the bucket of each that is padded. Symbols without one are numbers in `names`.
    `given`: those whose sizes a call of this graph knows."""

    def __init__(
        self,
        graph: fx.GraphModule,
        names: dict[sympy.Symbol, sympy.Expr],
        extents: dict[sympy.Symbol, sympy.Integer],
        known: dict[str, Dims],
        given: Collection[sympy.Symbol],
        apply: Callable[..., Any],
    ) -> None:
        self.apply = apply  # computes one operator: trainyard.torch.padding.rules
        self.graph = graph
        self.names = names
        self.extents = extents
        self.known = known  # of values that pass from one graph to another, by name
        self.order = [name for name in extents if name in given]
        self._counts: torch.Tensor | None = None
        self.inputs: list[Dims] = []
        self.outputs: list[Dims] = []

    # Sizes

    def expression(self, size: Any) -> sympy.Expr:
        """A size of the graph in the symbols that count."""
        if isinstance(size, (torch.SymInt, torch.SymFloat)):
            return sympy.sympify(size.node.expr).xreplace(self.names)
        return sympy.sympify(size)

    def extent(self, size: Any) -> int:
        """A size at the bucket."""
        made = sympy.sympify(self.expression(size).xreplace(self.extents))
        if not made.is_integer or made.free_symbols:
            raise Unpadded(f"a size {made} that is no number of the bucket's")
        return int(made)

    def sizes(self, x: Any) -> Any:
        """Arguments of an operator: tensors, and sizes at the bucket."""
        if isinstance(x, Padded):
            return x.tensor
        if isinstance(x, torch.SymInt):
            return self.extent(x)
        if isinstance(x, torch.SymFloat):
            return self.constant(x)
        if isinstance(x, (list, tuple)):
            return [self.sizes(each) for each in x]
        return x

    def constant(self, x: Any) -> Any:
        """A size that is the same in every call."""
        if not isinstance(x, (torch.SymInt, torch.SymFloat)):
            return x
        made = self.expression(x)
        if made.free_symbols:
            raise Unpadded(f"an operator of the number {made}")
        return int(made) if isinstance(x, torch.SymInt) else float(made)

    def is_variable(self, size: Any) -> bool:
        return bool(self.expression(size).free_symbols)

    def dim_of(self, size: Any) -> Dim:
        """How a new dimension of this size is made; None where several ways are possible."""
        made = self.expression(size)
        if not made.free_symbols:
            return plain(int(made))
        if len(made.free_symbols) == 1:
            (symbol,) = made.free_symbols
            if sympy.expand(made - symbol).is_number or made.has(sympy.floor):
                return (Factor(self.extent(size), made),)
            floors = [each for each in sympy.preorder_traversal(made) if "Floor" in str(each.func)]
            if floors:
                return (Factor(self.extent(size), made),)
        return None

    def dims_of(self, shape: Sequence[Any]) -> Dims:
        return tuple(self.dim_of(size) for size in shape)

    def known_dims(self, shape: Sequence[Any]) -> Dims:
        """The same, of dimensions that can be made in one way only."""
        dims = self.dims_of(shape)
        if any(dim is None for dim in dims):
            raise Unpadded("a dimension that is a product of sizes")
        return dims

    # Values

    def count(self, expression: Any) -> torch.Tensor:
        """A real size, as a number of the running program (int32)."""
        return self._number(self.expression(expression))

    def _number(self, e: sympy.Expr) -> torch.Tensor:
        if e.is_Symbol:
            assert self._counts is not None
            return self._counts[self.order.index(e)]
        if e.is_Integer:
            return torch.full((), int(e), dtype=torch.int32)
        if e.is_Number:
            return torch.full((), float(e), dtype=torch.float32)
        parts = [self._number(each) for each in e.args]
        if e.is_Add or e.is_Mul:
            made = parts[0]
            for part in parts[1:]:
                made = made + part if e.is_Add else made * part
            return made
        name = e.func.__name__
        if name in ("FloorDiv", "CleanDiv"):
            return torch.div(parts[0], parts[1], rounding_mode="floor")
        if name in ("IntTrueDiv", "FloatTrueDiv"):
            return parts[0].float() / parts[1].float()
        if name in ("Mod", "PythonMod"):
            return torch.remainder(parts[0], parts[1])
        if name == "ToFloat":
            return parts[0].float()
        if e.is_Pow and e.exp.is_Integer:
            made = parts[0].float() ** int(e.exp)
            return made.to(torch.int32) if e.exp > 0 else made
        raise Unpadded(f"a number {e} of sizes")

    def mask(self, dim: Dim) -> torch.Tensor:
        """Which elements of a dimension count: bool, of its extent."""
        if dim is None:
            raise Unpadded("a dimension whose parts are not known")
        made = None
        for i, factor in enumerate(dim):
            if factor.count is None:
                continue
            inside = torch.arange(factor.extent, dtype=torch.int32) < self.count(factor.count)
            inside = inside.reshape([-1 if j == i else 1 for j in range(len(dim))])
            made = inside if made is None else torch.logical_and(made, inside)
        extents = [factor.extent for factor in dim]
        if made is None:
            return torch.ones(extent_of(dim), dtype=torch.bool)
        return made.expand(extents).reshape(extent_of(dim))

    def masked(self, x: Padded, dims: Sequence[int], value: Any) -> torch.Tensor:
        """The tensor with `value` behind the end of these dimensions."""
        made = x.tensor
        for dim in dims:
            if is_padded(x.dims[dim]):
                inside = self.mask(x.dims[dim])
                inside = inside.reshape([-1 if i == dim else 1 for i in range(x.rank)])
                filler = torch.full((), value, dtype=made.dtype)
                made = torch.where(inside, made, filler)
        return made

    # The graph

    def run(self, *given: torch.Tensor) -> list[torch.Tensor]:
        """The graph's results, of its arguments and of `attributes`; the last argument has the real
        sizes, where there are any."""
        if self.order:
            self._counts = given[-1]
        values: dict[fx.Node, Any] = {}
        tensors = iter(given)
        self.inputs, self.outputs = [], []
        results: list[torch.Tensor] = []
        for node in self.graph.graph.nodes:
            val = node.meta.get("val")
            if node.op == "placeholder":
                if isinstance(val, torch.Tensor):
                    dims = self.input_dims(node)
                    self.inputs.append(dims)
                    values[node] = Padded(next(tensors), dims)
                else:
                    values[node] = val
            elif self._is_graph(node):
                values[node] = _on_host(getattr(self.graph, node.target))
            elif node.op == "get_attr":
                tensor = next(tensors)
                values[node] = Padded(tensor, plain_dims(tensor.shape))
            elif node.op == "output":
                for each in node.args[0]:
                    made = values[each] if isinstance(each, fx.Node) else None
                    if isinstance(made, Padded):
                        self.outputs.append(made.dims)
                        self.known[each.name] = made.dims
                        self.known[self._key(each.meta["val"].shape)] = made.dims
                        results.append(made.tensor.clone())
            else:
                for name in _KEPT:
                    if name in node.meta:
                        fx_traceback.current_meta[name] = node.meta[name]
                    else:
                        fx_traceback.current_meta.pop(name, None)
                values[node] = self.apply(self, node, values)
        if any(dim is None for dims in self.outputs for dim in dims):
            raise Unpadded("a result whose dimension is a product of sizes")
        return results

    def attributes(self) -> list[torch.Tensor]:
        """Tensors of the graph, which are arguments here."""
        nodes = self.graph.graph.nodes
        held = [node for node in nodes if node.op == "get_attr" and not self._is_graph(node)]
        return [getattr(self.graph, node.target) for node in held]

    def _is_graph(self, node: fx.Node) -> bool:
        """Whether it is what a loop or a branch runs."""
        return node.op == "get_attr" and isinstance(
            getattr(self.graph, node.target), torch.nn.Module
        )

    def input_dims(self, node: fx.Node) -> Dims:
        """Of an argument: as the graph before left it, or a result of the same sizes, else with
        what does not count behind what does."""
        shape = node.meta["val"].shape
        found = self.known.get(node.name) or self.known.get(self._key(shape))
        if found is not None:
            return found
        return tuple(
            (Factor(self.extent(size), self.expression(size)),) if dim is None else dim
            for dim, size in zip(self.dims_of(shape), shape, strict=True)
        )

    def _key(self, shape: Sequence[Any]) -> str:
        return str([self.expression(size) for size in shape])


def _on_host(module: fx.GraphModule) -> fx.GraphModule:
    """The same graph for the host's tensors, on which graphs are traced."""
    graph = fx.Graph()
    graph.output(graph.graph_copy(module.graph, {}))
    for node in graph.nodes:
        if isinstance(node.kwargs.get("device"), torch.device):
            node.kwargs = {**node.kwargs, "device": torch.device("cpu")}
    made = fx.GraphModule(module, graph)
    for name, child in module.named_children():
        if isinstance(child, fx.GraphModule):
            setattr(made, name, _on_host(child))
    return made
