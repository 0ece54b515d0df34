"""The fused Mamba kernels of aws-neuron/nki-samples, timed on Trn1 by AWS's tutorial."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from suite.source import module_of

from silicon.case import Case, NotReproducibleError
from silicon.rows import Row

MAMBA = "src/nki_samples/tutorials/fused_mamba/mamba_nki_kernels.py"


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""

    def case_of(row: Row) -> Case:
        found = re.fullmatch(r"fused Mamba (v\d) channels (\d+) seq (\d+)", row.workload)
        if found is None or row.metric != "latency":
            raise NotReproducibleError("no builder for this row of nki-samples")
        module = module_of(checkout / MAMBA)
        version, channels, length = found.group(1), int(found.group(2)), int(found.group(3))
        return Case(
            getattr(module, f"mamba_{version}"), mamba(channels, length), ladder="fused Mamba"
        )

    return case_of


def mamba(channels: int, length: int, state: int = 16) -> dict[str, np.ndarray]:
    """Tensors of the sizes that the tutorial names."""

    def tensor(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.float32)

    return {
        "delta": tensor(1, channels, length),
        "u": tensor(1, channels, length),
        "A": tensor(channels, state),
        "B": tensor(1, state, length),
        "C": tensor(1, state, length),
    }
