"""Results, kernels and machines as bytes: pickle, and with it process pools.

A Result keeps what it tells (report, findings, trace, programs); the machine's memory is gone. A
kernel is pickled by its name, as Python's functions are. A machine is its name and what was
changed.
"""

from __future__ import annotations

import functools
import importlib
import pickle
from dataclasses import dataclass
from typing import Any

from trainyard import _core

_NAME = "a pickled result"  # in errors


@dataclass(frozen=True)
class SavedRun:
    """What a run told, apart from the machine that it ran on; of a recorded one its .tytrace."""

    instructions: int
    timed: bool
    ticks: int = 0
    time_ns: float = 0.0
    bound: str = ""
    kept_trace: bytes = b""
    kept_text: str = ""
    kept_json: str = ""
    kept_details: str = ""
    links: dict[str, Any] | None = None

    def text(self) -> str:
        """The report as text."""
        return self.kept_text

    def json(self) -> str:
        """The report as JSON."""
        return self.kept_json

    @property
    def is_recorded(self) -> bool:
        """Whether the run kept a trace."""
        return bool(self.kept_trace)

    def intervals(self) -> list[Any]:
        """What each track did."""
        return _core.trace_intervals(self.kept_trace, _NAME)

    def columns(self) -> dict[str, Any]:
        """The intervals and their labels as columns."""
        return _core.trace_columns(self.kept_trace, _NAME)

    def details(self) -> str:
        """Memory over time and the critical path, as JSON."""
        return self.kept_details

    def trace(self) -> bytes:
        """The bytes of a .tytrace file."""
        return self.kept_trace

    def perfetto(self) -> bytes:
        """The trace for Perfetto."""
        return _core.trace_perfetto(self.kept_trace, _NAME)


@dataclass(frozen=True)
class SavedInstance:
    """A program, and the rank that it ran on."""

    content: bytes
    rank: int

    def __reduce__(self) -> tuple[Any, ...]:
        return SavedInstance, (self.content, self.rank)

    @functools.cached_property
    def program(self) -> Any:
        """The compiled program."""
        return _core.read_program(self.content, _NAME)


def instance(one: Any) -> SavedInstance:
    """A program that was run, ready to be pickled."""
    if isinstance(one, SavedInstance):
        return one
    return SavedInstance(_core.program_bytes(one.program), one.rank)


def run(run: Any) -> SavedRun:
    """What a run told, ready to be pickled."""
    if isinstance(run, SavedRun):
        return run
    if not run.timed:
        return SavedRun(run.instructions, False)
    return SavedRun(
        run.instructions,
        True,
        run.ticks,
        run.time_ns,
        run.bound,
        run.trace() if run.is_recorded else b"",
        run.text(),
        run.json(),
        run.details() if run.is_recorded else "",
        run.links,
    )


def reduce_machine(machine: Any) -> tuple[Any, ...]:
    """How pickle makes the machine again: its file's name and the changes to it."""
    return made_machine, (machine.name, tuple(machine.overrides), machine.hash)


def made_machine(name: str, changes: tuple[str, ...], wanted: int) -> Any:
    """The machine of that name with the changes. Raises UnpicklingError if that is another."""
    machine = _core.load_machine(name)
    if changes:
        machine = machine.with_overrides(list(changes))
    if machine.hash != wanted:
        raise pickle.UnpicklingError(
            f"the machine {name} is not the one that was pickled: its file differs, or it has "
            "another path; load_machine() the file in each process"
        )
    return machine


def copied_kernel(kernel: Any) -> Any:
    """A copy in this process, which needs no name."""
    made = object.__new__(type(kernel))
    made.__dict__.update(vars(kernel))
    return made


def reduce_kernel(kernel: Any, changes: dict[str, Any]) -> tuple[Any, ...]:
    """How pickle finds the kernel again: by its module and name. Raises PicklingError."""
    function = kernel.function
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    found = named(module, name) if module and "<" not in name else None
    if getattr(found, "function", found) is not function:
        raise pickle.PicklingError(
            f"a kernel is pickled by its name, and {module}.{name} is not it: define it at the top "
            "of a module"
        )
    return made_kernel, (type(kernel), module, name, changes)


def named(module: str, name: str) -> Any:
    """What a module calls by a dotted name, or None."""
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def made_kernel(kind: type, module: str, name: str, changes: dict[str, Any]) -> Any:
    """The kernel of that name, with the choices that it was pickled with."""
    found = named(module, name)
    return kind(getattr(found, "function", found), **changes)
