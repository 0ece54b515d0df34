"""The vector additions of stanford-cs149/asst4-trainium, timed by students on Trn1 and Trn2."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from suite.source import module_of

from silicon.case import Case, NotReproducibleError
from silicon.kernel_fusion import LATENCY_LAUNCH_US
from silicon.rows import Row

# What the assignment asks to change, by what a row says, with the kernel that has it.
VARIANTS = {
    "row chunk": ("ROW_CHUNK", "vector_add_tiled"),
    "FREE_DIM": ("FREE_DIM", "vector_add_stream"),
}


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    text = (checkout / "part1/kernels.py").read_text()
    directory = tempfile.TemporaryDirectory(prefix="silicon")

    def case_of(row: Row) -> Case:
        found = re.search(r"vector add.* (row chunk|FREE_DIM) (\d+)", row.workload)
        if found is None or row.metric != "latency":
            raise NotReproducibleError("no builder for this row of CS149")
        name, kernel = VARIANTS[found.group(1)]
        changed = re.sub(rf"\b{name} = \d+", f"{name} = {found.group(2)}", text)
        file = Path(directory.name) / f"{kernel}_{found.group(2)}.py"
        file.write_text(changed)
        module = module_of(file)
        length = re.search(r"n=(\d+)", row.workload)
        vector = np.zeros(int(length.group(1)) if length else 25600, np.float32)
        # nki.benchmark's latency, as in trainium-kernel-fusion.
        return Case(
            getattr(module, kernel),
            {"a_vec": vector, "b_vec": vector},
            launch_us=LATENCY_LAUNCH_US,
            ladder="vector addition",
        )

    return case_of
