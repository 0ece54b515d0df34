"""Do the code and commands of pages for users of JAX, pytest and several processes run as they are
pasted? Blocks that need PyTorch run in tests/pytorch."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from pages import blocks_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = {one.value for one in entry_points(group="pytest11")}
PLUGIN = [] if "trainyard.pytest_plugin" in NAMES else ["-p", "trainyard.pytest_plugin"]
OPTIONS = r"`(--trainyard-[a-z-]+)"


def blocks(page, language):
    return [one.text for one in blocks_of((DOCS / page).read_text()) if one.language == language]


def run(words, folder, **variables):
    """Standard output of a command as a new user runs it."""
    env = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    done = subprocess.run(
        words, cwd=folder, env=env | variables, capture_output=True, text=True, timeout=300
    )
    return done.returncode, done.stdout, done.stderr


def test_the_code_about_jax_runs_as_one_script(tmp_path):
    code = blocks("jax.md", "python")
    (tmp_path / "script.py").write_text("\n".join(code))
    status, said, errors = run([sys.executable, "script.py"], tmp_path)
    assert status == 0, errors
    (shown,) = re.findall(r"jax\.devices\(\)\)  # (.*)", code[0])
    assert said.splitlines()[:2] == [shown, "[2. 2. 2.]"]


def test_what_time_says_of_a_script_has_the_parts_that_the_page_shows(tmp_path):
    (shown,) = [one.text for one in blocks_of((DOCS / "jax.md").read_text()) if not one.language]
    command, *lines = shown.splitlines()
    (tmp_path / "train.py").write_text(
        "import jax, jax.numpy as jnp\n\n\n@jax.jit\ndef step(x, w):\n"
        "    with jax.named_scope('dense'):\n        y = x @ w\n"
        "    with jax.named_scope('norm'):\n        return jnp.exp(y)\n\n\n"
        "for _ in range(3):\n    step(jnp.ones((128, 256)), jnp.ones((256, 64)))\n"
    )
    words = [sys.executable, "-m", *shlex.split(command.removeprefix("$ "))]
    status, said, errors = run(words, tmp_path)
    assert status == 0, errors
    for line in lines:
        heading = re.split(r" {2,}|[0-9(]|\.\.\.", line.strip())[0].strip()
        assert heading in said, line
    assert "norm/exp" in said and "dense/dot_general" in said and "train.py:" in said


def test_the_marker_and_the_commands_of_pytest_work(tmp_path):
    (marked,) = blocks("pytest.md", "python")
    (commands,) = blocks("pytest.md", "sh")
    kernel = blocks("jax.md", "python")[2].partition("@jax.jit")[0]
    body = "    scaled(np.ones((128, 512), np.float32), 3.0)\n"
    test = marked.replace(": ...\n", f":\n{body}")
    (tmp_path / "test_kernel.py").write_text(f"import numpy as np\nimport pytest\n{kernel}\n{test}")
    plugin = ["-p", "no:cacheprovider", *PLUGIN]
    for command in commands.splitlines():
        words = [sys.executable, "-m", *shlex.split(command), *plugin]
        status, said, errors = run(words, tmp_path)
        assert status == 0, said + errors
        assert "1 passed" in said
    assert json.loads((tmp_path / "times.json").read_text())
    slow = test.replace("230us", "1ns")
    (tmp_path / "test_kernel.py").write_text(f"import numpy as np\nimport pytest\n{kernel}\n{slow}")
    status, said, _ = run([sys.executable, "-m", "pytest", *plugin], tmp_path)
    assert status == 1 and "time>1ns" in said


def test_options_of_pytest_that_the_page_names_exist(tmp_path):
    said = run([sys.executable, "-m", "pytest", "--help", *PLUGIN], tmp_path)
    named = set(re.findall(OPTIONS, (DOCS / "pytest.md").read_text()))
    assert len(named) > 4 and all(option in said[1] for option in named)


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_one_script_runs_in_two_processes(tmp_path):
    (command,) = [
        one.text for one in blocks_of((DOCS / "scale-out.md").read_text()) if not one.language
    ]
    (tmp_path / "script.py").write_text(
        "import jax, jax.numpy as jnp\nx = jnp.arange(32.0).reshape(16, 2)\n"
        "print(jax.pmap(lambda a: jax.lax.psum(a, 'i'), 'i')(x)[15, 0], end=' ')\n"
    )
    (setting, *words) = shlex.split(command)
    words = [sys.executable if word == "python" else word for word in words]
    name, _, value = setting.partition("=")
    more = ["--allow-run-as-root", "--oversubscribe"]
    status, said, errors = run([words[0], *more, *words[1:]], tmp_path, **{name: value})
    assert status == 0, errors
    # What both print may lie side by side, without a space between.
    assert "".join(said.split()) == "240.0" * 2


def test_migrate_says_of_the_script_what_the_page_shows(tmp_path):
    page = blocks_of((DOCS / "pytorch.md").read_text())
    place = next(i for i, one in enumerate(page) if one.text.startswith("$ trainyard migrate"))
    command, *lines = page[place].text.splitlines()
    (tmp_path / "train.py").write_text(page[place - 1].text)
    words = [sys.executable, "-m", *shlex.split(command.removeprefix("$ "))]
    status, said, errors = run(words, tmp_path)
    assert said.splitlines() == lines, errors
    assert status == 1
