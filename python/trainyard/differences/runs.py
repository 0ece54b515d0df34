"""What changed between two runs, as values; words.py puts it into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from trainyard import plots
from trainyard.differences import align, words
from trainyard.differences.conditions import Condition, Judgement, judge
from trainyard.differences.sources import Run

_SETTINGS = ("set", "schedule", "nki", "inputs", "seed", "values", "core")


@dataclass(frozen=True)
class Change:
    """A number before and after; None where one of the runs does not have it."""

    before: float | None
    after: float | None

    @property
    def difference(self) -> float:
        """After minus before; a missing number counts as zero."""
        return (self.after or 0.0) - (self.before or 0.0)

    @property
    def share(self) -> float | None:
        """The difference as a share of the number before; None where that is zero or missing."""
        return self.difference / self.before if self.before and self.after is not None else None

    def as_dict(self) -> dict[str, float | None]:
        """For JSON."""
        return {"before": self.before, "after": self.after, "difference": self.difference}


@dataclass(frozen=True)
class LineChange:
    """A source line, or a kind of instruction, in both runs.

    `busy` and `waiting` are the time that engines worked and waited on it, `path` its time on the
    critical path (known where both runs were recorded; over all lines it adds up to the run), all
    in nanoseconds.
    """

    place_before: str
    place_after: str
    source: str
    mnemonics: str
    executions: Change
    busy: Change
    waiting: Change
    path: Change | None

    @property
    def differs(self) -> bool:
        """Whether more than the line's number changed."""
        numbers = (self.executions, self.busy, self.waiting, *([self.path] if self.path else []))
        return any(one.before != one.after for one in numbers)

    @property
    def weight(self) -> float:
        """How much it matters, for ranking: the change on the critical path, else of its time."""
        if self.path is not None:
            return abs(self.path.difference)
        return abs(self.busy.difference) + abs(self.waiting.difference)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        data: dict[str, Any] = {
            "place_before": self.place_before or None,
            "place_after": self.place_after or None,
            "source": self.source,
            "mnemonics": self.mnemonics,
            "executions": self.executions.as_dict(),
            "busy_ns": self.busy.as_dict(),
            "waiting_ns": self.waiting.as_dict(),
        }
        return data | ({"critical_path_ns": self.path.as_dict()} if self.path else {})


@dataclass(frozen=True)
class RunDiff:
    """One kernel call in both runs."""

    before: Run
    after: Run
    time: Change
    as_written: Change
    light: Change
    bound: tuple[str, str]
    notes: tuple[str, ...]
    waits: tuple[tuple[str, str, Change], ...]
    traffic: tuple[tuple[str, str, Change], ...]
    lines: tuple[LineChange, ...]
    instructions: tuple[LineChange, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kernel": self.after.kernel,
            "kernel_before": self.before.kernel,
            "call": self.after.call,
            "time_ns": self.time.as_dict() | {"share": self.time.share},
            "as_written_ns": self.as_written.as_dict(),
            "speed_of_light": self.light.as_dict(),
            "bound": {"before": self.bound[0], "after": self.bound[1]},
            "notes": list(self.notes),
            "waits": [
                {"track": track, "reason": reason, "ns": change.as_dict()}
                for track, reason, change in self.waits
            ],
            "bytes": [
                {"memory": memory, "direction": direction, "bytes": change.as_dict()}
                for memory, direction, change in self.traffic
            ],
            "lines": [line.as_dict() for line in self.lines],
            "instructions": [one.as_dict() for one in self.instructions],
        }


@dataclass(frozen=True)
class Diff:
    """Two runs side by side: `runs` holds each kernel call that both have.

    `print` shows it as text, a notebook as tables.
    """

    runs: tuple[RunDiff, ...]
    only_before: tuple[Run, ...]
    only_after: tuple[Run, ...]

    def judge(self, conditions: Iterable[str | Condition]) -> list[Judgement]:
        """What conditions as "time>+2%" say of the later run; see trainyard diff --help."""
        before = [one.before for one in self.runs] + list(self.only_before)
        after = [one.after for one in self.runs] + list(self.only_after)
        pairs = {one.after.key: one.before for one in self.runs}
        return judge(conditions, after, before, pairs)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the fields of `trainyard.diff/1`."""
        return {
            "kernels": [one.as_dict() for one in self.runs],
            "only_before": [one.title for one in self.only_before],
            "only_after": [one.title for one in self.only_after],
        }

    def text(self, *, rows_max: int = words.ROWS_MAX, width: int = words.WIDTH) -> str:
        """For a terminal `width` columns wide; tables show the `rows_max` largest changes."""
        return words.plain(self, rows_max, width)

    def markdown(self, *, rows_max: int = words.ROWS_MAX) -> str:
        """For a comment on a pull request."""
        return words.markdown(self, rows_max)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return words.as_html(self)


def diff_runs(before: Sequence[Run], after: Sequence[Run]) -> Diff:
    """Compares the runs of equal key; two single runs whatever they are called."""
    if len(before) == len(after) == 1:
        return Diff((_run_diff(before[0], after[0]),), (), ())
    known = {run.key: run for run in before}
    pairs = [(known[run.key], run) for run in after if run.key in known]
    matched = {run.key for _, run in pairs}
    return Diff(
        tuple(_run_diff(a, b) for a, b in pairs),
        tuple(run for run in before if run.key not in matched),
        tuple(run for run in after if run.key not in matched),
    )


def _run_diff(before: Run, after: Run) -> RunDiff:
    a, b = before.report, after.report
    return RunDiff(
        before,
        after,
        time=Change(a["duration_ns"], b["duration_ns"]),
        as_written=Change(a.get("as_written_ns"), b.get("as_written_ns")),
        light=Change(_light(a), _light(b)),
        bound=(str(a.get("bound", {}).get("name", "")), str(b.get("bound", {}).get("name", ""))),
        notes=tuple(_notes(a.get("run", {}), b.get("run", {}))),
        waits=tuple(_waits(a, b)),
        traffic=tuple(_traffic(a, b)),
        lines=tuple(_lines(a, b)),
        instructions=tuple(_instructions(a, b)),
    )


def _light(report: dict[str, Any]) -> float | None:
    return report.get("speed_of_light", {}).get("share")


def _notes(before: dict[str, Any], after: dict[str, Any]) -> Iterable[str]:
    """What was different about how the runs were made."""
    if before.get("machine") != after.get("machine"):
        yield f"machine: {before.get('machine')} -> {after.get('machine')}"
    elif before.get("machine_hash") != after.get("machine_hash"):
        yield f"the figures of {after.get('machine')} differ"
    if before.get("trainyard") != after.get("trainyard"):
        yield f"Trainyard: {before.get('trainyard')} -> {after.get('trainyard')}"
    ours, theirs = before.get("more") or {}, after.get("more") or {}
    for key in _SETTINGS:
        if ours.get(key) != theirs.get(key):
            yield f"{key}: {ours.get(key, 'not given')} -> {theirs.get(key, 'not given')}"
    hashes = before.get("program_hash"), after.get("program_hash")
    if all(hashes) and hashes[0] == hashes[1]:
        yield "the compiled program is the same"


def _waits(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, Change]]:
    """By track and reason, the nanoseconds that changed, most first."""
    a, b = _reasons(before), _reasons(after)
    rows = [
        (track, reason, Change(a.get((track, reason), 0.0), b.get((track, reason), 0.0)))
        for track, reason in dict.fromkeys([*a, *b])
    ]
    return sorted((row for row in rows if row[2].difference), key=lambda r: -abs(r[2].difference))


def _reasons(report: dict[str, Any]) -> dict[tuple[str, str], float]:
    """Nanoseconds by track and reason; the DMA engines are one track, of their mean."""
    groups: dict[str, list[dict[str, int]]] = {}
    for track in report["tracks"]:
        groups.setdefault(plots.merged(track["name"]), []).append(track["ticks"])
    scale = report["ticks_per_ns"]
    return {
        (name, reason): sum(one.get(reason, 0) for one in tracks) / len(tracks) / scale
        for name, tracks in groups.items()
        for reason in dict.fromkeys(reason for one in tracks for reason in one)
        if reason != "idle"
    }


def _traffic(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, Change]]:
    def numbers(report: dict[str, Any]) -> dict[tuple[str, str], float]:
        rows = report.get("traffic", [])
        return {(row["memory"], way): n for row in rows for way, n in row["bytes"].items()}

    if not before.get("traffic") or not after.get("traffic"):
        return []  # a trace does not tell them
    a, b = numbers(before), numbers(after)
    return [(*key, Change(a.get(key), b.get(key))) for key in dict.fromkeys([*a, *b])]


def _lines(before: dict[str, Any], after: dict[str, Any]) -> list[LineChange]:
    paths = _critical(before), _critical(after)
    pairs = align.aligned(before["lines"], after["lines"])
    made = [_line(a, b, before, after, paths) for a, b in pairs]
    return sorted(made, key=lambda line: -line.weight)


def _critical(report: dict[str, Any]) -> dict[str, float] | None:
    """Nanoseconds on the critical path by place, of a recorded run."""
    path = report.get("critical_path", {}).get("lines")
    scale = report["ticks_per_ns"]
    return {row["place"]: row["ticks"] / scale for row in path} if path else None


def _line(
    a: align.Line | None,
    b: align.Line | None,
    before: dict[str, Any],
    after: dict[str, Any],
    paths: tuple[dict[str, float] | None, dict[str, float] | None],
) -> LineChange:
    shown = b or a or {}
    places = (a or {}).get("place", ""), (b or {}).get("place", "")
    path = None
    if paths[0] is not None and paths[1] is not None:
        path = Change(
            paths[0].get(places[0], 0.0) if a else None, paths[1].get(places[1], 0.0) if b else None
        )
    return LineChange(
        place_before=places[0],
        place_after=places[1],
        source=str(shown.get("source", "")),
        mnemonics=shown["mnemonics"],
        executions=Change(_executions(a), _executions(b)),
        busy=Change(_busy(a, before), _busy(b, after)),
        waiting=Change(_waiting(a, before), _waiting(b, after)),
        path=path,
    )


def _executions(row: align.Line | None) -> float | None:
    return row["executions"] if row else None


def _busy(row: align.Line | None, report: dict[str, Any]) -> float | None:
    return sum(row["busy_on"].values()) / report["ticks_per_ns"] if row else None


def _waiting(row: align.Line | None, report: dict[str, Any]) -> float | None:
    if row is None:
        return None
    ticks = sum(n for why, n in row.get("engine_ticks", {}).items() if why.startswith("waiting"))
    return ticks / report["ticks_per_ns"]


def _instructions(before: dict[str, Any], after: dict[str, Any]) -> list[LineChange]:
    a = {row["mnemonic"]: row | {"place": ""} for row in before.get("mnemonics", [])}
    b = {row["mnemonic"]: row | {"place": ""} for row in after.get("mnemonics", [])}
    made = [
        _line(a.get(one), b.get(one), before, after, (None, None))
        for one in dict.fromkeys([*a, *b])
    ]
    return sorted(made, key=lambda line: -line.weight)
