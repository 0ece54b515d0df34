"""The published times: rows of a CSV file that lies outside this repository."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path

from suite.refusal import Refused

COLUMNS = (
    *("id", "gen", "level", "config", "workload", "metric", "value", "unit", "source"),
    *("reproducible", "notes"),
)
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
    reproducible and notes. Raises Refused for any other file.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            table = csv.DictReader(file)
            if missing := [name for name in COLUMNS if name not in (table.fieldnames or ())]:
                raise Refused(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
            return [
                _row(path, table.line_num, line)
                for line in table
                if line["level"] == "kernel"
                and line["reproducible"] == "yes"
                and line["unit"] in MICROSECONDS
            ]
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{path} is no CSV file: {error}") from error


def _row(path: Path, number: int, line: dict[str, str]) -> Row:
    try:
        published_us = float(line["value"]) * MICROSECONDS[line["unit"]]
    except (TypeError, ValueError):
        published_us = 0.0
    if not (published_us > 0 and math.isfinite(published_us)):
        raise Refused(f"{path}, line {number}: a time of {line['value']!r}")
    return Row(
        id=line["id"],
        machine=line["gen"],
        config=line["config"],
        workload=line["workload"],
        metric=line["metric"],
        published_us=published_us,
        source=line["source"],
        notes=line["notes"],
    )


def parameters(workload: str) -> dict[str, str]:
    """What a workload says as name=value."""
    return dict(re.findall(r"(\w+)=(\S+)", workload))
