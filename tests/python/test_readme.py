"""Is the tour in the README true: do its commands run, and is its code the example's?"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^\.venv/bin/trainyard (.*)$", README, re.MULTILINE)


def trainyard(arguments: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "trainyard", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def test_the_tour_has_commands():
    assert {command.split()[0] for command in COMMANDS} >= {"run", "time", "check", "profile"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_tour_succeeds(command: str, tmp_path: Path):
    words = [word.replace("build/first", str(tmp_path / "first")) for word in command.split()]
    result = trainyard(words)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    assert "--output" not in words or (tmp_path / "first/half_exp.pftrace").exists()


def test_the_code_of_the_tour_is_the_examples():
    code, *_ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert code in (ROOT / "examples/first.py").read_text()


def test_the_error_of_the_tour_is_what_a_user_reads(tmp_path: Path):
    (expected,) = re.findall(r"```\n(error: tensor\..*?)```", README, re.DOTALL)
    script = tmp_path / "first.py"
    example = (ROOT / "examples/first.py").read_text()
    script.write_text(example.replace("reshape(128, 512)", "reshape(256, 256)"))
    result = trainyard(["run", str(script)])
    found = result.stderr.replace(str(script), "examples/first.py")
    assert found == expected


def test_the_finding_of_the_tour_is_what_check_prints(tmp_path: Path):
    (expected,) = re.findall(r"```\n(error: memory\..*?)```", README, re.DOTALL)
    script = tmp_path / "first.py"
    example = (ROOT / "examples/first.py").read_text()
    script.write_text(example.replace("    nisa.dma_copy(dst=tile, src=x)\n", "\n"))
    result = trainyard(["check", str(script)])
    assert result.returncode == 1
    found = result.stdout.replace(str(script), "examples/first.py")
    assert without_times(expected) in without_times(found)


def without_times(text: str) -> str:
    """Times follow the machine's figures, which the tour is not about."""
    return re.sub(r"[\d.]+ ns", "T ns", text)


def test_the_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make ([a-z]+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE) or target == "and", target


def test_the_model_of_the_tour_runs():
    jnp = pytest.importorskip("jax.numpy")
    _, code, _ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    weights, x = np.ones((4, 4), np.float32), np.ones((2, 4), np.float32)
    names = {"forward": lambda weights, x: jnp.tanh(x @ weights), "weights": weights, "x": x}
    exec(code, names)
    assert names["run"].seconds > 0
    np.testing.assert_allclose(names["run"].results, np.tanh(x @ weights), rtol=1e-6)
