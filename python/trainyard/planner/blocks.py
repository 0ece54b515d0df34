"""Blocks of a transformer's layer as shapes: the share of one core.

The products of tensor parallelism end in a sum over cores, which cuts a layer into blocks: what
attends, what follows it (one inner size, or experts), and norms with residuals, which each core
does for its share of the rows (sequence parallelism). layers.py has their functions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

ROWS = 512  # of a block of queries, which sees the keys before its end
SCORES_MAX = 2**22  # of a block of queries: what stays on chip as float32


def count_text(number: int, what: str) -> str:
    """ "1 head", "2 heads"."""
    return f"{number} {what}{'s' * (number != 1)}"


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: keys and values are made from a vector of `rank`."""

    rank: int
    q_rank: int  # 0: queries straight from the hidden vector
    nope: int
    rope: int
    values: int


@dataclass(frozen=True)
class Attention:
    """Projections, rotation, attention and the output projection of one core's heads."""

    rows: int
    hidden: int
    queries: int  # heads of one key
    keys: int
    head: int
    past: int = 0  # keys before the first row
    window: int = 0  # 0: all keys before
    causal: bool = True
    rotary: bool = True
    latent: Latent | None = None
    format: str = "bf16"
    backward: bool = False

    @property
    def step(self) -> int:
        """Rows that are attended together: as many as keep their scores on chip."""
        keys = self.window or self.past + self.rows
        rows = ROWS
        while rows > 128 and rows * keys * self.queries * self.keys > SCORES_MAX:
            rows //= 2
        return rows

    @property
    def name(self) -> str:
        """What it is called in tables."""
        seen = f", window {self.window}" if self.window else ""
        return f"attention block, {count_text(self.queries * self.keys, 'head')}{seen}"

    @property
    def weight_macs(self) -> float:
        """Multiply-accumulates of the rows with weights."""
        heads = self.queries * self.keys
        if (of := self.latent) is None:
            return float(self.rows * self.hidden * self.head * (2 * heads + 2 * self.keys))
        weights = self.hidden * (of.rank + of.rope) + of.rank * heads * (of.nope + of.values)
        weights += (of.q_rank or self.hidden) * heads * (of.nope + of.rope)
        weights += self.hidden * (of.q_rank + heads * of.values)
        return float(self.rows * weights)

    @property
    def macs(self) -> float:
        """Those of scores and values besides."""
        of = self.latent
        both = of.nope + of.rope + of.values if of else 2 * self.head
        seen = self.past + (self.rows + min(ROWS, self.rows)) / 2 if self.causal else self.rows
        seen = min(seen, self.window or seen)
        return self.weight_macs + self.rows * self.queries * self.keys * both * seen

    def sampled(self, rows: int) -> Attention:
        """Fewer rows, that see what a row sees on average."""
        past = (self.rows - rows) // 2 if self.causal else 0
        return replace(self, rows=rows, past=self.past + past)


@dataclass(frozen=True)
class FeedForward:
    """Two products, or three with a gate."""

    rows: int
    hidden: int
    inner: int
    gated: bool = True
    format: str = "bf16"
    backward: bool = False

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"feed-forward block, inner {self.inner}"

    @property
    def macs(self) -> float:
        """Multiply-accumulates of the rows."""
        return float(self.rows) * self.hidden * self.inner * (3 if self.gated else 2)

    weight_macs = macs

    def sampled(self, rows: int) -> FeedForward:
        """Fewer rows."""
        return replace(self, rows=rows)


@dataclass(frozen=True)
class Experts:
    """Router, top-k, rows gathered for the experts of one core, their products, rows added back.

    every: each expert computes every row, and what it was not chosen for counts nothing.
    """

    rows: int
    hidden: int
    experts: int  # of the layer
    chosen: int  # for a token
    local: int  # experts of the core
    inner: int  # of an expert, the core's share
    every: bool = False
    format: str = "bf16"
    backward: bool = False

    @property
    def capacity(self) -> int:
        """Rows of an expert, with none to spare: where tokens crowd, some are dropped."""
        return self.rows if self.every else max(1, -(-self.rows * self.chosen // self.experts))

    @property
    def name(self) -> str:
        """What it is called in tables."""
        places = "all tokens" if self.every else f"{count_text(self.capacity, 'token')} each"
        return f"{count_text(self.local, 'expert')}, inner {self.inner}, {places}"

    @property
    def macs(self) -> float:
        """Multiply-accumulates of the rows."""
        # A narrow product takes as many instructions as one that fills the array.
        products = 3.0 * self.local * self.capacity * max(128, self.inner)
        return self.hidden * (self.rows * self.experts + products)

    weight_macs = macs

    def sampled(self, rows: int) -> Experts:
        """Fewer rows."""
        return replace(self, rows=rows)


@dataclass(frozen=True)
class Norm:
    """A residual and the norm behind it."""

    rows: int
    hidden: int
    mean: bool = False  # LayerNorm, else RMSNorm
    backward: bool = False

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"norm and residual, {count_text(self.rows, 'row')}"

    @property
    def macs(self) -> float:
        """None; what it costs is about as many steps of other engines."""
        return 128.0 * self.rows * self.hidden

    def sampled(self, rows: int) -> Norm:
        """Fewer rows."""
        return replace(self, rows=rows)


Block: TypeAlias = Attention | FeedForward | Experts | Norm
