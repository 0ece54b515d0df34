"""examples/train_llama.py: are steps divided as asked, with the loss of one device?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from trainyard.planner import plan_files
from trainyard.planner.plans import plan_training

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples/train_llama.py", *options],
        check=False,
        capture_output=True,
        text=True,
    )


def written(path: Path, **fixed: int) -> Path:
    found = plan_training(
        "llama3-8b", "trn3-gen2", 4, global_batch=8, sequence=512, zero=0, intervals=False, **fixed
    )
    assert found.best
    path.write_text(plan_files.write_torchtitan(found.best, 32))
    return path


@pytest.mark.parametrize("how", [("--accumulate", "2"), ("--group", "2"), ("--format", "mxfp8")])
def test_losses_are_those_of_one_device(how: tuple[str, str]) -> None:
    done = run("--values", *how)
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"tp (\d) x (\d) replicas: loss (\S+), on one device (\S+)", done.stdout)
    assert [(int(tp), int(dp)) for tp, dp, *_ in rows] == [(2, 2), (4, 1), (1, 4)]
    assert all(abs(float(several) - float(one)) < 1e-3 for *_, several, one in rows)


def test_tokens_divided_between_products_have_the_loss_of_one_device() -> None:
    done = run("--values", "--sequence-parallel", "--chips", "2", "--splits", "4x2,2x4")
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"tp (\d) x (\d) replicas: loss (\S+), on one device (\S+)", done.stdout)
    assert [(int(tp), int(dp)) for tp, dp, *_ in rows] == [(4, 2), (2, 4)]
    assert all(abs(float(several) - float(one)) < 1e-3 for *_, several, one in rows)


def test_groups_that_do_not_divide_the_layers_are_refused() -> None:
    done = run("--model", "small", "--group", "3")
    assert done.returncode == 1
    assert "--group 3: 2 layers are not groups of so many" in done.stderr


def test_a_table_of_divisions() -> None:
    done = run("--model", "small", "--splits", "1x4,4x1", "--sequence", "256")
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"small, tp (\d) x (\d) replicas: (\S+) s a step.*MFU (\S+)%", done.stdout)
    assert [row[:2] for row in rows] == [("1", "4"), ("4", "1")]
    assert all(0 < float(share) < 100 for *_, share in rows)
    assert "a trillion tokens" in done.stdout


def test_a_plan_divides_a_step(tmp_path: Path) -> None:
    done = run("--values", "--plan", written(tmp_path / "plan.toml", cp=1, pp=1, tp=2))
    assert done.returncode == 0, done.stderr
    assert "tp 2 x 2 replicas" in done.stdout


@pytest.mark.parametrize("axis", ["cp", "pp"])
def test_a_plan_with_another_axis_is_refused(tmp_path: Path, axis: str) -> None:
    done = run("--plan", written(tmp_path / "plan.toml", **{"cp": 1, "pp": 1} | {axis: 2}))
    assert done.returncode == 1
    assert f"this step has no {axis}" in done.stderr


def test_more_devices_than_there_are_is_refused() -> None:
    done = run("--values", "--splits", "8x4")
    assert done.returncode == 1
    assert "8 x 4 devices asked for, 4 are simulated" in done.stderr
