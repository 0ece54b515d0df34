"""Studies: one question asked at every point of a grid of models, machines, plans and prices.

A study is a TOML file:

    [study]
    ask = "serving"            # serving, training, plan or recommend
    [axes]                     # every combination is a point
    model = ["llama3-70b", "deepseek-v3"]
    machine = ["trn3-gen2", "gb300-nvl72"]
    price = ["own", "on_demand"]
    [fixed]                    # options that all points share
    input = 4096

run() answers the points that a results file does not have yet, so a study that was killed goes on
where it was.
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import read_whole, shown_name
from trainyard.planner import calls, plans, recommendations
from trainyard.usage import UsageError

Json = dict[str, Any]
ASKS = ("serving", "training", "plan", "recommend")
POINTS_MAX = 10_000_000
_ARGUMENTS = ("model", "machine")
_OF_PLANS = ("chips", "tokens", "global_batch")
_OF_SERVICES = ("users", "slo", "questions_per_hour", "rate", "power_cap", "disaggregated")


@dataclass(frozen=True)
class Study:
    """A question and the values of each axis."""

    ask: str
    axes: dict[str, list[Any]]
    fixed: Json

    @property
    def size(self) -> int:
        """Points of the grid."""
        count = 1
        for values in self.axes.values():
            count *= len(values)
        return count

    def points(self) -> list[str]:
        """Each point as the text that is its key: JSON with its options sorted by name."""
        names = list(self.axes)
        return [
            json.dumps(
                {"ask": self.ask, **self.fixed, **dict(zip(names, values, strict=True))},
                sort_keys=True,
            )
            for values in itertools.product(*self.axes.values())
        ]


def read_study(path: str | Path) -> Study:
    """The study of a file. Raises UsageError, naming what is wrong."""
    file = shown_name(path)
    try:
        document = tomllib.loads(read_whole(path).decode())
    except ValueError as error:
        raise UsageError(f"{file} is not TOML: {error}") from None
    if unknown := set(document) - {"study", "axes", "fixed"}:
        raise UsageError(
            f"{file}: no section is called {sorted(unknown)[0]}; a study has [study] with ask, "
            "[axes] with a list for each option, and [fixed]"
        )
    for name in ("study", "axes", "fixed"):
        if not isinstance(document.get(name, {}), dict):
            raise UsageError(f"{file}: {name} is a section")
    asked = document.get("study", {})
    if unknown := set(asked) - {"ask"}:
        raise UsageError(
            f"{file}: [study] has ask alone, and not {sorted(unknown)[0]}, which is of [axes] or "
            "[fixed]"
        )
    if asked.get("ask") not in ASKS:
        raise UsageError(f"{file}: study.ask is one of {', '.join(ASKS)}")
    study = Study(asked["ask"], document.get("axes", {}), document.get("fixed", {}))
    _check(study, file)
    return study


def _check(study: Study, file: str) -> None:
    for name, values in study.axes.items():
        if not isinstance(values, list) or not values:
            raise UsageError(f"{file}: axes.{name} is a list of values")
        if len({json.dumps(value, sort_keys=True) for value in values}) < len(values):
            raise UsageError(f"{file}: axes.{name} has a value twice")
    if both := set(study.axes) & set(study.fixed):
        raise UsageError(f"{file}: {sorted(both)[0]} is an axis, and fixed")
    given = set(study.axes) | set(study.fixed)
    for name in _ARGUMENTS:
        if name not in given:
            raise UsageError(f"{file}: neither axes nor fixed has a {name}")
        for value in study.axes.get(name, [study.fixed.get(name)]):
            if not isinstance(value, str):
                raise UsageError(f"{file}: a {name} is a name or a file, not {value!r}")
    if unknown := sorted(given - _known(study.ask)):
        known = ", ".join(sorted(_known(study.ask)))
        raise UsageError(f"{file}: {study.ask} has no option {unknown[0]}; it has {known}")
    if study.size > POINTS_MAX:
        raise UsageError(f"{file}: {study.size:,} points, and {POINTS_MAX:,} are the most")


def _known(ask: str) -> set[str]:
    options = {name for name in dir(_core.PlannerOptions()) if not name.startswith("_")}
    if ask == "plan":
        options |= {*plans.FIXED, *_OF_PLANS}
    if ask == "recommend":
        options |= {*recommendations.SERVICE, *_OF_SERVICES}
    return options | set(_ARGUMENTS)


def answer(key: str) -> Json:
    """The answer at one point: its `state`, `values` by name, and what else is told of it.

    "answered"; "none" where no plan fits; "refused" where the point cannot be asked.
    """
    asked = json.loads(key)
    ask, model, machine = (asked.pop(name) for name in ("ask", *_ARGUMENTS))
    try:
        return _ASK[ask](model, machine, asked)
    except (_core.InputError, UsageError, TypeError, ValueError) as error:
        return {"state": "refused", "why": str(error), "values": {}}


def _phase(ask: str) -> Any:
    def asked(model: str, machine: str, options: Json) -> Json:
        calls.check_purchase(options.get("price"), options.get("region"))
        document = calls.document_of(model, machine, ask, options)
        if document["plan"] is None:
            return {"state": "none", "why": document["why"], "values": {}}
        return {
            "state": "answered",
            "plan": document["plan"] | document["workload"],
            "values": {name: _ends(one) for name, one in document["values"].items()},
        }

    return asked


def _plan(model: str, machine: str, options: Json) -> Json:
    found = plans.plan_training(model, machine, **{"kept": 1, **options})
    if found.best is None:
        return {"state": "none", "why": found.why, "values": {}}
    values = {name: _ends(one) for name, one in found.document["values"].items()}
    return {"state": "answered", "plan": found.documents[0]["plans"][0], "values": values}


def _recommend(model: str, machine: str, options: Json) -> Json:
    found = recommendations.recommend(model, [machine], **options)[machine]
    if found.best is None:
        return {"state": "none", "why": found.why, "values": {}}
    best = found.best
    values: Json = {
        "chips": {"value": best.chips, "low": found.chips_low, "high": best.chips, "unit": ""},
        "ttft": {"value": best.ttft, "unit": "s"},
        "tpot": {"value": best.tpot, "unit": "s"},
    }
    if best.usd_per_hour is not None:
        values["usd_per_hour"] = {"value": best.usd_per_hour, "unit": "USD"}
    return {"state": "answered", "plan": {"what": best.what}, "values": values}


_ASK = {
    "serving": _phase("serving"),
    "training": _phase("training"),
    "plan": _plan,
    "recommend": _recommend,
}


def _ends(one: Mapping[str, Any]) -> Json:
    names = ("value", "low", "p10", "p90", "high", "unit")
    return {name: one[name] for name in names if name in one}
