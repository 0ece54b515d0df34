"""What the regions of a compiled function would take if the compiler chose otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trainyard import _core
from trainyard.explanations import Group, key_of
from trainyard.notebook import time_text

# Of a region's ways, the taken one first: what is chosen otherwise, how it is computed, ns.
Ways = list[tuple[str, str, float]]

_BY_ROWS = "rows on partitions"


@dataclass(frozen=True)
class Alternative:
    """A choice made otherwise, and what a region alone takes with it, in ns."""

    words: str
    nanoseconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"words": self.words, "ns": self.nanoseconds}


@dataclass(frozen=True)
class Layouts:
    """How the values of a group's product lie for the products that read them; what all of these
    take alone, in ns, and what they would take if the values lay otherwise."""

    words: str
    nanoseconds: float
    alternatives: list[Alternative]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "words": self.words,
            "ns": self.nanoseconds,
            "alternatives": [each.as_dict() for each in self.alternatives],
        }


class Regions:
    """Times the regions of a function in every way when asked, each alone."""

    def __init__(self, model: Any) -> None:
        self._of = (
            model.lowered_module,
            model.machine,
            1 if model.in_halves else model.cores,
            model.schedule,
            model.resident_percent,
        )

    def ways(self) -> dict[frozenset[tuple[str, str]], Ways]:
        """Of each region that has several ways, by the names and lines of its operations."""
        return {keys: ways for keys, ways, are_layouts in self._timed if not are_layouts}

    def layouts(self) -> dict[frozenset[tuple[str, str]], Ways]:
        """Of products whose values may lie in several ways, by their names and lines."""
        return {keys: ways for keys, ways, are_layouts in self._timed if are_layouts}

    @cached_property
    def _timed(self) -> list[tuple[frozenset[tuple[str, str]], Ways, bool]]:
        regions = _core.ways_of_regions(*self._of)
        return [
            (frozenset(key_of(*each) for each in operations), ways, are_layouts)
            for operations, ways, are_layouts in regions
        ]


def add_alternatives(groups: Sequence[Group], regions: Regions) -> None:
    """Gives each group its alternatives, the fastest first."""
    ways, layouts = regions.ways(), regions.layouts()
    for group in groups:
        found = ways.get(frozenset(group.keys)) or _within(group, ways)
        group.is_varied = bool(group.how or found)
        taken, *others = found or [("", "", 0.0)]
        group.alone = taken[2]
        group.alternatives = _sorted((_words(way, taken), way[2]) for way in others)
        group.layouts = [
            Layouts(
                taken[0] or _BY_ROWS, taken[2], _sorted((w or _BY_ROWS, ns) for w, _, ns in others)
            )
            for keys, (taken, *others) in layouts.items()
            if keys & group.keys
        ]


def _sorted(ways: Iterable[tuple[str, float]]) -> list[Alternative]:
    return sorted((Alternative(*way) for way in ways), key=lambda each: each.nanoseconds)


def _within(group: Group, ways: dict[frozenset[tuple[str, str]], Ways]) -> Ways | None:
    """Of a group of which nobody said how it is computed: the longest of the regions in it."""
    inside = [found for keys, found in ways.items() if keys <= group.keys and not group.how]
    return max(inside, key=lambda found: found[0][2], default=None)


def lines(group: Group) -> Iterator[str]:
    """A group's alternatives as text."""
    for each in group.layouts:
        yield (
            f"     layout of its value: {each.words}; with what reads it alone "
            f"{time_text(each.nanoseconds)}; otherwise: {_text(each.alternatives)}"
        )
    if not group.is_varied:
        return
    if not group.alternatives:
        yield "     otherwise: the compiler knows no other way"
        return
    yield f"     alone {time_text(group.alone)}; otherwise: {_text(group.alternatives)}"


def _text(alternatives: Sequence[Alternative]) -> str:
    return "; ".join(f"{each.words}: {time_text(each.nanoseconds)}" for each in alternatives)


def _words(way: tuple[str, str, float], taken: tuple[str, str, float]) -> str:
    """The tiles where these are what is chosen, else what is."""
    words, how, _ = way
    if not words:
        return "by rule"
    if not words.endswith("tiling"):
        return words
    had = _parts(taken[1])
    return ", ".join(dict.fromkeys(part for part in _parts(how) if part not in had)) or words


def _parts(how: str) -> list[str]:
    """What a product says of its tiles: "tiles of 128 x 512", "512 columns of the right ..."."""
    return [part.strip() for part in how.replace(" in tiles", ";tiles").split(";")][1:]
