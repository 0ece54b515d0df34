"""Seconds of all layers at points of the planned engine's tables, by simulated layers of Trainium
(trainyard.planner.phases), kept in the user's cache folder.
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
from trainyard import _core
from trainyard.files import write_whole
from trainyard.planner import layers
from trainyard.planner.phases import MACHINES, simulate
from trainyard.usage import UsageError

VERSION = 2  # of the file's form


class LayerTimes:
    """Called by the core for each point of a plan (a ReplicaPlan): (computing, collective) in
    seconds."""

    def __init__(self, plan: Any) -> None:
        layers.check_jax()
        if plan.machine not in MACHINES:
            raise UsageError(f"only Trainium's layers are simulated, not those of {plan.machine}")
        self._plan = plan
        self._machine = MACHINES[plan.machine]
        self._path = _file(self._machine.chip, self._machine.system)
        self.known: dict[str, list[float]] = _read(self._path)

    def __call__(self, phase: str, row: float, column: float) -> tuple[float, float]:
        column = max(column, 1.0) if phase == "decode" else column
        text = _core.replica_layers(self._plan, phase, row, column, self._machine.cores)
        key = hashlib.sha256(text.encode()).hexdigest()
        if key not in self.known:
            found = simulate(json.loads(text), self._machine)
            if isinstance(found, str):
                raise UsageError(f"{phase} {row:g} {column:g} cannot be simulated: {found}")
            self.known[key] = [found.computing, found.collective]
            self._keep()
        computing, collective = self.known[key]
        return computing, collective

    def _keep(self) -> None:
        """Beside what others have kept meanwhile."""
        with contextlib.suppress(OSError):  # without a cache folder, it is simulated again
            self._path.parent.mkdir(parents=True, exist_ok=True)
            both = _read(self._path) | self.known
            write_whole(self._path, json.dumps(both, indent=1).encode())

    def errors(self, axes: Sequence[Sequence[float]]) -> list[tuple[str, float, float, float]]:
        """How far the table is from simulated layers in the middle of its largest cells: phase,
        row, column, relative error. axes: those of the table, as the core takes them."""
        found = []
        for phase, rows, columns in (("prefill", *axes[:2]), ("decode", *axes[2:])):
            row, column = (float(round(sum(one[-2:]) / 2)) for one in (rows, columns))
            low, high = (sum(sum(self(phase, r, c)) for c in columns[-2:]) / 2 for r in rows[-2:])
            share = (row - rows[-2]) / (rows[-1] - rows[-2])
            exact = sum(self(phase, row, column))
            found.append((phase, row, column, (low + share * (high - low)) / exact - 1))
        return found


def _file(chip: str, system: str) -> Path:
    """Where the points are kept, for this version and the chip's figures."""
    home = os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")
    figures = trainyard.load_machine(chip)
    key = json.dumps([VERSION, trainyard.__version__, system, figures.hash])
    return Path(home) / "trainyard" / "layers" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def _read(path: Path) -> dict[str, list[float]]:
    try:
        found: dict[str, list[float]] = json.loads(path.read_bytes())
        return found
    except (OSError, ValueError):
        return {}
