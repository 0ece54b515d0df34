"""Does the package work with the oldest and the newest NumPy that pyproject.toml allows?"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import gc, sys
import numpy as np
import nki, nki.isa as nisa, nki.language as nl

@nki.jit
def twice(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_tensor(dst=tile, data1=tile, data2=tile, op=nl.add)
    nisa.dma_copy(dst=out, src=tile)
    return out

for _ in range(3):
    gc.collect()
assert np.array_equal(twice(np.ones((128, 8), np.float32)), np.full((128, 8), 2, np.float32))
for name in ("float8_e4m3fn_x4", "float8_e5m2_x4", "float4_e2m1fn_x4"):
    words = np.zeros(4, name)
    assert words.dtype == np.dtype(name) and words.copy().tobytes() == words.tobytes()
    del words
    gc.collect()
print(np.__version__)
"""


def oldest() -> str:
    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (bound,) = (re.fullmatch(r"numpy>=([\d.]+)", one) for one in requirements if "numpy" in one)
    assert bound is not None
    return bound[1]


@pytest.mark.parametrize("which", ["oldest", "newest"])
def test_the_package_is_imported_and_runs_a_kernel(which: str, tmp_path: Path):
    wanted = f"numpy=={oldest()}.*" if which == "oldest" else "numpy"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(
        [*install, "--retries=0", f"--target={tmp_path}", wanted], capture_output=True, text=True
    )
    if done.returncode != 0:
        pytest.skip(f"pip cannot install {wanted} here: {done.stderr.strip().splitlines()[-1]}")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert result.returncode == 0, result.stderr
    version = result.stdout.strip()
    assert version.startswith(oldest()) if which == "oldest" else int(version[0]) >= 2
