"""examples/train_moe.py: do experts over devices have the loss of one device, and is it timed?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples/train_moe.py", *options],
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_loss_is_that_of_one_device() -> None:
    done = run("--values")
    assert done.returncode == 0, done.stderr
    found = re.search(r"loss (\S+) on 4 devices, on one device (\S+)", done.stdout)
    assert found, done.stdout
    assert abs(float(found[1]) - float(found[2])) < 1e-3


def test_a_step_is_timed() -> None:
    done = run("--model", "tiny", "--sequence", "256")
    assert done.returncode == 0, done.stderr
    found = re.search(r"experts over 2 devices x 2: (\S+) s a step of 1,024 tokens", done.stdout)
    assert found, done.stdout
    assert float(found[1]) > 0
    assert "a trillion tokens" in done.stdout


def test_devices_that_do_not_divide_the_experts_are_refused() -> None:
    done = run("--model", "tiny", "--expert-ways", "3")
    assert done.returncode == 1
    assert "3 devices for all experts" in done.stderr


def test_pieces_that_do_not_divide_the_tokens_are_refused() -> None:
    done = run("--model", "tiny", "--sequence", "256", "--pieces", "3")
    assert done.returncode == 2
    assert "--pieces 3: a number that divides 256 tokens" in done.stderr
