"""Whole kernels: what values, time and a recording cost, beside the host's own matrix products.

A ratio is a cost: the time of the first thing named divided by that of what it is set beside.
"""

from __future__ import annotations

import sys

import numpy as np
from measure import ROOT, Loaded, cpu_seconds, normal

sys.path += [str(ROOT / "examples"), str(ROOT / "tests/fidelity")]
from attention import attention, steps_of
from kernels import blocked_rows

TOKENS, HEAD, CUBE = 4096, 128, 4096


def attention_products() -> None:
    """The products of causal attention in the kernel's own blocks, by the host's SGEMM."""
    queries = np.ones((HEAD, HEAD), np.float32)
    keys, values = np.ones((HEAD, TOKENS), np.float32), np.ones((TOKENS, HEAD), np.float32)
    for step in steps_of(TOKENS):
        chunk = slice(step.first, step.first + step.width)
        (queries @ keys[:, chunk]) @ values[chunk]


def attention_rows() -> list[dict[str, object]]:
    kernel = Loaded(attention, normal(HEAD, TOKENS), normal(HEAD, TOKENS), normal(TOKENS, HEAD))
    values, timed = kernel.seconds(5), kernel.seconds(5, timed=True)
    recorded = kernel.seconds(5, timed=True, record=True)
    name = f"causal attention, {TOKENS} tokens, head {HEAD}, bf16"
    return [
        row(f"{name}: values, beside SGEMM", values, cpu_seconds(attention_products, 5)),
        row(f"{name}: values and time, beside values", timed, values),
        row(f"{name}: recorded, beside not", recorded, timed),
    ]


def matmul_rows() -> list[dict[str, object]]:
    kernel = Loaded(blocked_rows, normal(CUBE, CUBE), normal(CUBE, CUBE))
    square = np.ones((CUBE, CUBE), np.float32)
    before = kernel.trace_seconds + kernel.compile_seconds
    name = f"{CUBE}-cubed bf16 matmul"
    return [
        row(f"{name}: traced, compiled, timed", before + kernel.seconds(timed=True, values=False)),
        row(
            f"{name}: values, beside SGEMM", kernel.seconds(), cpu_seconds(lambda: square @ square)
        ),
    ]


def row(name: str, value: float, beside: float | None = None) -> dict[str, object]:
    return {"name": name, "value": value, "unit": "CPU s", "host_limit": beside}


def rows() -> list[dict[str, object]]:
    """Attention, then the matrix product."""
    return attention_rows() + matmul_rows()
