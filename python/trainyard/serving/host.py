"""What the host adds to a step, from the figures `host.*` of a machine: launches and copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import trainyard

SCALES = {"us": 1e-6, "ns": 1e-9, "GB/s": 1e9}


@dataclass(frozen=True)
class Host:
    """Seconds and bytes a second."""

    launch: float
    launch_first: float
    pcie: float
    pcie_latency: float

    @staticmethod
    def of(machine: Any) -> Host:
        """Of a machine, or of one by its name or file."""
        if isinstance(machine, str):
            machine = trainyard.load_machine(machine)
        figures = {one["key"]: one for one in machine.provenance()}

        def figure(name: str) -> float:
            one = figures[f"host.{name}"]
            return float(one["value"]) * SCALES[one["unit"]]

        return Host(*(figure(name) for name in ("launch", "launch_first", "pcie", "pcie_latency")))

    def copy(self, bytes_: float) -> float:
        """Seconds of one copy over PCIe."""
        return self.pcie_latency + bytes_ / self.pcie
