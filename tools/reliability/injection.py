"""Runs a command with one fault made in it, and says what does not hold afterwards.

What must hold: the exit code is one that a fault of this kind explains, stderr says in a few lines
what happened and no traceback or internal error is in it, and every file is whole: as it was, or as
a run without the fault writes it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trainyard.commands import exit_codes

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("injector.cpp")
KERNELS = ROOT / "tests/command/kernels.py"
X = "x=bfloat16[128,8192]"

# How a command may end: as without the fault, or with one of these.
CODES = {
    "full": {exit_codes.CANNOT_WRITE},
    "broken": {exit_codes.CANNOT_WRITE},
    "interrupted": {exit_codes.INTERRUPTED},
    "killed": {-signal.SIGKILL},
    "memory": {exit_codes.DOES_NOT_FIT, exit_codes.INVALID_INPUT},
}
KINDS = tuple(CODES)

# Commands that write files into the folder that they run in.
COMMANDS: dict[str, tuple[str, ...]] = {
    "profile": ("profile", "--output", "out", f"{KERNELS}:double", X),
    "save": ("run", "--save-programs", "out", f"{KERNELS}:double", X),
    "tune": ("tune", f"{KERNELS}:double", X, "--over", "factor=2.0,3.0", "--keep", "kept.json"),
}
OLD = b"what was there before"


def library() -> Path:
    """The injector, compiled where that has not been done."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    made = ROOT / f"build/reliability/injector-{digest}.so"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        own = made.with_suffix(f".{os.getpid()}")
        compiler = os.environ.get("CXX", "g++")
        flags = ["-std=c++20", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra"]
        subprocess.run([compiler, *flags, "-o", own, SOURCE, "-ldl"], check=True)
        own.replace(made)
    return made


@dataclass
class Outcome:
    """How a command ended, and the bytes of each file below its folder."""

    code: int
    err: str
    files: dict[str, bytes] = field(default_factory=dict)
    operations: int = 0  # on files, and allocations of 1 MiB and more
    allocations: int = 0


def run(arguments: Sequence[str], folder: Path, fault: str = "count", at: int = 0) -> Outcome:
    """Runs the command in `folder` with a fault at one call; "count" makes none."""
    count = folder.with_name(folder.name + ".count")
    environment = os.environ | {
        "LD_PRELOAD": str(library()),
        "TRAINYARD_FAULT": fault,
        "TRAINYARD_FAULT_AT": str(at),
        "TRAINYARD_FAULT_FOLDER": str(folder),
        "TRAINYARD_FAULT_COUNT": str(count),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-B", "-m", "trainyard", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=300,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    outcome = Outcome(done.returncode, done.stderr.decode(errors="replace"), files)
    if count.exists():
        outcome.operations, outcome.allocations = map(int, count.read_text().split())
        count.unlink()
    return outcome


@dataclass
class Case:
    """A command, and what it does where nothing fails."""

    arguments: tuple[str, ...]
    folder: Path  # for its runs; each has one of its own in it
    wanted: Outcome = field(init=False)
    runs: int = 0

    def __post_init__(self) -> None:
        self.wanted = run(self.arguments, self._fresh(with_old=False))
        if self.wanted.code != 0 or not self.wanted.files:
            raise RuntimeError(f"{self.arguments}: {self.wanted.code}: {self.wanted.err}")

    def _fresh(self, with_old: bool) -> Path:
        # One name for all: files may hold it.
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.runs += 1
        if with_old:
            for name in self.wanted.files:
                if name.endswith(".json") and "/" not in name:
                    continue  # a file that is read, too
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(OLD)
        return folder

    def calls(self, fault: str) -> int:
        """How many calls can fail so."""
        return self.wanted.allocations if fault == "memory" else self.wanted.operations

    def problems(self, fault: str, at: int, with_old: bool = True) -> list[str]:
        """What does not hold after a run with the fault."""
        done = run(self.arguments, self._fresh(with_old), fault, at)
        allowed = CODES[fault] | {exit_codes.OK}
        found = []
        if done.code not in allowed:
            found.append(
                f"exit code {done.code}; {sorted(allowed)} are explained: {done.err[-600:]}"
            )
        if "Traceback" in done.err or "internal error" in done.err:
            found.append(f"stderr has a traceback or an internal error: {done.err[-600:]}")
        if done.code not in (exit_codes.OK, -signal.SIGKILL) and not done.err.strip():
            found.append("stderr does not say what happened")
        for name, content in done.files.items():
            if name in self.wanted.files:
                if content not in (OLD, self.wanted.files[name]):
                    found.append(f"{name} is neither as before nor whole ({len(content)} bytes)")
            elif fault not in ("killed", "broken"):  # which leave nobody to remove it, or refuse to
                found.append(f"{name} is left behind")
        if done.code == exit_codes.OK and fault == "full" and at <= self.calls(fault):
            missing = [n for n in self.wanted.files if done.files.get(n) != self.wanted.files[n]]
            found += [f"exit code 0, but {name} is not what it should be" for name in missing]
        return found
