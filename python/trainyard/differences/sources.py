"""The runs that a diff compares, read from results, reports, JSON documents and traces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import read_whole, shown_name
from trainyard.usage import UsageError

_TRACE_MAGIC = b"TYTRACE\n"
# What a trace tells without its program and machine.
_OF_TRACES = ("run", "duration_ns", "duration_ticks", "ticks_per_ns", "bound", "tracks", "lines")
_NUMBER = (int, float)
_ROWS: dict[str, dict[str, Any]] = {
    "tracks": {"name": str, "ticks": dict},
    "lines": {"place": str, "mnemonics": str, "executions": int, "busy_on": dict},
    "mnemonics": {"mnemonic": str, "executions": int, "busy_on": dict},
    "traffic": {"memory": str, "bytes": dict},
}
_REQUIRED = ("tracks", "lines")
_FORMS = (
    "a report (KERNEL.json of trainyard profile), the output of trainyard time --json, a baseline "
    "of the pytest plug-in, or a trace (.tytrace)"
)


@dataclass(frozen=True)
class Run:
    """One call of a kernel: its name, which call of that kernel it was, and its report.

    `test` names the test that made the call, in baselines of the pytest plug-in.
    """

    kernel: str
    call: int
    report: dict[str, Any]
    test: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What identifies the same call in another run."""
        return self.test, self.kernel, self.call

    @property
    def title(self) -> str:
        """The kernel's name, and from its second call on the call's number."""
        return f"{self.kernel}.{self.call}" if self.call else self.kernel


def runs_of(what: Any) -> list[Run]:
    """The runs in `what`; see trainyard.diff for what it may be."""
    if isinstance(what, Run):
        return [what]
    if isinstance(what, (str, Path)):
        return read(what)
    if isinstance(what, Mapping):
        return numbered([(_name(what), dict(what))], "the report")
    if hasattr(what, "report"):
        return numbered([(what.name, what.report)], "the result")
    return numbered([(one.name, one.report) for one in what], "the results")


def read(path: str | Path) -> list[Run]:
    """The runs in a file. Raises UsageError for a file that holds none."""
    content = read_whole(path)
    if content.startswith(_TRACE_MAGIC):
        report = json.loads(_core.trace_json(content, shown_name(path)))
        report = {key: report[key] for key in (*_OF_TRACES, "mnemonics")}
        return numbered([(_name(report), report)], str(path))
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not JSON, nor a trace; expected {_FORMS}") from None
    return _of_document(document, str(path))


def _of_document(document: Any, path: str) -> list[Run]:
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema in ("trainyard.report", "trainyard.trace/1"):
        return numbered([(_name(document), document)], path)
    if schema not in ("trainyard.results/1", "trainyard.baseline/1"):
        raise UsageError(f"{path} is not a report; expected {_FORMS}")
    kernels = document.get("kernels")
    if not isinstance(kernels, list) or not all(isinstance(one, dict) for one in kernels):
        raise UsageError(f"{path}: kernels is not a list of kernel calls")
    calls = [
        (str(one.get("kernel", "kernel")), one["report"], str(one.get("test", "")))
        for one in kernels
        if "report" in one
    ]
    if not calls:
        raise UsageError(f"{path} holds no timed kernel call")
    return numbered(calls, path)


def _name(report: Any) -> str:
    run = report.get("run") if isinstance(report, Mapping) else None
    return str(run.get("program", "kernel")) if isinstance(run, dict) else "kernel"


def numbered(calls: list[Any], path: str) -> list[Run]:
    """(kernel, report[, test]) in the order of the calls, each kernel's calls counted."""
    counts: dict[tuple[str, str], int] = {}
    made = []
    for kernel, report, *rest in calls:
        test = rest[0] if rest else ""
        _require(report, f"{path}: {kernel}")
        number = counts.get((test, kernel), 0)
        counts[test, kernel] = number + 1
        made.append(Run(kernel, number, report, test))
    return made


def _require(report: Any, where: str) -> None:
    """Raises UsageError unless the report has the fields that a diff reads, with their types."""
    if not isinstance(report, dict):
        raise UsageError(f"{where}: the report is not an object")
    for key in ("duration_ns", "ticks_per_ns"):
        if not _is_count(report.get(key)) or report[key] <= 0:
            raise UsageError(f"{where}: the report has no {key} above zero")
    for key in ("bound", "run", "speed_of_light", "critical_path"):
        if not isinstance(report.get(key, {}), dict):
            raise UsageError(f"{where}: {key} is not an object")
    if not isinstance(report.get("run", {}).get("more", {}), dict):
        raise UsageError(f"{where}: more of run is not an object")
    path = report.get("critical_path", {}).get("lines", [])
    for key, fields in (*_ROWS.items(), ("critical path", {"place": str, "ticks": _NUMBER})):
        rows = path if key == "critical path" else report.get(key, _default(key))
        if not isinstance(rows, list):
            raise UsageError(f"{where}: the report has no list of {key}")
        for row in rows:
            if not _has(row, fields):
                raise UsageError(f"{where}: a row of {key} lacks one of {', '.join(fields)}")


def _default(key: str) -> list[Any] | None:
    """What stands for rows that a report does not have; None where it must have them."""
    return None if key in _REQUIRED else []


def _is_count(value: Any) -> bool:
    return isinstance(value, _NUMBER) and not isinstance(value, bool)


def _has(row: Any, fields: dict[str, Any]) -> bool:
    if not isinstance(row, dict):
        return False
    if not all(isinstance(row.get(name), kind) for name, kind in fields.items()):
        return False
    numbers = [row[name] for name, kind in fields.items() if kind is dict]
    numbers.append(row.get("engine_ticks", {}))
    return all(isinstance(group, dict) for group in numbers) and all(
        _is_count(one) for group in numbers for one in group.values()
    )
