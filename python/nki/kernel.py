"""Kernels: functions that are traced into programs, compiled, run and timed on the machine."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from trainyard import _core, settings
from trainyard.result import Result

from nki import _context, _target, _values
from nki.language import NKIObject
from nki.language._tensor import NkiTensor


@dataclass
class _Bound:
    """One call: the arrays, and where they stand in the arguments."""

    arrays: list[np.ndarray] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    example: Any = None

    def take(self, value: Any, name: str, make: Callable[[np.ndarray, str], Any]) -> Any:
        """The argument with every array in it replaced by make(array, name)."""
        if _values.is_array(value):
            self.example = value if self.example is None else self.example
            array = _values.to_numpy(value)
            self.arrays.append(array)
            self.names.append(name)
            return make(array, name)
        if isinstance(value, (tuple, list)):
            return type(value)(self.take(v, f"{name}_{i}", make) for i, v in enumerate(value))
        if isinstance(value, dict):
            return {k: self.take(v, f"{name}_{k}", make) for k, v in value.items()}
        if isinstance(value, NKIObject):
            copied = copy.copy(value)
            for key, item in vars(value).items():
                object.__setattr__(copied, key, self.take(item, f"{name}_{key}", make))
            return copied
        return value


@dataclass
class Traced:
    """A kernel instance as a program: which tensors are its inputs, and what it returns."""

    program: Any
    inputs: list[NkiTensor]
    arrays: list[np.ndarray]
    returned: Any
    outputs: list[NkiTensor]
    written_inputs: list[int]


def _flatten(value: Any) -> list[NkiTensor]:
    if isinstance(value, NkiTensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in _flatten(item)]
    if isinstance(value, dict):
        return [t for item in value.values() for t in _flatten(item)]
    return []


def _rebuild(value: Any, made: dict[int, Any]) -> Any:
    if isinstance(value, NkiTensor):
        return made[id(value)]
    if isinstance(value, (tuple, list)):
        return type(value)(_rebuild(item, made) for item in value)
    if isinstance(value, dict):
        return {k: _rebuild(item, made) for k, item in value.items()}
    return value


class Kernel:
    """A function decorated with `nki.jit`.

    Calling it with arrays runs it on the simulated machine and returns arrays; calling it inside
    another kernel inlines it. `kernel[n]` sets the number of program instances (LNC degree).
    """

    def __init__(self, function: Callable[..., Any], grid: int = 1, schedule: tuple = ()) -> None:
        self.function = function
        self.grid = grid
        self._schedule = schedule
        functools.update_wrapper(self, function)

    def __getitem__(self, grid: int | tuple[int, ...]) -> Kernel:
        """The kernel on a grid of 1 or 2 instances. Raises ValueError for another size."""
        sizes = grid if isinstance(grid, tuple) else (grid,)
        n = int(np.prod([int(size) for size in sizes]))
        if n not in (1, 2):
            raise ValueError(f"a kernel runs on 1 or 2 logical cores, not on {sizes}")
        return Kernel(self.function, n, self._schedule)

    def with_schedule(self, edges: list[tuple[str, str | list[str]]]) -> Kernel:
        """Adds (consumer, producer or producers) edges between instructions by their names."""
        return Kernel(self.function, self.grid, (*self._schedule, *edges))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the kernel, or inlines it when another kernel is being traced."""
        if _context.current is not None:
            return self.function(*args, **kwargs)
        return self.run(*args, **kwargs)[0]

    def trace(self, *args: Any, program_id: int = 0, machine: Any = None, **kwargs: Any) -> Traced:
        """Runs the function once with symbolic tensors and returns the program it describes."""
        machine = machine or _target.machine()
        context = _context.new_context(
            machine, getattr(self.function, "__name__", "kernel"), program_id, self.grid
        )
        bound = _Bound()
        inputs: list[NkiTensor] = []

        def make(array: np.ndarray, name: str) -> NkiTensor:
            tensor = context.trace.input(
                list(array.shape), _values.dtype_name(array), name, self.grid > 1
            )
            inputs.append(tensor)
            return tensor

        signature = inspect.signature(self.function)
        call = signature.bind(*args, **kwargs)
        call.apply_defaults()
        arguments = {k: bound.take(v, k, make) for k, v in call.arguments.items()}
        call = inspect.BoundArguments(signature, arguments)
        with _context.tracing(context):
            returned = _context.run_traced(self.function, call.args, call.kwargs)
            if context.open_loops:
                _context.refuse(
                    "loop.left",
                    "a hardware loop is left at its end, not by break, return or an exception",
                    f"an open loop from {context.open_loops[-1]}",
                    "make the condition of the loop false instead",
                )
            self._add_schedule(context)
        outputs = _flatten(returned)
        for tensor in outputs:
            if tensor._space != "hbm":
                raise TypeError(
                    f"a kernel returns HBM tensors; {tensor!r} is on chip: copy it to an "
                    "nl.ndarray(..., buffer=nl.shared_hbm) first"
                )
            context.trace.mark_output(tensor)
        program = context.trace.take_program()
        written = [i for i, t in enumerate(inputs) if program.writes(t._id)]
        return Traced(program, inputs, bound.arrays, returned, outputs, written)

    def _add_schedule(self, context: _context.Context) -> None:
        for consumer, producers in self._schedule:
            for producer in [producers] if isinstance(producers, str) else producers:
                for name in (consumer, producer):
                    if (count := len(context.names.get(name, ()))) != 1:
                        raise ValueError(
                            f"with_schedule names {name!r}, but {count or 'no'} instructions have "
                            "this name"
                        )
                context.names[consumer][0].depends_on(context.names[producer][0])

    def run(
        self,
        *args: Any,
        machine: Any = None,
        timed: bool | None = None,
        values: bool | None = None,
        checks: bool | None = None,
        record: bool | None = None,
        schedule: str | None = None,
        **kwargs: Any,
    ) -> tuple[Any, Result]:
        """Runs the kernel and returns (what it returns, the run's Result).

        `timed` also simulates time; `values=False` skips the arithmetic (outputs are zeros);
        `checks=False` skips the memory and race checks; `record` keeps the full trace;
        `schedule="list"` lets the compiler reorder independent instructions. What is not given is
        as trainyard.settings says.
        """
        chosen = settings.current()
        options = _core.RunOptions()
        options.timed = chosen.timed if timed is None else timed
        options.values = chosen.values if values is None else values
        options.checks = chosen.checks if checks is None else checks
        options.record = chosen.record if record is None else record
        options.keep_findings = chosen.keep_findings
        schedule = schedule or chosen.schedule
        machine = machine or chosen.machine
        machine = machine or _target.machine()
        traced = [
            self.trace(*args, program_id=i, machine=machine, **kwargs) for i in range(self.grid)
        ]
        session = _core.Session(machine)
        instances, runs = [], []
        for one in traced:
            instance = session.load(one.program, schedule)
            for tensor, array in zip(one.inputs, one.arrays, strict=True):
                session.write(instance, tensor._id, _values.as_bytes(array))
            instances.append(instance)
        for instance in instances:
            told = chosen.progress and functools.partial(
                chosen.progress, instance.program.name, len(instance.program)
            )
            runs.append(session.run(instance, options, told))
        first = traced[0]
        for i in first.written_inputs:
            session.read(instances[0], first.inputs[i], _values.as_bytes(first.arrays[i]))
        example = next((a for a in (*args, *kwargs.values()) if _values.is_array(a)), None)
        made = {}
        for tensor in first.outputs:
            array = _values.empty(tensor.shape, tensor.dtype)
            session.read(instances[0], tensor, _values.as_bytes(array))
            made[id(tensor)] = _values.like(array, example)
        result = Result(machine, instances, runs)
        for listener in chosen.listeners:
            listener(result)
        return _rebuild(first.returned, made), result

    def bench(self, *args: Any, machine: Any = None, **kwargs: Any) -> Result:
        """Exact cycles, bound and profile of one run, without warm-up or values.

        Takes the kernel's arguments. The Result has time_ns, cycles, bound, a table of engines with
        their waiting reasons, and profile(); printing it shows the summary.
        """
        return self.run(*args, machine=machine, timed=True, values=False, checks=False, **kwargs)[1]


def jit(fn: Callable[..., Any] | None = None, **kwargs: Any) -> Any:
    """Makes a function a kernel. `platform_target` and `mode` are accepted and have no effect.

    Use as `@nki.jit` or `@nki.jit(...)`.
    """
    if fn is None:
        return functools.partial(jit, **kwargs)
    return fn if isinstance(fn, Kernel) else Kernel(fn)


def simulate(kernel: Callable[..., Any]) -> Kernel:
    """The kernel as a callable on NumPy arrays or torch tensors; a plain function is wrapped."""
    return jit(kernel)
