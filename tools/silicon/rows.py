"""The published times: rows of a CSV file that lies outside this repository."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3}


@dataclass(frozen=True)
class Row:
    """One published time of a kernel."""

    id: str
    machine: str
    config: str
    workload: str
    metric: str
    published_us: float
    source: str
    notes: str

    @property
    def repository(self) -> str:
        """Whose source it is: what stands before the first colon."""
        return self.source.split(":")[0].strip()

    @property
    def collection(self) -> str:
        """The id without its number."""
        return self.id.rsplit("-", 1)[0]


def read(path: Path) -> list[Row]:
    """The rows of kernels that the collection says can be reproduced, with a time as their value.

    The file has the columns id, gen, level, config, workload, metric, value, unit, source,
    reproducible and notes.
    """
    with path.open(newline="") as file:
        return [
            Row(
                id=line["id"],
                machine=line["gen"],
                config=line["config"],
                workload=line["workload"],
                metric=line["metric"],
                published_us=float(line["value"]) * MICROSECONDS[line["unit"]],
                source=line["source"],
                notes=line["notes"],
            )
            for line in csv.DictReader(file)
            if line["level"] == "kernel"
            and line["reproducible"] == "yes"
            and line["unit"] in MICROSECONDS
        ]


def parameters(workload: str) -> dict[str, str]:
    """What a workload says as name=value."""
    return dict(re.findall(r"(\w+)=(\S+)", workload))
