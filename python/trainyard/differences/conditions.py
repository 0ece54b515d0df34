"""Conditions on a run, for continuous integration: `time>+2%`, `time>230us`, `softmax:hbm>1MiB`."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainyard.differences.sources import Run
from trainyard.usage import UsageError

_TIMES = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
_BYTES = {"B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
_BYTES |= {"kB": 1e3, "MB": 1e6, "GB": 1e9}
_JOULES = {"nJ": 1e-9, "uJ": 1e-6, "mJ": 1e-3, "J": 1.0}


@dataclass(frozen=True)
class Metric:
    """A number of a report: what it is, its units (the first is shown), how to read it."""

    meaning: str
    units: Mapping[str, float]
    read: Callable[[dict[str, Any]], float | None]


def _at(*keys: str) -> Callable[[dict[str, Any]], float | None]:
    """A number inside of the report's objects; None where it is missing."""

    def read(report: dict[str, Any]) -> float | None:
        value: Any = report
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return float(value) if isinstance(value, (int, float)) else None

    return read


def _traffic(memory: str) -> Callable[[dict[str, Any]], float | None]:
    def read(report: dict[str, Any]) -> float | None:
        rows = [one for one in report.get("traffic", []) if one["memory"] == memory]
        return float(sum(sum(one["bytes"].values()) for one in rows)) if rows else None

    return read


def _executions(report: dict[str, Any]) -> float | None:
    rows = report.get("mnemonics")
    return float(sum(row["executions"] for row in rows)) if rows else None


METRICS: dict[str, Metric] = {
    "time": Metric("simulated time", _TIMES, _at("duration_ns")),
    "as_written": Metric(
        "simulated time in the author's order",
        _TIMES,
        lambda r: _at("as_written_ns")(r) or r["duration_ns"],
    ),
    "light": Metric("share of the speed of light", {"%": 0.01}, _at("speed_of_light", "share")),
    "energy": Metric("energy of the run", _JOULES, _at("energy", "joules", "value")),
    "hbm": Metric("bytes read from and written to HBM", _BYTES, _traffic("hbm")),
    "dma": Metric("bytes moved by DMA", _BYTES, _traffic("dma")),
    "sbuf": Metric("bytes read from and written to SBUF", _BYTES, _traffic("sbuf")),
    "psum": Metric("bytes read from and written to PSUM", _BYTES, _traffic("psum")),
    "instructions": Metric("instructions executed", {"": 1.0}, _executions),
}
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}
GRAMMAR = (
    "METRIC>LIMIT or METRIC<LIMIT (also >= and <=), as time>230us, time>+2% or time>+100ns against "
    "the baseline, softmax:time>+2% for one kernel; metrics: " + ", ".join(METRICS)
)
_FORM = re.compile(
    r"\s*(?:(?P<kernel>[^:<>=]+):)?\s*(?P<metric>[A-Za-z_]+)\s*(?P<operator>>=|<=|>|<)\s*"
    r"(?P<limit>(?P<sign>[+-]?)(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>%|[A-Za-z]*))\s*"
)


@dataclass(frozen=True)
class Condition:
    """A condition that makes a run fail: `metric` compared with a limit.

    `relative` limits are differences from the baseline: of `limit` in the metric's base unit, or
    of that share of the baseline's value where `percent`.
    """

    text: str
    kernel: str
    metric: str
    operator: str
    limit: float
    relative: bool
    percent: bool

    @classmethod
    def parse(cls, text: str) -> Condition:
        """A condition as people write it. Raises UsageError, saying what is wrong with it."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise UsageError(f"a condition is {GRAMMAR}; not {text!r}")
        name, unit = found["metric"], found["unit"]
        if name not in METRICS:
            near = difflib.get_close_matches(name, METRICS, 1)
            advice = f"did you mean {near[0]}?" if near else f"metrics: {', '.join(METRICS)}"
            raise UsageError(f"{text!r}: there is no metric {name}; {advice}")
        relative = bool(found["sign"])
        units = METRICS[name].units
        percent = relative and unit == "%"
        if not percent and unit not in units:
            known = ", ".join(one for one in units if one) or "no unit"
            raise UsageError(
                f"{text!r}: a limit of {name} has a unit of: {known}; or, against the baseline, "
                f"a signed percentage, as {name}{found['operator']}+2%"
            )
        scale = 0.01 if percent else units[unit]
        sign = -1.0 if found["sign"] == "-" else 1.0
        limit = sign * float(found["number"]) * scale
        if not math.isfinite(limit):
            raise UsageError(f"{text!r}: the limit is too large")
        return cls(
            text=text.strip(),
            kernel=(found["kernel"] or "").strip(),
            metric=name,
            operator=found["operator"],
            limit=limit,
            relative=relative,
            percent=percent,
        )

    def limit_of(self, before: float | None) -> float | None:
        """The value compared with; None where it needs a baseline's that is missing."""
        if not self.relative:
            return self.limit
        if before is None:
            return None
        return before * (1 + self.limit) if self.percent else before + self.limit


@dataclass(frozen=True)
class Judgement:
    """What a condition says of one kernel call.

    `holds` is also True where it cannot be judged (no baseline, or a metric that the run does not
    have), so that nothing passes unseen; `why` tells.
    """

    condition: Condition
    run: Run
    holds: bool
    value: float | None
    limit: float | None
    why: str

    def __str__(self) -> str:
        name = f"{self.run.test}: {self.run.title}" if self.run.test else self.run.title
        return f"{name}: {self.condition.text}: {self.why}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kernel": self.run.kernel,
            "call": self.run.call,
            "condition": self.condition.text,
            "holds": self.holds,
            "value": self.value,
            "limit": self.limit,
            "why": self.why,
        }


def parsed(conditions: Iterable[str | Condition]) -> list[Condition]:
    """Conditions as values. Raises UsageError for one that is not understood."""
    return [one if isinstance(one, Condition) else Condition.parse(one) for one in conditions]


def judge(
    conditions: Iterable[str | Condition],
    after: Sequence[Run],
    before: Sequence[Run] | None = None,
    pairs: Mapping[tuple[str, str, int], Run] | None = None,
) -> list[Judgement]:
    """What each condition says of each run it is about; `before` is the baseline.

    `pairs` names the baseline's run by the key of a run, where that is not the one of equal key.
    Raises UsageError for a condition on a kernel that did not run.
    """
    known = {run.key: run for run in before} if before is not None else {}
    known |= pairs or {}
    made = []
    for condition in parsed(conditions):
        concerned = [run for run in after if condition.kernel in ("", run.kernel)]
        if not concerned:
            ran = ", ".join(dict.fromkeys(run.kernel for run in after)) or "none"
            raise UsageError(
                f"{condition.text!r}: no kernel {condition.kernel} ran; these did: {ran}"
            )
        made += [_judge(condition, run, known.get(run.key), before) for run in concerned]
    return made


def _judge(
    condition: Condition, run: Run, base: Run | None, before: Sequence[Run] | None
) -> Judgement:
    metric = METRICS[condition.metric]
    value = metric.read(run.report)
    base_value = metric.read(base.report) if base is not None else None
    limit = condition.limit_of(base_value)
    if value is None:
        return Judgement(condition, run, True, None, limit, f"the run has no {condition.metric}")
    if limit is None:
        if before is None:
            why = "needs a baseline"
        elif base is None:
            why = "the baseline has no such call; write the baseline again"
        else:
            why = f"the baseline has no {condition.metric}"
        return Judgement(condition, run, True, value, None, why)
    holds = _OPERATORS[condition.operator](value, limit)
    why = f"{shown(condition.metric, value)}, limit {shown(condition.metric, limit)}"
    if base_value is not None and condition.relative:
        change = f"{100 * (value / base_value - 1):+.2f} %" if base_value else "no share"
        why += f"; the baseline's is {shown(condition.metric, base_value)} ({change})"
    return Judgement(condition, run, holds, value, limit, why)


def shown(metric: str, value: float) -> str:
    """A value of a metric in the unit that suits it."""
    units = METRICS[metric].units
    if units is _BYTES:
        units = {name: _BYTES[name] for name in ("B", "KiB", "MiB", "GiB")}
    fitting = [name for name, size in units.items() if abs(value) >= size]
    unit = fitting[-1] if fitting else next(iter(units))
    number = value / units[unit]
    text = f"{number:.1f}" if unit in ("ns", "%") else f"{number:.6g}"
    return f"{text} {unit}".rstrip()
