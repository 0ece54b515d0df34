"""Runs one compiled program on the machine and on the oracle, and compares what lies in HBM."""

from __future__ import annotations

from typing import Any

import numpy as np
import oracle
import trainyard
from trainyard import _core


def load(kernel: Any, *inputs: Any, machine: str = "trn3") -> tuple[Any, Any, Any]:
    """(the traced kernel, its session, its instance) with the inputs written."""
    description = trainyard.load_machine(machine)
    traced = kernel._trace(inputs, {}, 0, description)
    session = _core.Session(description)
    instance = session.load(traced.program)
    for source in traced.inputs:
        session.write(instance, source.tensor._id, _bytes(source.array))
    return traced, session, instance


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(np.uint8).reshape(-1)


def interpreted(traced: Any, session: Any, instance: Any, machine: str = "trn3") -> Any:
    """The oracle's core after the same program on the same inputs."""
    text = _core.disassemble(_core.program_bytes(instance.program), "program", True)
    description = trainyard.load_machine(machine)
    inputs = {source.tensor._id: source.array for source in traced.inputs}
    psum = description.psum_bank_bytes * description.psum_banks
    return oracle.run(text, inputs, description.sbuf_partition_size, psum)


def outputs(kernel: Any, *inputs: Any, machine: str = "trn3") -> list[tuple[Any, Any]]:
    """(found, wanted) for each output of a kernel, as arrays of its dtype."""
    traced, session, instance = load(kernel, *inputs, machine=machine)
    options = _core.RunOptions()
    options.checks = False  # random programs add to what is no open sum
    session.run([instance], options)
    core = interpreted(traced, session, instance, machine)
    pairs = []
    for tensor in traced.outputs:
        wanted = core.hbm[tensor._id]
        found = np.empty_like(wanted)
        session.read(instance, tensor, found)
        dtype = oracle.DTYPES[str(tensor.dtype)]
        pairs.append((found.view(dtype), wanted.view(dtype)))
    return pairs


def differing(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where two arrays differ in any bit; any NaN equals any NaN."""
    nan = np.zeros(found.shape, bool)
    if found.dtype.kind not in "iub":
        nan = np.isnan(found.astype(np.float32)) & np.isnan(wanted.astype(np.float32))
    bits = f"u{found.dtype.itemsize}"
    return np.flatnonzero((found.view(bits) != wanted.view(bits)) & ~nan)
