"""Kernels inside jax.jit: a call on JAX's tracers becomes a custom call that carries the program.

The kernel is traced for the shapes and types of the arrays. On the platform `neuron` the program
that JAX compiles runs it as it stands; no other platform has it. As with AWS's compiler, the
target is AwsNeuronCustomNativeKernel.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from trainyard import _core, settings

from nki import _calls, _dtypes

TARGET = "AwsNeuronCustomNativeKernel"


def is_traced(args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether the kernel is called while JAX traces a function."""
    return "jax" in sys.modules and any(
        _is_tracer(leaf) for leaf in _leaves((args, list(kwargs.values())))
    )


def call(kernel: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What the kernel returns, as arrays of the function that JAX traces.

    Raises ValueError for what a custom call cannot do: updates of arguments, grids of two cores.
    """
    import jax

    name = getattr(kernel.function, "__name__", "kernel")
    if kernel.grid not in (None, 1):
        raise ValueError(
            f"{name}: inside jax.jit a kernel runs on one core; call it without a grid"
        )
    operands: dict[int, Any] = {}
    kept = []

    def placeholder(value: Any, _: str) -> Any:
        if not _is_tracer(value):
            return value
        array = np.zeros(value.shape, value.dtype)
        operands[id(array)] = value
        kept.append(array)  # its identity stays its own
        return array

    args, kwargs = _calls.map_leaves((args, kwargs), "", placeholder)
    machine = kernel._machine(settings.current().machine)
    traced = kernel._trace(args, kwargs, 0, machine)
    if traced.written_inputs:
        raise ValueError(
            f"{name} writes its argument {traced.written_inputs[0]}: inside jax.jit arrays do not "
            "change; write to a new tensor and return it"
        )
    if not traced.outputs:
        raise ValueError(f"{name} returns nothing: inside jax.jit its results are what it returns")
    config = _core.kernel_config(
        traced.program,
        [one.tensor._id for one in traced.inputs],
        [tensor._id for tensor in traced.outputs],
    )
    shapes = [
        jax.ShapeDtypeStruct(tuple(tensor.shape), _dtypes.numpy_dtype(str(tensor.dtype)))
        for tensor in traced.outputs
    ]
    made = jax.ffi.ffi_call(
        TARGET, shapes, custom_call_api_version=2, legacy_backend_config=config
    )(*[operands.get(id(one.given), one.given) for one in traced.inputs])
    results = {id(t): array for t, array in zip(traced.outputs, made, strict=True)}
    return _calls.rebuilt(traced.returned, results)


def _is_tracer(value: Any) -> bool:
    from jax import core

    return isinstance(value, core.Tracer)


def _leaves(value: Any) -> list[Any]:
    found: list[Any] = []
    _calls.map_leaves(value, "", lambda item, _: found.append(item))
    return found
