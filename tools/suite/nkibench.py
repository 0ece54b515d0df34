"""The kernels of NKIBench (accelopt), judged as its own wrapper judges them on hardware.

Its wrapper cannot run here: it also calls AWS's profiler. Inputs, references, transforms and the
comparison are the benchmark's; what is left of the wrapper is below.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from suite.kernel_cases import KernelCase
from suite.source import module_of

TOLERANCE = 2e-5  # relative, that of its NKIKernel
SEED = 42


def cases(root: Path) -> list[KernelCase]:
    """A case for every kernel that the benchmark's summary names."""
    folder = root / "NKIBench"
    problems = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    pairs = {
        (impl["kernel"], impl["task"])
        for problem in problems.values()
        for case in problem["cases"].values()
        for impl in case["impls"]
    }
    return [_case(root, folder / kernel, folder / task) for kernel, task in sorted(pairs)]


def _case(root: Path, kernel: Path, task: Path) -> KernelCase:
    def go() -> dict[str, Any]:
        judge = module_of(root / "accelopt" / "eval_numpy.py")
        reference, made = module_of(task), module_of(kernel)
        np.random.seed(SEED)  # the benchmark draws from NumPy's own generator
        inputs = reference.get_inputs()
        function = getattr(made, "kernel", None) or made.optimized_kernel
        returned = function(*reference.transform_to_nki_inputs(inputs))
        expected = reference.forward(*inputs)
        outcome = judge.KernelProperties()
        judge.check_precision_and_correctness(
            str(kernel),
            reference.transform_nki_outputs(returned, expected),
            expected,
            outcome,
            TOLERANCE,
        )
        if outcome.correct:
            return {"status": "pass"}
        reason = "; ".join(f"{key}: {value}" for key, value in outcome.metadata.items())
        return {"status": "numerics", "reason": reason[:600], "cause": "the result differs"}

    return KernelCase(f"NKIBench/{kernel.parent.name}/{kernel.name}", go)
