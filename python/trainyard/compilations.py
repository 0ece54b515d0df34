"""What the compiler made of tensor programs: its passes, what they left, programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trainyard import _core
from trainyard.alternatives import Regions, add_alternatives
from trainyard.explanations import Group, Known, groups_of
from trainyard.notebook import time_text
from trainyard.product_ways import DividedFunction

# Printed constants are cut short beyond so many elements.
_ELEMENTS_MAX = 16


@dataclass(frozen=True)
class Pass:
    """A named step of the compiler. `of`: what it works on, "module" or "program"."""

    of: str
    name: str
    summary: str


def passes() -> list[Pass]:
    """The compiler's passes, in order."""
    return [Pass(*each) for each in _core.compiler_passes()]


@dataclass(frozen=True)
class Dump:
    """A program as a pass left it."""

    after: str
    program: str
    text: str

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return {"after": self.after, "program": self.program, "text": self.text}


@dataclass
class Compilation:
    """A function that was compiled.

    `times`: of each pass its name, how often it ran and its milliseconds on this host; `module`:
    StableHLO behind the last pass over it; `programs`: each as text and in binary form;
    `prepared`: weights stored in another format before the first run; `shares`: what the function
    takes (ns) with so many percent of SBUF for what stays on chip between operations, as it is
    first.
    """

    name: str
    instructions: int
    routines: list[tuple[str, int, str]]
    times: list[tuple[str, int, float]]
    dumps: list[Dump]
    module: str
    programs: list[tuple[str, bytes]]
    prepared: int = 0
    shares: list[tuple[int, float]] = field(default_factory=list)
    explained: list[list[Group]] = field(default_factory=list)  # of each program that was timed
    _loaded: list[tuple[Any, list[Known]]] = field(default_factory=list)
    _regions: Regions | None = None

    def look_for_alternatives(self) -> None:
        """Times what the groups would take if the compiler chose otherwise."""
        if self._regions and self.explained:
            add_alternatives([each for groups in self.explained for each in groups], self._regions)

    @property
    def milliseconds(self) -> float:
        """Of all passes."""
        return sum(each for _, _, each in self.times)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "programs": len(self.programs),
            "instructions": self.instructions,
            "routines": [{"operation": o, "count": n, "place": p} for o, n, p in self.routines],
            "weights_prepared": self.prepared,
            "shares_of_sbuf": [{"percent": percent, "ns": ns} for percent, ns in self.shares],
            "passes": [{"pass": name, "runs": n, "ms": ms} for name, n, ms in self.times],
            "dumps": [each.as_dict() for each in self.dumps],
            "groups": [[group.as_dict() for group in groups] for groups in self.explained],
        }


def prepared_note(count: int) -> str:
    """Of weights in a stored format: when they are made, and that no time counts it."""
    weights = "1 weight" if count == 1 else f"{count} weights"
    return f"{weights} stored in another format before the first run, in none of the times"


def shares_note(shares: list[tuple[int, float]]) -> str:
    """Where values between operations lie, and what that took otherwise; empty if unknown."""
    if len({ns for _, ns in shares}) < 2:
        return ""
    (percent, ns), *others = shares
    told = "; ".join(f"{_where(percent)}: {time_text(ns)}" for percent, ns in others)
    return f"{_where(percent)}: {time_text(ns)}; {told}"


def _where(percent: int) -> str:
    return f"in at most {percent} % of SBUF" if percent else "by way of HBM"


@dataclass
class Collector:
    """Keeps what is compiled while it is in force (settings.compiles).

    `left`: what passes leave as they run; take() of it after a failure has those of the program
    that failed.
    """

    dump_after: list[str] = field(default_factory=list)
    explains: bool = False  # where time goes, which needs a timed run that is recorded
    compilations: list[Compilation] = field(default_factory=list)
    divided: list[DividedFunction] = field(default_factory=list)  # over several devices
    left: Any = field(default_factory=_core.PassDumps)
    _by_number: dict[int, Compilation] = field(default_factory=dict)

    def made(self, number: int, model: Any) -> None:
        """Called of each compiled function, whose model may be gone afterwards."""
        programs = [_core.program_bytes(instance.program) for instance in model.programs]
        compilation = Compilation(
            model.name,
            model.instructions,
            model.routines,
            model.pass_times,
            [Dump(*each) for each in model.pass_dumps],
            model.lowered_module.text(elements_max=_ELEMENTS_MAX),
            [(_core.disassemble(content, model.name, exact=True), content) for content in programs],
            model.prepared,
            model.shares,
        )
        if self.explains:
            compilation._loaded = list(zip(model.programs, model.groups, strict=True))
            compilation._regions = Regions(model)
        self._by_number[number] = compilation
        self.compilations.append(compilation)
        self.left.take()  # the model has them

    def unfinished(self) -> list[Dump]:
        """What passes left of a program whose compilation failed."""
        return [Dump(*each) for each in self.left.take()]

    def ran(self, number: int, run: Any) -> None:
        """Called of the first run of each function."""
        compilation = self._by_number[number]
        for program in run.programs:
            for instance, groups in compilation._loaded:
                if instance is program.instance and program.run.is_recorded:
                    compilation.explained.append(
                        groups_of(instance.program, program.run.intervals(), groups)
                    )
                    break
