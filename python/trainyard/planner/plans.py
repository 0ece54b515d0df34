"""Plans of training: the best ways to lay a model out over chips, typed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.planner import frames
from trainyard.planner.calls import check_purchase, options_of, set_option
from trainyard.planner.results import Estimate, Json, estimates_of
from trainyard.planner.weight_files import resolve
from trainyard.usage import UsageError

TOKENS_OF_STEP = 2**24  # of a global batch that is not given: as Llama 3 405B ends
SIZES = ("tp", "cp", "ep", "pp", "dp")
FIXED = (
    *SIZES,
    "zero",
    "copies",
    "microbatch",
    "interleave",
    "recompute",
    "schedule",
    "placement",
    "sequence_parallel",
    "idle_share",
    "spares",
    "power_cap",
    "gradient_bytes",
    "state_bytes",
    "kept",
)


@dataclass(frozen=True)
class TrainPlan:
    """One way to train: sizes, what each step does and takes, and what the run comes to."""

    tp: int
    cp: int
    ep: int
    pp: int
    dp: int
    microbatch: int
    recompute: str
    zero: int
    copies: int
    schedule: str
    interleave: int
    placement: str
    sequence_parallel: bool
    chips: int
    asked_chips: int
    bytes: float
    parts: dict[str, float]
    values: dict[str, float]
    workload: Json = field(repr=False)

    @property
    def sharing(self) -> str:
        """ "3", or "3 x4" where four copies of the states are shared out (hybrid sharding)."""
        return f"{self.zero} x{self.copies}" if self.copies > 1 else str(self.zero)

    @classmethod
    def of(cls, row: Json, asked_chips: int) -> TrainPlan:
        """From a row of a trainyard.plan_train/1 document."""
        plan, work = row["plan"], row["workload"]
        return cls(
            **{name: int(plan[name]) for name in SIZES},
            microbatch=int(work["microbatch"]),
            recompute=work["recompute"],
            zero=work["zero"],
            copies=work["copies"],
            schedule=work["schedule"],
            interleave=int(work["interleave"]),
            placement=work["placement"],
            sequence_parallel=work["sequence_parallel"],
            chips=int(plan["chips"]),
            asked_chips=asked_chips,
            bytes=row["bytes"],
            parts=row["parts"],
            values=row["values"],
            workload=work,
        )

    def as_dict(self) -> Json:
        """Flat, for tables and CSV."""
        return {
            "chips": self.asked_chips,
            "chips_used": self.chips,
            **{name: getattr(self, name) for name in SIZES},
            "microbatch": self.microbatch,
            "recompute": self.recompute,
            "zero": self.zero,
            "copies": self.copies,
            "schedule": self.schedule,
            "interleave": self.interleave,
            "placement": self.placement,
            "sequence_parallel": self.sequence_parallel,
            "bytes": self.bytes,
            **{
                name if name == "microbatches" else f"{name}_s": one
                for name, one in self.parts.items()
                if name != "seconds"
            },
            **self.values,
        }


@dataclass(frozen=True)
class TrainPlans:
    """What a search found for each number of chips, fastest first."""

    model: Json
    machine: Json
    documents: tuple[Json, ...] = field(repr=False)
    plans: tuple[TrainPlan, ...] = ()
    why: str = ""  # there is no plan for any number of chips

    def __iter__(self) -> Iterator[TrainPlan]:
        return iter(self.plans)

    @property
    def best(self) -> TrainPlan | None:
        """The fastest plan of all."""
        return min(self.plans, key=lambda one: one.values["elapsed_days"], default=None)

    @property
    def document(self) -> Json:
        """That of the number of chips that the best plan is for."""
        if self.best is None:
            return self.documents[0]
        chips = self.best.asked_chips
        return next(one for one in self.documents if one["asked"]["chips"] == chips)

    @property
    def values(self) -> dict[str, Estimate]:
        """The best plan's answers with intervals; none where intervals were not asked for."""
        found = self.document.get("values", {})
        return estimates_of({name: one for name, one in found.items() if "low" in one})

    @property
    def counts(self) -> dict[str, int]:
        """Plans that were pruned, refused for memory, and timed, over all numbers of chips."""
        return {
            name: sum(one["counts"][name] for one in self.documents)
            for name in ("pruned", "refused", "timed")
        }

    def frontier(self) -> tuple[TrainPlan, ...]:
        """Those that no other beats in both days and dollars (chips, where no price is public)."""
        rows = sorted(self.plans, key=lambda one: (one.values["elapsed_days"], _dollars(one)))
        result: list[TrainPlan] = []
        for row in rows:
            if not result or _dollars(row) < _dollars(result[-1]):
                result.append(row)
        return tuple(result)

    def frame(self) -> Any:
        """A row for each plan: a pandas.DataFrame where pandas is installed, else dicts."""
        return frames.frame([one.as_dict() for one in self.plans])

    def as_csv(self) -> str:
        """A line for each plan."""
        rows = [one.as_dict() for one in self.plans]
        text = io.StringIO()
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def figure(self) -> Any:
        """Dollars over days of all plans, what cannot be beaten joined by a line."""
        from trainyard.planner import plan_charts

        return plan_charts.days_and_dollars(self)

    def tornado(self, value: str = "elapsed_days") -> Any:
        """What moves a value of the best plan most. Raises KeyError for one that is not there."""
        from trainyard.planner import charts

        title = f"{self.model['title']} on {self.machine['title']}: {value}"
        return charts.tornado(title, self.values[value])

    def save_page(self, path: str | Path, command: str = "") -> Path:
        """Writes one HTML page: the table, the best plan's parts, plots, inputs with sources."""
        from trainyard.planner import plan_charts

        plan_charts.sheet_of(self, command).save(path)
        return Path(path)

    def as_dict(self) -> Json:
        """For JSON."""
        return {"searches": list(self.documents)}

    def __str__(self) -> str:
        from trainyard.planner import plan_text

        return "\n".join(plan_text.lines(self))

    __repr__ = __str__


def _dollars(plan: TrainPlan) -> float:
    return plan.values.get("usd", plan.values["chip_hours"])


def plan_training(
    model: str,
    on: str,
    chips: int | Sequence[int],
    tokens: float = 1e12,
    global_batch: int | None = None,
    **options: Any,
) -> TrainPlans:
    """The best ways to train `model` on `chips` chips of the machine `on`, for `tokens` tokens.

    Every tp, cp, ep, pp and dp, microbatch, recomputing, ZeRO level, pipeline schedule and place on
    the fabric is tried, checked for memory and timed. `global_batch`: sequences of a step; 16 Mi
    tokens of them unless it is given. What is named is fixed: tp, cp, ep, pp, dp, zero (0 to 3),
    copies (of what ZeRO shares out, each over dp / copies replicas: hybrid sharding), microbatch,
    interleave, recompute ("none", "selective", "mlp", "full"), schedule ("1f1b", "zb-h1",
    "zb-h2"), placement ("tp-cp-pp-dp", "tp-cp-dp-pp"), sequence_parallel. Besides: idle_share (of
    the chips that may stay without work; 0.05), spares (chips that stand by), power_cap (watts
    that all chips may draw from the grid, those that stand by among them), gradient_bytes,
    state_bytes (of a parameter; 4, 12), kept (plans returned; 100), sequence, training_format,
    price, region, settings, intervals. Raises InputError for names and options that are wrong.
    """
    asked = dict(options)
    check_purchase(asked.get("price"), asked.get("region"))
    fixed = plan_options({name: asked.pop(name) for name in FIXED if name in asked})
    counts = [chips] if isinstance(chips, int) else list(chips)
    if not counts:
        raise UsageError("name at least one number of chips")
    sequence = asked.get("sequence") or 8192
    batch = global_batch or max(1, round(TOKENS_OF_STEP / sequence))
    documents = []
    model = resolve(model)
    for count in counts:
        question = options_of(asked | {"chips": count, "tokens": tokens, "global_batch": batch})
        documents.append(json.loads(_core.plan_training_document(model, on, question, fixed)))
    plans = [
        TrainPlan.of(row, document["asked"]["chips"])
        for document in documents
        for row in document["plans"]
    ]
    why = "" if plans else documents[0]["why"]
    first = documents[0]
    return TrainPlans(first["model"], first["machine"], tuple(documents), tuple(plans), why)


def plan_options(fixed: Mapping[str, Any]) -> Any:
    """The core's. Raises TypeError for a name that it does not have."""
    result = _core.PlanOptions()
    for name, value in fixed.items():
        if name not in FIXED:
            raise TypeError(f"there is no option {name}; they are {', '.join(FIXED)}")
        if value is not None:
            set_option(result, name, value)
    return result
