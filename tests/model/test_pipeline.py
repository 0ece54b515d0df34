"""examples/pipeline.py: do stages on devices have the loss and the gradients of one device?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples/pipeline.py", *options],
        check=False,
        capture_output=True,
        text=True,
    )


def test_stages_compute_what_one_device_does() -> None:
    done = run("--values")
    assert done.returncode == 0, done.stderr
    one = re.search(r"1 device: loss (\S+)", done.stdout)
    assert one
    found = re.findall(r"(\w+), 4 stages in (\d) chunks: loss (\S+), gradients", done.stdout)
    assert [row[:2] for row in found] == [("gpipe", "1"), ("1f1b", "1"), ("1f1b", "2")]
    assert all(abs(float(loss) - float(one[1])) < 1e-4 for *_, loss in found)


def test_chunks_ask_for_micro_batches_for_all_stages() -> None:
    done = run("--schedule", "1f1b", "--chunks", "2", "--micro", "6")
    assert done.returncode == 1
    assert "6 micro-batches: chunks ask for a multiple of 4 stages" in done.stderr


def test_more_stages_than_devices_are_refused() -> None:
    done = run("--stages", "5")
    assert done.returncode == 1
    assert "5 stages asked for, 4 devices are simulated" in done.stderr
