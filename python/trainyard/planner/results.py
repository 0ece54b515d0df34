"""Typed results of the analytic model: values with intervals, what moves them, tables, pages."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainyard.planner import frames, text

Json = dict[str, Any]


@dataclass(frozen=True)
class Influence:
    """An answer with one figure at the ends of its range and all others as they are."""

    key: str
    at_low: float
    at_high: float
    kind: str
    source: str


@dataclass(frozen=True)
class Estimate:
    """A value with the bracket that the documented ranges allow, and the figures that move it.

    `low` and `high` have every figure at the end that matters at once. With all figures drawn from
    their ranges, a tenth of the answers lies below `p10` and a tenth above `p90`.
    """

    value: float
    low: float
    high: float
    unit: str
    moved_by: tuple[Influence, ...] = ()
    p10: float | None = None
    p90: float | None = None
    quantiles: tuple[float, ...] = field(default=(), repr=False)  # from the least draw to the most

    def chance(self, low: float, high: float) -> float | None:
        """The share of the draws that lie from `low` to `high`; None where nothing was drawn."""
        if not self.quantiles:
            return None
        return self._share_up_to(high) - self._share_below(low)

    def _share_up_to(self, value: float) -> float:
        """Of the draws, linear between quantiles."""
        known = self.quantiles
        if value >= known[-1]:
            return 1.0
        above = bisect.bisect_right(known, value)
        if above == 0:
            return 0.0
        below, next_one = known[above - 1], known[above]
        return (above - 1 + (value - below) / (next_one - below)) / (len(known) - 1)

    def _share_below(self, value: float) -> float:
        return 0.0 if value <= self.quantiles[0] else self._share_up_to(value)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return text.interval(self.low, self.value, self.high, self.unit)


def estimates_of(values: Json) -> dict[str, Estimate]:
    """The values of a document."""
    return {
        name: Estimate(
            one["value"],
            one["low"],
            one["high"],
            one["unit"],
            tuple(Influence(**by) for by in one["moved_by"]),
            one.get("p10"),
            one.get("p90"),
            tuple(one.get("quantiles", ())),
        )
        for name, one in values.items()
    }


@dataclass(frozen=True)
class Layout:
    """A way to lay a model out over chips: what lies in the memory of one of them."""

    what: str
    plan: dict[str, float]
    parts: dict[str, float]
    why: dict[str, str]
    total_bytes: float
    capacity_bytes: float
    bytes_per_logical_core: float
    fits: bool
    largest: str
    batch_max: float | None = None


Alternative = Layout


def layout_of(document: Json) -> Layout:
    """One layout of a fit document."""
    memory = document["memory"]
    return Layout(
        document["what"],
        document["plan"],
        {part["name"]: part["bytes"] for part in memory["parts"]},
        {part["name"]: part["why"] for part in memory["parts"]},
        memory["total"],
        memory["capacity"],
        memory["per_logical_core"],
        memory["fits"],
        memory["largest"],
        document.get("batch_max"),
    )


@dataclass(frozen=True)
class Fit:
    """Whether a model fits a machine, for serving and for training, and what else would."""

    model: Json
    machine: Json
    serving: Layout
    serving_alternatives: tuple[Layout, ...]
    training: Layout
    training_alternatives: tuple[Layout, ...]
    document: Json = field(repr=False)

    @classmethod
    def of(cls, document: Json) -> Fit:
        """From a trainyard.fit/1 document."""
        layouts = {
            phase: (
                layout_of(document[phase]["asked"]),
                tuple(layout_of(one) for one in document[phase]["alternatives"]),
            )
            for phase in ("serving", "training")
        }
        return cls(
            document["model"],
            document["machine"],
            *layouts["serving"],
            *layouts["training"],
            document,
        )

    def frame(self) -> Any:
        """A row for each layout: a pandas.DataFrame where pandas is installed, else dicts."""
        rows = []
        for phase in ("serving", "training"):
            layouts = (getattr(self, phase), *getattr(self, f"{phase}_alternatives"))
            rows += [
                {
                    "phase": phase,
                    "layout": layout.what,
                    "chips": layout.plan["chips"],
                    "fits": layout.fits,
                    "bytes": layout.total_bytes,
                    "capacity": layout.capacity_bytes,
                    "batch_max": layout.batch_max,
                }
                | {f"bytes of {name}": size for name, size in layout.parts.items()}
                for layout in layouts
            ]
        return frames.frame(rows)

    def __str__(self) -> str:
        return "\n".join(text.fit_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return text.as_html(str(self))


@dataclass(frozen=True)
class Row:
    """One machine's answers to a comparison; without a plan nothing fits, and `why` says so."""

    machine: str
    title: str
    plan: dict[str, float] | None
    workload: Json
    values: dict[str, Estimate]
    unknown: tuple[str, ...]
    price: str
    native: bool
    frontier: tuple[dict[str, float], ...]
    document: Json = field(repr=False)
    why: str = ""
    # Layers of the plan, simulated (trainyard.planner.exact.Exact), or why not; None: not asked.
    exact: Any = None
    # Where `values` are by simulated layers: those of the same plan by the analytic model.
    analytic: dict[str, Estimate] = field(default_factory=dict)

    @property
    def tried(self) -> tuple[Json, ...]:
        """The choices whose layers were simulated, the analytic one first."""
        return tuple(self.document.get("tried", ()))


@dataclass(frozen=True)
class Comparison:
    """The same model and workload on several machines, by the same formulas."""

    model: Json
    phase: str
    rows: tuple[Row, ...]
    asked: Json

    def __getitem__(self, machine: str) -> Row:
        return next(row for row in self.rows if row.machine == machine)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def frame(self) -> Any:
        """A row for each machine: a pandas.DataFrame where pandas is installed, else dicts."""
        return frames.frame(
            [
                {"machine": row.machine}
                | (row.plan or {})
                | {
                    f"{name}{end}": getattr(one, part)
                    for name, one in row.values.items()
                    for end, part in (
                        ("", "value"),
                        ("_low", "low"),
                        ("_p10", "p10"),
                        ("_p90", "p90"),
                        ("_high", "high"),
                    )
                }
                | {f"{name}_modelled": one.value for name, one in row.analytic.items()}
                | {"unknown": ", ".join(row.unknown)}
                for row in self.rows
            ]
        )

    def figure(self, value: str = "") -> Any:
        """A chart of one value by machine, with intervals; the first of the phase by default."""
        from trainyard.planner import charts

        return charts.bars(self, value or text.headline(self))

    def pareto(self) -> Any:
        """Output per chip over speed for a user: what each machine cannot beat in both."""
        from trainyard.planner import charts

        return charts.pareto(self)

    def as_dict(self) -> Json:
        """For JSON."""
        return {
            "model": self.model,
            "phase": self.phase,
            "asked": self.asked,
            "machines": [
                row.document
                | ({"error": row.why} if row.why else {})
                | ({} if row.exact is None else {"exact": _exact(row.exact)})
                for row in self.rows
            ],
        }

    def save_page(self, path: str | Path, command: str = "") -> Path:
        """Writes one HTML page: tables, plots, what moves them, every input with its source."""
        from trainyard.planner import page

        page.sheet_of(self, command).save(path)
        return Path(path)

    def __str__(self) -> str:
        return "\n".join(text.comparison_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return text.as_html(str(self)) + self.figure().svg


def _exact(exact: Any) -> Json:
    return {"why": exact} if isinstance(exact, str) else exact.as_dict()


@dataclass(frozen=True)
class Cost:
    """Dollars and joules of a run or of a model's work, with the source of each rate."""

    what: str
    values: dict[str, Estimate]
    unknown: tuple[str, ...]
    rates: tuple[Json, ...]
    document: Json = field(repr=False)

    def frame(self) -> Any:
        """A row for each value."""
        return frames.frame(
            [
                {"value": name, "low": one.low, "middle": one.value, "high": one.high}
                | {"unit": one.unit}
                for name, one in self.values.items()
            ]
        )

    def __str__(self) -> str:
        return "\n".join(text.cost_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return text.as_html(str(self))
