"""Which kernel is being traced right now, and what its source looks like."""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import linecache
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NoReturn

from trainyard import _core, tracebacks

from nki import _hints

vocabulary = _core.Vocabulary()


@dataclass
class Context:
    """One kernel instance being traced."""

    trace: Any
    machine: Any
    program_id: int = 0
    grid: int | None = None
    rank: int = 0  # which of `ranks` logical cores runs it; see nki.collectives
    ranks: int = 1
    names: dict[str, list[Any]] = field(default_factory=dict)  # instructions by name
    identities: dict[tuple[int, str], Any] = field(default_factory=dict)
    kernel_name: str = "kernel"
    level: str = "0.7"  # of NKI, where releases disagree
    strict: bool = False  # whether what the level removed is refused
    prepared: Any = None  # the collective that waits for its trigger
    options: Any = None  # of nki.jit: what nested kernels compare theirs with
    scope: tuple[int, ...] = ()  # the loop_begin of every hardware loop around what comes next
    open_loops: list[str] = field(default_factory=list)  # where those loops begin
    open_whiles: list[tuple] = field(default_factory=list)  # `while register:` loops among them
    ordered_from: int | None = None  # first instruction of the open no_reorder block
    prints: list[tuple[str, Any]] = field(default_factory=list)  # of device_print
    inputs: list[Any] = field(default_factory=list)  # the kernel's array arguments
    simulated: bool = False  # as by AWS's CPU simulator: values can be printed while tracing

    @property
    def num_programs(self) -> int:
        """How many instances the grid has; 1 without a grid."""
        return self.grid or 1


class _Thread(threading.local):
    """What one thread of Python traces."""

    context: Context | None = None


thread = _Thread()


def current() -> Context | None:
    """The kernel that this thread is tracing, if any."""
    return thread.context


def context() -> Context:
    """The kernel being traced. Raises RuntimeError outside a kernel."""
    found = thread.context
    if found is None:
        raise RuntimeError(
            "nki.isa and nki.language functions run inside a kernel: decorate the function with "
            "@nki.jit and call it"
        )
    return found


def refuse(label: str, rule: str, found: str, fix: str = "") -> NoReturn:
    """Raises InputError at the author's source line: `found` breaks the rule `label`."""
    context().trace.refuse(label, rule, found, fix)
    raise AssertionError("refuse() returned")


@contextlib.contextmanager
def tracing(new: Context) -> Iterator[Context]:
    """Makes `new` the kernel that this thread traces; other threads may trace others meanwhile."""
    with _no_collection:
        outer, thread.context = thread.context, new
        try:
            yield new
        finally:
            thread.context = outer


class _NoCollection:
    """Turns the garbage collector off while any thread traces.

    Registers are used again when Python forgets them; when that happens must not depend on when
    the garbage collector runs.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._traces = 0
        self._collects = False

    def __enter__(self) -> None:
        with self._lock:
            if self._traces == 0:
                self._collects = gc.isenabled()
                gc.disable()
            self._traces += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._traces -= 1
            if self._traces == 0 and self._collects:
                gc.enable()


_no_collection = _NoCollection()


def run_traced(function: Any, args: tuple, kwargs: dict) -> Any:
    """Calls the author's function. Its code marks where the author's frames begin."""
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        _hints.explain_call(error)
        raise


_HERE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120
_PACKAGES = tuple(
    directory + os.sep
    for directory in (
        _HERE,
        os.path.join(os.path.dirname(_HERE), "neuronxcc"),  # noqa: PTH118,PTH120
        os.path.join(os.path.dirname(_HERE), "trainyard"),  # noqa: PTH118,PTH120  the sources
        os.path.dirname(os.path.realpath(_core.__file__)),  # noqa: PTH120
    )
)


@functools.lru_cache(maxsize=4096)
def describe_code(code: CodeType) -> list[tuple[int, int, str]] | None:
    """The for-loops of a function as (first line, last line, variable); None for our own code."""
    file = code.co_filename
    if file.startswith("<nki.isa.") or os.path.realpath(file).startswith(_PACKAGES):
        return None
    if tracebacks.is_starter(code):
        return None
    local = set(code.co_varnames) | set(code.co_cellvars) | set(code.co_freevars)
    return [
        (node.body[0].lineno, node.end_lineno, name.id)
        for node in _nodes(file, ast.For)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name) and name.id in local and node.lineno >= code.co_firstlineno
    ]


def while_tests(code: CodeType) -> set[int]:
    """The lines on which the conditions of while-loops stand in the file of a function."""
    return {
        line
        for node in _nodes(code.co_filename, ast.While)
        for line in range(node.test.lineno, node.test.end_lineno + 1)
    }


def _nodes(file: str, kind: type[ast.AST]) -> list[Any]:
    """The statements of one kind in a file, in the order of their lines."""
    return _nodes_of("".join(linecache.getlines(file)), kind)


@functools.lru_cache(maxsize=256)
def _nodes_of(source: str, kind: type[ast.AST]) -> list[Any]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    found = [node for node in ast.walk(tree) if isinstance(node, kind)]
    return sorted(found, key=lambda node: node.lineno)


def new_context(
    machine: Any,
    name: str,
    program_id: int = 0,
    grid: int | None = None,
    rank: int = 0,
    ranks: int = 1,
) -> Context:
    """A fresh trace for one of `grid` instances of a kernel on `machine`; None: no grid, one."""
    trace = _core.new_trace(
        machine, vocabulary, name, describe_code, run_traced.__code__, rank, ranks, grid or 1
    )
    return Context(trace, machine, program_id, grid, rank, ranks, kernel_name=name)


def module_is_imported(name: str) -> bool:
    """Whether a framework has been imported; we never import one ourselves."""
    return name in sys.modules
