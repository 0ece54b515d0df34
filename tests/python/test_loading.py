"""Where the core does not load, does the error say in one sentence why?"""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import trainyard
from trainyard import _loading


def imported(folder: Path) -> str:
    """What `import trainyard` says with the package in `folder`."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import trainyard"],
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    return done.stderr.strip().splitlines()[-1]


def package(folder: Path, core: str) -> Path:
    (folder / "trainyard").mkdir()
    for name in ("__init__.py", "_loading.py", "_starting.py"):
        shutil.copy(Path(trainyard.__file__).parent / name, folder / "trainyard")
    if core:
        (folder / "trainyard" / core).write_bytes(b"not a shared object")
    return folder


def test_a_package_without_its_core_says_so(tmp_path):
    said = imported(package(tmp_path, ""))
    assert said.startswith("ImportError: this installation of Trainyard has no core; this is CPyth")


def test_a_core_of_another_python_is_named(tmp_path):
    core = "_core.cpython-399-x86_64-linux-gnu.so"
    said = imported(package(tmp_path, core))
    assert f"built for another Python ({core})" in said
    assert "Install the wheel for this Python" in said


def test_a_core_that_the_loader_refuses_is_explained(tmp_path):
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}"
    said = imported(package(tmp_path, f"_core.{tag}-x86_64-linux-gnu.so"))
    assert "core does not load: " in said and "glibc 2.34 or newer" in said


def test_another_system_is_named(monkeypatch):
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    said = _loading.why_not("no module")
    assert said.startswith("Trainyard runs on Linux on x86-64")
    assert said.endswith("on Darwin arm64")


def test_objects_in_globals_are_not_reported_at_the_end():
    script = (
        "import trainyard, numpy as np\n"
        "from trainyard import model\n"
        "import jax.numpy as jnp\n"
        "kept = model.compile(lambda x: jnp.sin(x) + 1, np.ones((4, 4), np.float32))\n"
        "machine = trainyard.load_machine('trn3')\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True)
    assert done.returncode == 0 and b"leak" not in done.stderr
