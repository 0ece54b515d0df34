"""Whole kernels: what values, time and a recording cost, beside the host's own matrix products.

A ratio is a cost: the time of the first thing named divided by that of what it is set beside.
"""

from __future__ import annotations

import sys
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
from measure import ROOT, Loaded, cpu_seconds, normal, wall_seconds

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


@nki.jit
def rows_of_product(lhs_t: Any, rhs: Any) -> Any:
    """lhs_t.T @ rhs, of which each core of the grid computes its part of the rows."""
    depth, height, width = *lhs_t.shape, rhs.shape[1]
    out = nl.ndarray((height, width), nl.float32, buffer=nl.shared_hbm)
    part = height // nl.num_programs()
    first = nl.program_id(0) * part
    blocks = range(0, depth, 128)
    for top in range(first, first + part, 128):
        left = [nl.load(lhs_t[k : k + 128, top : top + 128]) for k in blocks]
        for begin in range(0, width, 512):
            product = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
            for k, stationary in zip(blocks, left, strict=True):
                moving = nl.load(rhs[k : k + 128, begin : begin + 512])
                nisa.nc_matmul(product, stationary, moving, accumulate=k > 0)
            nl.store(out[top : top + 128, begin : begin + 512], nl.copy(product))
    return out


def grid_rows() -> list[dict[str, object]]:
    """Wall-clock seconds: the two cores of a grid run on two processors of the host."""
    operands = normal(CUBE // 2, CUBE // 2), normal(CUBE // 2, CUBE // 2)
    one, two = (
        wall_seconds(lambda cores=cores: rows_of_product[cores].run(*operands, checks=False), 5)
        for cores in (1, 2)
    )
    name = f"{CUBE // 2}-cubed bf16 matmul: two logical cores, beside one"
    return [row(name, two, one) | {"unit": "s"}]


def row(name: str, value: float, beside: float | None = None) -> dict[str, object]:
    return {"name": name, "value": value, "unit": "CPU s", "host_limit": beside}


def rows() -> list[dict[str, object]]:
    """Attention, then the matrix product, then one on two cores."""
    return attention_rows() + matmul_rows() + grid_rows()
