"""Results as lines of JSON, one a case, and their totals."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from suite.outcome import STATUSES
from suite.refusal import Refused


def read(path: Path) -> dict[str, dict[str, Any]]:
    """The last record of every case in a file; empty when there is no file."""
    if not path.exists():
        return {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}") from error
    records = {}
    for line in lines:
        try:
            record = json.loads(line)
        except json.JSONDecodeError:  # a run was stopped while it wrote this line
            continue
        if isinstance(record, dict) and record.get("status") in STATUSES and "case" in record:
            records[record["case"]] = record
    if lines and not records:
        raise Refused(f"{path} holds other things than results of nki_suite")
    return records


class Writer:
    """Appends records to a file and says on the terminal what they are."""

    def __init__(self, path: Path, total: int, verbose: bool) -> None:
        self._file = path.open("ab+")
        if self._file.tell() > 0:
            self._file.seek(-1, os.SEEK_END)
            if self._file.read() != b"\n":  # a run was stopped while it wrote
                self._file.write(b"\n")
        self._total, self._done, self._verbose = total, 0, verbose

    def add(self, record: dict[str, Any]) -> None:
        """Writes one record."""
        try:
            self._file.write(json.dumps(record).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise Refused(
                f"cannot write {self._file.name}: {error.strerror}. What it holds counts: make "
                "room and run again with --resume"
            ) from error
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
