"""Whether results of the device are within the formats' errors of the evaluation in float64.

How far each element may be off is measured, not guessed: the evaluation is repeated with roundings
anywhere within the errors of each operation, and an element may lie a few times as far from the
exact one as those do. Where they do not agree on a NaN, an infinity, an integer or a truth value,
any is right. XLA's result on the CPU is right, too, as far as it goes: where its own value or an
error of the evaluation differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from differing.formats import hold, is_complex, is_float, last_place
from differing.oracle import NotEvaluated, evaluate

RUNS, SURE_RUNS = 6, 40  # at first; where something differs
TIMES = 4  # the largest distance of those runs
MODES = ("machine", "reference")


@dataclass(frozen=True)
class Finding:
    """mode: of the device; kind: values, place (of NaN and infinity), form, error."""

    mode: str
    kind: str
    result: int
    words: str
    share: float = 0.0  # of elements that any value would have been right for

    @property
    def label(self) -> str:
        return f"{self.mode} {self.kind}" + (f" {self.words[:40]}" if self.kind == "error" else "")


@dataclass(frozen=True)
class Expected:
    """One result: exact, how far an element may be off, where anything is right, and XLA's."""

    exact: np.ndarray
    allowed: np.ndarray
    is_open: np.ndarray
    cpu: np.ndarray | None
    dtype: np.dtype


def on_cpu(function: Callable[..., Any], arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """By XLA's compiler."""
    with jax.default_device(jax.devices("cpu")[0]):
        return [np.asarray(v) for v in jax.tree.leaves(jax.jit(function)(*arguments))]


def expect(
    function: Callable[..., Any],
    arguments: Sequence[np.ndarray],
    native: Sequence[np.ndarray],
    runs: int = RUNS,
) -> list[Expected]:
    """native: XLA's results."""
    with jax.default_device(jax.devices("cpu")[0]):
        closed = jax.make_jaxpr(function)(*arguments)
    exact, *others = (evaluate(closed, arguments, run) for run in range(runs + 1))
    return [
        _expected(np.asarray(exact[i]), [np.asarray(o[i]) for o in others], native[i])
        for i in range(len(native))
    ]


def _expected(exact: np.ndarray, runs: list[np.ndarray], native: np.ndarray) -> Expected:
    dtype = native.dtype
    if exact.shape != native.shape:
        raise NotEvaluated(f"evaluated as {exact.shape}, by XLA as {native.shape}")
    if not (is_float(dtype) or is_complex(dtype)):
        differ = [run != exact for run in runs]
        return Expected(exact, np.zeros(exact.shape), np.any(differ, axis=0), native, dtype)
    with np.errstate(all="ignore"):
        finite = np.isfinite(exact)
        same = [(run == exact) | (np.isnan(run) & np.isnan(exact)) for run in runs]
        apart = [np.isfinite(run) != finite for run in runs]
        apart += [~s & ~finite & ~np.isfinite(run) for s, run in zip(same, runs, strict=True)]
        far = np.max(
            [
                np.where(s | ~finite | ~np.isfinite(run), 0, np.abs(run - exact))
                for s, run in zip(same, runs, strict=True)
            ],
            axis=0,
        )
        unit, least = last_place(np.dtype(np.float32) if is_complex(dtype) else dtype)
        own = np.where(far > 0, 2 * unit * np.abs(exact) + least, 0)
        allowed = np.where(finite, TIMES * far + own, 0)
    return Expected(exact, allowed, np.any(apart, axis=0), native, dtype)


def compare(mode: str, found: Sequence[np.ndarray], expected: Sequence[Expected]) -> list[Finding]:
    """What is not as it must be."""
    if len(found) != len(expected):
        return [Finding(mode, "form", 0, f"{len(found)} results, not {len(expected)}")]
    findings = []
    for i, (ours, right) in enumerate(zip(found, expected, strict=True)):
        if (ours.dtype, ours.shape) != (right.dtype, right.exact.shape):
            words = f"{ours.dtype}{list(ours.shape)}, not {right.dtype}{list(right.exact.shape)}"
            findings.append(Finding(mode, "form", i, words))
        elif finding := _difference(mode, i, ours, right):
            findings.append(finding)
    return findings


def _difference(mode: str, i: int, ours: np.ndarray, right: Expected) -> Finding | None:
    held = hold(ours)
    wrong = ~(_close(held, right.exact, right.allowed) | right.is_open)
    if right.cpu is not None:
        wrong &= ~_close(held, hold(right.cpu), right.allowed)
    if not wrong.any():
        return None
    at = tuple(int(n) for n in np.argwhere(wrong)[0])
    is_number = np.issubdtype(held.dtype, np.inexact)
    place = is_number and bool(np.all(np.isfinite(held[wrong]) != np.isfinite(right.exact[wrong])))
    cpu = "" if right.cpu is None else f", XLA {right.cpu[at]}"
    words = (
        f"result {i}, {ours.dtype}{list(ours.shape)}: {int(wrong.sum())} elements, at {list(at)} "
        f"{ours[at]}, not {right.exact[at]} (within {right.allowed[at]:.2g}{cpu})"
    )
    return Finding(mode, "place" if place else "values", i, words, float(right.is_open.mean()))


def _close(ours: np.ndarray, right: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        same = (ours == right) | ((ours != ours) & (right != right))
        if not np.issubdtype(ours.dtype, np.inexact):
            return same
        return same | (np.isfinite(ours) & np.isfinite(right) & (np.abs(ours - right) <= allowed))
