"""A graph of ATen operators (torch.fx, with the shapes and types of its values) as StableHLO."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import fx

from trainyard.torch import control, table
from trainyard.torch.errors import Refusal, TorchError
from trainyard.torch.operators import complex_table, complexes
from trainyard.torch.operators.complexes import REAL, Complex
from trainyard.torch.writer import (
    INT32_MAX,
    Value,
    Writer,
    bound_class,
    narrow_bound,
    stored_element,
    stored_shape,
)


@dataclass(frozen=True)
class _Results:
    """The outputs of a graph: its nodes, or None, and their values."""

    nodes: list[Any]
    values: list[Any]


class _GraphWriter(Writer):
    """With the state of random numbers, an argument of programs that draw any, with what the graph
    asserts, and with its arguments: those of the program, then tensors that graphs hold."""

    def __init__(self) -> None:
        super().__init__()
        self.draws = False
        self.asserted: list[tuple[Value, str]] = []
        self.heads: list[Value] = []
        self.attributes: list[torch.Tensor] = []
        self.operators = 0
        self._records = table.operators()
        self._state = "%seed"

    def argument(self, value: Any, bound: int | None) -> Any:
        """One more, as the operators take it."""
        self.heads.append(_argument(value, len(self.heads), bound))
        return _read(self, value, self.heads[-1])

    def write_graph(self, module: fx.GraphModule, given: Sequence[Any]) -> _Results:
        """The operators of a graph whose arguments have these values, in order."""
        values: dict[fx.Node, Any] = {}
        arguments = iter(given)
        made = _Results([], [])
        for node in module.graph.nodes:
            if node.op == "placeholder":
                values[node] = next(arguments)
            elif node.op == "get_attr":
                values[node] = self._attribute(getattr(module, node.target))
            elif node.op == "call_function":
                values[node] = _call(self, self._records, node, values)
                self.operators += 1
            elif node.op == "output":
                outs = node.args[0] if isinstance(node.args[0], (list, tuple)) else node.args
                made.nodes.extend(outs)
                made.values.extend(values.get(each) for each in outs)
        return made

    def _attribute(self, held: Any) -> Any:
        """A tensor, or a graph that an operator runs."""
        if isinstance(held, fx.GraphModule):
            return held
        self.attributes.append(held)
        return self.argument(held, _bound_of(held))

    def assert_that(self, condition: Value, message: str) -> None:
        self.asserted.append((condition, message))

    @property
    def random_place(self) -> str:
        """Name of the state, which changes where numbers are drawn."""
        return self._state

    def random_state(self) -> str:
        self.draws = True
        return self._state

    def set_random_state(self, name: str) -> None:
        self._state = name


@dataclass(frozen=True)
class Lowered:
    """text: StableHLO; draws: whether its last argument is a random state, two numbers of ui64;
    shapes, dtypes, elements, bounds, strides: of its results; kept: of the graph's outputs, whether
    each is a result (others are None); attributes: tensors of the graph, behind its arguments;
    assertions: what to say where one of the program's last results, of type i1, is false."""

    text: str
    draws: bool
    shapes: list[tuple[int, ...]]
    dtypes: list[torch.dtype]
    elements: list[str]
    bounds: list[int | None]
    strides: list[tuple[int, ...]]
    kept: list[bool]
    attributes: list[torch.Tensor]
    operators: int
    assertions: list[str]


def lower(
    module: fx.GraphModule, bounds: Sequence[int | None] = (), name: str = "torch"
) -> Lowered:
    """bounds: of each argument of type int64, how large its values can be, if they fit in 32 bits.

    Raises TorchError "torch.operator" with the operator, its line and a way round.
    """
    w = _GraphWriter()
    given = []
    for node in module.graph.nodes:
        if node.op == "placeholder":
            bound = bounds[len(w.heads)] if bounds else None
            given.append(w.argument(node.meta["val"], bound))
    made = w.write_graph(module, given)
    kept = [isinstance(each, fx.Node) for each in made.nodes]
    outs = [each.meta["val"] for each in made.nodes if isinstance(each, fx.Node)]
    results = [
        _stored(w, value) for value, is_kept in zip(made.values, kept, strict=True) if is_kept
    ]
    arguments = [f"{head.name}: {head.type}" for head in w.heads]
    if w.draws:
        arguments.append("%seed: tensor<2xui64>")
    returned = [*results, *(condition for condition, _ in w.asserted)]
    types = ", ".join(each.type for each in returned)
    names = ", ".join(each.name for each in returned)
    text = (
        f"module @{name} {{\n  func.func public @main({', '.join(arguments)}) -> ({types}) {{\n"
        + "\n".join(w.lines)
        + f"\n    return {names} : {types}\n  }}\n}}\n"
    )
    return Lowered(
        text,
        w.draws,
        [tuple(map(int, out.shape)) for out in outs],
        [out.dtype for out in outs],
        [result.element for result in results],
        [_result_bound(result) for result in results],
        [tuple(out.stride()) for out in outs],
        kept,
        w.attributes,
        w.operators,
        [message for _, message in w.asserted],
    )


def _result_bound(result: Value) -> int | None:
    """Of an int64 in 32 bits of which no more is known: what 32 bits hold."""
    is_narrow = result.dtype == torch.int64 and result.element == "i32"
    return bound_class(result.bound) or (INT32_MAX if is_narrow else None)


def _bound_of(tensor: torch.Tensor) -> int | None:
    return narrow_bound(tensor.numpy()) if tensor.dtype == torch.int64 else None


def _argument(value: Any, number: int, bound: int | None) -> Value:
    if not isinstance(value, torch.Tensor):
        raise TorchError(
            "torch.argument",
            "arguments of a compiled graph are tensors",
            f"argument {number}",
            repr(value),
            "pass it as a tensor, or make it a constant of the function",
        )
    bound = bound if value.dtype == torch.int64 else None
    if value.dtype == torch.bool:
        bound = 1
    return Value(
        f"%arg{number}",
        stored_shape(tuple(map(int, value.shape)), value.dtype),
        REAL if value.dtype == torch.complex64 else value.dtype,
        stored_element(value.dtype, bound),
        bound,
    )


def _read(w: Writer, value: torch.Tensor, head: Value) -> Value | Complex:
    """An argument as the operators take it."""
    return complexes.split(w, head) if value.dtype == torch.complex64 else head


def _stored(w: Writer, value: Value | Complex) -> Value:
    """A result as it lies in HBM."""
    return complexes.joined(w, value) if isinstance(value, Complex) else value


def _call(
    w: _GraphWriter,
    records: dict[Any, table.Operator],
    node: fx.Node,
    values: dict[fx.Node, Any],
) -> Any:
    arguments = fx.node.map_arg(node.args, lambda each: values[each])
    named = fx.node.map_arg(node.kwargs, lambda each: values[each])
    if getattr(node.target, "__name__", "") == "getitem":
        return arguments[0][arguments[1]]
    if getattr(node.target, "__name__", "") == "with_effects":
        return _call_with_effects(w, records, node, *arguments, **named)
    if writes := control.writer_of(node.target):
        w.location = _location(node)
        try:
            return writes(w, *arguments, **named)
        except Refusal as refusal:
            raise _refused(node, refusal) from None
    record = records.get(node.target)
    out = node.meta.get("val")
    if complex_table.is_complex((out, arguments, named)):
        return _call_of_complex(w, record, node, arguments, named)
    if record is None:
        raise TorchError(
            "torch.operator",
            "an operator that the table has, or that PyTorch decomposes into such",
            place_of(node),
            operator_name(node.target),
            _way_round(node.target),
        )
    w.location = _location(node)
    try:
        return record.lower(w, out, *arguments, **named)
    except Refusal as refusal:
        raise _refused(node, refusal) from None


def _call_with_effects(
    w: _GraphWriter,
    records: dict[Any, table.Operator],
    node: fx.Node,
    token: Any,
    operator: Any,
    *arguments: Any,
    **named: Any,
) -> tuple[Any, ...]:
    """An operator that the host is told of, which PyTorch keeps in order by tokens; their order is
    that of the program here."""
    record = records.get(operator)
    if record is None:
        raise TorchError(
            "torch.operator",
            "an operator that the table has, or that PyTorch decomposes into such",
            place_of(node),
            operator_name(operator),
            _way_round(operator),
        )
    return (token, record.lower(w, None, *arguments, **named))


def _call_of_complex(
    w: _GraphWriter, record: table.Operator | None, node: fx.Node, arguments: Any, named: Any
) -> Any:
    plain = record.lower if record else None
    w.location = _location(node)
    name, out = operator_name(node.target), node.meta.get("val")
    try:
        return complex_table.lower(w, name, plain, out, arguments, named)
    except Refusal as refusal:
        raise _refused(node, refusal) from None


def _refused(node: fx.Node, refusal: Refusal) -> TorchError:
    return TorchError(
        "torch.operator",
        f"{operator_name(node.target)} as the machine computes it",
        place_of(node),
        refusal.found,
        refusal.fix,
    )


def _way_round(target: Any) -> str:
    reason = table.WITHOUT.get(operator_name(target))
    if reason:
        return f"compute it outside of the compiled function: {reason}"
    return (
        "write it with other operators, or keep it out of the compiled function with "
        "torch.compiler.disable"
    )


def operator_name(target: Any) -> str:
    """As the table has it: "aten.add.Tensor"."""
    return str(target)


_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')


def frames_of(node: fx.Node) -> list[tuple[str, int, str]]:
    """File, line and function of the calls that led to the node, innermost first, PyTorch's own
    left out."""
    text = node.meta.get("stack_trace") or ""
    found = [(file, int(line), name) for file, line, name in _FRAME.findall(text)]
    return [each for each in reversed(found) if _LIBRARY not in each[0]] or found[::-1]


_LIBRARY = str(Path(torch.__file__).parent)


def place_at(graph: fx.GraphModule, call: tuple[str, int, str]) -> None:
    """Gives the line that calls the compiled function to operators without one, as those of a
    model that is PyTorch's own are."""
    file, line, name = call
    for node in graph.graph.nodes:
        if node.op == "call_function" and not node.meta.get("stack_trace"):
            node.meta["stack_trace"] = f'File "{file}", line {line}, in {name}'


def place_of(node: fx.Node) -> str:
    """FILE:LINE in function, and the module of the model, where they are known."""
    frames = frames_of(node)
    scope = module_path(node)
    where = f"{frames[0][0]}:{frames[0][1]} in {frames[0][2]}" if frames else "an unknown line"
    return f"{where} ({scope})" if scope else where


def module_path(node: fx.Node) -> str:
    """The innermost module that the operator belongs to: "model.layers.3.mlp"."""
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
    if not stack:
        return ""
    path = list(stack.values())[-1][0]
    path = re.sub(r"(?:\._modules)?\[['\"]?(\w+)['\"]?\]", r".\1", path)
    path = re.sub(r"\._modules\b", "", path)
    # The variable that holds the model: "L.self.layers.0", "L.fn.layers.0".
    return re.sub(r"^[LG]\.\w+(?:\.|$)", "", path)


def _location(node: fx.Node) -> str:
    """Of the text: name of the operation in the model, and the lines that lead to it."""
    operator = getattr(getattr(node.target, "_overloadpacket", node.target), "__name__", "")
    backward = "fwd_nn_module_stack" in node.meta and "nn_module_stack" not in node.meta
    scope = "/".join(
        part for part in (module_path(node), "backward" if backward else "", operator) if part
    )
    frames = [f'"{name}"("{file}":{line}:1)' for file, line, name in frames_of(node)[:8]]
    if not frames:
        return f' loc("{scope}")'
    calls = frames[-1]
    for frame in reversed(frames[:-1]):
        calls = f"callsite({frame} at {calls})"
    return f' loc("{scope}"({calls}))'
