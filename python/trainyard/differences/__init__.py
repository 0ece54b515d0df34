"""Two runs side by side: what changed in time, waits, bytes, source lines and instructions.

`diff` compares; `Condition` and `judge` decide for continuous integration whether a change is bad.
"""

from __future__ import annotations

from typing import Any

from trainyard.differences.conditions import Condition, Judgement, judge
from trainyard.differences.runs import Diff, diff_runs
from trainyard.differences.sources import Run, runs_of


def diff(before: Any, after: Any) -> Diff:
    """Compares the kernel calls of two runs.

    Each is a Result, a list of Results, a report (a dict), or the path of a report (.json, as
    `trainyard profile` writes it), of what `trainyard time --json` printed, or of a trace
    (.tytrace). Calls are matched by kernel name and position, two single calls whatever their
    names. Raises UsageError for a file that is none of these.
    """
    return diff_runs(runs_of(before), runs_of(after))


__all__ = ["Condition", "Diff", "Judgement", "Run", "diff", "judge", "runs_of"]
