"""examples/train_llama.py: does a plan divide a step, and leave its values?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from trainyard.planner import plan_files
from trainyard.planner.plans import plan_training

ROOT = Path(__file__).resolve().parents[2]


def written(path: Path, **fixed: int) -> Path:
    found = plan_training(
        "llama3-8b", "trn3-gen2", 4, global_batch=8, sequence=512, zero=0, intervals=False, **fixed
    )
    assert found.best
    path.write_text(plan_files.write_torchtitan(found.best, 32))
    return path


def run(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples/train_llama.py", "--small", "--plan", path],
        capture_output=True,
        text=True,
    )


def test_a_plan_divides_a_step(tmp_path: Path) -> None:
    done = run(written(tmp_path / "plan.toml", cp=1, pp=1, tp=2))
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"tp (\d), dp (\d): .*collectives (\S+) us", done.stdout)
    assert [(int(tp), int(dp)) for tp, dp, _ in rows] == [(1, 1), (2, 2)]
    assert float(rows[0][2]) == 0 < float(rows[1][2])
    assert "the same on all" in done.stdout


@pytest.mark.parametrize("axis", ["cp", "pp"])
def test_a_plan_with_another_axis_is_refused(tmp_path: Path, axis: str) -> None:
    done = run(written(tmp_path / "plan.toml", **{"cp": 1, "pp": 1} | {axis: 2}))
    assert done.returncode == 1
    assert f"this layer has no {axis}" in done.stderr
