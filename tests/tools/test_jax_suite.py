"""A fixed sample of the harnesses in JAX's wheel runs on the platform `neuron` as on the CPU."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
ROOT = Path(__file__).resolve().parents[2]
# Another order of sums in complex convolutions; LAPACK is on the CPU alone.
ALLOWED = ("complex64", "test_primitive[eig_")


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_every_sixtieth_harness(mode, tmp_path):
    output = tmp_path / "found.json"
    command = [sys.executable, "tools/jax_suite", str(ROOT), "--file", "harnesses"]
    command += ["--every", "60", "--list", "--output", str(output)]
    ran = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "TRAINYARD_MODE": mode},
        capture_output=True,
        text=True,
    )
    assert output.exists(), ran.stdout + ran.stderr
    found = json.loads(output.read_text())["harnesses"]
    unexpected = [name for name in found["reports"] if not any(part in name for part in ALLOWED)]
    assert not unexpected, ran.stdout
    assert found["passed"] >= 85
