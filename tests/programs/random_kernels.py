"""Random kernels: instructions with random operands on a pool of tiles, which are all returned.

What breaks a rule is refused when it is emitted and left out; the rest runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import trainyard

P = 128
FLOATS = ["float32", "bfloat16", "float16", "float8_e4m3", "float8_e5m2"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]
ARITHMETIC = ["add", "subtract", "multiply", "maximum", "minimum", "abs_max", "abs_min"]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]
FUNCTIONS = [
    "exp",
    "tanh",
    "sigmoid",
    "silu",
    "gelu",
    "sqrt",
    "square",
    "relu",
    "copy",
    "abs",
    "erf",
    "arctan",
    "mish",
    "softplus",
    "sign",
    "erf_dx",
    "gelu_dx",
    "silu_dx",
    "gelu_apprx_tanh",
    "gelu_apprx_sigmoid",
    "rsqrt",
    "log",
    "reciprocal",
]
COMMANDS = ["idle", "reset", "reduce", "reset_reduce", "load_reduce"]


class Pool:
    """Random choices, and the tiles that instructions read and write."""

    def __init__(self, seed: int, source: Any) -> None:
        self.random = np.random.default_rng(seed)
        self.tiles: list[Any] = []
        self.extra: list[Any] = []  # other tiles that the kernel returns
        for dtype in FLOATS + INTEGERS + FLOATS[:3]:
            tile = nl.ndarray((P, 64), dtype)
            nisa.tensor_copy(dst=tile, src=source)
            self.tiles.append(tile)
        for dtype in ("float32", "float32", "bfloat16"):
            tile = nl.ndarray((P, 64), dtype, buffer=nl.psum)
            nisa.tensor_copy(dst=tile, src=source)
            self.tiles.append(tile)

    def one(self, values: Any) -> Any:
        return values[int(self.random.integers(len(values)))]

    def flag(self) -> bool:
        return bool(self.random.integers(2))

    def op(self, *families: list[str]) -> Any:
        return getattr(nl, self.one(self.one(families)))

    def command(self) -> Any:
        return getattr(nisa.reduce_cmd, self.one(COMMANDS))

    def shape(self) -> tuple[slice, int]:
        """Partitions, and a number of columns."""
        start, count = self.one([(0, P), (0, P), (0, 64), (64, 64), (32, 32), (96, 17), (0, 1)])
        return slice(start, start + count), int(self.one([64, 64, 32, 9, 1]))

    def tile(self, partitions: slice, columns: int, dtypes: Any = None) -> Any:
        """A tile of the pool or every second column of one."""
        fitting = [t for t in self.tiles if dtypes is None or str(t.dtype) in dtypes]
        whole = self.one(fitting)
        if columns <= 32 and self.flag():
            return whole[partitions, 0 : 2 * columns : 2]
        start = int(self.random.integers(64 - columns + 1))
        return whole[partitions, start : start + columns]

    def other_tile(self, than: Any, partitions: slice, columns: int, dtypes: Any = None) -> Any:
        """A tile that shares no storage with `than`: transfers do not define what overlap gives."""
        found = self.tile(partitions, columns, dtypes)
        while found.name == than.name:
            found = self.tile(partitions, columns, dtypes)
        return found

    def scalar(self, partitions: slice) -> Any:
        """A number, or a column of a float tile."""
        if self.flag():
            return float(self.one([0.0, 1.0, -2.5, 0.125, 3.0]))
        return self.tile(partitions, 1, FLOATS)

    def column(self, partitions: slice) -> Any:
        return self.tile(partitions, 1, ["float32"])


Emitter = Callable[[Pool], None]


def tensor_copy(g: Pool) -> None:
    p, n = g.shape()
    nisa.tensor_copy(dst=g.tile(p, n), src=g.tile(p, n))


def memset(g: Pool) -> None:
    nisa.memset(dst=g.tile(*g.shape()), value=g.one([0, 1, 7, 2.5]))


def tensor_tensor(g: Pool) -> None:
    p, n = g.shape()
    op = g.op(ARITHMETIC, COMPARISONS, BITWISE)
    nisa.tensor_tensor(dst=g.tile(p, n), data1=g.tile(p, n), data2=g.tile(p, n), op=op)


def exact_integers(g: Pool) -> None:
    p, n = g.shape()
    a, b, c = (g.tile(p, n, ["int32", "uint32"]) for _ in range(3))
    op = g.op(["add", "subtract", "multiply"])
    nisa.tensor_tensor(dst=a, data1=b, data2=c, op=op, engine=nisa.engine.gpsimd)


def tensor_scalar(g: Pool) -> None:
    p, n = g.shape()
    ops = (g.op(ARITHMETIC, COMPARISONS), g.op(ARITHMETIC))
    second = {"op1": ops[1], "operand1": g.scalar(p), "reverse1": g.flag()} if g.flag() else {}
    nisa.tensor_scalar(
        dst=g.tile(p, n), data=g.tile(p, n), op0=ops[0], operand0=g.scalar(p), reverse0=g.flag(),
        **second,
    )  # fmt: skip


def scalar_tensor_tensor(g: Pool) -> None:
    p, n = g.shape()
    nisa.scalar_tensor_tensor(
        dst=g.tile(p, n), data=g.tile(p, n), op0=g.op(ARITHMETIC), operand0=g.scalar(p),
        op1=g.op(ARITHMETIC, COMPARISONS), operand1=g.tile(p, n), reverse0=g.flag(),
    )  # fmt: skip


def reciprocal(g: Pool) -> None:
    p, n = g.shape()
    nisa.reciprocal(dst=g.tile(p, n), data=g.tile(p, n))


def activation(g: Pool) -> None:
    p, n = g.shape()
    reduces = {}
    if g.flag():
        reduces = {"reduce_op": nl.add, "reduce_res": g.column(p), "reduce_cmd": g.command()}
    nisa.activation(
        dst=g.tile(p, n), op=g.op(FUNCTIONS), data=g.tile(p, n), bias=g.column(p),
        scale=g.one([1.0, 0.5, g.column(p)]), **reduces,
    )  # fmt: skip


def activate2(g: Pool) -> None:
    p, n = g.shape()
    nisa.activate2(
        dst=g.tile(p, n), op=g.op(FUNCTIONS), data=g.tile(p, n), imm0=g.one([0.5, -1.0]),
        imm1=g.one([1.0, 0.25]), op0=nl.multiply, op1=g.op(["add", "subtract"]),
        reverse1=g.flag(), reduce_op=g.op(["add", "maximum", "minimum"]),
        reduce_res=g.column(p), reduce_cmd=g.command(),
    )  # fmt: skip


def exponential(g: Pool) -> None:
    p, n = g.shape()
    command = g.command()
    start = {"reduce_init": 0.5} if command == nisa.reduce_cmd.load_reduce else {}
    reduces = {"reduce_res": g.column(p)} if g.flag() else {}
    nisa.exponential(
        dst=g.tile(p, n), src=g.tile(p, n), max_value=g.one([0.0, 1.5, g.column(p)]),
        reduce_cmd=command, **start, **reduces,
    )  # fmt: skip


def range_select(g: Pool) -> None:
    p, n = g.shape()
    nisa.range_select(
        dst=g.tile(p, n), on_true_tile=g.tile(p, n, FLOATS), comp_op0=nl.greater_equal,
        comp_op1=nl.less, bound0=g.column(p), bound1=g.column(p),
        reduce_res=g.column(p), reduce_op=nl.maximum, range_start=g.one([0, 3]),
        reduce_cmd=g.command(),
    )  # fmt: skip


def select_reduce(g: Pool) -> None:
    p, n = g.shape()
    nisa.select_reduce(
        dst=g.tile(p, n), predicate=g.tile(p, n, ["uint8", "int16"]), on_true=g.tile(p, n),
        on_false=g.scalar(p), reduce_res=g.column(p), reduce_cmd=g.command(),
        reduce_op=nl.maximum, reverse_pred=g.flag(),
    )  # fmt: skip


def tensor_copy_predicated(g: Pool) -> None:
    p, n = g.shape()
    dst = g.tile(p, n)
    nisa.tensor_copy_predicated(
        dst=dst, src=g.tile(p, n, [str(dst.dtype)]), predicate=g.tile(p, n, ["uint8", "uint16"]),
        reverse_pred=g.flag(),
    )  # fmt: skip


def affine_select(g: Pool) -> None:
    p, n = g.shape()
    nisa.affine_select(
        dst=g.tile(p, n), pattern=[[g.one([-2, 1, 3]), n]], channel_multiplier=g.one([0, 1, -1]),
        on_true_tile=g.tile(p, n), on_false_value=g.one([0.0, -3.0]), cmp_op=g.op(COMPARISONS),
        offset=g.one([0, 5]),
    )  # fmt: skip


def iota(g: Pool) -> None:
    p, n = g.shape()
    nisa.iota(
        dst=g.tile(p, n), pattern=[[g.one([1, -3, 100]), n]], offset=g.one([0, -7]),
        channel_multiplier=g.one([0, 2]),
    )  # fmt: skip


def tensor_reduce(g: Pool) -> None:
    p, n = g.shape()
    op = g.op(["add", "maximum", "minimum", "multiply", "subtract"], ["bitwise_or", "bitwise_and"])
    nisa.tensor_reduce(dst=g.tile(p, 1), op=op, data=g.tile(p, n), axis=1, negate=g.flag())


def tensor_scalar_reduce(g: Pool) -> None:
    p, n = g.shape()
    command = g.command()
    start = {"reduce_init": 0.5} if command == nisa.reduce_cmd.load_reduce else {}
    nisa.tensor_scalar_reduce(
        dst=g.tile(p, n), data=g.tile(p, n), op0=g.op(ARITHMETIC[:5]), operand0=g.one([1.5, -1.0]),
        reduce_op=g.op(["add", "maximum", "minimum", "multiply"]), reduce_res=g.column(p),
        reduce_cmd=command, reduce_res_negate=g.flag(), **start,
    )  # fmt: skip


def tensor_scalar_cumulative(g: Pool) -> None:
    p, n = g.shape()
    command = g.command()
    start = {"imm1": 0.5} if command == nisa.reduce_cmd.load_reduce else {}
    nisa.tensor_scalar_cumulative(
        dst=g.tile(p, n), src=g.tile(p, n), op0=g.op(ARITHMETIC[:5]), imm0=g.one([1.5, -1.0]),
        op1=g.op(ARITHMETIC[:5]), reduce_cmd=command, **start,
    )  # fmt: skip


def tensor_tensor_scan(g: Pool) -> None:
    p, n = g.shape()
    nisa.tensor_tensor_scan(
        dst=g.tile(p, n), data0=g.tile(p, n), data1=g.tile(p, n), initial=g.scalar(p),
        op0=g.op(ARITHMETIC[:5]), op1=g.op(ARITHMETIC[:5]), reverse0=g.flag(), reverse1=g.flag(),
    )  # fmt: skip


def tensor_partition_reduce(g: Pool) -> None:
    p, n = g.shape()
    op = g.op(["add", "maximum", "average", "bitwise_or"])
    nisa.tensor_partition_reduce(dst=g.tile(slice(0, 1), n), op=op, data=g.tile(p, n))


def statistics(g: Pool) -> None:
    p, n = g.shape()
    triples = g.tile(p, 6, ["float32"])
    nisa.bn_stats(dst=triples, data=g.tile(p, n))
    nisa.bn_aggr(dst=g.tile(p, 2), data=triples)


def searches(g: Pool) -> None:
    p, _ = g.shape()
    data, vals = g.tile(p, 32), g.tile(p, 8)
    nisa.max8(dst=vals, src=data)
    nisa.nc_find_index8(dst=g.tile(p, 8, ["uint16", "uint32"]), data=data, vals=vals)
    index = g.tile(p, 8, ["uint16", "uint32"])
    nisa.nc_match_replace8(dst=g.tile(p, 32), data=data, vals=vals, imm=-1.0, dst_idx=index)


def nc_stream_shuffle(g: Pool) -> None:
    p, n = g.shape()
    dst = g.tile(p, n)
    mask = [int(g.one([255, *range(32)])) for _ in range(32)]
    nisa.nc_stream_shuffle(dst=dst, src=g.tile(p, n, [str(dst.dtype)]), shuffle_mask=mask)


def nc_matmul(g: Pool) -> None:
    k = slice(0, int(g.one([P, 64, 32])))
    columns, rows = int(g.one([64, 32, 9])), int(g.one([64, 32, 9]))
    dst = g.tile(slice(0, rows), columns, ["float32", "bfloat16"])
    dtypes = g.one([["bfloat16"], ["float32"], ["float16", "float8_e5m2"], FLOATS[3:4]])
    nisa.nc_matmul(
        dst=dst, stationary=g.tile(k, rows, dtypes), moving=g.tile(k, columns, dtypes),
        accumulate=g.flag(),
    )  # fmt: skip


def nc_transpose(g: Pool) -> None:
    start = int(g.one([0, 32, 64]))
    p, n = slice(start, start + 32), int(g.one([32, 16]))
    data = g.tile(p, n)
    nisa.nc_transpose(dst=g.tile(slice(start, start + n), 32, [str(data.dtype)]), data=data)


def dma_copy(g: Pool) -> None:
    p, n = g.shape()
    dst = g.tile(p, n)
    nisa.dma_copy(dst=dst, src=g.other_tile(dst, p, n))


def dma_transpose(g: Pool) -> None:
    p = slice(0, int(g.one([16, 32, 64])))
    data = g.tile(p, 32, ["bfloat16", "float32"])
    dst = g.other_tile(data, slice(0, 32), p.stop, [str(data.dtype)])
    nisa.dma_transpose(dst=dst, src=data)


def random_numbers(g: Pool) -> None:
    p, n = g.shape()
    if g.flag():
        nisa.set_rng_seed(g.tile(slice(0, 1), 1, ["int32", "uint32"]))
    nisa.rng(dst=g.tile(p, n, INTEGERS), engine=g.one([nisa.engine.vector, nisa.engine.gpsimd]))
    nisa.rand2(dst=g.tile(p, n, FLOATS), min=-1.0, max=g.one([0.5, 4.0]))


EMITTERS: list[Emitter] = [
    tensor_copy, memset, tensor_tensor, exact_integers, tensor_scalar, scalar_tensor_tensor,
    reciprocal, activation, activate2, exponential, range_select, select_reduce,
    tensor_copy_predicated, affine_select, iota, tensor_reduce, tensor_scalar_reduce,
    tensor_scalar_cumulative, tensor_tensor_scan, tensor_partition_reduce, statistics, searches,
    nc_stream_shuffle, nc_matmul, nc_transpose, dma_copy, dma_transpose, random_numbers,
]  # fmt: skip


def kernel(seed: int, count: int, emitters: list[Emitter] | None = None) -> Any:
    """A kernel of `count` random instructions that returns every tile of its pool."""

    @nki.jit
    def random_kernel(x):
        source = nl.ndarray((P, 64), x.dtype)
        nisa.dma_copy(dst=source, src=x)
        pool = Pool(seed, source)
        done = 0
        for _ in range(20 * count):
            extra = len(pool.extra)
            try:
                pool.one(emitters or EMITTERS)(pool)
            except trainyard.InputError:
                del pool.extra[extra:]
                continue
            done += 1
            if done == count:
                break
        results = []
        for tile in pool.tiles + pool.extra:
            if tile.buffer == nl.psum:
                copy = nl.ndarray(tile.shape, tile.dtype)
                nisa.tensor_copy(dst=copy, src=tile)
                tile = copy
            result = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=result, src=tile)
            results.append(result)
        return tuple(results)

    return random_kernel


def values(seed: int) -> np.ndarray:
    """[P, 64] float32: ordinary numbers, some small integers, a few special ones."""
    random = np.random.default_rng(seed)
    x = (random.standard_normal((P, 64)) * 4).astype(np.float32)
    x = np.where(random.random(x.shape) < 0.3, np.round(x), x)
    special = np.array([0.0, -0.0, np.inf, -np.inf, 1e-40, 3e38], np.float32)
    return np.where(random.random(x.shape) < 0.02, random.choice(special, x.shape), x)
