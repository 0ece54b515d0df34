"""Runs one test file in processes of its own, on from the next test after a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

CRASHES_MAX = 20
HERE = Path(__file__).resolve().parent


@dataclass
class FileResult:
    """The outcomes of the tests of one file."""

    name: str
    passed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # id: report

    @property
    def ran(self) -> set[str]:
        return {*self.passed, *self.skipped, *self.failed}


def _read(record: Path, result: FileResult) -> str | None:
    """Adds what the record holds; the test that started and did not end, if any."""
    unfinished = None
    lines = record.read_text().splitlines() if record.exists() else []
    for entry in map(json.loads, lines):
        name = entry["id"]
        if entry["outcome"] == "started":
            unfinished = name
            continue
        if name == unfinished:
            unfinished = None
        match entry["outcome"]:
            case "passed":
                result.passed.append(name)
            case "skipped":
                result.skipped.append(name)
            case "failed":
                result.failed[name] = entry["text"]
    return unfinished


def run_file(
    path: Path, work: Path, *, seconds: float, select: str | None, cases: int, platform: str
) -> FileResult:
    """Runs the tests of `path` whose names match `select`, for at most `seconds` a process."""
    result = FileResult(path.stem)
    record, skip = work / f"{path.stem}.jsonl", work / f"{path.stem}.ran"
    environment = os.environ | {
        "JAX_PLATFORMS": platform,
        "JAX_NUM_GENERATED_CASES": str(cases),
        "JAX_CASES_RECORD": str(record),
        "JAX_CASES_SKIP": str(skip),
        "PYTHONPATH": os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "jax_cases.recorder", "-p",
               "no:cacheprovider", "--tb=short", str(path)]  # fmt: skip
    if select:
        command += ["-k", select]
    for _ in range(CRASHES_MAX):
        record.unlink(missing_ok=True)
        skip.write_text("\n".join(sorted(result.ran)))
        try:
            done = subprocess.run(
                command, env=environment, cwd=path.parent, capture_output=True, text=True,
                timeout=seconds, check=False,
            )  # fmt: skip
            end = None  # pytest's own words for: all ran, some failed, there were none
            if done.returncode not in (0, 1, 5):
                end = f"the process ended with {done.returncode}\n{done.stderr[-3000:]}"
        except subprocess.TimeoutExpired:
            end = f"the time was up after {seconds:.0f} s"
        unfinished = _read(record, result)
        if end is None:
            break
        result.failed[unfinished or f"{path.name} as a whole"] = end
        if unfinished is None:  # it would end like this again
            break
    return result
