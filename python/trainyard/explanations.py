"""Where a compiled function's time goes by groups of fused operations, and why each is tiled so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainyard.notebook import size_text, time_text

# What a unit does for an instruction; all else is waiting.
_BUSY = ("working", "overhead", "throttle")
_UNIT = re.compile(r"(tensor|vector|scalar|gpsimd|sync|dma|hbm)\d*")


@dataclass
class Group:
    """Operations that are computed together; those that no group has are alone.

    `how`: in which tiles and why so, empty where nothing was to choose; `begin`, `end`: ns of the
    run; `busy`: ns of work by unit, of units of which there are several their mean.
    """

    how: str = ""
    operations: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    mnemonics: list[str] = field(default_factory=list)
    instructions: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    begin: float = float("inf")
    end: float = 0.0
    busy: dict[str, float] = field(default_factory=dict)
    keys: set[tuple[str, str]] = field(default_factory=set)  # names and lines of its operations
    alone: float = 0.0  # ns of the region by itself, where it has alternatives
    alternatives: list[Any] = field(default_factory=list)  # trainyard.alternatives
    is_varied: bool = False  # whether these were looked for
    layouts: list[Any] = field(default_factory=list)  # of its values, likewise

    @property
    def nanoseconds(self) -> float:
        """From the first work on it to the last; groups may overlap."""
        return max(self.end - self.begin, 0.0)

    @property
    def bound(self) -> tuple[str, float]:
        """The unit that works most on it, and for which part of its time."""
        if not self.busy or not self.nanoseconds:
            return "", 0.0
        unit = max(self.busy, key=lambda name: self.busy[name])
        return unit, min(self.busy[unit] / self.nanoseconds, 1.0)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        unit, share = self.bound
        return {
            "operations": self.operations,
            "places": self.places,
            "mnemonics": self.mnemonics,
            "how": self.how,
            "begin_ns": self.begin if self.end else 0.0,
            "end_ns": self.end,
            "busy_ns": self.busy,
            "bound": unit,
            "bound_share": share,
            "instructions": self.instructions,
            "bytes_read": self.bytes_read,
            "bytes_written": self.bytes_written,
            "alone_ns": self.alone,
            "alternatives": [each.as_dict() for each in self.alternatives],
            "layouts": [each.as_dict() for each in self.layouts],
        }


# Of a group: locations in the program, how it is computed, names and lines of its operations.
Known = tuple[list[int], str, list[tuple[str, str]]]


def groups_of(program: Any, intervals: list[Any], groups: list[Known]) -> list[Group]:
    """The groups of a program in the order of their first work, by the intervals of its run.

    `groups`: as Model.groups has them.
    """
    by_location: dict[int, Group] = {}
    for locations, how, operations in groups:
        group = Group(how, keys={key_of(*each) for each in operations})
        for location in locations:
            by_location.setdefault(location, group)
    of: list[Group] = []
    for i in range(len(program)):
        group = by_location.setdefault(program.location(i), Group())
        of.append(group)
        _count(group, program, i)
    units: dict[str, set[str]] = {}
    for track, *_ in intervals:
        if match := _UNIT.fullmatch(track):
            units.setdefault(match[1], set()).add(track)
    for track, instruction, reason, begin, end in intervals:
        match = _UNIT.fullmatch(track)
        if match is None or reason not in _BUSY or not 0 <= instruction < len(of):
            continue
        group = of[instruction]
        group.begin, group.end = min(group.begin, begin), max(group.end, end)
        share = (end - begin) / len(units[match[1]])
        group.busy[match[1]] = group.busy.get(match[1], 0.0) + share
    found = {id(group): group for group in of}
    return sorted(found.values(), key=lambda group: group.begin)


def key_of(operation: str, place: str) -> tuple[str, str]:
    """What tells an operation from others: its name, and its line without the folder."""
    return operation, Path(place).name


def _count(group: Group, program: Any, i: int) -> None:
    read, written = program.hbm_bytes(i)
    group.instructions += 1
    group.bytes_read += read
    group.bytes_written += written
    place = program.place(i).split(" in ")[0].split(", ")[0]
    if place and not group.how:
        group.keys.add(key_of(program.operation(i), place))
    for text, known in (
        (program.operation(i), group.operations),
        (place, group.places),
        (program.mnemonic(i), group.mnemonics),
    ):
        if text and text not in known:
            known.append(text)


def lines(
    name: str, groups: list[Group], alternatives: Callable[[Group], Iterable[str]] = lambda _: ()
) -> Iterator[str]:
    """The groups as text; `alternatives`: further lines of each."""
    total = max((group.end for group in groups), default=0.0)
    yield f"{name}: {time_text(total)} in {len(groups)} group{'s' if len(groups) != 1 else ''}"
    for number, group in enumerate(groups, 1):
        unit, share = group.bound
        what = ", ".join(_short(group.operations) or group.mnemonics)
        where = ", ".join(_files(group.places))
        yield f"  {number}. {what}{f' ({where})' if where else ''}"
        moved = f"{size_text(group.bytes_read)} from HBM, {size_text(group.bytes_written)} to it"
        yield (
            f"     {time_text(group.nanoseconds)} from {time_text(group.begin)} on; "
            f"{unit} works {100 * share:.0f} % of it; {moved}; "
            f"{group.instructions} instruction{'s' if group.instructions != 1 else ''}"
            if unit
            else f"     {moved}"
        )
        if group.how:
            yield f"     {group.how}"
        yield from alternatives(group)


def _short(operations: list[str]) -> list[str]:
    """Operations without the function that all are in."""
    return [re.sub(r"^(jit\([^)]*\)/)+", "", each) for each in operations]


def _files(places: list[str]) -> list[str]:
    """ "model.py:3", and of further lines in one file the numbers alone."""
    shown, last = [], ""
    for place in places:
        file, _, line = place.rpartition(":")
        shown.append(line if file == last else f"{Path(file).name}:{line}")
        last = file
    return shown
