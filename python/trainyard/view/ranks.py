"""The ranks of a run on several chips, or the cores of a grid, that were recorded: those that did
the same at the same times are one, so that a page shows what differs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trainyard.usage import UsageError
from trainyard.view import timeline

# What stands in a file's name between those of the run and of its form; docs/formats/view.md.
PART = re.compile(r"rank\d+(\.core\d+)?")


@dataclass(frozen=True)
class Kind:
    """Recorded runs that are alike: the one that is shown, and the names of all."""

    run: Any
    part: str  # "rank3" or "rank3.core1"
    names: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """For a document and for files."""
        return {"name": self.names[0], "alike": list(self.names[1:]), "part": self.part}


def kinds_of(result: Any) -> list[Kind]:
    """The kinds of a result's recorded runs, that of the slowest first; none for one run."""
    if len(result.runs) < 2:
        return []
    found: dict[bytes, list[tuple[Any, str, str]]] = {}
    first = result._recorded
    for run, part, name in _recorded(result):
        found.setdefault(_print_of(run.columns()), []).append((run, part, name))
    kinds = []
    for alike in found.values():
        alike.sort(key=lambda one: one[0] is not first)  # the slowest stands for those like it
        kinds.append(Kind(*alike[0][:2], tuple(name for *_, name in alike)))
    return sorted(kinds, key=lambda kind: kind.run is not first)


def _recorded(result: Any) -> Iterator[tuple[Any, str, str]]:
    """Each recorded run, with its part of a file's name and what to call it."""
    ranks = [instance.rank for instance in result.instances]
    several = len(set(ranks)) < len(ranks)
    for i, (rank, run) in enumerate(zip(ranks, result.runs, strict=True)):
        if not run.is_recorded:
            continue
        core = ranks[:i].count(rank)
        part = f"rank{rank}.core{core}" if several else f"rank{rank}"
        yield run, part, f"rank {rank}, core {core}" if several else f"rank {rank}"


def _print_of(columns: dict[str, Any]) -> bytes:
    """A hash of all that a timeline shows."""
    made = hashlib.sha256()

    def add(value: Any) -> None:
        if isinstance(value, dict):
            for key in sorted(value):
                made.update(key.encode())
                add(value[key])
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for one in value:
                add(one)
        elif isinstance(value, bytes):
            made.update(b"%d:" % len(value))
            made.update(value)
        else:
            made.update(json.dumps(value).encode())

    add(columns)
    return made.digest()


def told_of(run: Any) -> dict[str, Any]:
    """What a rank's own details say: memory over time and the critical path."""
    details = json.loads(run.details())
    return {key: details[key] for key in ("memory", "path") if key in details}


def as_documents(kinds: list[Kind]) -> list[dict[str, Any]]:
    """The `ranks` of a run of a document; the first one is the run's own timeline."""
    found = [kind.as_dict() for kind in kinds]
    for kind, told in list(zip(kinds, found, strict=True))[1:]:
        rows = timeline.of_columns(kind.run.columns())
        told |= {"timeline": timeline.as_document(rows), "details": told_of(kind.run)}
    return found


def files_of(result: Any) -> dict[str, bytes]:
    """By suffix the files of all kinds but the first, whose trace is that of the run."""
    found = {}
    for kind in kinds_of(result)[1:]:
        found[f".{kind.part}.tytrace"] = kind.run.trace()
        found[f".{kind.part}.details.json"] = json.dumps(told_of(kind.run)).encode()
    return found


def check(found: Any, where: str) -> list[dict[str, Any]]:
    """The kinds in a file of details. Raises UsageError for what files_of() never writes."""
    if found is None:
        return []
    if not isinstance(found, list):
        raise UsageError(f"{where}: ranks is a list, not {type(found).__name__}")
    for i, one in enumerate(found):
        texts = [one.get("name"), one.get("part")] if isinstance(one, dict) else [None]
        alike = one.get("alike") if isinstance(one, dict) else None
        named = all(isinstance(text, str) for text in texts)
        listed = isinstance(alike, list) and all(isinstance(name, str) for name in alike)
        if not named or not listed or not PART.fullmatch(texts[1] or ""):
            raise UsageError(
                f"{where}: ranks[{i}] has a name, a part such as rank3 and a list alike of names"
            )
    return found
