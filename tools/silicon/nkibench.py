"""NKIBench of zhang677/AccelOpt on Trn1: baseline kernels with the inputs of their references."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from suite.source import module_of

from silicon.case import Case, NotReproducibleError
from silicon.rows import Row


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""

    def case_of(row: Row) -> Case:
        name = re.match(r"NKIBench (\w+) \(baseline\)", row.workload)
        if name is None or row.metric != "latency_p50":
            raise NotReproducibleError("no builder for this row of NKIBench")
        kernel = module_of(_file(checkout / "NKIBench/kernels", name.group(1))).kernel
        reference = module_of(_file(checkout / "NKIBench/reference", name.group(1)))
        inputs = reference.transform_to_nki_inputs(reference.get_inputs())
        return Case(kernel, positional=list(inputs), ladder="NKIBench baselines")

    return case_of


def _file(folder: Path, name: str) -> Path:
    """The file of a problem: the same words and sizes, in whatever order."""
    for path in sorted(folder.glob("*.py")):
        same_sizes = set(name.split("_")) <= set(path.stem.split("_"))
        if same_sizes and _words(path.stem) == _words(name):
            return path
    raise NotReproducibleError(f"{folder.name} has no file for {name}")


def _words(name: str) -> list[str]:
    """The words of a name before its sizes."""
    return [word for word in name.split("_") if word.islower() and word != "numpy"]
