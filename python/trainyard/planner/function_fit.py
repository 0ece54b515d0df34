"""Whether a JAX function fits a machine: what its arguments, results and temporaries take."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trainyard import _core
from trainyard.planner import frames
from trainyard.planner.text import GIB, number
from trainyard.usage import UsageError


@dataclass(frozen=True)
class MachineFit:
    """One chip of a machine: whether the function fits, and how long it takes at least."""

    machine: str
    fits: bool
    capacity_bytes: float
    chips: int  # the fewest that hold its bytes, were they shared out
    seconds: float  # by operations or bytes, whichever is longer, at the machine's peaks
    bound: str  # "compute" or "memory"


@dataclass(frozen=True)
class FunctionFit:
    """What a function takes on one chip, and which machines have it."""

    name: str
    argument_bytes: float
    result_bytes: float
    temporary_bytes: float
    flops: float
    moved_bytes: float
    machines: tuple[MachineFit, ...]

    @property
    def bytes(self) -> float:
        """That must be there at once."""
        return self.argument_bytes + self.result_bytes + self.temporary_bytes

    def __getitem__(self, machine: str) -> MachineFit:
        return next(one for one in self.machines if one.machine == machine)

    def frame(self) -> Any:
        """A row for each machine: a pandas.DataFrame where pandas is installed, else dicts."""
        return frames.frame([dict(vars(one)) for one in self.machines])

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.bytes / GIB:.4g} GiB (arguments {self.argument_bytes / GIB:.4g}, "
            f"results {self.result_bytes / GIB:.4g}, temporaries {self.temporary_bytes / GIB:.4g})",
            f"{number(self.flops)}FLOP, {number(self.moved_bytes)}B through memory",
        ]
        for one in self.machines:
            fits = "fits" if one.fits else f"needs {one.chips} chips"
            lines.append(
                f"{one.machine:17}{fits:>16}  at least {1e3 * one.seconds:.4g} ms ({one.bound})"
            )
        return "\n".join(lines)

    __repr__ = __str__


def fit_function(function: Callable[..., Any], shapes: Sequence[Any], on: Any = ()) -> FunctionFit:
    """`function` (of JAX, jitted or not) for arguments like `shapes`: arrays, ShapeDtypeStructs, or
    trees of them. Nothing is computed.

    Temporaries are what XLA's compiler for the host sets aside; operations and bytes are XLA's own
    count of the program. Raises UsageError where JAX is missing, or cannot trace the function.
    """
    try:
        import jax
    except ImportError:
        raise UsageError("a function needs JAX: pip install trainyard[jax]") from None
    name = getattr(function, "__name__", type(function).__name__)
    machines = on.split(",") if isinstance(on, str) else list(on)
    machines = [one for one in machines if one] or list(_core.accelerators())
    jitted: Any = function if hasattr(function, "lower") else jax.jit(function)
    try:
        with jax.default_device(jax.devices("cpu")[0]):
            lowered = jitted.lower(*shapes)
            counted = lowered.cost_analysis() or {}
            memory: Any = lowered.compile().memory_analysis()
    except Exception as error:  # whatever the function raises while it is traced
        raise UsageError(f"{name} cannot be traced: {type(error).__name__}: {error}") from error
    found = FunctionFit(
        name,
        float(memory.argument_size_in_bytes),
        float(memory.output_size_in_bytes - memory.alias_size_in_bytes),
        float(memory.temp_size_in_bytes),
        max(0.0, float(counted.get("flops", 0.0))),
        max(0.0, float(counted.get("bytes accessed", 0.0))),
        (),
    )
    width = _width(shapes)
    return replace(found, machines=tuple(_machine(one, found, width) for one in machines))


def _width(shapes: Sequence[Any]) -> int:
    """Bytes of an element of the widest floating-point argument."""
    import jax

    widths = [
        leaf.dtype.itemsize
        for leaf in jax.tree.leaves(list(shapes))
        if hasattr(leaf, "dtype") and leaf.dtype.kind in "fV"
    ]
    return max(widths, default=4)


def _machine(machine: str, found: FunctionFit, width: int) -> MachineFit:
    figures = {
        one["key"]: one["value"]
        for one in json.loads(_core.accelerator_document(machine))["figures"]
    }
    rate = figures["compute.bf16"] if width <= 2 else figures.get("compute.fp32", 0.0)
    rate = (rate or figures["compute.bf16"]) * 1e12
    computing = found.flops / rate
    moving = found.moved_bytes / (figures["memory.bandwidth"] * 1e9)
    capacity = figures["memory.capacity"] * figures["memory.usable"]
    return MachineFit(
        machine,
        found.bytes <= capacity,
        capacity,
        max(1, -(-int(found.bytes) // int(capacity))),
        max(computing, moving),
        "compute" if computing >= moving else "memory",
    )
