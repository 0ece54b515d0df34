"""What each instruction of the engines does to a core: operands read, its function, results stored.

Operands that the text form leaves out have the default that stands here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle import elementwise, functions, matrix, reductions, selects
from oracle.core import Core, dtype_of
from oracle.program import Tile
from oracle.values import BITS, F32, operate, rows

Operands = dict[str, Any]


def tensor_copy(core: Core, o: Operands) -> None:
    dst, src = o["dst"], o["src"]
    if dst.dtype == src.dtype:
        return core.write(dst, core.read(src))
    core.store(dst, core.floats(src))


def memset(core: Core, o: Operands) -> None:
    dst, value = o["dst"], o.get("value", 0)
    kind = dtype_of(dst)
    number = int(value) if kind.kind in "iu" else F32(value)
    core.write(dst, np.full([dst.partitions, *(n for _, n in dst.dims)], number).astype(kind))


def psum_zero(core: Core, o: Operands) -> None:
    memset(core, {"dst": o["dst"], "value": 0})


def tensor_copy_predicated(core: Core, o: Operands) -> None:
    dst, src, old = o["dst"], o.get("src", 0), core.read(o["dst"])
    kind = dtype_of(dst)
    new = core.read(src).reshape(old.shape) if isinstance(src, Tile) else kind.type(src)
    mask = core.read(o["predicate"]).reshape(old.shape)
    reverse = o.get("reverse_pred", False)
    core.write(dst, elementwise.tensor_copy_predicated(old, new, mask, reverse))


def tensor_tensor(core: Core, o: Operands) -> None:
    dst, a, b, op = o["dst"], o["data1"], o["data2"], o.get("op", "add")
    whole = all(tile.dtype in ("int32", "uint32") for tile in (dst, a, b))
    if op in BITS or (core.engine == "gpsimd" and whole):
        left, right = (rows(core.read(tile)) for tile in (a, b))
        exact = op not in BITS
        if exact and a.dtype != b.dtype:
            left, right = left.view(np.uint32), right.view(np.uint32)
        result = elementwise.tensor_tensor(left, right, op, dtype_of(dst), exact)
        return core.write(dst, result)
    core.store(dst, operate(op, rows(core.floats(a)), rows(core.floats(b))))


def _bits_scalar(core: Core, value: Any) -> Any:
    if not isinstance(value, Tile):
        return float(value or 0)
    return rows(core.read(value))[:, :1]


def tensor_scalar(core: Core, o: Operands) -> None:
    dst, data, op0, op1 = o["dst"], o["data"], o.get("op0", "add"), o.get("op1", "bypass")
    reverse0, reverse1 = o.get("reverse0", False), o.get("reverse1", False)
    first, second = o.get("operand0"), o.get("operand1")
    if op0 in BITS:
        result = elementwise.tensor_scalar(
            rows(core.read(data)), op0, _bits_scalar(core, first), dtype_of(dst), reverse0,
            None if op1 == "bypass" else op1, _bits_scalar(core, second), reverse1,
        )  # fmt: skip
        return core.write(dst, result)
    result = elementwise.tensor_scalar(
        rows(core.floats(data)), op0, core.scalar(first), F32, reverse0,
        None if op1 == "bypass" else op1, core.scalar(second), reverse1,
    )  # fmt: skip
    core.store(dst, result)


def scalar_tensor_tensor(core: Core, o: Operands) -> None:
    result = elementwise.scalar_tensor_tensor(
        rows(core.floats(o["data"])), o.get("op0", "multiply"), core.scalar(o.get("operand0")),
        o.get("op1", "add"), rows(core.floats(o["operand1"])), F32, o.get("reverse0", False),
        o.get("reverse1", False),
    )  # fmt: skip
    core.store(o["dst"], result)


def reciprocal(core: Core, o: Operands) -> None:
    core.store(o["dst"], elementwise.reciprocal(core.floats(o["data"]), F32))


# --- reductions into registers that outlive an instruction


def _lanes(data: Tile) -> slice:
    return slice(data.start, data.start + data.partitions)


def _accumulate(core: Core, held: np.ndarray, o: Operands, data: Tile, op: str, x, start) -> Any:
    """Follows reduce_cmd, and returns the column of the registers."""
    command = o.get("reduce_cmd", start["default"])
    lanes = held[_lanes(data)]
    if command.startswith("reset"):
        identity = {"multiply": 1, "maximum": -np.inf, "minimum": np.inf, "abs_min": np.inf}
        lanes[:] = identity.get(op, 0)
    elif command == "load_reduce":
        lanes[:] = np.broadcast_to(core.scalar(start["value"]), (len(lanes), 1))[:, 0]
    elif command == "idle" and start["undefined"]:
        lanes[:] = np.nan
    if command.endswith("reduce"):
        for i in range(x.shape[1]):
            lanes[:] = operate(op, lanes, x[:, i])
    return lanes[:, None].copy()


def _store_registers(core: Core, o: Operands, column: np.ndarray) -> None:
    if o.get("reduce_res") is not None:
        core.store(o["reduce_res"], column)


def _activated(core: Core, o: Operands, x: np.ndarray, default: str, parameter=0.0) -> None:
    with np.errstate(all="ignore"):
        result = functions.evaluate(o.get("op", "copy"), x, parameter)
    op = o.get("reduce_op", "bypass")
    op = "add" if op == "bypass" else op
    start = {"default": default, "value": None, "undefined": False}
    column = _accumulate(core, core.scalar_accumulator, o, o["data"], op, result, start)
    core.store(o["dst"], result)
    _store_registers(core, o, column)


def _scaled(core: Core, o: Operands) -> np.ndarray:
    """data * scale + bias; a factor of 1 and a term of 0 are no steps."""
    x = rows(core.floats(o["data"]))
    scale, bias = core.scalar(o.get("scale"), 1.0), core.scalar(o.get("bias"), 0.0)
    with np.errstate(all="ignore"):
        x = x if np.isscalar(scale) and scale == 1 else (x * np.asarray(scale, F32)).astype(F32)
        return x if np.isscalar(bias) and bias == 0 else (x + np.asarray(bias, F32)).astype(F32)


def activation(core: Core, o: Operands) -> None:
    _activated(core, o, _scaled(core, o), "idle")


def activation_reduce(core: Core, o: Operands) -> None:
    _activated(core, {"reduce_op": "add"} | o, _scaled(core, o), "reset_reduce")


def activate2(core: Core, o: Operands) -> None:
    x = rows(core.floats(o["data"]))
    for n in ("0", "1"):
        op = o.get(f"op{n}", "bypass")
        if op != "bypass":
            value = np.asarray(core.scalar(o.get(f"imm{n}")), F32)
            x = operate(op, x, value, o.get(f"reverse{n}", False))
    _activated(core, o, x, "idle", core.scalar(o.get("relu_param")))


def exponential(core: Core, o: Operands) -> None:
    x = functions.exponential(rows(core.floats(o["src"])), core.scalar(o.get("max_value")))
    with np.errstate(over="ignore"):
        x = x.astype(F32)
    start = {"default": "idle", "value": o.get("reduce_init"), "undefined": True}
    column = _accumulate(core, core.vector_accumulator, o, o["src"], "add", x, start)
    core.store(o["dst"], x)
    _store_registers(core, o, column)


def range_select(core: Core, o: Operands) -> None:
    data = o["on_true_tile"]
    _, x = selects.range_select(
        core.floats(data), o.get("comp_op0", "greater_equal"), o.get("comp_op1", "less"),
        core.floats(o["bound0"]).reshape(-1, 1), core.floats(o["bound1"]).reshape(-1, 1),
        o.get("range_start", 0), F32,
    )  # fmt: skip
    start = {"default": "reset_reduce", "value": None, "undefined": True}
    column = _accumulate(core, core.vector_accumulator, o, data, "maximum", x, start)
    core.store(o["dst"], x)
    _store_registers(core, o, column)


def select_reduce(core: Core, o: Operands) -> None:
    data = o["on_true"]
    _, x = selects.select_reduce(
        core.read(o["predicate"]), core.floats(data), core.scalar(o.get("on_false")), F32,
        o.get("reverse_pred", False),
    )  # fmt: skip
    start = {"default": "idle", "value": None, "undefined": True}
    column = _accumulate(core, core.vector_accumulator, o, data, "maximum", x, start)
    core.store(o["dst"], x)
    _store_registers(core, o, column)


def tensor_scalar_reduce(core: Core, o: Operands) -> None:
    x = rows(core.floats(o["data"]))
    value = np.asarray(core.scalar(o.get("operand0")), F32)
    x = operate(o.get("op0", "multiply"), x, value, o.get("reverse0", False))
    start = {"default": "reset_reduce", "value": o.get("reduce_init"), "undefined": True}
    op = o.get("reduce_op", "add")
    column = _accumulate(core, core.vector_accumulator, o, o["data"], op, x, start)
    core.store(o["dst"], x)
    _store_registers(core, o, -column if o.get("reduce_res_negate", False) else column)


def tensor_scalar_cumulative(core: Core, o: Operands) -> None:
    data, op = o["src"], o.get("op1", "add")
    value = np.asarray(core.scalar(o.get("imm0")), F32)
    x = operate(o.get("op0", "multiply"), rows(core.floats(data)), value)
    start = {"default": "reset_reduce", "value": o.get("imm1"), "undefined": True}
    # Only where the registers start: the steps follow here, new value first.
    begins = {"reset_reduce": "reset", "reduce": "", "load_reduce": "load_reduce"}
    command = o.get("reduce_cmd", "reset_reduce")
    o = o | {"reduce_cmd": begins.get(command, command)}
    state = _accumulate(core, core.vector_accumulator, o, data, op, x[:, :0], start)[:, 0]
    steps = np.empty_like(x)
    for i in range(x.shape[1]):
        state = operate(op, x[:, i], state)
        steps[:, i] = state
    core.vector_accumulator[_lanes(data)] = state
    core.store(o["dst"], steps)


# --- reductions within an instruction


def tensor_reduce(core: Core, o: Operands) -> None:
    data, op = o["data"], o.get("op", "add")
    count = len(o["axis"])
    if op in BITS:
        return core.write(
            o["dst"], reductions.tensor_reduce(core.read(data), op, count, dtype_of(o["dst"]))
        )
    x = core.floats(data)
    core.store(o["dst"], reductions.tensor_reduce(x, op, count, F32, o.get("negate", False)))


def tensor_partition_reduce(core: Core, o: Operands) -> None:
    data, op = o["data"], o.get("op", "add")
    if op in BITS:
        bits = rows(core.read(data))
        result = reductions.tensor_partition_reduce(bits, op, dtype_of(o["dst"]))
        return core.write(o["dst"], result)
    x = rows(core.floats(data))
    core.store(o["dst"], reductions.tensor_partition_reduce(x, op, F32))


def tensor_tensor_scan(core: Core, o: Operands) -> None:
    result = reductions.tensor_tensor_scan(
        core.floats(o["data0"]), core.floats(o["data1"]), core.scalar(o.get("initial")),
        o.get("op0", "multiply"), o.get("op1", "add"), F32, o.get("reverse0", False),
        o.get("reverse1", False),
    )  # fmt: skip
    core.store(o["dst"], result)


def bn_stats(core: Core, o: Operands) -> None:
    core.store(o["dst"], reductions.bn_stats_in_order(core.floats(o["data"])))


def bn_aggr(core: Core, o: Operands) -> None:
    core.store(o["dst"], reductions.bn_aggr_in_order(core.floats(o["data"])))


# --- the Tensor engine


def _added(core: Core, o: Operands, sums: np.ndarray) -> None:
    """Into PSUM: the old value is added with one more rounding."""
    if o.get("accumulate") == "add":
        with np.errstate(all="ignore"):
            sums = rows(core.floats(o["dst"])) + sums
    core.store(o["dst"], sums)


def nc_matmul(core: Core, o: Operands) -> None:
    if o.get("is_transpose", False) and core.program.generation > 2:
        from_rows = matrix.selected(rows(core.floats(o["moving"])))
        return _moved(core, o["dst"], o["stationary"], rows(core.read(o["stationary"]))[from_rows])
    left, right = core.floats(o["stationary"]), core.floats(o["moving"])
    if o.get("perf_mode") == "double_row":
        left, right = (x.reshape(len(x), 2, -1) for x in (left, right))
        return _added(core, o, matrix.double_row_product(left, right))
    _added(core, o, matrix.product(rows(left), rows(right)))


def _moved(core: Core, dst: Tile, source: Tile, bits: np.ndarray) -> None:
    """Transposed, bit for bit, as a value into float32, or as 8 bits in the lower half of 16."""
    turned = np.ascontiguousarray(bits.T)
    if dst.dtype == source.dtype:
        return core.write(dst, turned)
    if dst.dtype in ("uint16", "int16"):
        return core.write(dst, turned.view(np.uint8).astype(dtype_of(dst)))
    core.store(dst, turned.astype(F32))


def nc_transpose(core: Core, o: Operands) -> None:
    dst, data = o["dst"], o["data"]
    if core.engine == "tensor" and core.program.generation == 2:
        x = rows(core.floats(data))
        return core.store(dst, matrix.product(x, np.eye(len(x), dtype=F32)))
    _moved(core, dst, data, rows(core.read(data)))


def quantize_mx(core: Core, o: Operands) -> None:
    dst, scale = o["dst"], o["dst_scale"]
    src = rows(core.floats(o["src"]))
    values, scales = matrix.quantize_mx(src, dst.dtype)
    core.write(dst, values)
    kept = core.read(scale).view(np.uint8)
    kept[matrix.scale_rows(len(src))] = scales.reshape(-1, *kept.shape[1:])
    core.write(scale, kept.view(dtype_of(scale)))


def nc_matmul_mx(core: Core, o: Operands) -> None:
    sides = []
    for name in ("stationary", "moving"):
        tile, scale = o[name], o[f"{name}_scale"]
        bytes_of_rows = rows(core.read(scale).view(np.uint8))[matrix.scale_rows(tile.partitions)]
        sides.append(matrix.unpacked(rows(core.read(tile)), tile.dtype))
        sides.append(matrix.scales_of(bytes_of_rows, tile.partitions))
    _added(core, o, matrix.mx_product(*sides))
