"""examples/train_resnet.py: does a ResNet learn digits on the machine as it does on the CPU?"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("jax")
if find_spec("sklearn") is None:
    pytest.skip("scikit-learn has the digits", allow_module_level=True)

SCRIPT = Path(__file__).parents[2] / "examples" / "train_resnet.py"


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_unseen_digits_are_named(precision):
    command = [sys.executable, str(SCRIPT), "--precision", precision]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "routines" not in done.stdout
    first = re.search(r"step    0  loss (\S+)  on the CPU (\S+)", done.stdout)
    assert abs(float(first[1]) - float(first[2])) < (1e-5 if precision == "fp32" else 1e-2)
    share = re.search(r"named on the machine: (\S+)%", done.stdout)
    assert float(share[1]) >= 95
