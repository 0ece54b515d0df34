"""Large things: a kernel of a million instructions, and a chip's memory that nobody has touched.

Run as a script, prints one of them as JSON: time and memory of a process that does nothing else.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import trainyard
from measure import MACHINE, Loaded, normal
from own_process import in_own_process, peak_bytes

P, N = 128, 512
DEPTH = 4  # products added up in a round
ROUNDS = 71_500  # of 14 instructions
GIB = 2**30


@nki.jit
def layers(x: nl.NkiTensor, w: nl.NkiTensor) -> nl.NkiTensor:
    """Rounds of loads, products, a softmax's steps and a store, in fresh tiles on all engines."""
    out = nl.ndarray((P, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
    weights = nl.ndarray((P, DEPTH, P), w.dtype)
    nisa.dma_copy(dst=weights, src=w.reshape((DEPTH, P, P)).permute((1, 0, 2)))
    for i in range(ROUNDS):
        columns = nl.ds(i % (x.shape[1] // N) * N, N)
        scores = nl.ndarray((P, N), nl.float32, buffer=nl.psum)
        for k in range(DEPTH):
            tile = nl.ndarray((P, N), x.dtype)
            nisa.dma_copy(dst=tile, src=x[nl.ds(k * P, P), columns])
            nisa.nc_matmul(dst=scores, stationary=weights[:, k, :], moving=tile)
        lowest, total, divisor = (nl.ndarray((P, 1), nl.float32) for _ in range(3))
        nisa.tensor_reduce(dst=lowest, op=nl.maximum, data=scores, axis=1, negate=True)
        exponentials, result = (nl.ndarray((P, N), nl.bfloat16) for _ in range(2))
        nisa.activation(
            dst=exponentials,
            op=nl.exp,
            data=scores,
            bias=lowest,
            reduce_op=nl.add,
            reduce_res=total,
            reduce_cmd=nisa.reduce_cmd.reset_reduce,
        )
        nisa.reciprocal(dst=divisor, data=total)
        nisa.tensor_scalar(dst=result, data=exponentials, op0=nl.multiply, operand0=divisor)
        nisa.tensor_tensor(dst=result, data1=result, data2=exponentials, op=nl.add)
        nisa.dma_copy(dst=out[:, columns], src=result)
    return out


@nki.jit
def corner(x: nl.NkiTensor, rows: int) -> nl.NkiTensor:
    """Writes a tile into the last corner of [rows, 2^20] fp32 in HBM, and a copy of it."""
    large = nl.ndarray((rows, 2**20), nl.float32, buffer=nl.shared_hbm)
    out = nl.ndarray((P, N), nl.float32, buffer=nl.shared_hbm)
    tile = nl.ndarray((P, N), nl.float32)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=large[rows - P : rows, 2**20 - N : 2**20], src=tile)
    nisa.dma_copy(dst=out, src=large[rows - P : rows, 2**20 - N : 2**20])
    return out


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def chip_memory() -> dict[str, float]:
    """Every HBM stack of a chip holds one tensor of nearly its size, written in one corner."""
    figures = {f["key"]: f["value"] for f in trainyard.load_machine(MACHINE).provenance()}
    stack = int(figures["hbm.stack_size"]) * GIB
    before = resident_bytes()
    loaded = [
        Loaded(corner, np.ones((P, N), np.float32), stack // (4 * 2**20) - P)
        for _ in range(int(figures["hbm.stacks"]))
    ]
    for one in loaded:
        one.run()
    described = stack * len(loaded)
    return {"resident": resident_bytes() - before, "described": described}


def million_instructions() -> dict[str, float]:
    begin = time.process_time()
    kernel = Loaded(layers, normal(DEPTH * P, 8 * N), normal(DEPTH * P, P), schedule="list")
    count = kernel.run(timed=True, values=False).instructions
    seconds = time.process_time() - begin
    return {"instructions": count, "seconds": seconds, "peak": peak_bytes()}


def rows() -> list[dict[str, object]]:
    """Time and memory of a million instructions; memory of a chip's HBM beside its size."""
    million = in_own_process(__file__, "million")
    chip = in_own_process(__file__, "chip")
    name = f"{million['instructions'] / 1e6:.2f} M instructions traced, list-scheduled, timed"
    return [
        {"name": name, "value": million["seconds"], "unit": "CPU s"},
        {"name": f"{name}: memory", "value": million["peak"] / GIB, "unit": "GiB"},
        {
            "name": "a chip's HBM, a corner of each stack written: memory, beside its size",
            "value": chip["resident"] / GIB,
            "unit": "GiB",
            "host_limit": chip["described"] / GIB,
        },
    ]


if __name__ == "__main__":
    print(json.dumps(million_instructions() if sys.argv[1] == "million" else chip_memory()))
