"""Figures of a machine fitted to somebody's own measurements.

A file of measurements is TOML, one table a row:

    [my-first-row]
    model = "llama3-8b"
    phase = "prefill"      # prefill, decode (seconds) or training (sequences a second)
    value = 0.41
    ask = { tp = 8, input = 4096, batch = 1, weights = "bf16" }

Of each phase one figure takes the blame, within its range: reach.prefill, reach.memory (with
reach.cache in the same share) and reach.training.
"""

from __future__ import annotations

import json
import math
import statistics
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from trainyard import _core
from trainyard.files import read_whole, shown_name
from trainyard.planner.calls import is_option, options_of
from trainyard.usage import UsageError

BLAMED = {
    "prefill": ("reach.prefill",),
    "decode": ("reach.memory", "reach.cache"),
    "training": ("reach.training",),
}
_STEPS = 24  # of a search for a share: its range halves in each


@dataclass(frozen=True)
class Measurement:
    """One row of a file."""

    name: str
    model: str
    phase: str
    value: float
    ask: dict[str, Any]

    def modelled(self, machine: str, settings: Iterable[str]) -> float:
        """The same by the model, in the row's unit. Raises InputError, UsageError."""
        fixed = {"pp": 1, "dp": 1} | ({} if self.phase == "training" else {"batch": 1})
        asked = fixed | self.ask | {"intervals": False, "settings": list(settings)}
        ask = _core.training_document if self.phase == "training" else _core.serving_document
        document = json.loads(ask(self.model, machine, options_of(asked)))
        if document["plan"] is None:
            raise UsageError(f"measurement {self.name}: {document['why']}")
        if self.phase == "training":
            return float(document["values"]["sequences_per_second"]["value"])
        return float(document["phases"][self.phase]["seconds"])


@dataclass(frozen=True)
class Calibration:
    """Figures that were fitted, and how far the model is from each row, before and with them."""

    settings: tuple[str, ...]
    before: dict[str, float]
    after: dict[str, float]


def read_measurements(path: str) -> list[Measurement]:
    """The rows of a file. Raises UsageError."""
    try:
        document = tomllib.loads(read_whole(path).decode())
    except ValueError as error:
        raise UsageError(f"{shown_name(path)} is not TOML: {error}") from None
    rows = []
    for name, row in document.items():
        if not isinstance(row, dict):
            raise UsageError(f"{shown_name(path)}: {name} is a table with model, phase and value")
        if unknown := set(row) - {"model", "phase", "value", "ask"}:
            raise UsageError(f"{shown_name(path)}: {name} has no {sorted(unknown)[0]}")
        if not isinstance(row.get("phase"), str) or row["phase"] not in BLAMED:
            known = ", ".join(BLAMED)
            raise UsageError(f"{shown_name(path)}: the phase of {name} is one of {known}")
        value = row.get("value")
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e12:
            raise UsageError(f"{shown_name(path)}: the value of {name} is a number above 0")
        if not isinstance(row.get("model"), str) or not isinstance(row.get("ask", {}), dict):
            raise UsageError(f"{shown_name(path)}: {name} needs a model, and ask is a table")
        if unknown := [key for key in row.get("ask", {}) if not is_option(key)]:
            raise UsageError(f"{shown_name(path)}: ask of {name} has no option {unknown[0]!r}")
        rows.append(Measurement(name, row["model"], row["phase"], value, row.get("ask", {})))
    if not rows:
        raise UsageError(f"{shown_name(path)} has no measurement")
    return rows


def calibrate(machine: str, rows: list[Measurement], settings: Iterable[str] = ()) -> Calibration:
    """The figures of `machine` by which the model is right for `rows` in the median."""
    given = list(settings)
    figures = {
        one["key"]: one for one in json.loads(_core.accelerator_document(machine))["figures"]
    }
    fitted = list(given)
    for phase, keys in BLAMED.items():
        of_phase = [row for row in rows if row.phase == phase]
        present = [key for key in keys if key in figures]
        if not of_phase or not present:
            continue
        fitted += _fit(machine, of_phase, [figures[key] for key in present], fitted)
    return Calibration(
        tuple(fitted[len(given) :]),
        {row.name: row.modelled(machine, given) / row.value - 1 for row in rows},
        {row.name: row.modelled(machine, fitted) / row.value - 1 for row in rows},
    )


def settings_of(path: str | None, machine: str, settings: list[str] | None) -> list[str] | None:
    """Those of the command line behind those that a file of measurements is fitted by."""
    if not path:
        return settings
    found = calibrate(machine, read_measurements(path), settings or ())
    return [*found.settings, *(settings or ())]


def _fit(
    machine: str, rows: list[Measurement], figures: list[dict[str, Any]], settings: list[str]
) -> list[str]:
    """All `figures` at one share of their ranges, where the median of `rows` is met best."""

    def at(share: float) -> list[str]:
        return [
            f"{one['key']}={one['low'] * (one['high'] / one['low']) ** share:.6g}"
            for one in figures
        ]

    def off(share: float) -> float:
        """The median's logarithm; falls while the share rises."""
        moved = [*settings, *at(share)]
        ratios = [math.log(row.modelled(machine, moved) / row.value) for row in rows]
        return statistics.median(ratios) * (-1 if rows[0].phase == "training" else 1)

    low, high = 0.0, 1.0
    if off(low) <= 0:
        return at(low)
    if off(high) >= 0:
        return at(high)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if off(middle) > 0:
            low = middle
        else:
            high = middle
    return at((low + high) / 2)
