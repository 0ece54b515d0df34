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
    found = re.findall(r"(\d \w+): loss (\S+), gradients (\S+)", done.stdout)
    assert [name for name, *_ in found] == ["4 stages", "1 device"]


def test_more_stages_than_devices_are_refused() -> None:
    done = run("--stages", "5")
    assert done.returncode == 1
    assert "5 stages asked for, 4 devices are simulated" in done.stderr
