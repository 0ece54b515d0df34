"""The exact server as the planned engine sees it: a table from few of its compiled steps.

Simulated are the smallest and the largest shapes of each axis, and some between the server's
buckets; these are linear between them. errors() says how far they are from their own times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from trainyard import _core
from trainyard.serving.exact import Engine

LOGIT_BYTES = 4


class Tables:
    """Step times of an exact engine, interpolated where they are sparse."""

    def __init__(self, engine: Engine, is_sparse: bool = True) -> None:
        """is_sparse: simulates the shapes at the ends and between buckets, not the buckets."""
        self._engine, self._is_sparse = engine, is_sparse
        limits = engine.limits
        self._contexts = limits.contexts
        self._rows = {"prefill": limits.chunks, "decode": limits.batches}
        self._between = {kind: _middle(sizes) for kind, sizes in self._rows.items()}
        self._apart = _gaps(self._contexts, limits.block_tokens)

    def interpolated(self, kind: str, rows: int, context: int) -> tuple[float, float]:
        """Seconds and joules of a bucket, linear between the shapes around it."""
        if not self._is_sparse:
            return self._simulated(kind, rows, context)
        ends = _around(self._between[kind], rows)
        across = _around(self._apart, context)
        down, right = _share(rows, *ends), _share(context, *across)
        corners = [[self._simulated(kind, row, column) for column in across] for row in ends]

        def between(which: int) -> float:
            (a, b), (c, d) = ([one[which] for one in row] for row in corners)
            return (a + right * (b - a)) * (1 - down) + (c + right * (d - c)) * down

        return between(0), between(1)

    def _simulated(self, kind: str, rows: int, context: int) -> tuple[float, float]:
        pages = context // self._engine.limits.block_tokens
        program = self._engine.program(kind, rows, pages)
        return program.seconds, program.joules

    def errors(self) -> list[tuple[str, int, int, float]]:
        """Of each bucket that the table was not made of: kind, rows, context, relative error."""
        found = []
        for kind, sizes in self._rows.items():
            for rows in sizes:
                for context in self._contexts:
                    if rows in self._between[kind] and context in self._apart:
                        continue
                    exact = self._simulated(kind, rows, context)[0]
                    error = self.interpolated(kind, rows, context)[0] / exact - 1
                    found.append((kind, rows, context, error))
        return found

    def costs(self) -> Any:
        """For the planned engine, with launches and copies as the exact one counts them."""
        costs = _core.StepCosts(*(self._table(kind) for kind in ("prefill", "decode")))
        costs.by_longest = True
        return costs

    def _table(self, kind: str) -> Any:
        """A bucket's cost from the size behind the bucket before it up to its own."""
        rows, columns = _edges(self._rows[kind], 1), _edges(self._contexts, 0)
        seconds, joules = [], []
        host, vocabulary = self._engine.host, self._engine.model.config.vocabulary
        for size, bucket in rows:
            told = size if kind == "decode" else 1  # rows of logits that the host reads
            besides = host.launch + host.copy(LOGIT_BYTES * vocabulary * told)
            for _, context in columns:
                took, paid = self.interpolated(kind, bucket, context)
                seconds.append(took + besides)
                joules.append(paid)
        down, across = ([float(size) for size, _ in axis] for axis in (rows, columns))
        return _core.CostTable(down, across, seconds, joules)


def _middle(sizes: Sequence[int]) -> list[int]:
    """The ends, and a size between them that is none of these."""
    first, last = sizes[0], sizes[-1]
    middle = round((first * last) ** 0.5)
    while middle in sizes:
        middle += 1
    return sorted({first, last, *([middle] if first < middle < last else [])})


def _gaps(sizes: Sequence[int], multiple: int) -> list[int]:
    """The ends, and a size between any two neighbours."""
    found = {sizes[0], sizes[-1]}
    for a, b in pairwise(sizes):
        middle = max(1, round((a * b) ** 0.5 / multiple)) * multiple
        if a < middle < b:
            found.add(middle)
    return sorted(found)


def _around(points: Sequence[int], value: int) -> tuple[int, int]:
    """The points next to a value, which may be one of them."""
    return max(one for one in points if one <= value), min(one for one in points if one >= value)


def _share(value: float, first: float, last: float) -> float:
    return (value - first) / (last - first) if last > first else 0.0


def _edges(sizes: Sequence[int], first: int) -> list[tuple[int, int]]:
    """(size, bucket) at both ends of what each bucket takes."""
    found: list[tuple[int, int]] = []
    for size in sizes:
        if size > first:
            found.append((first, size))
        found.append((size, size))
        first = size + 1
    return found
