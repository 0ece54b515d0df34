"""What a compiled function would take if the compiler chose otherwise, region by region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from trainyard import _core
from trainyard.explanations import Group, groups_of
from trainyard.notebook import time_text


@dataclass(frozen=True)
class Alternative:
    """A choice made otherwise: what a region takes with it, and the whole function, in ns."""

    words: str
    nanoseconds: float
    whole: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"words": self.words, "ns": self.nanoseconds, "whole_ns": self.whole}


@dataclass
class Timed:
    """A function as one variation compiles it; nothing but words where that finds no room."""

    words: str
    groups: list[Group] = field(default_factory=list)
    whole: float = 0.0

    def of(self, operations: set[tuple[str, str]]) -> list[Group]:
        """The groups that have some of these operations."""
        return [group for group in self.groups if group.keys & operations]


class Variations:
    """Times variations of a function when asked; each takes a compilation and a run."""

    def __init__(self, model: Any) -> None:
        self._module, self._machine, self._cores = model.module, model.machine, model.cores

    def timed(self, hows: Sequence[str]) -> list[Timed]:
        """As it is, then every variation that can change regions which are explained so."""
        all_ = _core.compiler_variations()
        chosen = [
            (number, words)
            for number, (words, of) in enumerate(all_)
            if not of or any(of in how for how in hows)
        ]
        timed = [self._timed(number, words, self._cores) for number, words in chosen]
        if self._cores > 1:
            timed.append(self._timed(0, "on one core", 1))
        return [each for each in timed if each]

    def _timed(self, number: int, words: str, cores: int) -> Timed | None:
        try:
            model = _core.compile_model(self._module, self._machine, cores=cores, variation=number)
            run = model.run(model.zeros(), timed=True, values=False, record=True)
        except (_core.InputError, _core.Fault):  # finds no room, or depends on data
            return None
        made = Timed(words, whole=run.nanoseconds)
        known = list(zip(model.programs, model.groups, strict=True))
        for program in run.programs:
            groups = next(each for instance, each in known if instance is program.instance)
            if program.run.trace:
                made.groups += groups_of(program.instance.program, program.run.trace, groups)
        return made


def add_alternatives(groups: Sequence[Group], variations: Variations) -> None:
    """Gives each group the alternatives that change it, the fastest first."""
    timed = variations.timed([group.how for group in groups])
    if not timed or timed[0].words != _core.compiler_variations()[0][0]:
        return
    usual, *others = timed
    for group in groups:
        own = group.keys - set().union(*(other.keys for other in groups if other is not group))
        before = usual.of(own)
        if not before:
            continue
        group.is_varied = True
        for other in others:
            after = other.of(own)
            is_same = after and (_span(after), other.whole) == (_span(before), usual.whole)
            if not after or is_same or _work(after) == _work(before):
                continue
            words = _words(other, before, after)
            taken = Alternative(words, _span(after), other.whole)
            if all(known.words != words for known in group.alternatives):
                group.alternatives.append(taken)
        group.alternatives.sort(key=lambda each: each.nanoseconds)


def lines(group: Group) -> Iterator[str]:
    """A group's alternatives as text."""
    if not group.is_varied:
        return
    if not group.alternatives:
        yield "     otherwise: the compiler knows no other way"
        return
    shown = (
        f"{each.words}: {time_text(each.nanoseconds)} (the function {time_text(each.whole)})"
        for each in group.alternatives
    )
    yield f"     otherwise: {'; '.join(shown)}"


def _words(timed: Timed, before: list[Group], after: list[Group]) -> str:
    """The tiles where these are what changed, else what was chosen."""
    if not timed.words.endswith("tiling"):
        return timed.words
    had = {part for group in before for part in _parts(group)}
    new = [part for group in after for part in _parts(group) if part not in had]
    return ", ".join(dict.fromkeys(new)) or timed.words


def _parts(group: Group) -> list[str]:
    """What a product says of its tiles: "tiles of 128 x 512", "512 columns of the right ..."."""
    return [part.strip() for part in group.how.replace(" in tiles", ";tiles").split(";")][1:]


def _work(groups: list[Group]) -> list[tuple[Any, ...]]:
    return [(each.instructions, each.bytes_read, each.bytes_written, each.how) for each in groups]


def _span(groups: list[Group]) -> float:
    return max(each.end for each in groups) - min(each.begin for each in groups)
