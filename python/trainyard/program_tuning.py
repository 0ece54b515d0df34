"""The regions of a script's tensor programs, each computed in every way that the compiler knows and
timed on the simulated machine; the compiler takes the fastest from then on.

What each way takes is kept in the user's cache folder, by the region and the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from trainyard.differences import runs_of
from trainyard.differences.runs import Diff, diff_runs
from trainyard.files import write_whole
from trainyard.notebook import time_text

VARIABLE = "TRAINYARD_TUNE"


class ScriptFailed(Exception):
    """The script, or a program of it, failed: its exit code. Its words are on stderr."""


def cache_file() -> Path:
    """Where the compiler keeps what ways take."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder) / "trainyard" / "scores"


def tune(command: Sequence[str]) -> Diff:
    """What `trainyard time` says as programs are compiled now, and with the fastest ways.

    command: the script with its arguments, and options of `trainyard time` before it.
    """
    with tempfile.TemporaryDirectory() as folder:
        before, after = (
            _timed(command, tuning, Path(folder) / f"{tuning}.json") for tuning in ("", "1")
        )
        return diff_runs(runs_of(before), runs_of(after))


def lines(tuned: Diff) -> Iterator[str]:
    """What it gained, the function that gained the most first."""
    changed = [one for one in tuned.runs if one.time.difference]
    for one in sorted(changed, key=lambda one: one.time.difference):
        before, after = one.time.before or 0.0, one.time.after or 0.0
        percent = 100 * one.time.difference / before if before else 0.0
        yield f"{one.after.kernel}: {time_text(before)} -> {time_text(after)} ({percent:+.1f} %)"
    others = len(tuned.runs) - len(changed)
    if others:
        yield (
            f"{others} function{'s take' if others > 1 else ' takes'} the same time: "
            "nothing is faster, as the whole function goes"
        )


def _timed(command: Sequence[str], tuning: str, report: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-m", "trainyard", "time", "--json", *command],
        env=os.environ | {VARIABLE: tuning},
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise ScriptFailed(done.returncode)
    write_whole(report, done.stdout)
    return report
