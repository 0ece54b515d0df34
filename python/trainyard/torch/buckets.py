"""Graphs of sizes that change: one program for each bucket of sizes.

Dynamo finds sizes that change from call to call, and AOTAutograd keeps them symbols. A program is
compiled for the next power of two of each, and gets the real sizes as arguments; results are cut to
them. Where an operator has no rule for padded dimensions (trainyard.torch.padding), each size has
a program of its own, and `exact` has the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from trainyard.torch import buffers
from trainyard.torch.buffers import Buffer
from trainyard.torch.host_tensors import host_tensors
from trainyard.torch.padding import rules
from trainyard.torch.padding.factors import Dims, Unpadded, extent_of, is_padded, real_shape
from trainyard.torch.padding.interpreter import Interpreter
from trainyard.torch.programs import Graph
from trainyard.torch.queue import Deferred, trace
from trainyard.torch.tensor import NeuronTensor, Storage, on_device

exact: dict[str, str] = {}  # graphs that are compiled for each size, by name: why


def bucket_of(size: int) -> int:
    """The next power of two."""
    return 1 << (size - 1).bit_length()


def has_sizes(graph: fx.GraphModule) -> bool:
    """Whether the graph's arguments have sizes that are symbols."""
    for node in graph.graph.nodes:
        val = node.meta.get("val") if node.op == "placeholder" else None
        sizes = val.shape if isinstance(val, torch.Tensor) else [val]
        if any(isinstance(size, torch.SymInt) for size in sizes):
            return True
    return False


@dataclass
class Bucket:
    """Symbols of equal sizes have one name; `extents`: the padded size of each name."""

    names: dict[sympy.Symbol, sympy.Expr]
    extents: dict[sympy.Symbol, sympy.Integer]
    known: dict[str, Dims] = field(default_factory=dict)

    def fits(self, sizes: dict[sympy.Symbol, int]) -> bool:
        """Whether these sizes, of some of its symbols, are in this bucket."""
        found: dict[sympy.Expr, int] = {}
        for symbol, size in sizes.items():
            name = self.names.get(symbol)
            if name is None or self.extents.get(name) != bucket_of(size):
                return False
            if found.setdefault(name, size) != size:
                return False
        return len(set(found.values())) == len(found)


class Shared:
    """What the graphs of one function share, forward and backward: the buckets so far."""

    def __init__(self) -> None:
        self.buckets: list[Bucket] = []

    def bucket(self, sizes: dict[sympy.Symbol, int]) -> Bucket:
        for each in self.buckets:
            if each.fits(sizes):
                return each
        by_size: dict[int, sympy.Symbol] = {}
        names = {
            symbol: by_size.setdefault(size, symbol)
            for symbol, size in sorted(sizes.items(), key=str)
        }
        made = Bucket(
            names, {name: sympy.Integer(bucket_of(sizes[name])) for name in by_size.values()}
        )
        self.buckets.append(made)
        return made


@dataclass
class _Program:
    """`inputs`, `outputs`: how their dimensions are padded; `order`: the names whose sizes the
    program gets."""

    graph: Graph
    inputs: list[Dims]
    outputs: list[Dims]
    order: list[sympy.Symbol]
    attributes: list[Buffer]


class SizedGraph:
    """A graph of symbolic sizes as a function of a list of tensors and numbers."""

    def __init__(self, graph: fx.GraphModule, name: str, shared: Shared) -> None:
        self.graph = graph
        self.name = name
        self._shared = shared
        self._padded: dict[int, _Program | None] = {}  # by the place of the bucket
        self._exact: dict[tuple[tuple[sympy.Symbol, int], ...], _Program] = {}
        nodes = graph.graph.nodes
        self._inputs = [node.meta["val"] for node in nodes if node.op == "placeholder"]
        self._outputs = next(node for node in nodes if node.op == "output").args[0]

    def check(self) -> None:
        """Raises TorchError for what cannot be lowered, at the sizes of the first call."""
        sizes = {}
        for val in self._inputs:
            for size in [val] if not isinstance(val, torch.Tensor) else val.shape:
                if isinstance(size, torch.SymInt):
                    environment = size.node.shape_env
                    for symbol in size.node.expr.free_symbols:
                        sizes[symbol] = int(environment.backed_var_to_val[symbol])
        self._of_sizes(sizes).graph.check()

    def __call__(self, given: Sequence[Any]) -> list[Any]:
        """Results, of their real sizes: tensors where tracing saw tensors, sizes, None."""
        sizes = self._sizes(given)
        program = self._of_sizes(sizes)
        value = _evaluator(sizes)
        tensors = [
            torch.zeros(0) if x is None else x  # a token of PyTorch's, which holds nothing
            for val, x in zip(self._inputs, given, strict=True)
            if isinstance(val, torch.Tensor)
        ]
        padded = [_padded(x, dims, value) for x, dims in zip(tensors, program.inputs, strict=True)]
        arguments = [*padded, *program.attributes]
        if program.order:
            by_name = {self._name_of(s, program): size for s, size in sizes.items()}
            counts = torch.tensor([by_name[name] for name in program.order], dtype=torch.int32)
            arguments.append(buffers.from_host(counts))
        made = iter(zip(program.graph(arguments), program.outputs, strict=True))
        return [self._result(each, made, value) for each in self._outputs]

    def _name_of(self, symbol: sympy.Symbol, program: _Program) -> sympy.Expr:
        return program.graph.names[symbol]  # type: ignore[attr-defined]

    def _result(self, output: Any, made: Any, value: Callable[[Any], int]) -> Any:
        if not isinstance(output, fx.Node):
            return output
        meta = output.meta["val"]
        if not isinstance(meta, torch.Tensor):
            return value(meta)
        buffer, dims = next(made)
        return _cut(buffer, dims, meta, value)

    def _symbols(self) -> set[sympy.Symbol]:
        """Those whose sizes a call tells: of a backward pass fewer than of the forward pass."""
        sizes = [
            size
            for val in self._inputs
            for size in (val.shape if isinstance(val, torch.Tensor) else [val])
        ]
        symbolic = [size for size in sizes if isinstance(size, torch.SymInt)]
        return {size.node.expr for size in symbolic if size.node.expr.is_Symbol}

    def _sizes(self, given: Sequence[Any]) -> dict[sympy.Symbol, int]:
        """What each symbol of the arguments is in this call."""
        found: dict[sympy.Symbol, int] = {}
        for val, x in zip(self._inputs, given, strict=True):
            pairs = zip(val.shape, x.shape, strict=True) if isinstance(x, torch.Tensor) else ()
            for size, number in [*pairs] or [(val, x)]:
                if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                    found[size.node.expr] = int(number)
        return found

    def _of_sizes(self, sizes: dict[sympy.Symbol, int]) -> _Program:
        if self.name not in exact and all(size > 1 for size in sizes.values()):
            bucket = self._shared.bucket(sizes)
            key = self._shared.buckets.index(bucket)
            if key not in self._padded:
                self._padded[key] = self._try(bucket)
            program = self._padded[key]
            if program is not None:
                return program
        key = tuple(sorted(sizes.items(), key=str))
        if key not in self._exact:
            numbers = {symbol: sympy.Integer(size) for symbol, size in sizes.items()}
            label = "_".join(str(size) for _, size in key)
            self._exact[key] = self._compile(Bucket(numbers, {}), f"{self.name}_of_{label}")
        return self._exact[key]

    def _try(self, bucket: Bucket) -> _Program | None:
        """None, with the reason in `exact`, where it cannot be padded."""
        label = "_".join(str(extent) for extent in bucket.extents.values())
        try:
            return self._compile(bucket, f"{self.name}_to_{label}")
        except (Unpadded, RuntimeError, TypeError, ValueError, IndexError) as reason:
            exact[f"{self.name}_to_{label}"] = str(reason)
            return None

    def _compile(self, bucket: Bucket, name: str) -> _Program:
        given = {bucket.names[symbol] for symbol in self._symbols() if symbol in bucket.names}
        run = Interpreter(
            self.graph, bucket.names, bucket.extents, bucket.known, given, rules.apply
        )
        examples = []
        for node in self.graph.graph.nodes:
            if node.op == "placeholder" and isinstance(node.meta["val"], torch.Tensor):
                dims = run.input_dims(node)
                shape = [extent_of(dim) for dim in dims]
                examples.append(torch.empty(shape, dtype=node.meta["val"].dtype, device="meta"))
        attributes = run.attributes()
        examples += [torch.empty(x.shape, dtype=x.dtype, device="meta") for x in attributes]
        if run.order:
            examples.append(torch.empty(len(run.order), dtype=torch.int32, device="meta"))
        graph = Graph(trace(run.run, examples), name)
        graph.names = bucket.names  # type: ignore[attr-defined]
        with _disable_current_modes():  # of tracing, in which this may be compiled
            held = [buffers.from_host(x) for x in attributes]
        return _Program(graph, run.inputs, run.outputs, run.order, held)


def _evaluator(sizes: dict[sympy.Symbol, int]) -> Callable[[Any], int]:
    """Gives what a size of the graph is in this call."""

    integers = {symbol: sympy.Integer(size) for symbol, size in sizes.items()}

    def value(size: Any) -> int:
        if isinstance(size, torch.SymInt):
            return int(sympy.sympify(size.node.expr).xreplace(integers))
        return int(size.xreplace(integers)) if isinstance(size, sympy.Expr) else int(size)

    return value


def _padded(x: torch.Tensor, dims: Dims, value: Callable[[Any], int]) -> Buffer:
    """The tensor in HBM, at the sizes of the bucket."""
    if not any(map(is_padded, dims)):
        return x.buffer() if isinstance(x, NeuronTensor) else host_tensors.buffer(x)
    if isinstance(x, NeuronTensor):
        kept = x.padded
        if kept is not None and kept[1] == dims:
            return kept[0]
    with torch.no_grad():
        made = _with_factors(x.detach(), dims, value)
    return made.buffer() if isinstance(made, NeuronTensor) else buffers.from_host(made)


def _with_factors(x: torch.Tensor, dims: Dims, value: Callable[[Any], int]) -> torch.Tensor:
    real = real_shape(dims, value)
    wide = [[factor.extent for factor in dim or ()] for dim in dims]
    flat = [extent for extents in real for extent in extents]
    to = [extent for extents in wide for extent in extents]
    if flat == to:
        return x
    pads: list[int] = []
    for a, b in zip(reversed(flat), reversed(to), strict=True):
        pads += [0, b - a]
    made = torch.nn.functional.pad(x.reshape(flat), pads)
    return made.reshape([extent_of(dim) for dim in dims])


def _cut(
    buffer: Buffer, dims: Dims, meta: torch.Tensor, value: Callable[[Any], int]
) -> torch.Tensor:
    """The real part, on the device where tracing saw it, with its strides."""
    shape = [value(size) for size in meta.shape]
    strides = [value(step) for step in meta.stride()]
    is_ours = meta.device.type == "neuron"
    like = torch.empty_strided(shape, strides, dtype=meta.dtype, device="meta")
    if list(buffer.shape) == shape:
        if is_ours:
            return on_device(buffer, like)
        return buffers.with_strides(buffers.to_host(buffer), like)
    real = real_shape(dims, value)
    wide = [factor.extent for dim in dims for factor in dim or ()]
    flat = [extent for extents in real for extent in extents]

    def cut(x: torch.Tensor) -> torch.Tensor:
        x = x.reshape(wide)
        for i, extent in enumerate(flat):
            x = x.narrow(i, 0, extent)
        return x.reshape(shape)

    if not is_ours:
        return buffers.with_strides(cut(buffers.to_host(buffer)).contiguous(), like)
    whole = torch.empty(buffer.shape, dtype=buffer.dtype, device="meta")

    def later() -> Deferred:
        with torch.no_grad():
            return cut(on_device(buffer, whole)).deferred()

    made = NeuronTensor(Storage(later, like), (), like)
    made._storage.padded = (buffer, dims)
    return made
