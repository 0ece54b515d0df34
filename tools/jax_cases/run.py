"""Runs one test file in processes of its own, on from the next test after a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
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


def _run(
    command: list[str], record: Path, *, seconds: float, test_seconds: float, **how: object
) -> str | None:
    """Runs a process; why it did not end as pytest does, if so."""
    began = time.monotonic()
    errors = record.with_suffix(".stderr")
    with errors.open("w") as stderr:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, **how)
        while True:
            try:
                code = process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                heard = record.stat().st_mtime if record.exists() else time.time()
                over = time.monotonic() - began > seconds
                if over or time.time() - heard > test_seconds:
                    process.kill()
                    process.wait()
                    return f"the time was up after {seconds if over else test_seconds:.0f} s"
    # pytest's own words for: all ran, some failed, there were none
    if code in (0, 1, 5):
        return None
    return f"the process ended with {code}\n{errors.read_text()[-3000:]}"


def run_file(
    path: Path, work: Path, *, seconds: float, test_seconds: float, select: str | None,
    cases: int, every: int, platform: str,
) -> FileResult:  # fmt: skip
    """Runs the tests of `path` whose names match `select`, for at most `seconds` a process and
    `test_seconds` a test."""
    result = FileResult(path.stem)
    record, skip = work / f"{path.stem}.jsonl", work / f"{path.stem}.ran"
    environment = os.environ | {
        "JAX_PLATFORMS": platform,
        "JAX_NUM_GENERATED_CASES": str(cases),
        "JAX_CASES_EVERY": str(every),
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
        end = _run(
            command, record, seconds=seconds, test_seconds=test_seconds, env=environment,
            cwd=path.parent,
        )  # fmt: skip
        unfinished = _read(record, result)
        if end is None:
            break
        result.failed[unfinished or f"{path.name} as a whole"] = end
        if unfinished is None:  # it would end like this again
            break
    return result
