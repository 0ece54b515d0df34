"""Matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from trainyard.torch.writer import Value, Writer


def dot(
    w: Writer,
    a: Value,
    b: Value,
    shape: Sequence[int],
    contracting: tuple[int, int],
    batch: Sequence[int] = (),
    dtype: torch.dtype | None = None,
) -> Value:
    """A product; batch: dimensions that both have at the same place."""
    a, b = w.same_width(a, b)
    if a.dtype == torch.int64:
        a, b = w.with_element(a, "i64"), w.with_element(b, "i64")
    batching = f"batching_dims = {list(batch)} x {list(batch)}, " if batch else ""
    text = (
        f"stablehlo.dot_general {a.name}, {b.name}, {batching}contracting_dims = "
        f"[{contracting[0]}] x [{contracting[1]}] : ({a.type}, {b.type}) -> $T"
    )
    return w.put(text, shape, dtype or a.dtype, None if dtype else a.element)


def mm(w: Writer, out: Any, a: Value, b: Value, *_: Any) -> Value:
    return dot(w, a, b, out.shape, (1, 0))


def bmm(w: Writer, out: Any, a: Value, b: Value, *_: Any) -> Value:
    return dot(w, a, b, out.shape, (2, 1), [0])


def addmm(
    w: Writer, out: Any, x: Value, a: Value, b: Value, *, beta: float = 1, alpha: float = 1
) -> Value:
    """beta * x + alpha * a @ b, the product rounded once where the type is narrow."""
    made = (mm if a.rank == 2 else bmm)(w, out, a, b)
    if alpha != 1:
        made = w.binary("multiply", made, w.like(alpha, made))
    if beta == 0:
        return made
    x = w.expand(w.cast(x, made.dtype), made.shape)
    x, made = w.same_width(x, made)
    if beta != 1:
        x = w.binary("multiply", x, w.like(beta, x))
    return w.binary("add", made, x)


def convolve(
    w: Writer,
    a: Value,
    b: Value,
    numbers: str,
    shape: Sequence[int],
    *,
    stride: Sequence[int],
    pad: Sequence[Sequence[int]],
    lhs: Sequence[int],
    rhs: Sequence[int],
    groups: int = 1,
    batch_groups: int = 1,
) -> Value:
    if a.dtype == torch.int64:
        a, b = w.with_element(a, "i64"), w.with_element(b, "i64")
    text = (
        f"stablehlo.convolution({a.name}, {b.name}) dim_numbers = {numbers}, window = {{stride = "
        f"{list(stride)}, pad = {[list(each) for each in pad]}, lhs_dilate = {list(lhs)}, "
        f"rhs_dilate = {list(rhs)}}} {{batch_group_count = {batch_groups} : i64, "
        f"feature_group_count = {groups} : i64}} : ({a.type}, {b.type}) -> $T"
    )
    return w.put(text, shape, a.dtype)


def _spatial(rank: int) -> str:
    return ", ".join(str(i) for i in range(rank - 2))


def _plain(
    w: Writer,
    x: Value,
    kernel: Value,
    shape: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Value:
    """A convolution; the padding behind is what the result's shape asks for."""
    one = [1] * len(stride)
    pads = [
        [
            p,
            (shape[2 + i] - 1) * stride[i]
            + 1
            + (kernel.shape[2 + i] - 1) * dilation[i]
            - x.shape[2 + i]
            - p,
        ]
        for i, p in enumerate(pad)
    ]
    numbers = "[b, f, {0}]x[o, i, {0}]->[b, f, {0}]".format(_spatial(x.rank))
    return convolve(
        w, x, kernel, numbers, shape, stride=stride, pad=pads, lhs=one, rhs=dilation, groups=groups
    )


def _transposed(
    w: Writer,
    x: Value,
    kernel: Value,
    shape: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Value:
    """What gives a convolution's input back: of the dilated x with the mirrored kernel."""
    size = kernel.shape[2:]
    inputs, outputs = kernel.shape[0] // groups, kernel.shape[1]
    parts = w.reshape(kernel, (groups, inputs, outputs, *size))
    order = [0, 2, 1, *range(3, 3 + len(size))]
    turned = w.reshape(w.transpose(parts, order), (groups * outputs, inputs, *size))
    turned = w.reverse(turned, list(range(2, 2 + len(size))))
    pads = []
    for i, p in enumerate(pad):
        low = dilation[i] * (size[i] - 1) - p
        reach = (x.shape[2 + i] - 1) * stride[i] + 1 - dilation[i] * (size[i] - 1)
        pads.append([low, shape[2 + i] - reach - low])
    numbers = "[b, f, {0}]x[o, i, {0}]->[b, f, {0}]".format(_spatial(x.rank))
    return convolve(
        w,
        x,
        turned,
        numbers,
        shape,
        stride=[1] * len(size),
        pad=pads,
        lhs=stride,
        rhs=dilation,
        groups=groups,
    )


def _of_kernel(
    w: Writer,
    x: Value,
    gradient: Value,
    shape: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Value:
    """The kernel's gradient: the batch is summed over, so it is the feature of both operands."""
    pads = [
        [
            p,
            (shape[2 + i] - 1) * dilation[i]
            + (gradient.shape[2 + i] - 1) * stride[i]
            + 1
            - x.shape[2 + i]
            - p,
        ]
        for i, p in enumerate(pad)
    ]
    numbers = "[f, b, {0}]x[i, o, {0}]->[f, b, {0}]".format(_spatial(x.rank))
    return convolve(
        w,
        x,
        gradient,
        numbers,
        shape,
        stride=dilation,
        pad=pads,
        lhs=[1] * len(stride),
        rhs=stride,
        batch_groups=groups,
    )


def _each(values: Sequence[int], count: int) -> list[int]:
    return list(values) * count if len(values) == 1 else list(values)


def convolution(
    w: Writer,
    out: Any,
    x: Value,
    kernel: Value,
    bias: Value | None,
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_pad: Sequence[int],
    groups: int,
) -> Value:
    count = x.rank - 2
    make = _transposed if transposed else _plain
    made = make(
        w,
        x,
        kernel,
        out.shape,
        _each(stride, count),
        _each(pad, count),
        _each(dilation, count),
        groups,
    )
    if bias is None:
        return made
    wide = w.broadcast(w.cast(bias, made.dtype), made.shape, [1])
    return w.binary("add", *w.same_width(made, wide))


def convolution_backward(
    w: Writer,
    out: Any,
    gradient: Value,
    x: Value,
    kernel: Value,
    bias: Any,
    stride: Sequence[int],
    pad: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_pad: Sequence[int],
    groups: int,
    wanted: Sequence[bool],
) -> list[Value | None]:
    count = x.rank - 2
    given = _each(stride, count), _each(pad, count), _each(dilation, count), groups
    made: list[Value | None] = [None] * 3
    if wanted[0]:
        back = _plain if transposed else _transposed
        made[0] = back(w, gradient, kernel, x.shape, *given)
    if wanted[1]:
        pair = (gradient, x) if transposed else (x, gradient)
        made[1] = _of_kernel(w, *pair, kernel.shape, *given)
    if wanted[2]:
        wide = w.cast(gradient, torch.float32) if gradient.dtype.itemsize < 4 else gradient
        sums = w.reduce("add", wide, [0, *range(2, gradient.rank)], 0)
        made[2] = w.cast(sums, gradient.dtype)
    return made
