"""The rows of models.py by what they measure: a phase, of dense models or of models with experts.

What median error each class is held to, and how many of its rows lie from P10 to P90 of the drawn
answers. It fits nothing and knows no machine.
"""

import functools
import json
import statistics
from dataclasses import dataclass

from trainyard import _core
from trainyard.planner.calls import options_of

import models

# The median error of all rows of a class that the project holds itself to.
GOALS = {
    ("decode", "dense"): 0.08,
    ("prefill", "dense"): 0.15,
    ("decode", "experts"): 0.20,
    ("prefill", "experts"): 0.25,
    ("training", "dense"): 0.12,
    ("served", "experts"): 0.30,
}
FAR = 0.40  # beyond it lies at most a tenth of all rows
INSIDE = (0.7, 0.9)  # of the rows held out, from P10 to P90
WIDEST = 3.0  # P90 over P10, in the median


@functools.cache
def _kind_of(model: str) -> str:
    layers = json.loads(_core.model_document(model))["model"]["layers_by_kind"]
    return "experts" if any(layer["experts"] for layer in layers) else "dense"


def class_of(row: dict) -> tuple[str, str]:
    """The phase and the kind of a row of models.published()."""
    phase = "decode" if row["phase"] == "tpot" else row["phase"]
    return phase, _kind_of(row["model"])


def classes(found: list[dict]) -> dict[tuple[str, str], list[dict]]:
    """The rows of models.rows() by class; collectives and kernels have none."""
    published = models.published()
    result: dict[tuple[str, str], list[dict]] = {one: [] for one in GOALS}
    for row in found:
        if published[row["id"]].get("model"):
            result[class_of(published[row["id"]])].append(row)
    return result


def median_error(rows: list[dict], half: str | None = None, software: bool = False) -> float:
    """Of the rows of a half, or of all; as the machine alone, or as its software measures."""
    name = "software_error" if software else "error"
    return statistics.median(abs(row[name]) for row in rows if half in (None, row["half"]))


def share_far(rows: list[dict]) -> float:
    """Of rows, those further off than FAR as the machine's software measures."""
    return sum(abs(row["software_error"]) > FAR for row in rows) / len(rows)


# The value that a row prints, by its phase, and what it is in the row's unit.
_VALUES = {
    "prefill": "idle_ttft",
    "decode": "decode_seconds",
    "tpot": "mean_tpot",
    "served": "tput_per_gpu",
}


def ends_of(row: dict, software: bool = False) -> tuple[float, float]:
    """P10 and P90 of the machine alone or with its software, in the row's unit; of several plans,
    of the best one."""
    if "plans" in row:
        plans = [models._without_plans(row, plan) for plan in row["plans"]]
        return ends_of(max(plans, key=models.simulated), software)
    options = options_of(models.stated(row) | {"intervals": True, "software": software})
    is_training = row["phase"] == "training"
    ask = _core.training_document if is_training else _core.serving_document
    document = models._answer(ask, row, options)
    if not is_training:
        one, scale = document["values"][_VALUES[row["phase"]]], 1.0
    elif row["unit"] == "TFLOPS/chip":
        one, scale = document["values"]["mfu"], models.PEAK_H100
    else:
        one, scale = document["values"]["sequences_per_second"], 1.0
    return one["p10"] * scale, one["p90"] * scale


@dataclass(frozen=True)
class Coverage:
    """How many rows of a class, held out, lie from P10 to P90."""

    rows: int
    inside: int
    widths: tuple[float, ...]  # P90 over P10 of each


def coverage(software: bool = False) -> dict[tuple[str, str], Coverage]:
    """By class, of the rows that were held out: what the machine would do, or what its software
    measures."""
    found = models.published()
    same = models.same_values(found)
    ends: dict[tuple[str, str], list[tuple[bool, float]]] = {one: [] for one in GOALS}
    for id, row in found.items():
        if not row.get("model") or models.half_of(id, same[id]) == "fit":
            continue
        low, high = ends_of(row, software)
        ends[class_of(row)].append((low <= row["value"] <= high, high / low))
    return {
        one: Coverage(len(rows), sum(is_inside for is_inside, _ in rows), tuple(w for _, w in rows))
        for one, rows in ends.items()
    }
