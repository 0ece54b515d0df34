"""Five kernels as a newcomer writes them, each with the choices that make it faster step by step.

A kernel is a function of its arrays and of Choices: who issues transfers, who makes their
descriptors, and whether each turn of a loop has tiles of its own. `python examples/ladders.py`
climbs each ladder: it times the kernel, makes the change that Trainyard advises first, and shows
what was promised and what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np

P = 128  # partitions of a tile


@dataclass(frozen=True)
class Choices:
    """What an author decides besides the arithmetic."""

    fresh: bool = False  # each turn has tiles of its own, so that loads run ahead
    loads: tuple[str, ...] = ()  # engines that issue the loads in turn; none: the usual ones
    stores: tuple[str, ...] = ()
    descriptors: str = ""  # who makes the others' descriptors: "hwdge", "none"
    schedule: str = "author"


class Tiles:
    """Tiles by name: the same one in each turn, or a new one."""

    def __init__(self, choices: Choices) -> None:
        self._fresh = choices.fresh
        self._made: dict[str, Any] = {}

    def __call__(self, name: str, shape: tuple[int, int], dtype: Any, buffer: Any = nl.sbuf) -> Any:
        """A tile to be written whole."""
        if self._fresh or name not in self._made:
            self._made[name] = nl.ndarray(shape, dtype, buffer=buffer)
        return self._made[name]


class Transfers:
    """Loads and stores as the choices say."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._turn = {"loads": 0, "stores": 0}

    def load(self, dst: Any, src: Any) -> None:
        """From HBM."""
        nisa.dma_copy(dst=dst, src=src, **self._how("loads"))

    def store(self, dst: Any, src: Any) -> None:
        """To HBM."""
        nisa.dma_copy(dst=dst, src=src, **self._how("stores"))

    def _how(self, direction: str) -> dict[str, Any]:
        engines = getattr(self._choices, direction)
        if not engines:
            mode = self._choices.descriptors
            return {"dge_mode": getattr(nisa.dge_mode, mode)} if mode else {}
        engine = engines[self._turn[direction] % len(engines)]
        self._turn[direction] += 1
        if engine == "gpsimd":
            return {"dge_mode": nisa.dge_mode.swdge}
        return {"dge_mode": nisa.dge_mode.hwdge, "engine": getattr(nisa.engine, engine)}


def _output(shape: tuple[int, ...], like: Any) -> Any:
    return nl.ndarray(shape, like.dtype, buffer=nl.shared_hbm)


def softmax(x: Any, choices: Choices) -> Any:
    """Of each row."""
    out, tile, move = _output(x.shape, x), Tiles(choices), Transfers(choices)
    rows, n = x.shape
    for r in range(0, rows, P):
        data = tile("data", (P, n), x.dtype)
        move.load(data, x[r : r + P, :])
        top = tile("top", (P, 1), nl.float32)
        nisa.tensor_reduce(dst=top, op=nl.maximum, data=data, axis=1, negate=True)
        powers, total = tile("powers", (P, n), nl.float32), tile("total", (P, 1), nl.float32)
        nisa.activation(dst=powers, op=nl.exp, data=data, bias=top)
        nisa.tensor_reduce(dst=total, op=nl.add, data=powers, axis=1)
        share = tile("share", (P, 1), nl.float32)
        nisa.reciprocal(dst=share, data=total)
        result = tile("result", (P, n), x.dtype)
        nisa.tensor_scalar(dst=result, data=powers, op0=nl.multiply, operand0=share)
        move.store(out[r : r + P, :], result)
    return out


def rmsnorm(x: Any, choices: Choices) -> Any:
    """Each row divided by the root of its mean square."""
    out, tile, move = _output(x.shape, x), Tiles(choices), Transfers(choices)
    rows, n = x.shape
    for r in range(0, rows, P):
        data = tile("data", (P, n), x.dtype)
        move.load(data, x[r : r + P, :])
        squares, total = tile("squares", (P, n), nl.float32), tile("total", (P, 1), nl.float32)
        nisa.tensor_tensor(dst=squares, data1=data, data2=data, op=nl.multiply)
        nisa.tensor_reduce(dst=total, op=nl.add, data=squares, axis=1)
        factor = tile("factor", (P, 1), nl.float32)
        nisa.activation(dst=factor, op=nl.rsqrt, data=total, scale=1.0 / n)
        result = tile("result", (P, n), x.dtype)
        nisa.tensor_scalar(dst=result, data=data, op0=nl.multiply, operand0=factor)
        move.store(out[r : r + P, :], result)
    return out


def matmul(a: Any, b: Any, choices: Choices) -> Any:
    """transpose(a) @ b of a [K, M] and b [K, N], a tile of 128 x 512 at a time."""
    (k, m), (_, n) = a.shape, b.shape
    out, tile, move = _output((m, n), a), Tiles(choices), Transfers(choices)
    for i in range(0, m, P):
        for j in range(0, n, 512):
            total = tile("total", (P, 512), nl.float32, nl.psum)
            for c in range(0, k, P):
                left, right = tile("left", (P, P), a.dtype), tile("right", (P, 512), b.dtype)
                move.load(left, a[c : c + P, i : i + P])
                move.load(right, b[c : c + P, j : j + 512])
                nisa.nc_matmul(dst=total, stationary=left, moving=right, accumulate=c > 0)
            result = tile("result", (P, 512), a.dtype)
            nisa.tensor_copy(dst=result, src=total)
            move.store(out[i : i + P, j : j + 512], result)
    return out


def transpose(x: Any, choices: Choices) -> Any:
    """Of a matrix, block by block through the tensor engine."""
    rows, columns = x.shape
    out, tile, move = _output((columns, rows), x), Tiles(choices), Transfers(choices)
    for r in range(0, rows, P):
        for c in range(0, columns, P):
            block = tile("block", (P, P), x.dtype)
            move.load(block, x[r : r + P, c : c + P])
            turned = tile("turned", (P, P), x.dtype, nl.psum)
            nisa.nc_transpose(dst=turned, data=block, engine=nisa.engine.tensor)
            result = tile("result", (P, P), x.dtype)
            nisa.tensor_copy(dst=result, src=turned)
            move.store(out[c : c + P, r : r + P], result)
    return out


def attention(q: Any, k: Any, v: Any, choices: Choices) -> Any:
    """softmax(q @ k.T) @ v of each head: q and k [heads, d, 128], v [heads, 128, d], d <= 128."""
    heads, depth, length = q.shape
    out, tile, move = _output((heads, length, depth), v), Tiles(choices), Transfers(choices)
    for h in range(heads):
        queries, keys = tile("queries", (depth, P), q.dtype), tile("keys", (depth, P), k.dtype)
        values = tile("values", (P, depth), v.dtype)
        move.load(queries, q[h])
        move.load(keys, k[h])
        move.load(values, v[h])
        scores = tile("scores", (P, P), nl.float32, nl.psum)
        nisa.nc_matmul(dst=scores, stationary=queries, moving=keys, accumulate=False)
        powers, total = tile("powers", (P, P), v.dtype), tile("total", (P, 1), nl.float32)
        nisa.activation(dst=powers, op=nl.exp, data=scores)
        nisa.tensor_reduce(dst=total, op=nl.add, data=powers, axis=1)
        share = tile("share", (P, 1), nl.float32)
        nisa.reciprocal(dst=share, data=total)
        turned, weights = tile("turned", (P, P), v.dtype, nl.psum), tile("weights", (P, P), v.dtype)
        nisa.nc_transpose(dst=turned, data=powers, engine=nisa.engine.tensor)
        nisa.tensor_copy(dst=weights, src=turned)
        product = tile("product", (P, depth), nl.float32, nl.psum)
        nisa.nc_matmul(dst=product, stationary=weights, moving=values, accumulate=False)
        result = tile("result", (P, depth), v.dtype)
        nisa.tensor_scalar(dst=result, data=product, op0=nl.multiply, operand0=share)
        move.store(out[h], result)
    return out


LADDERS: dict[Callable[..., Any], tuple[tuple[int, ...], ...]] = {
    softmax: ((1024, 2048),),
    rmsnorm: ((1024, 2048),),
    matmul: ((512, 512), (512, 1024)),
    transpose: ((512, 512),),
    attention: ((8, 64, P), (8, 64, P), (8, P, 64)),
}

# What the author does about a change that Trainyard names.
CHANGES: dict[str, dict[str, Any]] = {
    'schedule="list"': {"schedule": "list"},
    "more buffers": {"fresh": True},
    "loads from Sync and Scalar in turn": {"loads": ("sync", "scalar")},
    "loads from Sync, Scalar and GpSimd": {"loads": ("sync", "scalar", "gpsimd")},
    "loads from Sync (": {"loads": ("sync",)},
    "stores from Sync": {"stores": ("sync",)},
    "stores from Scalar": {"stores": ("scalar",)},
    "stores from GpSimd": {"stores": ("gpsimd",)},
    "dge_mode.hwdge)": {"descriptors": "hwdge", "loads": (), "stores": ()},
    "dge_mode.none": {"descriptors": "none", "loads": (), "stores": ()},
}


@dataclass
class Rung:
    """One version of a kernel, and what is advised first."""

    choices: Choices
    time_ns: float
    change: str = ""  # the advised one; empty where nothing gains
    promised_ns: float = 0


def inputs(shapes: tuple[tuple[int, ...], ...]) -> list[np.ndarray]:
    """Random arrays."""
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape, np.float32) for shape in shapes]


def run(kernel: Callable[..., Any], arrays: list[np.ndarray], choices: Choices, **how: Any) -> Any:
    """What the kernel returns, and the Result."""
    return nki.jit(kernel).run(*arrays, choices, schedule=choices.schedule, **how)


def climb(kernel: Callable[..., Any], rungs_max: int = 5) -> Iterator[Rung]:
    """The versions of a kernel, each changed as the one before was advised."""
    arrays, choices = inputs(LADDERS[kernel]), Choices()
    for _ in range(rungs_max):
        result = run(kernel, arrays, choices, timed=True, values=False)[1]
        result.ask(advice=True)
        rung = Rung(choices, result.time_ns)
        for step in result.report.get("next_steps", []):
            if step["simulated"] == "the changed kernel":
                rung.change, rung.promised_ns = step["change"], step["time_ns"]
                break
        yield rung
        if not rung.change:
            return
        made = next(change for words, change in CHANGES.items() if words in rung.change)
        choices = replace(choices, **made)


if __name__ == "__main__":
    for ladder in LADDERS:
        print(ladder.__name__)
        for step in climb(ladder):
            promised = f"{step.promised_ns / 1e3:.1f} us: {step.change}" if step.change else ""
            print(f"  {step.time_ns / 1e3:8.1f} us  -> {promised or 'nothing gains'}")
