"""One wrong line, compiled in the place of the right one and put to the C++ tests.

The wrong file lies in the build directory, and its object is linked before the libraries: its
functions are called, not those of the right one. The checkout stays as it is.
"""

from __future__ import annotations

import json
import re
import resource
import shlex
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .plan import Mutant

# The tests that are linked with a folder, those that find most in the least time first.
SUITES = {
    "src/graph/custom_calls": ("test_compiler", "test_session"),
    "src/graph/partition": ("test_plan", "test_session"),
    "src/graph": ("test_graph", "test_plan", "test_session"),
    "src/compiler": ("test_compiler", "test_session"),
}
# Effects takes minutes: it reads figures of the machine, not what a compiler does with them.
PARTS = {"test_session": ("Programs/*", "-Programs/*:Effects*")}
# The programs that a room of src/compiler/lowering is for, by folder: they come first.
PROGRAMS = {
    "attention": "attention",
    "clusters": "elementwise",
    "image_forms": "images",
    "images": "images",
    "indexing": "indexing",
    "loops": "loops",
    "products": "products",
    "reductions": "rows",
    "rows": "rows",
    "sorts": "rows",
    "tiles": "elementwise",
}
ALL_SUITES = sorted({suite for suites in SUITES.values() for suite in suites})
COMPILER = re.compile(r"(?:^|/)(?:\S*-)?(?:c|g|clang)\+\+[\d.-]*$")
LIMIT = 180  # seconds of processor time of one part of the tests; more is a loop without end


@dataclass
class Verdict:
    mutant: Mutant
    outcome: str  # "found", "survived", "unreached" by any test, "refused" by the compiler
    by: str = ""  # the test that found it
    seconds: float = 0

    def record(self) -> dict:
        return {
            **self.mutant.record(),
            "outcome": self.outcome,
            "by": self.by,
            "seconds": round(self.seconds, 1),
        }


@dataclass(frozen=True)
class Unit:
    """What the compiler takes at once: a file of the checkout, or one that includes several."""

    source: Path
    words: list[str]

    def files(self) -> list[Path]:
        if "Unity" not in self.source.parts:
            return [self.source]
        included = re.findall(r'^#include "(/.*)"$', self.source.read_text(), re.MULTILINE)
        return [Path(each) for each in included]


class Build:
    """The commands by which a build directory compiles and links."""

    def __init__(self, root: Path, directory: Path) -> None:
        self.root, self.directory = root, directory
        self.units: dict[str, Unit] = {}  # by file of the checkout
        for entry in json.loads((directory / "compile_commands.json").read_text()):
            unit = Unit(Path(entry["file"]), shlex.split(entry["command"]))
            for file in unit.files():
                self.units[str(file)] = unit
        self.link_commands = {suite: self._link_command(suite) for suite in ALL_SUITES}

    def _link_command(self, suite: str) -> list[str]:
        listed = subprocess.run(
            ["ninja", "-t", "commands", "-s", f"tests/{suite}"],
            cwd=self.directory,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        words = shlex.split(listed.strip().splitlines()[-1])
        return [word for word in words if word not in (":", "&&")]

    def compile(self, mutant: Mutant, folder: Path) -> Path | None:
        """The object of the wrong file and those that are compiled with it; None: it does not
        compile."""
        path = self.root / mutant.file
        unit = self.units[str(path)]
        words = unit.words[next(i for i, word in enumerate(unit.words) if COMPILER.search(word)) :]
        wrong, made = folder / path.name, folder / "wrong.o"
        wrong.write_text(mutant.apply(path.read_text(encoding="utf-8")), encoding="utf-8")
        source = wrong
        if unit.source != path:
            source = folder / "together.cxx"
            source.write_text(unit.source.read_text().replace(f'"{path}"', f'"{wrong}"'))
        words[words.index("-o") + 1] = str(made)
        words[words.index(str(unit.source))] = str(source)
        words += ["-w", "-Wno-error", "-iquote", str(path.parent)]
        done = subprocess.run(words, cwd=self.directory, capture_output=True, check=False)
        return made if done.returncode == 0 else None

    def link(self, suite: str, made: Path, folder: Path) -> Path:
        """The tests with the wrong object: of functions with one name, its are taken."""
        words = list(self.link_commands[suite])
        binary = folder / suite
        words[words.index("-o") + 1] = str(binary)
        words.insert(next(i for i, word in enumerate(words) if word.endswith(".o")), str(made))
        words[1:1] = ["-fuse-ld=gold", "-Wl,-z,muldefs"]
        subprocess.run(words, cwd=self.directory, check=True, capture_output=True)
        return binary


def parts_of(suite: str) -> tuple[str, ...]:
    """Filters that together are its tests."""
    return PARTS.get(suite, ("*",))


def steps_of(file: str) -> list[tuple[str, str]]:
    """Tests and filters in the order in which they are run for a wrong line of the file."""
    family = PROGRAMS.get(Path(file).parent.name)
    first = [("test_session", f"Programs/*/{family}_*")] if family else []
    suites = next(s for prefix, s in SUITES.items() if file.startswith(prefix))
    return first + [(suite, part) for suite in suites for part in parts_of(suite)]


def find_failure(binary: Path, part: str, limit: int = LIMIT) -> str | None:
    """The first test of a filter that fails, or how they ended otherwise; None: all pass."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    command = [str(binary), f"--gtest_filter={part}", "--gtest_fail_fast", "--gtest_brief=1"]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", preexec_fn=bound, check=False
    )
    if done.returncode == 0:
        return None
    failed = [line for line in done.stdout.splitlines() if line.startswith("[  FAILED  ] ")]
    if failed:
        return failed[0].removeprefix("[  FAILED  ] ").split(",")[0].split(" (")[0]
    return f"{binary.name} {part} ended with {done.returncode}"


def try_mutant(build: Build, mutant: Mutant, folder: Path) -> Verdict:
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()

    def verdict(outcome: str, by: str = "") -> Verdict:
        return Verdict(mutant, outcome, by, time.monotonic() - begin)

    made = build.compile(mutant, folder)
    if made is None:
        return verdict("refused")
    linked: dict[str, Path] = {}
    try:
        for suite, part in steps_of(mutant.file):
            if suite not in linked:
                linked[suite] = build.link(suite, made, folder)
            if (by := find_failure(linked[suite], part)) is not None:
                return verdict("found", by)
    finally:
        for binary in linked.values():
            binary.unlink()
    return verdict("survived")
