"""Allocation call-backs and hints of neuronxcc.nki.compiler, NKI 0.1.

The call-backs choose SBUF or PSUM; the addresses they would give are chosen by Trainyard instead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import nki.language as nl
from nki.language._types import MemoryRegion


class _Placement:
    """A buffer argument that names a memory."""

    def __init__(self, region: MemoryRegion) -> None:
        self.region = region


class _Memory:
    """sbuf or psum, with its allocation functions."""

    def __init__(self, region: MemoryRegion) -> None:
        self.region = region

    def alloc(self, func: Callable[..., Any]) -> _Placement:
        """A buffer whose addresses `func` would give; they are chosen automatically."""
        return _Placement(self.region)

    def mod_alloc(self, **_: Any) -> _Placement:
        """A buffer whose tiles would take turns at addresses; they are chosen automatically."""
        return _Placement(self.region)

    auto_alloc = mod_alloc


sbuf = _Memory(nl.sbuf)
psum = _Memory(nl.psum)


def _as_it_is(function: Any = None, **_: Any) -> Any:
    """A decorator without effect, with or without arguments."""
    return (lambda given: given) if function is None else function


def skip_middle_end_transformations(function: Any = None, **_: Any) -> Any:
    """A decorator, under or over `nki.jit`: timed runs keep the author's order and engines."""
    if function is None:
        return skip_middle_end_transformations
    getattr(function, "function", function).skips_middle_end = True
    return function


enable_stack_allocator = _as_it_is
force_auto_alloc = _as_it_is


@contextlib.contextmanager
def no_reorder() -> Iterator[None]:
    """Makes every instruction inside wait for the one before it."""
    from neuronxcc.nki import _state

    _state.flush()
    with nl.no_reorder():
        yield
        _state.flush()


@contextlib.contextmanager
def multi_buffer(*_: Any, **__: Any) -> Iterator[None]:
    """A hint that buffers take turns, which automatic allocation does anyway."""
    yield
