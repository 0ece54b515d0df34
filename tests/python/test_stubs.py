"""Do editors and type checkers find the instructions, and are the stubs fresh?"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "python"
PACKAGES = ("trainyard", "nki", "neuronxcc")


def names(script: str) -> dict[str, str]:
    """What an editor offers at the end of a script: name to description."""
    jedi = pytest.importorskip("jedi", reason="make install sets it up")
    # Each process has a cache of its own: two that write one file at once leave half of it.
    jedi.settings.cache_directory = str(Path(tempfile.gettempdir()) / f"jedi-{os.getpid()}")
    project = jedi.Project(str(SOURCES), sys_path=[str(SOURCES)], load_unsafe_extensions=False)
    found = jedi.Script(script, project=project)
    lines = script.splitlines()
    return {one.name: one.docstring() for one in found.complete(len(lines), len(lines[-1]))}


def test_stubs_are_fresh():
    command = [sys.executable, str(ROOT / "tools" / "stubs.py"), "--check"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_say_that_they_are_typed(package: str):
    assert (SOURCES / package / "py.typed").exists()


def test_editors_complete_instructions():
    offered = names("import nki.isa as nisa\nnisa.nc_m")
    assert {"nc_matmul", "nc_matmul_mx", "nc_match_replace8"} <= offered.keys()
    assert "stationary: NkiTensor" in offered["nc_matmul"]
    assert "nc_matmul.c1" in offered["nc_matmul"]


def test_editors_complete_tensors_and_operators():
    script = "import nki.language as nl\ntile = nl.ndarray((128, 8), nl.float32)\ntile."
    assert {"ap", "reshape", "shape", "view", "buffer"} <= names(script).keys()
    assert "exp" in names("import nki.language as nl\nnl.ex")


def test_editors_complete_functions_of_the_first_generation():
    offered = names("import neuronxcc.nki.language as nl\nnl.sig")
    assert {"sigmoid", "sign"} & offered.keys()


def test_editors_know_what_an_instruction_returns():
    script = "import nki.isa as nisa\nnisa.memset(dst=None, value=0).depends"
    assert "depends_on" in names(script)


def test_public_packages_have_no_type_errors():
    done = subprocess.run([ROOT / "tools/types.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_type_checkers_know_the_instructions(tmp_path):
    """A name that exists passes; a name that does not is an error, and so is a wrong type."""
    script = tmp_path / "kernel.py"
    script.write_text(
        "import nki.isa as nisa\nimport nki.language as nl\n"
        "tile = nl.ndarray((128, 8), nl.float32)\n"
        "nisa.memset(dst=tile, value=0.0)\nnisa.memsett(dst=tile, value=0.0)\n"
        "nisa.nc_matmul(dst=tile, stationary='tile', moving=tile)\n"
    )
    settings = {
        "include": [str(tmp_path)],
        "extraPaths": [str(SOURCES)],
        "typeCheckingMode": "standard",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [ROOT / ".venv/bin/basedpyright", "-p", tmp_path, "--level", "error", "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    lines = {one["range"]["start"]["line"] + 1: one["message"] for one in found}
    assert lines.keys() == {5, 6}, lines
    assert "memsett" in lines[5]
