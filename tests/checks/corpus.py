"""Kernels as people write them, and the mistakes that are seeded into them: one edit each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from harness import findings_of, from_source

FOLDER = Path(__file__).with_name("corpus")


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal(shape, dtype=np.float32)


def _permutation(n: int, rows: int) -> np.ndarray:
    order = np.random.default_rng(4).permutation(n).astype(np.uint32)
    return np.tile(order, (rows, 1))


INPUTS: dict[str, Callable[[], tuple]] = {
    "matmul": lambda: (_random(256, 256), _random(256, 1024)),
    "softmax": lambda: (_random(256, 512),),
    "embedding": lambda: (
        _random(256, 256),
        np.arange(0, 256, 2, dtype=np.int32).reshape(128, 1),
        _permutation(256, 128),
    ),
    "rotary": lambda: (_random(128, 512),),
    "pipeline": lambda: (_random(128, 2048),),
    "running": lambda: (_random(128, 512), np.array([[449]], np.int32)),
    "grid": lambda: (_random(256, 512),),
}


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in a kernel, and the check should see it."""

    check: str
    kernel: str
    old: str
    new: str
    machine: str = "trn3"

    def __str__(self) -> str:
        return f"{self.check}-{self.kernel}-{self.machine}"


def run(kernel: str, machine: str = "trn3", source: str | None = None) -> list[dict[str, Any]]:
    """What is found in a kernel of the corpus, as it is or with another source."""
    import trainyard

    text = source if source is not None else (FOLDER / f"{kernel}.py").read_text()
    function = from_source(text, kernel, f"{kernel}.py")
    if kernel == "grid":
        function = function[2]
    return findings_of(function, *INPUTS[kernel](), machine=trainyard.load_machine(machine))


def mutated(mutant: Mutant) -> str:
    """The source with the mistake."""
    text = (FOLDER / f"{mutant.kernel}.py").read_text()
    assert text.count(mutant.old) == 1, f"{mutant}: {mutant.old!r} stands there once"
    return text.replace(mutant.old, mutant.new)


M = Mutant
MUTANTS = [
    # memory
    M(
        "memory.unwritten",
        "softmax",
        "src=x[first : first + P, :])\n        nisa.memset(dst=tile[:, valid:n], value=MASKED)",
        "src=x[first : first + P, :])\n        tile = nl.ndarray((P, n), "
        "x.dtype)\n        nisa.memset(dst=tile[:, valid:n], value=MASKED)",
    ),
    M("memory.output", "matmul", "range(n // BANK):", "range(n // BANK - 1):"),
    M(
        "view.bounds",
        "matmul",
        "src=x[P * k : P * k + P, :]",
        "src=x[P * k + 1 : P * k + P + 1, :]",
    ),
    M(
        "dynamic.bounds",
        "running",
        "register_alloc()\n    nisa.register_load(end, last)",
        "register_alloc(460)",
    ),
    M(
        "gather.bounds",
        "embedding",
        "nisa.dma_copy(dst=order, src=columns)",
        "nisa.memset(dst=order, value=n)",
    ),
    M("memory.overlap", "pipeline", "address=(0, 4 * BLOCK)", "address=(0, 2 * BLOCK)"),
    M("memory.address", "pipeline", "address=(0, 4 * BLOCK)", "address=(0, 4 * BLOCK + 2)"),
    M(
        "sbuf.capacity",
        "matmul",
        "wide = nl.ndarray((P, n), x.dtype)",
        "wide = nl.ndarray((P, 64 * n), x.dtype)[:, 0:n]",
    ),
    M(
        "psum.capacity",
        "matmul",
        "for _ in range(4)]",
        "for _ in range(9)]\n"
        "    for one in sums:\n        nisa.memset(dst=one, value=0.0)\n    for one in sums:\n"
        "        nisa.tensor_copy(dst=nl.ndarray((P, BANK), nl.float32), src=one)",
    ),
    M(
        "memory.alias",
        "rotary",
        "nisa.tensor_tensor(dst=turned[:, 0:half], data1=tile[:, half:n]",
        "nisa.tensor_tensor(dst=tile[:, 1 : half + 1], data1=tile[:, 0:half]",
    ),
    M(
        "perf.memset",
        "softmax",
        "        nisa.dma_copy(dst=tile, src=x[first",
        "        nisa.memset(dst=tile, value=0.0)\n        nisa.dma_copy(dst=tile, src=x[first",
    ),
    M(
        "memory.dead_store",
        "softmax",
        "        nisa.dma_copy(dst=tile, src=x[first",
        "        nisa.iota(tile, pattern=[[1, x.shape[1]]], offset=0)\n"
        "        nisa.dma_copy(dst=tile, src=x[first",
    ),
    M(
        "memory.unused",
        "softmax",
        "op0=nl.multiply, operand0=scale",
        "op0=nl.multiply, operand0=total",
    ),
    M(
        "memory.unwritten",
        "softmax",
        "nisa.activation(dst=weights, op=nl.exp, data=tile)\n"
        "        total = nl.ndarray((P, 1), nl.float32)\n"
        "        nisa.tensor_reduce(dst=total, op=nl.add, data=weights, axis=1)",
        "total = nl.ndarray((P, 1), nl.float32)\n"
        "        nisa.activation(dst=weights, op=nl.exp, data=tile, reduce_op=nl.add, "
        "reduce_res=total, reduce_cmd=nisa.reduce_cmd.reduce)",
    ),
    M("register.unset", "running", "    nisa.register_load(end, last)\n", ""),
    M(
        "memory.alias",
        "matmul",
        "    left = load(lhs_t, steps)\n",
        "    left = load(lhs_t, steps)\n"
        "    nisa.dma_copy(dst=left[:, 0, 1:P], src=left[:, 0, 0 : P - 1])\n",
    ),
    # accumulation, on the core where only a matmul begins a sum and on the one where any write does
    M("psum.group", "matmul", "accumulate=k > 0", "accumulate=True"),
    M("psum.group", "matmul", "accumulate=k > 0", "accumulate=True", "trn2"),
    M(
        "psum.group",
        "matmul",
        "            for k in range(steps):\n                nisa.nc",
        "            nisa.memset(dst=bank, value=0.0)\n            for k in range(1, steps):\n"
        "                nisa.nc",
        "trn2",
    ),
    M("psum.lost_sum", "matmul", "accumulate=k > 0", "accumulate=False"),
    M("psum.lost_sum", "matmul", "accumulate=k > 0", "accumulate=False", "trn2"),
    M(
        "psum.split_sum",
        "matmul",
        "accumulate=k > 0,\n                )\n            done",
        "accumulate=k > 0,\n                )\n                nisa.tensor_copy(dst="
        "nl.ndarray((P, BANK), nl.float32), src=bank)\n            done",
    ),
    M(
        "psum.format",
        "matmul",
        "dst=bank,",
        "dst=bank if k == 0 else bank.view(nl.bfloat16)[:, 0:BANK],",
    ),
    # layout
    M("tensor.partitions", "softmax", "\nP = 128\n", "\nP = 256\n"),
    M("tile.partition_start", "softmax", "dst=tile[:, valid:n]", "dst=tile[8:16, valid:n]"),
    M("view.partition_step", "softmax", "dst=tile[:, valid:n]", "dst=tile[0:128:2, valid:n]"),
    M(
        "tile.rank",
        "rotary",
        "tile = nl.ndarray((P, n), x.dtype)",
        "cube = nl.ndarray((P, 4, 4, 4, "
        "4, 4), x.dtype)\n    nisa.memset(dst=cube[:, 0:2, 0:2, 0:2, 0:2, 0:2], value=0.0)\n"
        "    tile = nl.ndarray((P, n), x.dtype)",
    ),
    M(
        "tile.step",
        "rotary",
        "tile = nl.ndarray((P, n), x.dtype)",
        "wide = nl.ndarray((P, 2, 16500),"
        " nl.bfloat16)\n    nisa.memset(dst=wide.ap([[33000, P], [32999, 2]]), value=0.0)\n"
        "    tile = nl.ndarray((P, n), x.dtype)",
    ),
    M(
        "tile.elements",
        "rotary",
        "tile = nl.ndarray((P, n), x.dtype)",
        "long = nl.ndarray((P, 70000), nl.int8)\n    nisa.memset(dst=long, value=0)\n"
        "    tile = nl.ndarray((P, n), x.dtype)",
    ),
    M(
        "engine.psum",
        "matmul",
        "nisa.tensor_copy(dst=done, src=bank)",
        "nisa.tensor_copy(dst=done, src=bank, engine=nisa.gpsimd_engine)",
    ),
    M("nc_matmul.c1", "matmul", "moving=right[:, k, BANK * j : BANK * j + BANK]", "moving=bank"),
    M("nc_matmul.c2", "matmul", "nl.float32, buffer=nl.psum)", "nl.float32)"),
    M("nc_matmul.c12", "matmul", "\nBANK = 512\n", "\nBANK = 1024\n", "trn2"),
    # order
    M(
        "grid.conflict",
        "grid",
        "src=x[rows, :])",
        "src=x[rows, :])\n    other = nl.ndarray((P, "
        "x.shape[1]), x.dtype)\n    if core == 0:\n        nisa.dma_copy(dst=other, "
        "src=out[P : 2 * P, :])\n        nisa.dma_copy(dst=out[0:P, :], src=other)",
    ),
    M(
        "grid.conflict",
        "grid",
        "    nisa.dma_copy(dst=out[rows, :], src=tile)",
        "    nisa.dma_copy(dst=out[rows, :], src=tile)\n"
        "    nisa.dma_copy(dst=tile, src=out[nl.ds(nisa.register_alloc(P - P * core), P), :])",
    ),
    M("grid.overwrite", "grid", "dst=out[rows, :]", "dst=out[0:P, :]"),
    M(
        "grid.overwrite",
        "grid",
        "    nisa.dma_copy(dst=out[rows, :], src=tile)",
        "    zeros = nl.ndarray((P, x.shape[1]), x.dtype)\n    nisa.memset(dst=zeros, value=0.0)\n"
        "    nisa.dma_copy(dst=out[0:P, :], src=zeros)\n"
        "    nisa.dma_copy(dst=out[rows, :], src=tile)",
    ),
    M(
        "grid.shared",
        "grid",
        "nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)",
        "nl.ndarray((256, 512 + core), x.dtype, buffer=nl.shared_hbm)[:, 0:512]",
    ),
    M(
        "meeting.match",
        "grid",
        "    nisa.dma_copy(dst=out[rows, :], src=tile)\n",
        "    nisa.dma_copy(dst=out[rows, :], src=tile)\n"
        "    nisa.sendrecv(tile, tile, core, 1 - core, 0)\n",
    ),
    # transfers
    M(
        "dma.oob",
        "embedding",
        "nisa.dma_copy(dst=where, src=index)",
        "nisa.memset(dst=where, value=rows)",
    ),
    M(
        "dma.unique",
        "embedding",
        "nisa.dma_copy(dst=where, src=index)",
        "nisa.memset(dst=where, value=1)",
    ),
    M(
        "dma.same_row",
        "embedding",
        "    target = updated.ap(",
        "    nisa.memset(dst=where, value=1)\n"
        "    nisa.dma_copy(dst=updated.ap([[n, P], [1, n]], vector_offset=where), src=picked)\n"
        "    nisa.dma_copy(dst=where, src=index)\n"
        "    target = updated.ap(",
    ),
    M("dma.small", "pipeline", "\nBLOCK = 512\n", "\nBLOCK = 64\n"),
    M(
        "dma.element_wise",
        "softmax",
        "dst=tile, src=x[first : first + P, :])",
        "dst=tile[:, 0:256], src=x.permute((1, 0))[first : first + P, :])\n"
        "        nisa.memset(dst=tile[:, 256:n], value=0.0)",
    ),
    M("dma.few_engines", "softmax", "\nP = 128\n", "\nP = 32\n"),
    M(
        "dma.reload",
        "matmul",
        "    right = load(rhs, steps)\n",
        "    right = load(rhs, steps)\n    load(rhs, steps)\n",
    ),
    M(
        "dma.spill",
        "matmul",
        "        nisa.tensor_copy(dst=narrow[:, k, :], src=wide)",
        "        parked = nl.ndarray((P, n), x.dtype, buffer=nl.private_hbm)\n"
        "        nisa.dma_copy(dst=parked, src=wide)\n        nisa.dma_copy(dst=wide, src=parked)\n"
        "        nisa.tensor_copy(dst=narrow[:, k, :], src=wide)",
    ),
    # values
    M("numerics.nan", "softmax", "MASKED = -1e30", "MASKED = float('inf')"),
    M(
        "numerics.overflow",
        "softmax",
        "weights = nl.ndarray((P, n), nl.float32)\n        nisa.activation(dst=weights, op=nl.exp, "
        "data=tile)",
        "weights = nl.ndarray((P, n), nl.float16)\n        nisa.activation(dst=weights, op=nl.exp, "
        "data=tile, scale=-3.0)",
    ),
    M(
        "numerics.overflow",
        "rotary",
        "operand0=0.01)",
        "operand0=0.01)\n    far = nl.ndarray((P, half), nl.int16)\n"
        "    nisa.tensor_scalar(dst=far, data=position, op0=nl.multiply, operand0=1e4)",
    ),
    M("numerics.range", "rotary", "operand0=0.01", "operand0=1.0"),
    M("numerics.integer", "rotary", "first=0", "first=2**24"),
    # silicon
    M(
        "silicon.copy_bias",
        "softmax",
        "op=nl.exp, data=tile)",
        "op=nl.copy, data=tile, bias=tile[:, 0:1])",
    ),
    # rates
    M(
        "perf.fp32_matmul",
        "matmul",
        "narrow = nl.ndarray((P, steps, n), nl.bfloat16)",
        "narrow = nl.ndarray((P, steps, n), nl.float32)",
    ),
    M(
        "perf.array_idle",
        "matmul",
        "stationary=left[:, k, P * i : P * i + P],\n                    moving=right[:, k,",
        "stationary=left[0:32, k, P * i : P * i + P],\n                    moving=right[0:32, k,",
    ),
    M("perf.weights_again", "matmul", "\nBANK = 512\n", "\nBANK = 128\n"),
    M(
        "perf.short_rows",
        "softmax",
        "        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.subtract, operand0=largest)",
        "        for c in range(0, n, 8):\n            "
        "nisa.tensor_scalar(dst=tile[:, c : c + 8], data=tile[:, c : c + 8], op0=nl.subtract, "
        "operand0=largest)",
    ),
    M(
        "perf.repeated_column",
        "softmax",
        "        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.subtract, operand0=largest)",
        "        nisa.tensor_tensor(dst=tile, data1=tile, op=nl.subtract, "
        "data2=nl.broadcast_to(largest, tile.shape))",
    ),
    M("perf.few_partitions", "softmax", "\nP = 128\n", "\nP = 32\n"),
    M("perf.psum_bank", "matmul", "for _ in range(4)]", "for _ in range(4)][:1] * 4"),
]
