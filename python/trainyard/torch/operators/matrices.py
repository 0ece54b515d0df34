"""Systems of linear equations."""

from __future__ import annotations

from typing import Any

from trainyard.torch.writer import Value, Writer


def solve_triangular(
    w: Writer,
    out: Any,
    a: Value,
    b: Value,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
) -> Value:
    """a x = b, or x a = b, of the triangle of `a` alone; matrices that are repeated are copied."""
    batch = tuple(map(int, out.shape[:-2]))
    a = w.expand(a, (*batch, *a.shape[-2:]))
    b = w.expand(b, (*batch, *b.shape[-2:]))
    words = {True: "true", False: "false"}
    text = (
        f'"stablehlo.triangular_solve"({a.name}, {b.name}) <{{left_side = {words[left]}, '
        f"lower = {words[not upper]}, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, "
        f"unit_diagonal = {words[unitriangular]}}}> : ({a.type}, {b.type}) -> $T"
    )
    return w.put(text, b.shape, b.dtype)
