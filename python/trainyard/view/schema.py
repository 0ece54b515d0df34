"""Whether a document has the form that docs/formats/view.md describes. Newer keys are allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainyard.usage import UsageError
from trainyard.view import document

_Check = Callable[[Any, str], None]


def validate(found: Any, name: str) -> None:
    """Raises UsageError that names the first place in `found` that is not as documented."""
    _object({"schema": _text, "version": _count})(found, name)
    if found["schema"] != document.SCHEMA:
        _refuse(f"{name}: schema", f"{found['schema'][:80]!r}", repr(document.SCHEMA))
    if found["version"] != document.VERSION:
        _refuse(f"{name}: version", found["version"], f"{document.VERSION}; use its Trainyard")
    _object({"runs": _list(validate_run)}, {"comparison": _COMPARISON})(found, name)
    if not found["runs"]:
        _refuse(f"{name}: runs", "an empty list", "at least one run")


def validate_run(run: Any, where: str) -> None:
    """The same for one run of a document."""
    _RUN(run, where)
    if "timeline" in run:
        _timeline(run["timeline"], f"{where}: timeline")
    for i, rank in enumerate(run.get("ranks", [])):
        if "timeline" in rank:
            _timeline(rank["timeline"], f"{where}: ranks[{i}].timeline")


def validate_details(details: Any, where: str) -> None:
    """The same for what stands beside the timeline of a rank."""
    _DETAILS(details, where)


def _refuse(where: str, found: Any, expected: str) -> None:
    raise UsageError(f"{where} is {found}; expected {expected}")


def _kind(value: Any) -> str:
    if value is None:
        return "missing"
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return names.get(type(value), f"{value!r}"[:40])


def _text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        _refuse(where, _kind(value), "text")


def _count(value: Any, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        _refuse(where, _kind(value), "an integer that is not negative")


def _number(value: Any, where: str) -> None:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        _refuse(where, _kind(value), "a number")


def _positive(value: Any, where: str) -> None:
    _number(value, where)
    if value <= 0:
        _refuse(where, value, "a number above zero")


def _numbers(value: Any, where: str) -> None:
    if not isinstance(value, list):
        _refuse(where, _kind(value), "a list of integers")
    if not all(type(one) is int for one in value):
        bad = next(i for i, one in enumerate(value) if type(one) is not int)
        _refuse(f"{where}[{bad}]", _kind(value[bad]), "an integer")


def _list(check: _Check) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, list):
            _refuse(where, _kind(value), "a list")
        for i, one in enumerate(value):
            check(one, f"{where}[{i}]")

    return checked


def _map(check: _Check) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            _refuse(where, _kind(value), "an object")
        for key, one in value.items():
            check(one, f"{where}.{str(key)[:80]}")

    return checked


def _object(fields: dict[str, _Check], optional: dict[str, _Check] | None = None) -> _Check:
    def checked(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            _refuse(where, _kind(value), "an object")
        for key, check in fields.items():
            check(value.get(key), f"{where}.{key}")
        for key, check in (optional or {}).items():
            if key in value:
                check(value[key], f"{where}.{key}")

    return checked


_TICKS = _map(_count)
_REPORT = _object(
    {
        "duration_ns": _positive,
        "duration_ticks": _count,
        "ticks_per_ns": _positive,
        "bound": _object({"name": _text, "why": _text}),
        "tracks": _list(_object({"name": _text, "kind": _text, "ticks": _TICKS})),
        "lines": _list(_object({"place": _text, "mnemonics": _text, "engine_ticks": _TICKS})),
    },
    {
        "next_steps": _list(_object({"change": _text, "time_ns": _number})),
        "assumptions": _list(_object({"key": _text})),
        "critical_path": _object({"parts": _list(_object({"track": _text, "ticks": _count}))}),
    },
)
_TENSOR = _object({"name": _text, "begin": _count, "end": _count, "bytes": _count})
_SPACE = _object({"tensors": _list(_TENSOR)})
_DETAILS = _object(
    {},
    {
        "memory": _object({"sbuf": _SPACE, "psum": _SPACE, "hbm": _SPACE}),
        "path": _object(dict.fromkeys(("end", "track", "reason", "instruction"), _numbers)),
        "sources": _map(_text),
        "ranks_ns": _list(_number),
    },
)
_RANK = _object({"name": _text, "alike": _list(_text)}, {"details": _DETAILS})
_RUN = _object({"name": _text, "report": _REPORT}, {"details": _DETAILS, "ranks": _list(_RANK)})
_CHANGE = _object({"difference": _number})
_LINE_CHANGE = _object({"source": _text, "executions": _CHANGE, "busy_ns": _CHANGE})
_COMPARED = _object(
    {"time_ns": _CHANGE, "notes": _list(_text), "lines": _list(_LINE_CHANGE)},
)
_COMPARISON = _object({"kernels": _list(_COMPARED)})
_COLUMNS = ("gap", "length", "reason", "instruction", "iteration", "cause")
_TRACK = _object({"name": _text, "kind": _text, "count": _count}, dict.fromkeys(_COLUMNS, _numbers))
_LABELS: dict[str, _Check] = dict.fromkeys(("mnemonic", "operands", "frame", "nest"), _numbers)
_FRAMES: dict[str, _Check] = dict.fromkeys(("parent", "file", "line", "function"), _numbers)
_TIMELINE = _object(
    {
        "end": _count,
        "ticks_per_ns": _positive,
        "reasons": _list(_text),
        "tracks": _list(_TRACK),
        "strings": _list(_text),
        "instructions": _object(_LABELS),
        "frames": _object(_FRAMES),
        "nests": _list(_list(_numbers)),
    }
)


def _timeline(value: Any, where: str) -> None:
    """The columns of a timeline, and that what they point to is there."""
    _TIMELINE(value, where)
    strings, frames = len(value["strings"]), len(value["frames"]["file"])
    instructions = len(value["instructions"]["mnemonic"])
    for owner, names in (("instructions", _LABELS), ("frames", _FRAMES)):
        lengths = {len(value[owner][name]) for name in names}
        if len(lengths) > 1:
            _refuse(f"{where}.{owner}", "columns of different lengths", "one length")
    _within(value["instructions"]["mnemonic"], 0, strings, f"{where}.instructions.mnemonic")
    _within(value["instructions"]["operands"], 0, strings, f"{where}.instructions.operands")
    _within(value["instructions"]["frame"], -1, frames, f"{where}.instructions.frame")
    _within(value["instructions"]["nest"], 0, len(value["nests"]), f"{where}.instructions.nest")
    for name in ("file", "function"):
        _within(value["frames"][name], 0, strings, f"{where}.frames.{name}")
    for i, parent in enumerate(value["frames"]["parent"]):
        _within([parent], -1, i, f"{where}.frames.parent[{i}]")  # no circles
    for number, track in enumerate(value["tracks"]):
        _rows(track, value, instructions, f"{where}.tracks[{number}]")


def _rows(track: dict[str, Any], owner: dict[str, Any], instructions: int, where: str) -> None:
    if "gap" not in track:
        return
    for name in _COLUMNS:
        if len(track.get(name) or []) != track["count"]:
            _refuse(f"{where}.{name}", f"of {len(track.get(name) or [])} rows", f"{track['count']}")
    _within(track["gap"], 0, owner["end"] + 1, f"{where}.gap")
    _within(track["length"], 0, owner["end"] + 1, f"{where}.length")
    if sum(track["gap"]) + sum(track["length"]) > owner["end"]:
        _refuse(where, "longer than the run", f"at most {owner['end']} ticks")
    _within(track["reason"], 0, len(owner["reasons"]), f"{where}.reason")
    _within(track["cause"], -1, len(owner["tracks"]), f"{where}.cause")
    now = 0
    for i, step in enumerate(track["instruction"]):
        now += step
        if not -1 <= now < max(instructions, 1) and instructions:
            _refuse(f"{where}.instruction[{i}]", f"of instruction {now}", f"below {instructions}")


def _within(values: list[int], low: int, end: int, where: str) -> None:
    """Raises UsageError unless each value is at least `low` and below `end`."""
    if values and (min(values) < low or max(values) >= end):
        bad = next(i for i, one in enumerate(values) if not low <= one < end)
        _refuse(f"{where}[{bad}]", values[bad], f"at least {low} and below {end}")
