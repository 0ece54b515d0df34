"""Seconds of all layers at points of the planned engine's tables, by simulated layers of Trainium
(trainyard.planner.phases), kept in the user's cache folder.

A piece of a prompt behind other tokens takes the simulated time of the piece alone, scaled by what
the formulas say of both; all else is simulated at the point itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trainyard
from trainyard.files import write_whole
from trainyard.planner import calls, layers, shares
from trainyard.planner.exact import MACHINES, _simulated
from trainyard.planner.phases import Setting
from trainyard.usage import UsageError

VERSION = 1  # of the file's form


class LayerTimes:
    """Called by the core for each point: (computing, collective) in seconds."""

    def __init__(
        self, model: str, machine: str, tp: int, dp: int, weights: str, cache: str
    ) -> None:
        layers.check_jax()
        if machine not in MACHINES:
            raise UsageError(f"only Trainium's layers are simulated, not those of {machine}")
        self._asked = {"tp": tp, "dp": dp, "weights": weights, "cache": cache}
        self._model, self._machine = model, machine
        self._shape = shares.shape_of(shares.config_of(model))
        self.analytic: dict[tuple[str, float, float], float] = {}
        self._path = _file(model, machine, self._asked)
        self.known: dict[str, list[float]] = _read(self._path)

    def __call__(self, phase: str, row: float, column: float) -> tuple[float, float] | None:
        if phase == "prefill":
            computing, collective = self._prefill(row)
            share = self._formula("prefill", row, column) / self._formula("prefill", row, 0.0)
            return computing * share, collective
        return self._point("decode", row, max(column, 1.0))

    def _prefill(self, tokens: float) -> tuple[float, float]:
        return self._point("prefill", tokens, 0.0)

    def _point(self, phase: str, row: float, column: float) -> tuple[float, float]:
        key = f"{phase} {row:g} {column:g}"
        if key not in self.known:
            setting = self._setting(phase, row, column)
            found = _simulated(phase, setting)
            if isinstance(found, str):
                raise UsageError(f"{key} cannot be simulated: {found}")
            self.known[key] = [found.computing, found.collective]
            self._keep()
        computing, collective = self.known[key]
        return computing, collective

    def _setting(self, phase: str, row: float, column: float) -> Setting:
        """The planner's document of a plan whose phase is this point."""
        options: dict[str, Any] = self._asked | {"intervals": False}
        if phase == "prefill":
            options |= {"input": row, "output": 1, "batch": 1}
        else:  # the mean step of an answer stands at half of it
            options |= {"input": max(1.0, column - 1), "output": 2, "batch": row}
        document = calls.document_of(self._model, self._machine, "serving", options)
        chip, system = MACHINES[self._machine]
        group = int(self._asked["tp"]) * trainyard.load_machine(chip).cores
        cores = shares.Cores(group, group * int(self._asked["dp"]))
        return Setting(document, self._shape, cores, chip, system)

    def _formula(self, phase: str, row: float, column: float) -> float:
        """Computing by the formulas: a prompt of both less the one before it."""
        key = (phase, row, column)
        if key not in self.analytic:
            self.analytic[key] = self._computing(row + column) - (
                self._computing(column) if column >= 1 else 0.0
            )
        return self.analytic[key]

    def _computing(self, tokens: float) -> float:
        options = self._asked | {"intervals": False, "input": tokens, "output": 1, "batch": 1}
        document = calls.document_of(self._model, self._machine, "serving", options)
        phase = document["phases"]["prefill"]
        return float(phase["linear"] + phase["attention"])

    def _keep(self) -> None:
        with contextlib.suppress(OSError):  # without a cache folder, it is simulated again
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(self.known, indent=1).encode())

    def errors(self, axes: Sequence[Sequence[float]]) -> list[tuple[str, float, float, float]]:
        """How far the table is from simulated layers in the middle of its largest cells: phase,
        row, column, relative error. axes: those of the table, as the core takes them."""
        found = []
        for phase, rows, columns in (("prefill", axes[0], [0.0]), ("decode", axes[2], axes[3])):
            row = float(round((rows[-2] + rows[-1]) / 2))
            column = float(round(sum(columns[-2:]) / len(columns[-2:])))
            low, high = (
                sum(
                    sum(self._point(phase, r, max(c, 1.0) if phase == "decode" else c))
                    for c in columns[-2:]
                )
                / len(columns[-2:])
                for r in rows[-2:]
            )
            share = (row - rows[-2]) / (rows[-1] - rows[-2])
            exact = sum(self._point(phase, row, column))
            found.append((phase, row, column, (low + share * (high - low)) / exact - 1))
        return found


def _file(model: str, machine: str, asked: dict[str, Any]) -> Path:
    """Where the points are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")
    config = json.dumps(shares.config_of(model), sort_keys=True)
    figures = trainyard.load_machine(MACHINES[machine][0])
    key = json.dumps([VERSION, trainyard.__version__, config, machine, figures.hash, asked])
    return Path(home) / "trainyard" / "layers" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def _read(path: Path) -> dict[str, list[float]]:
    try:
        found: dict[str, list[float]] = json.loads(path.read_bytes())
        return found
    except (OSError, ValueError):
        return {}
