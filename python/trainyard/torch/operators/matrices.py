"""Systems of linear equations."""

from __future__ import annotations

from typing import Any

import torch

from trainyard.torch.writer import Value, Writer

_SINGULAR = "a matrix is singular"
_FAILURES = {
    "inv": f"the inversion could not be completed: {_SINGULAR}",
    "solve": f"the solver failed: {_SINGULAR}",
    "lu_factor": f"the factorization has a pivot of zero: {_SINGULAR}",
    "cholesky": "the factorization could not be completed: a matrix is not positive-definite",
}


def failure_of(name: str) -> str:
    """What it means that a function ("linalg.inv") has failed."""
    key = name.split(".")[-1].removesuffix("_ex")
    return next((words for start, words in _FAILURES.items() if key.startswith(start)), _SINGULAR)


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


def cholesky(
    w: Writer, out: Any, x: Value, *, upper: bool = False, check_errors: bool = False
) -> tuple[Value, Value]:
    """The triangle, and 1 where a matrix is not positive, whose triangle has no numbers, else 0."""
    text = f"stablehlo.cholesky {x.name}, lower = true : $T"
    made = w.put(text, x.shape, x.dtype)
    rows, columns = (w.iota(x.shape, x.rank - i, torch.int32) for i in (2, 1))
    made = w.select(w.compare("GE", rows, columns), made, w.like(0, made))
    is_none = w.cast(w.compare("NE", made, made), torch.int32)
    info = w.reduce("maximum", is_none, (x.rank - 2, x.rank - 1), 0, 1)
    if upper:
        order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        made = w.transpose(made, order)
    return made, info


def check_errors(w: Writer, out: Any, info: Value, name: str, *, is_matrix: bool) -> None:
    """What the host is told of after the run."""
    is_right = w.compare("EQ", info, w.like(0, info))
    every = w.reduce("and", is_right, range(info.rank), 1)
    w.assert_that(every, f"{name}: {failure_of(name)}")
