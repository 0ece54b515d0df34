"""Compiled graphs: made once for each graph and kind of arguments, run on buffers of the device."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from trainyard import _core, compiler_flags, jax_runs
from trainyard.files import write_whole
from trainyard.torch import buffers, lowering, profiling, scopes, seeds
from trainyard.torch.buffers import Buffer, Kind, memory
from trainyard.torch.clock import clock
from trainyard.torch.disk_cache import cache as disk_cache
from trainyard.torch.lowering import Lowered

_numbers = itertools.count(1 << 32)  # others than those of JAX's executables


@dataclass(frozen=True)
class Launch:
    """One run of a program: simulated seconds, joules (low, likely, high), and its reports as
    dictionaries, in the form of `trainyard time --json`."""

    name: str
    seconds: float
    joules: tuple[float, float, float]
    reports: list[dict[str, Any]] = field(repr=False)
    text: str = field(repr=False, default="")


@dataclass
class Statistics:
    """What compilations and launches there were in this process."""

    compilations: int = 0
    compile_seconds: float = 0.0
    launches: int = 0
    graphs: int = 0


statistics = Statistics()
_listeners: list[list[Launch]] = []


@contextlib.contextmanager
def timing() -> Iterator[list[Launch]]:
    """Times what runs in the block: the list gets each launch. A program is simulated in time once,
    as its time does not depend on values unless it has loops or branches."""
    launches: list[Launch] = []
    _listeners.append(launches)
    try:
        with scopes.following():
            yield launches
    finally:
        _listeners[:] = [each for each in _listeners if each is not launches]  # equal lists differ


def machine_name() -> str:
    """Which machine the device is of."""
    return os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")


class Executable:
    """A program compiled for the machine."""

    def __init__(self, lowered: Lowered, name: str, bounds: Sequence[int | None]) -> None:
        self.lowered = lowered
        self.name = name
        self.bounds = list(bounds)  # of its results
        self._number = next(_numbers)
        self._watched = jax_runs.active()
        self._last: Launch | None = None
        self._kinds: list[Kind] | None = None  # of its results
        started = time.perf_counter()
        self._core = self._compile()
        statistics.compilations += 1
        statistics.compile_seconds += time.perf_counter() - started

    def _compile(self) -> Any:
        module = _core.graph_read(self.lowered.text.encode(), self.name)
        if self._watched:
            return self._watched.compile(self._number, module)
        machine = _core.load_machine(machine_name())
        return disk_cache.compile(module, self.lowered.text, machine, compiler_flags.in_force())

    @property
    def routines(self) -> list[tuple[str, int, str]]:
        """Operations without instructions: name, how many, where the first one stands."""
        return self._core.routines

    def run(self, arguments: Sequence[Buffer]) -> list[Buffer]:
        """The results."""
        inputs = [each.core for each in arguments]
        if self.lowered.draws:
            state = torch.tensor(seeds.next_seed(), dtype=torch.int64)
            inputs.append(_core.model_input("ui64", [2], state.numpy().tobytes()))
        statistics.launches += 1
        if self._kinds is None:
            self._kinds = [memory.kind(*each) for each in self._results()]
        kinds = self._kinds
        memory.add(kinds)  # before the run, which takes as much of the host
        try:
            made = self._launch(inputs).take_tensors()
            if made and self.lowered.assertions:
                self._check_assertions(made[len(kinds) :])
        except BaseException:
            memory.remove(kinds)
            raise
        if not made:  # a run without values
            made = [buffers.zero_core(each.shape, each.dtype, each.element) for each in kinds]
        return list(map(Buffer, made, kinds))

    def _results(self) -> Iterator[tuple[Any, ...]]:
        """Shape, type, element and bound of each."""
        lowered = self.lowered
        return zip(lowered.shapes, lowered.dtypes, lowered.elements, self.bounds, strict=True)

    def _check_assertions(self, conditions: Sequence[Any]) -> None:
        """Raises RuntimeError for the first one that is false, as PyTorch does on the CPU."""
        for condition, message in zip(conditions, self.lowered.assertions, strict=True):
            if not any(condition.content()):
                raise RuntimeError(message)

    def _launch(self, inputs: list[Any]) -> Any:
        if self._watched:
            run = self._watched.launch(self._number, self._core, inputs)
            self._note(run)
            return run
        if profiling.is_active():
            name = profiling.range_name(self.name)
            with torch.autograd.profiler.record_function(name):
                run = self._run(inputs)
            if self._last is not None:
                profiling.add(name, self._last.seconds, self._last.reports)
            return run
        return self._run(inputs)

    def _run(self, inputs: list[Any]) -> Any:
        listens = bool(_listeners) or profiling.is_active() or clock.is_running
        wanted = listens and (self._last is None or self._core.has_control_flow)
        run = self._core.run(inputs, timed=wanted)
        self._note(run)
        return run

    def _note(self, run: Any) -> None:
        """Tells those who listen of a run; one that was not timed took what the last one took."""
        if run.nanoseconds > 0:
            reports = [json.loads(report) for report in run.reports]
            text = "\n".join(run.texts)
            self._last = Launch(self.name, run.nanoseconds * 1e-9, run.joules, reports, text)
        if self._last is None:
            return
        clock.add(self._last.seconds)
        for listener in _listeners:
            listener.append(self._last)


_executables: dict[tuple[Any, ...], Executable] = {}


class Graph:
    """A graph of ATen operators, compiled for each kind of arguments that it gets."""

    def __init__(self, module: fx.GraphModule, name: str) -> None:
        self.module = module
        self.name = name
        self._made: dict[tuple[int | None, ...], Executable] = {}
        self._attributes: list[Buffer] | None = None
        statistics.graphs += 1

    def __call__(self, arguments: Sequence[Buffer]) -> list[Buffer]:
        """The results that are tensors, in order."""
        if not self.has_program:
            return []
        executable = self.executable(tuple([each.kind.bound for each in arguments]))
        if self._attributes is None:
            self._attributes = [buffers.from_host(each) for each in executable.lowered.attributes]
        return executable.run([*arguments, *self._attributes])

    @functools.cached_property
    def has_program(self) -> bool:
        """Whether there is anything to compute: results, or what is asserted."""
        output = next(node for node in self.module.graph.nodes if node.op == "output")
        return bool(output.args[0]) or bool(self.check().assertions)

    @functools.cached_property
    def is_constant(self) -> bool:
        """Whether it gives the same each time: it reads no argument and draws no random number."""
        given = [node for node in self.module.graph.nodes if node.op == "placeholder"]
        reads = any(not _takes_shape_alone(user) for node in given for user in node.users)
        return not reads and not any(each.lowered.draws for each in self._made.values())

    def check(self) -> Lowered:
        """Raises TorchError now for what cannot be lowered, not when it first runs."""
        with _disable_current_modes():
            return lowering.lower(self.module, (), self.name)

    def executable(self, bounds: tuple[int | None, ...]) -> Executable:
        """For arguments of these bounds, see Buffer."""
        if bounds not in self._made:
            lowered = lowering.lower(self.module, bounds, self.name)
            save_artifact(self.name, "stablehlo.mlir", lowered.text)
            key = (
                hashlib.sha256(lowered.text.encode()).digest(),
                machine_name(),
                id(jax_runs.active()),
            )
            key = (*key, compiler_flags.in_force())
            if key not in _executables:
                _executables[key] = Executable(lowered, self.name, lowered.bounds)
            self._made[bounds] = _executables[key]
        return self._made[bounds]


def _takes_shape_alone(node: fx.Node) -> bool:
    """Of its tensor: `ones_like`, `new_zeros` and the like."""
    name = str(node.target).split(".")[1:2]
    return bool(name) and (name[0].endswith("_like") or name[0].startswith("new_"))


def save_artifact(name: str, kind: str, text: str) -> None:
    """Keeps what was compiled in TORCH_NEURONX_DEBUG_DIR, where that is set."""
    if folder := os.environ.get("TORCH_NEURONX_DEBUG_DIR"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_whole(Path(folder, f"{name}.{kind}"), text.encode())
