"""Whether tensors of float32 are right: no further from float64's than float32 itself explains.

What float32 explains is measured: the same function on the CPU, with its operators taken apart (its
own sum some things in float64), with sums one number after the other (its own add pairs, whose
errors are a tenth of a machine's), and with inputs changed by some units in their last place. A
tensor is right where its largest error is within a small part of its largest number, or within a
few times the largest error of those runs. Where these errors are large themselves, a wrong number
could hide among them, so that nothing was shown: "unstable".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import torch

# Of a tensor's largest number, and of the largest of all: sums of some thousand numbers in another
# order. Gradients that are zero in theory, as a bias's before a norm, are held by the second one.
OWN_PART, WHOLE_PART = 2e-5, 1e-6
TIMES = 4  # the largest error of a few runs on the CPU
NOISE_MAX = 3e-4  # of a tensor's largest number; beyond it nothing is shown
FAR = 30  # times the noise: wrong however large it is
RUNS = 9
UNIT = 2.0**-23  # the last place of numbers near 1

Tensors = Sequence[torch.Tensor | None]


@dataclass(frozen=True)
class Strong:
    """A run whose inputs were changed TIMES as much: a TIMES-th of its errors counts as float32's.
    What grows with a change counts as before; what jumps, as a gradient does where a number before
    a ReLU is as good as zero, may jump for ours, too, whose changes may be TIMES the CPU's."""

    tensors: Tensors


@dataclass(frozen=True)
class Verdict:
    """kind: "ok", "wrong" or "unstable"; error: the largest one, as a part of its tensor's largest
    number (of one a thousand times smaller than the others, of theirs); noise: the CPU's there,
    where it was asked for."""

    kind: str
    cause: str
    error: float = 0.0
    noise: float | None = None


@dataclass
class _Compared:
    """One tensor: what its error is measured by, the error, what it may be, and float32's."""

    place: int
    scale: float
    error: float
    allowed: float
    noise: float = 0.0

    @property
    def is_right(self) -> bool:
        return self.error <= max(self.allowed, TIMES * self.noise)


def judge(
    ours: Tensors, exact: Tensors, runs: Iterable[Tensors | Strong], wholes: Sequence[float] = ()
) -> Verdict:
    """ours: of float32; exact: the same computed in float64; runs: what the CPU's float32 gives,
    first for the same inputs, then for changed ones, of which no more are taken than needed, some
    of them changed more (Strong);
    wholes: for tensors that are differences, the largest number of what they are differences of."""
    if found := _difference_of_form(ours, exact):
        return Verdict("wrong", found)
    compared = _compare(ours, exact, wholes)
    if all(each.is_right for each in compared):
        return Verdict("ok", "", max((each.error / each.scale for each in compared), default=0.0))
    for run in islice(runs, RUNS):
        tensors, times = (run.tensors, TIMES) if isinstance(run, Strong) else (run, 1)
        for each in compared:
            error = _error(tensors[each.place], exact[each.place])
            each.noise = max(each.noise, error / times)
        if all(each.is_right for each in compared):
            break
    return _verdict([each for each in compared if each.error > each.allowed])


def _verdict(doubtful: list[_Compared]) -> Verdict:
    """Of what float32 had to explain."""
    worst = max(doubtful, key=lambda each: each.error / max(each.allowed, TIMES * each.noise))
    if worst.is_right:
        worst = max(doubtful, key=lambda each: each.noise / each.scale)
    told = worst.error / worst.scale, worst.noise / worst.scale
    words = f"tensor {worst.place}: error {told[0]:.1e}, the CPU's {told[1]:.1e}"
    is_noisy = told[1] > NOISE_MAX
    if not worst.is_right and (not is_noisy or worst.error > FAR * worst.noise):
        return Verdict("wrong", f"numbers: {words}", *told)
    if is_noisy:
        return Verdict("unstable", f"float32 does not determine it: {words}", *told)
    return Verdict("ok", "", *told)


def _compare(ours: Tensors, exact: Tensors, wholes: Sequence[float]) -> list[_Compared]:
    pairs = [
        (i, a, b)
        for i, (a, b) in enumerate(zip(ours, exact, strict=True))
        if a is not None and b is not None and a.numel()
    ]
    sizes = [_largest(b) for _, _, b in pairs]
    largest = max(sizes, default=0.0)
    units = [2 * UNIT * each for each in wholes] or [0.0] * len(exact)
    return [
        _Compared(
            i,
            max(size, 1e-3 * largest, 1e-30),
            _error(a, b),
            max(OWN_PART * size, WHOLE_PART * largest, units[i]),
        )
        for (i, a, b), size in zip(pairs, sizes, strict=True)
    ]


def _difference_of_form(ours: Tensors, exact: Tensors) -> str:
    if len(ours) != len(exact):
        return f"{len(ours)} tensors, not {len(exact)}"
    for i, (a, b) in enumerate(zip(ours, exact, strict=True)):
        if (a is None) != (b is None):
            return f"tensor {i} is missing" if a is None else f"tensor {i} is too many"
        if a is not None and b is not None and a.shape != b.shape:
            return f"tensor {i} is {list(a.shape)}, not {list(b.shape)}"
    return ""


def _largest(x: torch.Tensor) -> float:
    finite = x.double()[torch.isfinite(x)]
    return float(finite.abs().max()) if finite.numel() else 0.0


def _error(a: torch.Tensor | None, b: torch.Tensor | None) -> float:
    """The largest difference; infinite where one alone is no number, or infinite."""
    if a is None or b is None:
        return 0.0
    a, b = a.double(), b.double()
    same = (a == b) | (a.isnan() & b.isnan())
    off = (a - b).abs().masked_fill(same, 0.0)
    return float(off.nan_to_num(nan=torch.inf).max()) if off.numel() else 0.0
