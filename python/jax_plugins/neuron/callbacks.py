"""Python functions that programs on `neuron` call: jax.debug.print, pure_callback, io_callback.

JAX's own rules for CPUs lower them to a custom call with the function's number. Here numbers belong
to the process, and the plugin calls `function` below with them (src/pjrt/host_functions.h).
"""

from __future__ import annotations

import ctypes
import importlib
import math
import secrets
import threading
import weakref
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

# Primitive and rule of JAX 0.10 to 0.12, by module.
RULES = {
    "jax._src.callback": (
        ("pure_callback_p", "pure_callback_lowering"),
        ("io_callback_p", "io_callback_lowering"),
    ),
    "jax._src.debugging": (
        ("debug_callback_p", "debug_callback_lowering"),
        ("debug_print_p", "debug_print_lowering_rule"),
    ),
}


# The client that the rules see; they ask for its platform only.
AS_IF = SimpleNamespace(platform="cpu")


class Functions:
    """Functions by number, for as long as a compiled program keeps them alive.

    It takes the place of the list in which JAX counts a module's callbacks. Numbers begin where no
    other process begins, so that a program out of a cache never calls another function.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._next = secrets.randbits(32) << 24
        self._functions: weakref.WeakValueDictionary[int, Callable] = weakref.WeakValueDictionary()
        self._added: list[Callable] = []

    def __len__(self) -> int:
        return self._next

    def append(self, function: Callable) -> None:
        """The number of a function is the length before it is appended."""
        self._functions[self._next] = function
        self._added.append(function)
        self._next += 1

    def added(self) -> list[Callable]:
        """What was appended since the last call; from now on somebody else keeps it alive."""
        added, self._added = self._added, []
        return added

    def alive(self) -> list[int]:
        """Numbers of the functions that some program still may call."""
        return list(self._functions)

    def __getitem__(self, number: int) -> Callable:
        return self._functions[number]


functions = Functions()


class HostTensor(ctypes.Structure):
    """src/pjrt/host_functions.h."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("element", ctypes.c_char_p),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int64),
    )

    def array(self) -> np.ndarray | None:
        """The tensor itself, not a copy; None for a token."""
        if self.element is None:
            return None
        from trainyard.graph import dtype_of

        dtype = dtype_of(self.element.decode())
        shape = tuple(self.dims[: self.rank])
        size = math.prod(shape) * dtype.itemsize
        if size == 0:
            return np.empty(shape, dtype)
        bytes_at = ctypes.cast(self.data, ctypes.POINTER(ctypes.c_uint8))
        return np.ctypeslib.as_array(bytes_at, (size,)).view(dtype).reshape(shape)


HOST_FUNCTION = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.POINTER(HostTensor),
    ctypes.c_int64,
    ctypes.POINTER(HostTensor),
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_char),
    ctypes.c_size_t,
)


@HOST_FUNCTION
def function(
    number: int,
    operands: Any,
    operand_count: int,
    results: Any,
    result_count: int,
    error: Any,
    size: int,
) -> int:
    """What the plugin calls. Errors of the function, and Ctrl-C in it, end the run."""
    try:
        arguments = [operands[i].array() for i in range(operand_count)]
        made = functions[number](*[a if a is None else a.copy() for a in arguments])
        for i in range(result_count):
            place = results[i].array()
            if place is not None:
                place[...] = made[i]
    except BaseException as problem:
        text = f"{type(problem).__name__}: {problem}"
        if isinstance(problem, KeyError) and problem.args == (number,):
            text = "a Python function of a program that another process compiled, or that is gone"
        content = text.encode()[: size - 1] + b"\0"
        ctypes.memmove(error, content, len(content))
        return 1
    return 0


def create_options() -> dict[str, int]:
    """What the plugin's client is told."""
    return {"host_functions": ctypes.cast(function, ctypes.c_void_p).value or 0}


def register(platform: str) -> None:
    """Gives JAX the rules for this platform; what another version of JAX lacks is left out."""
    from jax.interpreters import mlir

    for module_name, pairs in RULES.items():
        module = importlib.import_module(module_name)
        for primitive, rule in pairs:
            if hasattr(module, primitive) and hasattr(module, rule):
                mlir.register_lowering(
                    getattr(module, primitive), lowered_by(getattr(module, rule)), platform=platform
                )


def lowered_by(rule: Callable) -> Callable:
    """JAX's rule for CPUs, with numbers out of `functions`."""

    def lower(ctx: Any, *operands: Any, **params: Any) -> Sequence[Any]:
        context = ctx.module_context
        inner = ctx.replace(
            module_context=context.replace(
                platforms=("cpu",), backend=AS_IF, host_callbacks=functions
            )
        )
        with functions.lock:
            found = rule(inner, *operands, **params)
            for function in functions.added():
                context.add_keepalive(function)
        if inner.tokens_out is not None:
            ctx.set_tokens_out(inner.tokens_out)
        return found

    return lower
