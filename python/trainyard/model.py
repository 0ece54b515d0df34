"""JAX functions and StableHLO programs compiled for a machine and run on it.

    from trainyard import model

    compiled = model.compile(jax.jit(forward), weights, x)   # machine="trn3"
    y = compiled(weights, x)                                 # values
    run = compiled.run(weights, x, timed=True)               # values, time, energy, reports

A function is traced by `jax.export` for the shapes and types of its arguments. What no instruction
computes is a routine of the GpSimd cores, with an estimated time; `compiled.routines` names them.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from trainyard import _core, compiler_flags
from trainyard.device_memory import DeviceArray
from trainyard.graph import bytes_of, dtype_of
from trainyard.simulated_devices import devices_of


@dataclass(frozen=True)
class Run:
    """One run: its results, and what it took on the machine where it was timed.

    seconds: simulated; routine_seconds: of it, GpSimd routines (estimated). joules: low, likely,
    high.
    """

    results: Any
    seconds: float
    routine_seconds: float
    joules: tuple[float, float, float]
    _core: Any = field(repr=False, compare=False)

    @cached_property
    def reports(self) -> list[dict[str, Any]]:
        """Of each program, as `trainyard time --json` prints it."""
        return [json.loads(report) for report in self._core.reports]

    @cached_property
    def texts(self) -> list[str]:
        """The reports as text."""
        return list(self._core.texts)


class Model:
    """A tensor program that is ready to run on a machine: on one core, or on a logical core."""

    def __init__(
        self,
        artifact: bytes,
        machine: str | Any = "trn3",
        *,
        schedule: str = "list",
        flags: str = "",
        cores: int = 1,
        layers: str = "by_time",
        kept: Sequence[int] | None = None,
        flatten: Callable[[Any], list[Any]] | None = None,
        unflatten: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        """artifact: a StableHLO portable artifact. kept: the flat arguments that main has (all).

        flags: of the compiler, as AWS's neuronx-cc takes them. cores: 2 divides it between the two
        of a logical core (LNC 2). layers: see compile().
        """
        described = _core.load_machine(machine) if isinstance(machine, str) else machine
        self._devices = devices_of(described)
        self._core = _core.compile_model(
            _core.graph_read(artifact),
            described,
            schedule,
            flags,
            cores=cores,
            layers=layers,
            devices=self._devices,
        )
        self._kept = kept
        self._flatten = flatten or _flat
        self._unflatten = unflatten
        self._held: dict[int, tuple[Any, Any]] = {}

    @property
    def instructions(self) -> int:
        """Of all programs, before any loop turns."""
        return self._core.instructions

    @property
    def formats(self) -> list[tuple[str, str, int, int]]:
        """Of each class of tensors with a format (--precision): class, format, how many operands
        of products it has (of optimizer_state: arguments), how many got the format."""
        return self._core.class_uses

    @property
    def routines(self) -> list[tuple[str, int, str]]:
        """Operations without instructions: name, how many, where the first one stands."""
        return self._core.routines

    @property
    def prepared(self) -> int:
        """How many weights are stored in another format (--precision weights=mxfp4_stored): made
        once for each new argument, before the run, whose time they do not count to."""
        return self._core.prepared

    def __call__(self, *arguments: Any) -> Any:
        """The results, as NumPy arrays in the function's structure."""
        return self.run(*arguments).results

    def run(
        self,
        *arguments: Any,
        timed: bool = False,
        values: bool = True,
        checks: bool = False,
        seed: int | None = None,
        on_device: bool = False,
    ) -> Run:
        """Runs the program. An argument that is the same object with the same content as before is
        not written again, and a DeviceArray (trainyard.device_memory) never is: a donated one
        (donate_argnums) is gone then, its memory may be a result's.

        on_device: results are DeviceArrays, which stay where they are for further runs.
        seed: of stochastic rounding, for a machine with `policy.cast_rounding=stochastic`; another
        one for each training step, or every step rounds the same way. None: the machine's.

        Raises InputError "model.input" for other arguments than the function was traced with, and
        "model.control" or Fault "time.data" for loops and branches that depend on data, without
        values.
        """
        flat = self._flatten(arguments)
        if self._kept is not None:
            flat = [flat[i] for i in self._kept]
        inputs = [self._input(i, value) for i, value in enumerate(flat)]
        given = [
            i
            for i, (value, donated) in enumerate(zip(flat, self._core.donated, strict=False))
            if donated and isinstance(value, DeviceArray)
        ]
        run = self._core.run(inputs, timed, values, checks, False, seed, given)
        return self._as_run(run, on_device)

    def time(self) -> Run:
        """A timed run without values, for which no argument is needed and none is in memory.

        Raises InputError "model.control" for loops and branches, which need values.
        """
        return self._as_run(self._core.run([], timed=True, values=False))

    def _as_run(self, run: Any, on_device: bool = False) -> Run:
        types = [(dtype_of(name), shape) for name, shape in self._core.outputs]
        arrays: list[Any]
        if on_device:
            arrays = [
                DeviceArray(core, shape, dtype, self._devices)
                for core, (dtype, shape) in zip(run.take_tensors(), types, strict=False)
            ]
        else:
            arrays = [
                np.frombuffer(content, dtype).reshape(shape)
                for content, (dtype, shape) in zip(run.take_outputs(), types, strict=False)
            ]
        results = self._unflatten(arrays) if self._unflatten and arrays else arrays
        return Run(
            results,
            run.nanoseconds * 1e-9,
            run.routine_nanoseconds * 1e-9,
            run.joules,
            run,
        )

    def _input(self, number: int, value: Any) -> Any:
        held = self._held.get(number)
        if held is not None and held[0] is value and _is_immutable(value):
            return held[1]
        name, shape = self._core.inputs[number] if number < len(self._core.inputs) else ("f32", [])
        wanted = dtype_of(name)
        if isinstance(value, DeviceArray) and (value.dtype, list(value.shape)) == (wanted, shape):
            return value.core
        array = np.asarray(value)
        if array.dtype.itemsize == 8 and array.dtype.kind == wanted.kind:
            array = array.astype(wanted)  # as JAX does without jax_enable_x64
        if array.dtype != wanted or list(array.shape) != list(shape):
            raise _core.InputError(
                f"model.input: argument {number} is {array.dtype.name}{list(array.shape)}, the "
                f"program was traced with {wanted.name}{list(shape)}\n"
                "  fix: convert it, or compile the function for it"
            )
        content = bytes_of(array)
        if held is not None and held[0] is value and held[1].holds(content):
            return held[1]
        made = self._core.buffer(number, content)
        self._held[number] = (value, made)
        return made


def _is_immutable(value: Any) -> bool:
    jax = sys.modules.get("jax")
    return isinstance(value, bool | int | float | complex | np.generic) or (
        jax is not None and isinstance(value, jax.Array)
    )


def _as_shape(value: Any) -> Any:
    """What JAX traces a function for in the place of an array that it does not know."""
    import jax

    is_on_device = isinstance(value, DeviceArray)
    return jax.ShapeDtypeStruct(value.shape, value.dtype) if is_on_device else value


def _flat(tree: Any) -> list[Any]:
    if isinstance(tree, list | tuple):
        return [leaf for each in tree for leaf in _flat(each)]
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in _flat(tree[key])]
    return [] if tree is None else [tree]


def compile(
    function: Callable[..., Any],
    *arguments: Any,
    machine: str | Any = "trn3",
    auto_cast: str | None = None,
    auto_cast_type: str | None = None,
    matmul_format: str | None = None,
    precision: str | Mapping[str, str] | None = None,
    division: str | None = None,
    cores: int = 1,
    layers: str = "by_time",
) -> Model:
    """The function, traced by JAX for arguments like these, compiled for the machine.

    An argument may be a jax.ShapeDtypeStruct where only `Model.time()` is wanted.

    auto_cast: "none", "matmult" or "all": what is computed of float32 in auto_cast_type: "bf16",
    "fp16", "tf32" or "fp8_e4m3". matmul_format: "mxfp8" quantises both operands of products of two
    matrices in blocks of 32. None: as NEURON_CC_FLAGS says, else "none", "bf16" and "as-typed".
    precision: formats of operands and state by class, {"weights": "mxfp8", "gradients": "bf16"} or
    as text; docs/jax.md has the classes and formats. A class without members causes a warning.
    division: "where-it-matters" corrects quotients that are compared, rounded or returned, "exact"
    all of them, "fast" none. None: as NEURON_CC_FLAGS says, else "where-it-matters".
    cores: 2 divides what is large between the two cores of a logical core (LNC 2); core 0 does the
    rest. layers: equal layers that the function writes out one after the other are compiled once,
    as programs of their own, where what that adds to their time is small ("by_time"); "apart":
    always; "together": never, so that one layer begins while the one before it ends.

    Raises InputError "model.cores" for another number, and on a machine without pairs of cores;
    "model.layers" for another word.
    """
    import jax
    from jax import export

    jitted: Any = function if hasattr(function, "lower") else jax.jit(function)
    shapes = jax.tree_util.tree_map(_as_shape, arguments)
    exported = export.export(jitted, platforms=["cpu"])(*shapes)
    compiled = Model(
        exported.mlir_module_serialized,
        machine,
        flags=compiler_flags.in_force(
            auto_cast, auto_cast_type, matmul_format, precision, division
        ),
        cores=cores,
        layers=layers,
        kept=exported.module_kept_var_idx,
        flatten=jax.tree_util.tree_leaves,
        unflatten=exported.out_tree.unflatten,
    )
    if precision is not None and (words := compiled._core.unused_formats):
        warnings.warn(words, stacklevel=2)
    return compiled
