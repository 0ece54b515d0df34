"""Results as lines of JSON, one a case, and their totals."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from suite.outcome import STATUSES


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The last record of every case in a file; empty when there is no file."""
    if not path.exists():
        return {}
    records = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:  # the run was stopped while it wrote this line
            continue
        records[record["case"]] = record
    return records


class Writer:
    """Appends records to a file and says on the terminal what they are."""

    def __init__(self, path: Path, total: int, verbose: bool) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        self._total, self._done, self._verbose = total, 0, verbose

    def add(self, record: dict[str, Any]) -> None:
        """Writes one record."""
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()
        self._done += 1
        if self._verbose:
            text = f" | {record['reason']}" if record.get("reason") else ""
            ended = f"{record['status']:11} {record.get('seconds', 0):6.1f} s"
            print(f"[{self._done}/{self._total}] {ended} {record['case']}{text}", flush=True)


def counted(records: list[dict[str, Any]]) -> Counter[str]:
    """How many cases have each status."""
    return Counter(record["status"] for record in records)


def summary(records: list[dict[str, Any]], causes: int = 40) -> str:
    """The totals, the causes of what did not pass with an example each, and the pass rate."""
    count = counted(records)
    judged = len(records) - count["skip"]
    lines = []
    by_cause: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in records:
        if record["status"] not in ("pass", "skip"):
            by_cause.setdefault((record["status"], record.get("cause", "")), []).append(record)
    for (status, cause), members in sorted(by_cause.items(), key=lambda item: -len(item[1]))[
        :causes
    ]:
        lines.append(f"{len(members):6} {status:11} {cause}")
        lines.append(f"{'':18} e.g. {members[0]['case']}")
        if where := members[0].get("where"):
            lines.append(f"{'':18} at {where}")
    lines.append("")
    lines.append(", ".join(f"{status} {count[status]}" for status in STATUSES if count[status]))
    if judged:
        lines.append(f"passed {count['pass']} of {judged} ({100 * count['pass'] / judged:.1f} %)")
    return "\n".join(lines)
