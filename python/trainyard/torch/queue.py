"""Operators of the eager mode that wait: compiled together when a value is read.

A sequence of operators that was compiled before runs again without compiling. Numbers among their
arguments that differ between two runs of one sequence (an optimiser's step size) become arguments
of the program, where the operator allows it.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import fx
from torch.fx import traceback as fx_traceback

from trainyard.torch import buffers, grouped_shapes, scopes, table
from trainyard.torch.buffers import Buffer
from trainyard.torch.errors import Refusal, TorchError
from trainyard.torch.places import users_frame
from trainyard.torch.programs import Graph

ENTRIES_MAX = 4096  # what waits is compiled at the latest then
CONSTANT_BYTES_MAX = 4096  # of results that stay in HBM, as the 1 that a backward pass begins with
_PLAIN = (
    torch._C._dispatch_tls_local_include_set(),
    torch._C._dispatch_tls_local_exclude_set(),
)


class Deferred:
    """A value of the device: `ready`, in HBM, or waiting for it in a queue, by number."""

    __slots__ = ("__weakref__", "dtype", "number", "queue", "ready", "shape")

    def __init__(
        self, shape: Sequence[int], dtype: torch.dtype, buffer: Buffer | None = None
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        self.ready = buffer
        self.queue: Queue | None = None
        self.number = -1

    def buffer(self) -> Buffer:
        """The value in HBM, computed now if it was not."""
        if self.ready is None:
            assert self.queue is not None
            self.queue.flush()
        assert self.ready is not None
        return self.ready

    def set(self, buffer: Buffer) -> None:
        self.ready = buffer
        self.queue = None


@dataclass(frozen=True)
class _Made:
    """What operator `entry` of the queue gives, by number."""

    number: int


@dataclass(frozen=True)
class _Given:
    """An argument of the program, by number."""

    number: int


@dataclass(frozen=True)
class _Lift:
    """A number that may change between runs, by its place in the queue's list."""

    number: int


@dataclass
class _Entry:
    overload: Any
    arguments: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]
    first: int  # number of its first result
    count: int
    dtype: torch.dtype | None  # of the first result
    place: tuple[str, int, str]
    scope: scopes.Scope


@dataclass
class _Sequence:
    """A sequence of operators: the numbers that it had, which of them change, its graphs."""

    values: list[float]
    lifted: set[int] = field(default_factory=set)
    graphs: dict[Any, Graph] = field(default_factory=dict)
    constants: dict[Any, list[Buffer]] = field(default_factory=dict)  # results that never change


# How operators are computed whose number is an argument of the program: step by step as where it
# is a part of it (table.py, PyTorch's decompositions), so that results are the same. It is a
# float32: operators that give float64 keep theirs as a part of the program.
LIFTED: dict[str, Callable[..., Any]] = {
    "aten.add.Tensor": lambda x, y, alpha=1: x + y * alpha,
    "aten.sub.Tensor": lambda x, y, alpha=1: x - y * alpha,
    "aten.add.Scalar": lambda x, y, alpha=1: x + y * alpha,
    "aten.sub.Scalar": lambda x, y, alpha=1: x - y * alpha,
    "aten.mul.Tensor": lambda x, y: x * y,
    "aten.mul.Scalar": lambda x, y: x * y,
    "aten.div.Tensor": lambda x, y: x / y,
    "aten.div.Scalar": lambda x, y: x / y,
    "aten.addcmul.default": lambda x, a, b, value=1: x + value * a * b,
    "aten.addcdiv.default": lambda x, a, b, value=1: x + value * a / b,
    "aten.lerp.Scalar": torch.lerp,
}
# Of these, those that are computed in float32 and rounded once; others round their number first.
_WIDENED = {"aten.addcmul.default", "aten.addcdiv.default", "aten.lerp.Scalar"}


class Queue:
    """The operators that wait on one device."""

    def __init__(self) -> None:
        self._sequences: dict[Any, _Sequence] = {}
        self._names = itertools.count()
        self.flushes = 0
        self.recorded = 0
        self._reset()

    def _reset(self) -> None:
        self._entries: list[_Entry] = []
        self._keys: list[Any] = []
        self._inputs: list[Buffer] = []
        self._input_numbers: dict[int, int] = {}
        self._floats: list[float] = []
        self._made: list[weakref.ref[Deferred]] = []
        self._metas: list[tuple[tuple[int, ...], torch.dtype]] = []

    def record(
        self,
        overload: Any,
        arguments: Sequence[Any],
        named: dict[str, Any],
        results: Sequence[torch.Tensor | None],
    ) -> list[Deferred | None]:
        """What the operator will give; `results`: tensors of their shapes and types."""
        dtype = next((each.dtype for each in results if each is not None), None)
        liftable = str(overload) in LIFTED and dtype is not torch.float64
        given = self._spec(tuple(arguments), liftable)
        given_named = tuple((name, self._spec(value, liftable)) for name, value in named.items())
        first = len(self._made)
        made: list[Deferred | None] = []
        for result in results:
            each = None
            if result is not None:
                each = Deferred(result.shape, result.dtype)
                each.queue, each.number = self, len(self._made)
                self._made.append(weakref.ref(each))
                self._metas.append((each.shape, each.dtype))
            made.append(each)
        self.recorded += 1
        count = len(self._made) - first
        place, scope = scopes.of_operator(users_frame())
        entry = _Entry(overload, given, given_named, first, count, dtype, place, scope)
        self._entries.append(entry)
        self._keys.append((overload, given, given_named))
        return made

    def discard(self) -> None:
        """Drops what waits, as after an error: values that were to come of it are lost."""
        self._reset()

    def flush_if_long(self) -> None:
        if len(self._entries) >= ENTRIES_MAX:
            self.flush()

    def _spec(self, value: Any, liftable: bool) -> Any:
        if isinstance(value, Deferred):
            if value.ready is None:
                if value.queue is not self:
                    raise AssertionError("a value waits in another queue")
                return _Made(value.number)
            buffer = value.ready
            number = self._input_numbers.get(id(buffer))
            if number is None:
                number = self._input_numbers[id(buffer)] = len(self._inputs)
                self._inputs.append(buffer)
            return _Given(number)
        if isinstance(value, (list, tuple)):
            return tuple(self._spec(each, liftable) for each in value)
        if liftable and isinstance(value, float):
            self._floats.append(value)
            return _Lift(len(self._floats) - 1)
        if isinstance(value, float):
            return _Number(value)
        if isinstance(value, bool):
            return _Number(value)
        return value

    def flush(self) -> None:
        """Computes what waits and is still referred to."""
        if not self._entries:
            return
        alive = [(number, each) for number, ref in enumerate(self._made) if (each := ref())]
        entries, inputs, floats = self._entries, self._inputs, self._floats
        keys = self._keys
        self._reset()
        if not alive:
            return
        self.flushes += 1
        numbers = tuple(number for number, _ in alive)
        kinds = tuple((each.shape, each.dtype) for each in inputs)
        sequence = self._sequence((tuple(keys), kinds, numbers), floats)
        fixed = tuple(v for i, v in enumerate(floats) if i not in sequence.lifted)
        key = (frozenset(sequence.lifted), fixed)
        lifted = sorted(sequence.lifted)
        if key not in sequence.graphs:
            sequence.graphs[key] = self._trace(entries, kinds, numbers, floats, lifted)
        arguments = list(inputs)
        if lifted:
            changing = torch.tensor([floats[i] for i in lifted], dtype=torch.float32)
            arguments.append(buffers.from_host(changing))
        results = sequence.constants.get(key)
        if results is None:
            graph = sequence.graphs[key]
            results = graph(arguments)
            if graph.is_constant and _are_small(results):
                sequence.constants[key] = results
        for (_, each), buffer in zip(alive, results, strict=True):
            each.set(buffer)

    def _sequence(self, key: Any, floats: list[float]) -> _Sequence:
        sequence = self._sequences.get(key)
        if sequence is None:
            sequence = self._sequences[key] = _Sequence(floats)
        sequence.lifted.update(
            i for i, (a, b) in enumerate(zip(sequence.values, floats, strict=True)) if a != b
        )
        return sequence

    def _trace(
        self,
        entries: list[_Entry],
        kinds: Sequence[Any],
        numbers: Sequence[int],
        floats: list[float],
        lifted: list[int],
    ) -> Graph:
        """The graph of the operators, in those that the table has."""

        def compute(*given: torch.Tensor) -> list[torch.Tensor]:
            made: dict[int, torch.Tensor] = {}
            scalars = {}
            if lifted:
                scalars = {number: given[-1][i] for i, number in enumerate(lifted)}

            def value_of(spec: Any) -> Any:
                if isinstance(spec, _Made):
                    return made[spec.number]
                if isinstance(spec, _Given):
                    return given[spec.number]
                if isinstance(spec, _Lift):
                    return scalars.get(spec.number, floats[spec.number])
                if isinstance(spec, _Number):
                    return spec.value
                if isinstance(spec, tuple):
                    return [value_of(each) for each in spec]
                if isinstance(spec, torch.device):
                    return torch.device("cpu")
                return spec

            for entry in _needed(entries, numbers):
                _tell_place(entry.place, entry.scope)
                try:
                    results = _apply(entry, value_of, scalars)
                except Refusal as refusal:
                    raise _refused(entry, refusal) from None
                flat = results if isinstance(results, (list, tuple)) else [results]
                tensors = [each for each in flat if isinstance(each, torch.Tensor)]
                for i, each in enumerate(tensors):
                    # No mark of PyTorch's, which the device's tensors have not.
                    made[entry.first + i] = each.resolve_conj().resolve_neg()
            return [made[number].clone() for number in numbers]

        examples = [torch.empty(shape, dtype=dtype, device="meta") for shape, dtype in kinds]
        if lifted:
            examples.append(torch.empty(len(lifted), device="meta"))
        return Graph(trace(compute, examples), f"eager_{next(self._names)}")


@dataclass(frozen=True)
class _Number:
    """A float or a boolean that is part of the sequence: 1, 1.0 and True are not the same."""

    value: float | bool

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Number)
            and type(other.value) is type(self.value)
            and (
                other.value == self.value
                or (other.value != other.value and self.value != self.value)
            )
        )


def _are_small(results: Sequence[Buffer]) -> bool:
    return sum(each.kind.bytes for each in results) <= CONSTANT_BYTES_MAX


def _needed(entries: list[_Entry], numbers: Sequence[int]) -> list[_Entry]:
    """Those operators that the wanted results depend on, in order."""
    wanted = set(numbers)
    chosen = []
    for entry in reversed(entries):
        if any(number in wanted for number in range(entry.first, entry.first + entry.count)):
            chosen.append(entry)
            _add_made(entry.arguments, wanted)
            _add_made(entry.named, wanted)
    return chosen[::-1]


def _add_made(spec: Any, wanted: set[int]) -> None:
    if isinstance(spec, _Made):
        wanted.add(spec.number)
    elif isinstance(spec, tuple):
        for each in spec:
            _add_made(each, wanted)


def _refused(entry: _Entry, refusal: Refusal) -> TorchError:
    file, line, name = entry.place
    return TorchError(
        "torch.operator",
        f"{entry.overload} as the machine computes it",
        f"{file}:{line} in {name}",
        refusal.found,
        refusal.fix,
    )


def _has_scalar(spec: Any, scalars: dict[int, Any]) -> bool:
    if isinstance(spec, tuple):
        return any(_has_scalar(each, scalars) for each in spec)
    return isinstance(spec, _Lift) and spec.number in scalars


def _apply(entry: _Entry, value_of: Callable[[Any], Any], scalars: dict[int, Any]) -> Any:
    arguments = [value_of(spec) for spec in entry.arguments]
    named = {name: value_of(spec) for name, spec in entry.named}
    if _has_scalar(entry.arguments, scalars) or _has_scalar(entry.named, scalars):
        name = str(entry.overload)
        kind = torch.float32 if name in _WIDENED else entry.dtype
        arguments = [x.to(kind) if isinstance(x, torch.Tensor) else x for x in arguments]
        named = {k: x.to(kind) if isinstance(x, torch.Tensor) else x for k, x in named.items()}
        return LIFTED[name](*arguments, **named).to(entry.dtype)
    return entry.overload(*arguments, **named)


def trace(function: Callable[..., Any], examples: Sequence[torch.Tensor]) -> fx.GraphModule:
    """The function's graph for tensors like these, in operators of the table. What the reader of a
    value has switched off or on (dispatch to Python, autocast) does not count."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx  # a second, with sympy
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    mode = FakeTensorMode(shape_env=ShapeEnv())  # which loops ask for
    with torch._C._ForceDispatchKeyGuard(*_PLAIN), mode:
        fakes = [torch.empty(each.shape, dtype=each.dtype, device="cpu") for each in examples]
    with (
        torch._C._ForceDispatchKeyGuard(*_PLAIN),
        torch.no_grad(),
        fx_traceback.preserve_node_meta(),
        grouped_shapes.tracing(),
    ):
        graph = make_fx(function, decomposition_table=table.decompositions(), tracing_mode="fake")(
            *fakes
        )
    graph.graph.eliminate_dead_code()
    return graph


def _tell_place(place: tuple[str, int, str], scope: scopes.Scope) -> None:
    file, line, name = place
    parts = [scope.path, "backward" if scope.is_backward else ""]
    path = "/".join(part for part in parts if part)
    fx_traceback.current_meta["nn_module_stack"] = {path: (path, torch.nn.Module)}
    fx_traceback.current_meta["stack_trace"] = f'  File "{file}", line {line}, in {name}\n'


queue = Queue()
