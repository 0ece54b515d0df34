"""Which kernel is being traced right now, and what its source looks like."""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NoReturn

from trainyard import _core

vocabulary = _core.Vocabulary()


@dataclass
class Context:
    """One kernel instance being traced."""

    trace: Any
    machine: Any
    program_id: int = 0
    num_programs: int = 1
    names: dict[str, int] = field(default_factory=dict)
    identities: dict[str, Any] = field(default_factory=dict)
    kernel_name: str = "kernel"


current: Context | None = None


def context() -> Context:
    """The kernel being traced. Raises RuntimeError outside a kernel."""
    if current is None:
        raise RuntimeError(
            "nki.isa and nki.language functions run inside a kernel: decorate the function with "
            "@nki.jit and call it"
        )
    return current


def refuse(label: str, rule: str, found: str, fix: str = "") -> NoReturn:
    """Raises InputError at the author's source line: `found` breaks the rule `label`."""
    context().trace.refuse(label, rule, found, fix)
    raise AssertionError("refuse() returned")


@contextlib.contextmanager
def tracing(new: Context) -> Iterator[Context]:
    """Makes `new` the kernel being traced."""
    global current
    outer, current = current, new
    try:
        yield new
    finally:
        current = outer


def run_traced(function: Any, args: tuple, kwargs: dict) -> Any:
    """Calls the author's function. Its code marks where the author's frames begin."""
    return function(*args, **kwargs)


_PACKAGES = tuple(
    os.path.dirname(os.path.realpath(path)) + os.sep  # noqa: PTH120
    for path in (__file__, _core.__file__)
)
_loops: dict[tuple[str, int], list[tuple[int, int, str]]] = {}


def describe_code(code: CodeType) -> list[tuple[int, int, str]] | None:
    """The for-loops of a function as (first line, last line, variable); None for our own code."""
    file = code.co_filename
    if file.startswith("<nki.isa.") or os.path.realpath(file).startswith(_PACKAGES):
        return None
    key = (code.co_filename, code.co_firstlineno)
    if key not in _loops:
        _loops[key] = _find_loops(code)
    return _loops[key]


def _find_loops(code: CodeType) -> list[tuple[int, int, str]]:
    source = "".join(linecache.getlines(code.co_filename))
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    local = set(code.co_varnames) | set(code.co_cellvars) | set(code.co_freevars)
    loops = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
            continue
        if node.target.id in local and node.lineno >= code.co_firstlineno:
            loops.append((node.body[0].lineno, node.end_lineno, node.target.id))
    return sorted(loops)


def new_context(machine: Any, name: str, program_id: int = 0, num_programs: int = 1) -> Context:
    """A fresh trace for one instance of a kernel on `machine`."""
    trace = _core.new_trace(machine, vocabulary, name, describe_code, run_traced.__code__)
    return Context(trace, machine, program_id, num_programs, kernel_name=name)


def module_is_imported(name: str) -> bool:
    """Whether a framework has been imported; we never import one ourselves."""
    return name in sys.modules
