"""Pooling and resizing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from trainyard.torch.operators.products import dot
from trainyard.torch.writer import Value, Writer, literal


class Windows:
    """Windows that slide over the last dimensions of a tensor."""

    def __init__(
        self,
        x_shape: Sequence[int],
        out_shape: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int],
        pad: Sequence[int],
        dilation: Sequence[int],
    ) -> None:
        count = len(kernel) if len(kernel) > 1 else len(out_shape) - 2
        self.count = count
        self.kernel = _each(kernel, count)
        self.stride = _each(stride, count) if len(stride) else self.kernel
        self.low = _each(pad, count)
        self.dilation = _each(dilation, count)
        self.extents = list(x_shape[-count:])
        self.outs = list(out_shape[-count:])
        self.high = [
            max((o - 1) * s + (k - 1) * d + 1 - e - p, 0)
            for o, s, k, d, e, p in zip(
                self.outs,
                self.stride,
                self.kernel,
                self.dilation,
                self.extents,
                self.low,
                strict=True,
            )
        ]
        self.lead = len(x_shape) - count

    @property
    def padded(self) -> list[int]:
        """The extents with the padding."""
        return [a + e + b for a, e, b in zip(self.low, self.extents, self.high, strict=True)]

    def pad(self, w: Writer, x: Value, value: float) -> Value:
        lead = [0] * self.lead
        return w.pad(x, value, lead + self.low, lead + self.high)

    def offsets(self) -> list[tuple[int, ...]]:
        """Every place in a window."""
        return list(itertools.product(*[range(k) for k in self.kernel]))

    def part(self, w: Writer, padded: Value, offset: Sequence[int]) -> Value:
        """Of each window, the element at this place."""
        starts = [0] * self.lead + [o * d for o, d in zip(offset, self.dilation, strict=True)]
        limits = list(padded.shape[: self.lead]) + [
            a + (o - 1) * s + 1
            for a, o, s in zip(starts[self.lead :], self.outs, self.stride, strict=True)
        ]
        return w.slice(padded, starts, limits, [1] * self.lead + self.stride)

    def places(self, w: Writer, shape: Sequence[int], offset: Sequence[int]) -> Value:
        """The place in the unpadded tensor, counted through its last dimensions."""
        total = None
        for i in range(self.count):
            along = w.iota(shape, self.lead + i)
            reach = self.extents[i] + self.low[i] + self.high[i]
            along = w.binary("multiply", along, w.like(self.stride[i], along), reach)
            first = offset[i] * self.dilation[i] - self.low[i]
            along = w.binary("add", along, w.like(first, along), reach)
            size = math.prod(self.extents[i + 1 :])
            along = w.binary("multiply", along, w.like(size, along), reach * size)
            total = (
                along
                if total is None
                else w.binary("add", total, along, (total.bound or 0) + reach * size)
            )
        assert total is not None
        return total


def _each(values: Sequence[int], count: int) -> list[int]:
    return list(values) * count if len(values) == 1 else list(values)


def max_pool(
    w: Writer,
    out: Any,
    x: Value,
    kernel: Sequence[int],
    stride: Sequence[int] = (),
    pad: Sequence[int] = (0,),
    dilation: Sequence[int] = (1,),
    ceil_mode: bool = False,
) -> list[Value]:
    """The largest of each window, and its place: the first of equals, NaN before all."""
    windows = Windows(x.shape, out[0].shape, kernel, stride, pad, dilation)
    padded = windows.pad(w, x, -math.inf if x.is_float else torch.iinfo(x.dtype).min)
    best = place = None
    for offset in windows.offsets():
        value = windows.part(w, padded, offset)
        at = windows.places(w, out[0].shape, offset)
        if best is None or place is None:
            best, place = value, at
            continue
        wins = w.compare("GT", value, best)
        if x.is_float:
            nan = w.binary("and", w.compare("NE", value, value), w.compare("EQ", best, best))
            wins = w.binary("or", wins, nan)
        best = w.select(wins, value, best)
        place = w.select(wins, at, place)
    assert best is not None and place is not None
    return [best, place]


def max_pool_backward(
    w: Writer,
    out: Any,
    gradient: Value,
    x: Value,
    kernel: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
    places: Value,
) -> Value:
    """Each gradient goes to the place that its window's largest element had."""
    windows = Windows(x.shape, gradient.shape, kernel, stride, pad, dilation)
    lead = [0] * windows.lead
    total = None
    for offset in windows.offsets():
        hit = w.compare("EQ", places, windows.places(w, gradient.shape, offset))
        part = w.select(hit, gradient, w.like(0, gradient))
        low = [o * d for o, d in zip(offset, windows.dilation, strict=True)]
        inside = [s - 1 for s in windows.stride]
        high = [
            p - (a + (o - 1) * s + 1)
            for p, a, o, s in zip(windows.padded, low, windows.outs, windows.stride, strict=True)
        ]
        spread = w.pad(part, 0, lead + low, lead + high, lead + inside)
        total = spread if total is None else w.binary("add", total, spread)
    assert total is not None
    limits = [p + e for p, e in zip(windows.low, windows.extents, strict=True)]
    return w.slice(total, lead + windows.low, list(x.shape[: windows.lead]) + limits, [1] * x.rank)


def _counts(
    windows: Windows, pad: Sequence[int], includes_pad: bool, divisor: int | None
) -> list[list[float]]:
    """Of each dimension, how many elements each window counts; their product divides."""
    if divisor is not None:
        return [[float(divisor)] * windows.outs[0]] + [[1.0] * o for o in windows.outs[1:]]
    all_counts = []
    for o, s, k, e, p in zip(
        windows.outs, windows.stride, windows.kernel, windows.extents, windows.low, strict=True
    ):
        counts = []
        for i in range(o):
            begin, end = i * s - p, min(i * s - p + k, e + p)
            if not includes_pad:
                begin, end = max(begin, 0), min(end, e)
            counts.append(float(end - begin))
        all_counts.append(counts)
    return all_counts


def dense(w: Writer, values: Sequence[float], dtype: torch.dtype) -> Value:
    """A constant of one dimension."""
    text = ", ".join(literal(value, dtype) for value in values)
    return w.put(f"stablehlo.constant dense<[{text}]> : $T", (len(values),), dtype)


def _divided(w: Writer, x: Value, counts: Sequence[Sequence[float]], lead: int) -> Value:
    for i, each in enumerate(counts):
        if len(set(each)) == 1:
            if each[0] != 1:
                x = w.binary("divide", x, w.like(each[0], x))
            continue
        divisors = dense(w, each, x.dtype)
        wide = w.with_element(w.broadcast(divisors, x.shape, [lead + i]), x.element)
        x = w.binary("divide", x, wide)
    return x


def _window_sum(
    w: Writer, x: Value, shape: Sequence[int], kernel: Sequence[int], stride: Sequence[int]
) -> Value:
    lead = x.rank - len(kernel)
    if x.dtype == torch.int64:
        x = w.with_element(x, "i64")
    begin = w.constant(0, (), x.dtype, x.element)
    one = [1] * lead
    sizes = ", ".join(map(str, [*one, *kernel]))
    steps = ", ".join(map(str, [*one, *stride]))
    text = (
        f'"stablehlo.reduce_window"({x.name}, {begin.name}) <{{window_dimensions = array<i64: '
        f"{sizes}>, window_strides = array<i64: {steps}>}}> {w.simple_region('add', x.element)} : "
        f"({x.type}, {begin.type}) -> $T"
    )
    return w.put(text, shape, x.dtype)


def avg_pool(
    w: Writer,
    out: Any,
    x: Value,
    kernel: Sequence[int],
    stride: Sequence[int] = (),
    pad: Sequence[int] = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Value:
    windows = Windows(x.shape, out.shape, kernel, stride, pad, [1])
    wide = w.cast(x, torch.float32) if x.dtype.itemsize < 4 else x
    padded = windows.pad(w, wide, 0)
    limits = [
        (o - 1) * s + k
        for o, s, k in zip(windows.outs, windows.stride, windows.kernel, strict=True)
    ]
    shape = [*x.shape[: windows.lead], *limits]
    padded = w.slice(padded, [0] * x.rank, shape, [1] * x.rank)
    sums = _window_sum(w, padded, out.shape, windows.kernel, windows.stride)
    counts = _counts(windows, pad, count_include_pad, divisor_override)
    return w.cast(_divided(w, sums, counts, windows.lead), x.dtype)


def avg_pool_backward(
    w: Writer,
    out: Any,
    gradient: Value,
    x: Value,
    kernel: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None = None,
) -> Value:
    """Each element gets the shares of all windows that it is in."""
    windows = Windows(x.shape, gradient.shape, kernel, stride, pad, [1])
    wide = w.cast(gradient, torch.float32) if gradient.dtype.itemsize < 4 else gradient
    counts = _counts(windows, pad, count_include_pad, divisor_override)
    shares = _divided(w, wide, counts, windows.lead)
    lead = [0] * windows.lead
    low = [k - 1 for k in windows.kernel]
    inside = [s - 1 for s in windows.stride]
    high = [
        max(p + k - 1 - ((o - 1) * s + 1) - (k - 1), 0)
        for p, k, o, s in zip(
            windows.padded, windows.kernel, windows.outs, windows.stride, strict=True
        )
    ]
    spread = w.pad(shares, 0, lead + low, lead + high, lead + inside)
    size = [e - k + 1 for e, k in zip(spread.shape[windows.lead :], windows.kernel, strict=True)]
    one = [1] * windows.count
    sums = _window_sum(w, spread, [*x.shape[: windows.lead], *size], windows.kernel, one)
    limits = [p + e for p, e in zip(windows.low, windows.extents, strict=True)]
    made = w.slice(sums, lead + windows.low, list(x.shape[: windows.lead]) + limits, [1] * x.rank)
    return w.cast(made, gradient.dtype)


Matrix = list[list[float]]


def _apply(w: Writer, x: Value, matrices: Sequence[Matrix]) -> Value:
    """Each of the last dimensions multiplied with a matrix (rows: new places)."""
    kind = x.dtype
    x = w.cast(x, torch.float32) if kind.itemsize < 4 else x
    lead = x.rank - len(matrices)
    for i, matrix in enumerate(matrices):
        dim = lead + i
        rows, columns = len(matrix), len(matrix[0])
        flat = dense(w, [value for row in matrix for value in row], x.dtype)
        weights = w.reshape(flat, (rows, columns))
        order = [j for j in range(x.rank) if j != dim] + [dim]
        turned = w.transpose(x, order)
        size = math.prod(turned.shape[:-1])
        made = dot(w, w.reshape(turned, (size, columns)), weights, (size, rows), (1, 1))
        made = w.reshape(made, (*turned.shape[:-1], rows))
        x = w.transpose(made, [order.index(j) for j in range(x.rank)])
    return w.cast(x, kind)


def _turned(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def adaptive_matrix(extent: int, size: int) -> Matrix:
    """Row i averages what output i covers."""
    rows = []
    for i in range(size):
        begin, end = i * extent // size, -(-(i + 1) * extent // size)
        rows.append([1 / (end - begin) if begin <= j < end else 0.0 for j in range(extent)])
    return rows


def adaptive_avg_pool(w: Writer, out: Any, x: Value, size: Sequence[int]) -> Value:
    count = len(size)
    pairs = zip(x.shape[-count:], out.shape[-count:], strict=True)
    return _apply(w, x, [adaptive_matrix(extent, size) for extent, size in pairs])


def adaptive_avg_pool_backward(w: Writer, out: Any, gradient: Value, x: Value) -> Value:
    count = 3 if x.rank == 5 else 2
    pairs = zip(x.shape[-count:], gradient.shape[-count:], strict=True)
    return _apply(w, gradient, [_turned(adaptive_matrix(extent, size)) for extent, size in pairs])


def nearest_matrix(extent: int, size: int, scale: float | None, **_: Any) -> Matrix:
    step = 1 / scale if scale else extent / size
    picked = [min(math.floor(i * step), extent - 1) for i in range(size)]
    return [[float(j == place) for j in range(extent)] for place in picked]


def nearest_exact_matrix(extent: int, size: int, scale: float | None, **_: Any) -> Matrix:
    step = 1 / scale if scale else extent / size
    picked = [min(math.floor((i + 0.5) * step), extent - 1) for i in range(size)]
    return [[float(j == place) for j in range(extent)] for place in picked]


def _cubic(x: float, a: float = -0.75) -> float:
    """Keys's function of the distance."""
    x = abs(x)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0.0


def cubic_matrix(extent: int, size: int, scale: float | None, align_corners: bool) -> Matrix:
    rows = []
    for i in range(size):
        if align_corners:
            at = i * (extent - 1) / (size - 1) if size > 1 else 0.0
        else:
            at = (i + 0.5) * (1 / scale if scale else extent / size) - 0.5
        row = [0.0] * extent
        below = math.floor(at)
        for j in range(below - 1, below + 3):
            row[min(max(j, 0), extent - 1)] += _cubic(at - j)
        rows.append(row)
    return rows


def smooth_matrix(extent: int, size: int, scale: float | None, align_corners: bool) -> Matrix:
    """Triangles as wide as the step between outputs, which averages where it makes smaller."""
    step = 1 / scale if scale else extent / size
    if align_corners:
        step = (extent - 1) / (size - 1) if size > 1 else 0.0
    reach = max(step, 1.0)
    rows = []
    for i in range(size):
        middle = step * (i + 0.5)
        first = max(int(middle - reach + 0.5), 0)
        last = min(int(middle + reach + 0.5), extent)
        row = [0.0] * extent
        for j in range(first, last):
            row[j] = max(1 - abs(j - middle + 0.5) / reach, 0.0)
        total = sum(row)
        rows.append([each / total for each in row])
    return rows


def linear_matrix(extent: int, size: int, scale: float | None, align_corners: bool) -> Matrix:
    rows = []
    for i in range(size):
        if align_corners:
            at = i * (extent - 1) / (size - 1) if size > 1 else 0.0
        else:
            at = max((i + 0.5) * (1 / scale if scale else extent / size) - 0.5, 0.0)
        below = min(int(at), extent - 1)
        above = min(below + 1, extent - 1)
        row = [0.0] * extent
        row[below] += 1 - (at - below)
        row[above] += at - below
        rows.append(row)
    return rows


def _scales(given: Sequence[Any], count: int) -> list[float | None]:
    return (list(given) + [None] * count)[:count]


def resize(make: Callable[..., Matrix]) -> Callable[..., Value]:
    """A resizing of the last dimensions whose arguments are sizes, align_corners and scales."""

    def lower(
        w: Writer, out: Any, x: Value, size: Sequence[int], align: bool, *scales: Any
    ) -> Value:
        each = zip(x.shape[2:], size, _scales(scales, len(size)), strict=True)
        return _apply(w, x, [make(*one, align_corners=align) for one in each])

    return lower


def resize_backward(make: Callable[..., Matrix], aligns: bool) -> Callable[..., Value]:
    """The gradient of a resizing; aligns: whether align_corners is among its arguments."""

    def lower(
        w: Writer,
        out: Any,
        gradient: Value,
        size: Sequence[int],
        x_size: Sequence[int],
        *rest: Any,
    ) -> Value:
        align, scales = (bool(rest[0]), rest[1:]) if aligns else (False, rest)
        each = zip(x_size[2:], size, _scales(scales, len(size)), strict=True)
        return _apply(w, gradient, [_turned(make(*one, align_corners=align)) for one in each])

    return lower
