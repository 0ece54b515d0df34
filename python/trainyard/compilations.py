"""What the compiler made of tensor programs: its passes, what they left, programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from trainyard import _core

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


@dataclass(frozen=True)
class Compilation:
    """A function that was compiled.

    `times`: of each pass its name, how often it ran and its milliseconds on this host; `module`:
    StableHLO behind the last pass over it; `programs`: each as text and in binary form.
    """

    name: str
    instructions: int
    routines: list[tuple[str, int, str]]
    times: list[tuple[str, int, float]]
    dumps: list[Dump]
    module: str
    programs: list[tuple[str, bytes]]

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
            "passes": [{"pass": name, "runs": n, "ms": ms} for name, n, ms in self.times],
            "dumps": [
                {"after": each.after, "program": each.program, "text": each.text}
                for each in self.dumps
            ],
        }


@dataclass
class Collector:
    """Keeps what is compiled while it is in force (settings.compiles)."""

    dump_after: list[str] = field(default_factory=list)
    compilations: list[Compilation] = field(default_factory=list)

    def made(self, model: Any) -> None:
        """Called of each compiled function, whose model may be gone afterwards."""
        programs = [_core.program_bytes(instance.program) for instance in model.programs]
        self.compilations.append(
            Compilation(
                model.name,
                model.instructions,
                model.routines,
                model.pass_times,
                [Dump(*each) for each in model.pass_dumps],
                model.lowered_module.text(elements_max=_ELEMENTS_MAX),
                [
                    (_core.disassemble(content, model.name, exact=True), content)
                    for content in programs
                ],
            )
        )
