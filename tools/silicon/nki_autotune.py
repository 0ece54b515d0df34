"""The matrix product of awslabs/nki-autotune on Trn2, rendered by its own transforms."""

from __future__ import annotations

import contextlib
import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import ml_dtypes
import numpy as np
from suite.source import module_of

from silicon.case import LAUNCH_US, Case, NotReproducibleError
from silicon.rows import Row

EXAMPLE = "examples.tune_matmul_lhsT_rhs"
# What runs kernels on hardware; the transforms do without.
RUNNERS = ("api", "baseline", "output", "types")


@contextlib.contextmanager
def _importable(checkout: Path) -> Iterator[None]:
    paths = [str(checkout / part) for part in (".", "nkigym/src", "autotune/src")]
    absent = {f"autotune.runner.{name}": mock.MagicMock() for name in RUNNERS}
    with mock.patch.object(sys, "path", paths + sys.path), mock.patch.dict(sys.modules, absent):
        yield


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""

    def case_of(row: Row) -> Case:
        if row.workload != "matmul lhsT 2048^3 bf16, before search" or row.metric != "latency":
            raise NotReproducibleError("no builder for this row of nki-autotune")
        with _importable(checkout):
            kernel = _rendered(importlib.import_module(EXAMPLE))
        arrays = [np.zeros((2048, 2048), ml_dtypes.bfloat16) for _ in ("lhs_T", "rhs")]
        ladder = "matrix product of nki-autotune"
        return Case(kernel, positional=arrays, launch_us=LAUNCH_US, ladder=ladder)

    return case_of


def _rendered(example: Any) -> Any:
    """The kernel of all atoms but the last one, which the search is said to begin with."""
    kinds = {type(transform) for transform, _ in example.TRACE}
    search = example.KernelMDP(
        example.f_nkigym, example.INPUT_SPECS, transforms=[kind() for kind in kinds]
    )
    state = search.reset()
    for atom in example.TRACE[:-1]:
        state = search.step(state, atom)
    with tempfile.TemporaryDirectory(prefix="silicon") as directory:
        file = Path(directory) / "rendered.py"
        file.write_text(example.render(state))
        return getattr(module_of(file), example.RENDERED_FUNC_NAME)
