"""Which lines of the C++ core its tests execute, as gcov counts them in the preset "coverage"."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import trial
from .plan import FOLDERS

PRESET = "coverage"
# By file of the checkout: its hash, and how often each of its lines was executed, by number.
Counts = dict[str, tuple[str, dict[int, int]]]


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def measure(root: Path, jobs: int) -> Counts:
    """Builds with counters, runs the tests that tools/mutants runs, and reads what they counted."""
    directory = root / "build" / PRESET
    for command in (
        ["cmake", "--preset", PRESET],
        ["cmake", "--build", "--preset", PRESET, "--target", *trial.ALL_SUITES],
    ):
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    for old in directory.rglob("*.gcda"):
        old.unlink()
    for suite in trial.ALL_SUITES:
        for part in trial.parts_of(suite):
            binary = directory / "tests" / suite
            subprocess.run([binary, f"--gtest_filter={part}", "--gtest_brief=1"], check=True)
    counts: Counts = {}
    with ThreadPoolExecutor(jobs) as pool:
        for files in pool.map(_read, sorted(directory.rglob("*.gcno"))):
            for name, lines in files:
                path = Path(os.path.normpath(name))
                if not path.is_relative_to(root) or path.suffix != ".cpp":
                    continue
                file = str(path.relative_to(root))
                if file.startswith(FOLDERS):
                    _, seen = counts.setdefault(file, (hash_of(path), {}))
                    for line, count in lines.items():
                        seen[line] = seen.get(line, 0) + count
    return counts


def _read(note: Path) -> list[tuple[str, dict[int, int]]]:
    """Of each source file of an object."""
    counted = note.with_suffix(".gcda")
    done = subprocess.run(
        ["gcov", "--json-format", "--stdout", counted if counted.exists() else note],
        cwd=note.parent,
        capture_output=True,
        check=True,
    )
    return [
        (
            str(Path(document["current_working_directory"]) / file["file"]),
            {line["line_number"]: line["count"] for line in file["lines"]},
        )
        for document in map(json.loads, done.stdout.splitlines())
        for file in document["files"]
    ]


def save(counts: Counts, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(counts))


def load(path: Path) -> Counts:
    """As saved; nothing where nothing was."""
    if not path.exists():
        return {}
    return {
        file: (mark, {int(line): count for line, count in lines.items()})
        for file, (mark, lines) in json.loads(path.read_text()).items()
    }


def is_unreached(counts: Counts, root: Path, file: str, line: int) -> bool:
    """Whether the tests never execute the line, and the file is as it was."""
    mark, lines = counts.get(file, ("", {}))
    return lines.get(line, 1) == 0 and hash_of(root / file) == mark


def in_words(counts: Counts) -> Iterator[str]:
    """A line a file, those with most unexecuted lines first."""
    rows = [
        (sum(count == 0 for count in lines.values()), len(lines), file)
        for file, (_, lines) in counts.items()
    ]
    missed, all_ = (sum(row[i] for row in rows) for i in (0, 1))
    yield f"{missed} of {all_} lines are never executed ({missed / max(all_, 1):.1%})"
    for none, lines, file in sorted(rows, reverse=True):
        if none:
            yield f"{none:5} of {lines:4} {file}"
