"""Runs as `trainyard profile` left them in files: a trace, a report, or a directory of them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainyard import _core
from trainyard.files import read_whole, shown_name
from trainyard.usage import UsageError
from trainyard.view import document, ranks, schema, timeline

_MAGIC = b"TYTRACE\n"
# What a trace tells without its program and machine.
_OF_TRACES = ("run", "duration_ns", "duration_ticks", "ticks_per_ns", "bound", "tracks", "lines")
_SUFFIXES = (".links.json", ".details.json", ".json", ".tytrace")
FORMS = (
    "a trace (.tytrace), a report (.json of trainyard profile), the output of trainyard time "
    "--json, a document of trainyard view --json, or a directory of trainyard profile --output"
)


@dataclass
class Run:
    """A run of a document, and its timeline apart, which may be too large for one."""

    facts: dict[str, Any]
    timeline: timeline.Timeline | None = field(default=None, repr=False)
    others: dict[str, timeline.Timeline] = field(default_factory=dict, repr=False)  # ranks by part

    @property
    def rows(self) -> int:
        """Intervals of all timelines."""
        every = [self.timeline, *self.others.values()]
        return sum(one.count for one in every if one is not None)

    def as_dict(self, rows: bool = True) -> dict[str, Any]:
        """The run of a document; without `rows` a server tells of the intervals, of one rank."""
        told = dict(self.facts)
        if not rows:
            told.pop("ranks", None)
        elif self.others:
            told["ranks"] = [self._rank(one) for one in self.facts["ranks"]]
        if "details" in told:
            told = told | {"details": document.without_facts(told["details"])}
        if self.timeline is None:
            return told
        return told | {"timeline": timeline.as_document(self.timeline, rows)}

    def _rank(self, told: dict[str, Any]) -> dict[str, Any]:
        rows = self.others.get(told["part"])
        return told if rows is None else told | {"timeline": timeline.as_document(rows)}


def runs_at(path: str | Path) -> list[Run]:
    """The runs that a file or a directory holds, as far as files beside it tell.

    Raises UsageError for what holds none, and InputError for a damaged trace.
    """
    path = Path(path)
    if path.is_dir():
        return _in_directory(path)
    content = read_whole(path)
    if content.startswith(_MAGIC):
        return [_at_stem(_stem(path), path)]
    found = _json(content, path)
    kind = found.get("schema") if isinstance(found, dict) else None
    if kind == document.SCHEMA:
        schema.validate(found, str(path))
        return [Run(run) for run in found["runs"]]
    if kind == "trainyard.report":
        return [_at_stem(_stem(path), path)]
    if kind == "trainyard.results/1":
        return _of_results(found, path)
    raise UsageError(f"{path} is not a run; expected {FORMS}")


def _in_directory(path: Path) -> list[Run]:
    stems = sorted({_stem(file) for file in path.iterdir() if file.suffix == ".tytrace"})
    stems = [stem for stem in stems if not _is_rank_of(stem, set(stems))]
    if not stems:
        raise UsageError(f"{path} holds no trace; expected {FORMS}")
    runs = [_at_stem(stem, Path(f"{stem}.tytrace")) for stem in stems]
    return sorted(runs, key=lambda run: -run.facts["report"]["duration_ns"])


def _is_rank_of(stem: Path, stems: set[Path]) -> bool:
    """Whether a file is of a further rank of a run that is there, too."""
    name, dot, part = stem.name.partition(".rank")
    return bool(dot) and bool(ranks.PART.fullmatch(f"rank{part}")) and stem.with_name(name) in stems


def _stem(path: Path) -> Path:
    for suffix in _SUFFIXES:
        if path.name.endswith(suffix):
            return path.with_name(path.name.removesuffix(suffix))
    return path.with_suffix("")


def _at_stem(stem: Path, named: Path) -> Run:
    """The run that was saved under a stem. `named`: the file that must be there."""
    parts = {suffix: Path(f"{stem}{suffix}") for suffix in _SUFFIXES}
    trace = named if named.suffix == ".tytrace" else parts[".tytrace"]
    rows, told = _of_trace(trace) if trace == named or trace.is_file() else (None, None)
    details = _json_at(parts[".details.json"])
    if details is not None and rows is not None and not _fits(details, rows):
        details = None  # of another run
    report = _json_at(named if named.suffix == ".json" else parts[".json"])
    if told is not None and not _same_run(report, told, details):
        report = told
    facts: dict[str, Any] = {"name": _name(report), "report": report}
    if (links := _json_at(parts[".links.json"])) is not None:
        facts["links"] = links
    schema.validate_run(facts, str(named))
    facts["details"] = details or {"sources": document.sources_of(document.files_of(report))}
    schema.validate_run(facts, str(named))
    kinds = ranks.check((details or {}).get("ranks"), f"{stem}.details.json")
    others = {}
    for told in kinds[1:]:
        if (found := _rank_at(stem, told["part"])) is not None:
            others[told["part"]], told["details"] = found
    if kinds:
        facts["ranks"] = kinds
    return Run(facts, rows, others)


def _rank_at(stem: Path, part: str) -> tuple[timeline.Timeline, dict[str, Any]] | None:
    """The timeline and the details of a further rank; nothing where its trace is not beside."""
    trace = Path(f"{stem}.{part}.tytrace")
    if not trace.is_file():
        return None
    rows = _timeline_of(read_whole(trace), shown_name(trace))
    timeline.need_rows(rows)
    path = Path(f"{stem}.{part}.details.json")
    details = _json_at(path)
    if details is None or not _fits(details, rows):
        details = {}
    schema.validate_details(details, str(path))
    return rows, details


def _of_trace(path: Path) -> tuple[timeline.Timeline, dict[str, Any]]:
    """The timeline in a trace, and the report that follows from it alone."""
    content, name = read_whole(path), shown_name(path)
    with ThreadPoolExecutor(1) as beside:
        rows = beside.submit(_timeline_of, content, name)
        report = json.loads(_core.trace_json(content, name))
        return rows.result(), {key: report[key] for key in _OF_TRACES}


def _timeline_of(content: bytes, name: str) -> timeline.Timeline:
    long = _core.LongTrace(content, name)
    if sum(long.counts) > timeline.ROWS_MAX:
        return timeline.of_long(long)
    return timeline.of_columns(_core.trace_columns(content, name))


def _json_at(path: Path) -> Any:
    """What a file of JSON holds; None where there is none."""
    return _json(read_whole(path), path) if path.is_file() else None


def _same_run(report: Any, trace: dict[str, Any], details: Any) -> bool:
    """Whether a report that lies beside a trace is of the same run; of several ranks the report is
    of the slowest one, which may not be the one that was recorded."""
    if not isinstance(report, dict):
        return False
    ticks = report.get("duration_ticks")
    if isinstance(details, dict) and details.get("report_ticks") == ticks:
        return True
    run = report.get("run")
    same_program = isinstance(run, dict) and run.get("program_hash") == trace["run"]["program_hash"]
    return same_program and ticks == trace["duration_ticks"]


def _fits(details: Any, rows: timeline.Timeline) -> bool:
    """Whether the critical path of the details tiles the run of the trace."""
    try:
        return details["path"]["end"][-1] == rows.end
    except (KeyError, TypeError, IndexError):
        return False


def _of_results(found: dict[str, Any], path: Path) -> list[Run]:
    runs = []
    for number, call in enumerate(found.get("kernels") or []):
        if not isinstance(call, dict) or "report" not in call:
            continue
        facts = {"name": str(call.get("kernel", "kernel")), "report": call["report"]}
        if call.get("links") is not None:
            facts["links"] = call["links"]
        schema.validate_run(facts, f"{path}: kernels[{number}]")
        facts["details"] = {"sources": document.sources_of(document.files_of(facts["report"]))}
        runs.append(Run(facts))
    if not runs:
        raise UsageError(f"{path} holds no timed kernel call")
    return runs


def _json(content: bytes, path: Path) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not JSON, nor a trace; expected {FORMS}") from None


def _name(report: Any) -> str:
    run = report.get("run") if isinstance(report, dict) else None
    return str(run.get("program", "kernel")) if isinstance(run, dict) else "kernel"
