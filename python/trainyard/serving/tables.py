"""The exact server as the planned engine sees it: a table of step times from other programs than
those that the server runs.

A step of the server is a program of one of its buckets, so a table has those buckets; nothing lies
between them, and what a program of another shape takes says little: the compiler lays out and
orders each shape in its own way (eight requests of SmolLM2 may take less than six). What holds is
that all layers of a program are alike. So the table's programs are stacks of fewer layers of the
same bucket, a sixth and two thirds of them, and a layer takes the difference over theirs: a mean
over many, because layers are alike but not equal (by up to 40 % from one to the next). errors()
says how far the sums are from the programs themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainyard import _core
from trainyard.serving.exact import Engine

LOGIT_BYTES = 4


class Tables:
    """Step times of an exact engine, by its own programs or by those of fewer layers."""

    def __init__(self, engine: Engine, is_exact: bool = False) -> None:
        """is_exact: by the programs that the engine runs."""
        self._engine = engine
        self._rows = {"prefill": engine.limits.chunks, "decode": engine.limits.batches}
        layers = engine.model.config.layers
        self.stacks = (layers,) if is_exact else stacks_of(layers)
        self._engines = [
            engine if stack == layers else engine.shortened(stack) for stack in self.stacks
        ]

    def cost(self, kind: str, rows: int, context: int) -> tuple[float, float]:
        """Seconds and joules of a bucket."""
        made = [_simulated(engine, kind, rows, context) for engine in self._engines]
        if len(made) == 1:
            return made[0]
        few, many = self.stacks[0], self.stacks[-1]
        more = (self._engine.model.config.layers - many) / (many - few)
        seconds, joules = (b + more * (b - a) for a, b in zip(*made, strict=True))
        return seconds, joules

    def errors(self) -> list[tuple[str, int, int, float]]:
        """Of each bucket: kind, rows, context, relative error of the seconds."""
        found = []
        for kind, sizes in self._rows.items():
            for rows in sizes:
                for context in self._engine.limits.contexts:
                    exact = _simulated(self._engine, kind, rows, context)[0]
                    found.append(
                        (kind, rows, context, self.cost(kind, rows, context)[0] / exact - 1)
                    )
        return found

    def costs(self) -> Any:
        """For the planned engine, with launches and copies as the exact one counts them."""
        costs = _core.StepCosts(*(self._table(kind) for kind in ("prefill", "decode")))
        costs.by_longest = True
        costs.scheduling = (self._engine.scheduling, 0.0)
        return costs

    def _table(self, kind: str) -> Any:
        """A bucket's cost from the size behind the bucket before it up to its own."""
        rows, columns = _edges(self._rows[kind], 1), _edges(self._engine.limits.contexts, 0)
        seconds, joules = [], []
        host, vocabulary = self._engine.host, self._engine.model.config.vocabulary
        for size, bucket in rows:
            told = size if kind == "decode" else 1  # rows of logits that the host reads
            besides = host.launch + host.copy(LOGIT_BYTES * vocabulary * told)
            for _, context in columns:
                took, paid = self.cost(kind, bucket, context)
                seconds.append(took + besides)
                joules.append(paid)
        down, across = ([float(size) for size, _ in axis] for axis in (rows, columns))
        return _core.CostTable(down, across, seconds, joules)


def stacks_of(layers: int) -> tuple[int, ...]:
    """Of how many layers the programs of a table are: two numbers, below that of the model where
    it has three layers or more."""
    if layers == 1:
        return (1,)
    few, many = max(1, layers // 6), max(2, -(-5 * layers // 6) if layers > 6 else layers - 1)
    return few, many


def _simulated(engine: Engine, kind: str, rows: int, context: int) -> tuple[float, float]:
    program = engine.program(kind, rows, context // engine.limits.block_tokens)
    return program.seconds, program.joules


def _edges(sizes: Sequence[int], first: int) -> list[tuple[int, int]]:
    """(size, bucket) at both ends of what each bucket takes."""
    found: list[tuple[int, int]] = []
    for size in sizes:
        if size > first:
            found.append((first, size))
        found.append((size, size))
        first = size + 1
    return found
