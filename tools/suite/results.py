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
    judged = [record for record in records if record["status"] != "skip"]
    lines: list[str] = []
    by_cause: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in judged:
        if record["status"] != "pass":
            by_cause.setdefault((record["status"], record.get("cause", "")), []).append(record)
    for (status, cause), members in sorted(by_cause.items(), key=lambda item: -_weight(item[1]))[
        :causes
    ]:
        lines.append(f"{_weight(members):6.0f} {status:11} {cause}")
        lines.append(f"{'':18} e.g. {members[0]['case']}")
        if where := members[0].get("where"):
            lines.append(f"{'':18} at {where}")
    lines.append("")
    lines.append(", ".join(f"{status} {count[status]}" for status in STATUSES if count[status]))
    if judged:
        share = 100 * count["pass"] / len(judged)
        lines.append(f"passed {count['pass']} of {len(judged)} ({share:.1f} %)")
        lines += _of_all(records, judged)
    return "\n".join(lines)


def _weight(records: list[dict[str, Any]]) -> float:
    """The cases these stand for: themselves, where none was left out."""
    return sum(record.get("stands_for", 1) for record in records)


def _seconds(records: list[dict[str, Any]], key: str) -> float:
    return sum(record.get("stands_for", 1) * record.get(key, 0) for record in records)


def _of_all(records: list[dict[str, Any]], judged: list[dict[str, Any]]) -> list[str]:
    """What the records say of all cases, when each counts as often as it stands for others."""
    passed = _weight([record for record in judged if record["status"] == "pass"])
    total, kernels = _seconds(records, "seconds"), _seconds(records, "kernel_seconds")
    lines = [f"{total:.0f} s of one process: {kernels:.0f} s in kernels, the rest in the checkout"]
    if _weight(records) > len(records):
        share = 100 * passed / _weight(judged)
        lines.insert(0, f"standing for {_weight(records):.0f} cases: about {share:.1f} % pass")
    return lines
