"""Cuts a program down while it still shows the same finding: results, lines, shapes, values."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import jax
import numpy as np

from differing.programs import Line, Program, names_in

Shows = Callable[[Program], bool]
SIZES = (1, 2, 3, 5, 8, 16, 33, 65)


def reduced(program: Program, shows: Shows, seconds: float) -> Program:
    """The smallest one found within that time."""
    last = time.monotonic() + seconds
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for steps in (_results, _kinds, _lines, _shapes, _texts, _values):
            found = _shrunk(program, steps, shows, last)
            is_smaller = is_smaller or found is not program
            program = found
        if time.monotonic() > last:
            break
    return program


def _shrunk(
    program: Program, steps: Callable[[Program], Iterator[Program]], shows: Shows, last: float
) -> Program:
    """By these steps as long as one of them keeps the finding."""
    again = True
    while again:
        again = False
        for smaller in steps(program):
            if time.monotonic() > last:
                return program
            if shows(smaller):
                program, again = smaller, True
                break
    return program


def _results(program: Program) -> Iterator[Program]:
    if len(program.results) > 1:
        for name in program.results:
            yield replace(program, results=(name,)).pruned()


def _kinds(program: Program) -> Iterator[Program]:
    if program.kind == "vmap":
        arrays = tuple(a[0] for a in program.arguments)
        yield replace(program, kind="forward", arguments=arrays)
    if program.kind == "gradient":
        yield replace(program, kind="forward")


def _lines(program: Program) -> Iterator[Program]:
    """The result of an earlier line; a line's operand for it; an argument with its values."""
    for line in program.lines[:-1]:
        yield replace(program, results=(line.name,)).pruned()
    values = _values_on_cpu(program) if program.kind != "vmap" else {}
    for line in reversed(program.lines):
        for name in dict.fromkeys(names_in(line.text)):
            if name in values and _alike(values[name], values.get(line.name)):
                yield _without(program, line.name, name)
    for line in program.lines:
        if line.name in values and line.name not in program.results:
            yield _as_argument(program, line.name, values[line.name])


def _alike(a: np.ndarray, b: np.ndarray | None) -> bool:
    return b is not None and (a.shape, a.dtype) == (b.shape, b.dtype)


def _values_on_cpu(program: Program) -> dict[str, np.ndarray]:
    every = replace(program, kind="forward", results=tuple(line.name for line in program.lines))
    values = dict(zip(program.names, program.arguments, strict=True))
    try:
        with jax.default_device(jax.devices("cpu")[0]):
            found = jax.jit(every.function())(*program.arguments)
        made = (np.asarray(v) for v in found)
        return values | dict(zip(every.results, made, strict=True))
    except Exception:  # a program that JAX refuses as it is has nothing to put in its place
        return {}


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{old}\b", new, text)


def _without(program: Program, name: str, instead: str) -> Program:
    lines = tuple(
        replace(line, text=_renamed(line.text, name, instead))
        for line in program.lines
        if line.name != name
    )
    results = tuple(instead if r == name else r for r in program.results)
    return replace(program, lines=lines, results=results).pruned()


def _as_argument(program: Program, name: str, value: np.ndarray) -> Program:
    new = f"a{100 + len(program.names) + int(name[1:])}"
    lines = tuple(
        replace(line, text=_renamed(line.text, name, new))
        for line in program.lines
        if line.name != name
    )
    return replace(
        program,
        names=(*program.names, new),
        arguments=(*program.arguments, value),
        lines=lines,
    ).pruned()


def _shapes(program: Program) -> Iterator[Program]:
    """A size that several arguments share, smaller in all of them and in the lines' numbers."""
    sizes = sorted({n for a in program.arguments for n in a.shape}, reverse=True)
    for size in sizes:
        for new in (s for s in SIZES if s < size):
            for texts in (True, False):
                lines = tuple(_resized(line, size, new) for line in program.lines)
                lines = lines if texts else program.lines
                yield replace(program, arguments=_cut(program, size, new), lines=lines)
    for at, array in enumerate(program.arguments):  # of one argument alone
        for axis, size in enumerate(array.shape):
            for new in (s for s in SIZES if s < size):
                part = array[(slice(None),) * axis + (slice(0, new),)]
                arrays = (*program.arguments[:at], part, *program.arguments[at + 1 :])
                yield replace(program, arguments=arrays)


def _resized(line: Line, size: int, new: int) -> Line:
    return replace(line, text=re.sub(rf"(?<![\w.]){size}(?![\w.])", str(new), line.text))


def _cut(program: Program, size: int, new: int) -> tuple[np.ndarray, ...]:
    return tuple(
        a[tuple(slice(0, new) if n == size else slice(None) for n in a.shape)]
        for a in program.arguments
    )


def _texts(program: Program) -> Iterator[Program]:
    """One side of `a if b` forms is not cut; trivial factors and casts are."""
    for i, line in enumerate(program.lines):
        for old, new in ((" * 0.5", ""), (" + 1e-5", ""), (" * 0.25", ""), (", reverse=True", "")):
            if old in line.text:
                lines = (
                    *program.lines[:i],
                    replace(line, text=line.text.replace(old, new)),
                    *program.lines[i + 1 :],
                )
                yield replace(program, lines=lines)


def _values(program: Program) -> Iterator[Program]:
    """All elements one; whole numbers; then half of the elements at a time."""
    for at, array in enumerate(program.arguments):
        if not array.size:
            continue
        for simpler in _simpler(array):
            if not np.array_equal(simpler, array, equal_nan=array.dtype.kind == "f"):
                arrays = (*program.arguments[:at], simpler, *program.arguments[at + 1 :])
                yield replace(program, arguments=arrays)


def _simpler(array: np.ndarray) -> Iterator[np.ndarray]:
    one = np.ones((), array.dtype)
    yield np.full_like(array, one)
    if array.dtype.kind in "iub":
        yield np.zeros_like(array)
    else:
        with np.errstate(all="ignore"):
            wide = array.astype(np.float64)
            whole = np.where(np.isfinite(wide) & (np.abs(wide) < 1e6), np.rint(wide), wide)
            yield whole.astype(array.dtype)
            yield np.where(np.isfinite(wide), array, one)
    flat = array.reshape(-1)
    parts = 2
    while parts <= min(flat.size, 16):
        for part in np.array_split(np.arange(flat.size), parts):
            if (flat[part] == one).all():
                continue
            changed = flat.copy()
            changed[part] = one
            yield changed.reshape(array.shape)
        parts *= 2
