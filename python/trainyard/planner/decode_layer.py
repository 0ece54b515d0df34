"""A decoder layer of one decoding step as an NKI kernel: the share of one core.

Products that stream their weights from HBM, and attention over the cache; no norms, no rotation,
and the largest score is not subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import trainyard

FORMATS = {"bf16": "bfloat16", "fp8": "float8_e4m3"}
P, BANK, BANKS = 128, 512, 4
REQUESTS_MAX = 1024  # of a step: 128 columns of the array at a time, sums in all banks


@dataclass(frozen=True)
class DecodeShape:
    """What one core does of a layer in one step; inner 0: experts follow, which are not in it."""

    requests: int
    hidden: int
    queries: int  # heads of one key
    keys: int
    head: int
    inner: int
    context: int
    format: str
    cache: str = "bf16"


@cache
def simulated(shape: DecodeShape, machine: str) -> float:
    """Seconds of the layer's share on one core."""
    trainyard.install_nki()
    import nki.language as nl

    dtype, cached = (np.dtype(getattr(nl, FORMATS[one])) for one in (shape.format, shape.cache))
    both = shape.head * (shape.queries + 2) * shape.keys
    mixed = shape.head * shape.queries * shape.keys

    def empty(*sizes: int, dtype: Any = dtype) -> Any:
        return np.zeros(sizes, dtype)

    arrays = {
        "x": empty(shape.hidden, shape.requests),
        "mixed": empty(mixed, shape.requests),
        "inner": empty(max(1, shape.inner), shape.requests),
        "w_in": empty(shape.hidden, both),
        "w_out": empty(mixed, shape.hidden),
        "w_up": empty(shape.hidden, 2 * max(1, shape.inner)),
        "w_down": empty(max(1, shape.inner), shape.hidden),
        "q": empty(shape.head, shape.requests * shape.keys * shape.queries, dtype=cached),
        "k": empty(shape.head, shape.context, dtype=cached),
        "v": empty(shape.context, shape.head, dtype=cached),
    }
    times = shape.requests * shape.keys
    kernel = _kernel()
    result = kernel.run(
        *arrays.values(),
        times,
        shape.inner > 0,
        machine=machine,
        timed=True,
        values=False,
        checks=False,
    )[1]
    return float(result.time_ns) * 1e-9


def _product(x: Any, w: Any) -> Any:
    """x.T @ w to HBM: x in blocks of 128 rows stays, w streams by once for all columns of x."""
    import nki.isa as nisa
    import nki.language as nl

    (depth, height), width = x.shape, w.shape[1]
    out = nl.ndarray((height, width), x.dtype, buffer=nl.shared_hbm)
    blocks = [(k, min(P, depth - k)) for k in range(0, depth, P)]
    columns = [nl.ds(first, min(P, height - first)) for first in range(0, height, P)]
    kept = []
    for k, rows in blocks:
        kept.append(nl.ndarray((rows, height), x.dtype, buffer=nl.sbuf))
        nisa.dma_copy(dst=kept[-1], src=x[nl.ds(k, rows), :])
    step = BANK * max(1, BANKS // len(columns))
    for first in range(0, width, step):
        chunk = min(step, width - first)
        sums = [nl.ndarray((each.size, chunk), nl.float32, buffer=nl.psum) for each in columns]
        for (k, rows), stationary in zip(blocks, kept, strict=True):
            moving = nl.ndarray((rows, chunk), w.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=moving, src=w[nl.ds(k, rows), nl.ds(first, chunk)])
            for each, total in zip(columns, sums, strict=True):
                for at in range(0, chunk, BANK):
                    part = nl.ds(at, min(BANK, chunk - at))
                    nisa.nc_matmul(
                        dst=total[:, part],
                        stationary=stationary[:, each],
                        moving=moving[:, part],
                        accumulate=k > 0,
                    )
        for each, total in zip(columns, sums, strict=True):
            done = nl.ndarray((each.size, chunk), x.dtype, buffer=nl.sbuf)
            nisa.activation(dst=done, op=nl.silu, data=total)
            nisa.dma_copy(dst=out[each, nl.ds(first, chunk)], src=done)
    return out


def _attend(q: Any, k: Any, v: Any) -> Any:
    """One query group over a cache: exp(k.T @ q).T @ v; k: [head, context]."""
    import nki.isa as nisa
    import nki.language as nl

    (head, group), context = q.shape, k.shape[1]
    blocks = context // P
    keys = nl.ndarray((head, context), k.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=keys, src=k)
    values = nl.ndarray((P, blocks, head), v.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=values, src=v.reshape((blocks, P, head)).permute((1, 0, 2)))
    scores = nl.ndarray((P, blocks * group), nl.float32, buffer=nl.psum)
    for block in range(blocks):
        nisa.nc_matmul(
            dst=scores[:, nl.ds(block * group, group)],
            stationary=keys[:, nl.ds(block * P, P)],
            moving=q,
        )
    weights = nl.ndarray((P, blocks * group), k.dtype, buffer=nl.sbuf)
    nisa.activation(dst=weights, op=nl.exp, data=scores)
    sums = nl.ndarray((group, head), nl.float32, buffer=nl.psum)
    for block in range(blocks):
        nisa.nc_matmul(
            dst=sums,
            stationary=weights[:, nl.ds(block * group, group)],
            moving=values[:, block, :],
            accumulate=block > 0,
        )
    result = nl.ndarray((group, head), k.dtype, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=sums)
    out = nl.ndarray((group, head), k.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=result)
    return out


@cache
def _kernel() -> Any:
    import nki
    import nki.isa as nisa
    import nki.language as nl

    @nki.jit
    def decoder_layer(
        x: Any,
        mixed: Any,
        inner: Any,
        w_in: Any,
        w_out: Any,
        w_up: Any,
        w_down: Any,
        q: Any,
        k: Any,
        v: Any,
        times: int,
        dense: bool,
    ) -> tuple[Any, ...]:
        projected = _product(x, w_in)
        group = q.shape[1] // times
        queries = nl.ndarray(q.shape, q.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=queries, src=q)
        seen = [_attend(queries[:, nl.ds(i * group, group)], k, v) for i in range(times)]
        block = projected, *seen, _product(mixed, w_out)
        return (*block, _product(x, w_up), _product(inner, w_down)) if dense else block

    return decoder_layer
