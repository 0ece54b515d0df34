"""Does tools/nki_suite run benchmarks that come with harnesses of their own?"""

import json
import os
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "nki_suite"

KERNEL = """
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.hbm)
    nl.store(out, nl.load(x) * {factor})
    return out
"""

TASK = """
import numpy as np


def get_inputs():
    return [np.random.normal(size=(256, 4)).astype(np.float32)]


def forward(x):
    return 2 * x


def transform_to_nki_inputs(inputs):
    return [inputs[0].reshape(128, 8)]


def transform_nki_outputs(result, expected):
    return [result.reshape(expected.shape)]
"""

JUDGE = """
import numpy as np


class KernelProperties:
    correct = False
    metadata = {}


def check_precision_and_correctness(path, outputs, expected, result, tolerance):
    result.correct = np.allclose(outputs[0], expected, rtol=tolerance)
    result.metadata = {"worst": abs(outputs[0] - expected).max()}
"""

HARNESS = """
import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


# SUBSTITUTE HERE


def ref(x):
    return 2 * x


def test_nki(ref_func, test_func):
    x = np.ones((4, 4), np.float32)
    return bool(np.allclose(ref_func(x), test_func(x)))


if __name__ == "__main__":
    test_result = test_nki(ref, solution)
"""


def run(checkout, tmp_path):
    results = tmp_path / "r.jsonl"
    command = [sys.executable, str(TOOL), str(checkout), "--json", str(results), "--jobs", "1"]
    # What a layout needs and these checkouts do not use.
    stubs = tmp_path / "stubs"
    stubs.mkdir()
    for name in ("pydantic", "scipy", "torch"):
        (stubs / f"{name}.py").touch()
    path = os.pathsep.join(filter(None, (str(stubs), os.environ.get("PYTHONPATH", ""))))
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert results.exists(), done.stdout + done.stderr
    return {
        record["case"]: record["status"]
        for record in map(json.loads, results.read_text().splitlines())
    }


def written(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_nkibench_judges_kernels_by_its_own_references(tmp_path):
    impls = [{"task": "./t.py", "kernel": f"./kernels/{name}.py"} for name in ("good", "bad")]
    summary = {"scale": {"cases": {"0": {"impls": impls}}}}
    checkout = written(
        tmp_path / "checkout",
        {
            "NKIBench/summary.json": json.dumps(summary),
            "NKIBench/t.py": TASK,
            "NKIBench/kernels/good.py": KERNEL.format(factor=2.0),
            "NKIBench/kernels/bad.py": KERNEL.format(factor=3.0),
            "accelopt/eval_numpy.py": JUDGE,
        },
    )
    assert run(checkout, tmp_path) == {
        "NKIBench/kernels/good.py": "pass",
        "NKIBench/kernels/bad.py": "numerics",
    }


def test_autocomp_gets_the_solution_where_the_harness_says(tmp_path):
    folder = "trn-advanced-nki1"
    solution = KERNEL.replace("def kernel", "def solution")
    checkout = written(
        tmp_path / "checkout",
        {
            f"harnesses/{folder}/0_good_test.py": HARNESS,
            f"harnesses/{folder}/1_bad_test.py": HARNESS,
            f"harnesses/{folder}/2_unsolved_test.py": HARNESS,
            f"sols/{folder}/0_good_ref.py": solution.format(factor=2.0),
            f"sols/{folder}/1_bad_ref.py": solution.format(factor=3.0),
        },
    )
    assert run(checkout, tmp_path) == {
        f"{folder}/0_good_test.py": "pass",
        f"{folder}/1_bad_test.py": "numerics",
    }


def test_scripts_get_their_arguments_and_are_believed(tmp_path):
    says = "import sys\nprint('Correctness passed?', sys.argv[2] == 'tiled')\n"
    checkout = written(tmp_path / "checkout", {"part1/run_benchmark.py": says})
    name = "part1/run_benchmark.py --kernel {} -n {}"
    assert run(checkout, tmp_path) == {
        name.format("naive", 128): "numerics",
        name.format("stream", 25600): "numerics",
        name.format("tiled", 25600): "pass",
    }
