"""Does the installed package hold all it promises?"""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
import trainyard

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(trainyard.__file__).parent


def test_the_extension_says_the_version_of_the_build():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    assert f"project(trainyard VERSION {trainyard.__version__} " in cmake


def test_the_distribution_has_the_same_version_and_a_licence():
    try:
        distribution = metadata.distribution("trainyard")
    except metadata.PackageNotFoundError:
        pytest.skip("runs from the sources, not from an installed wheel")
    assert distribution.version == trainyard.__version__
    assert distribution.metadata["License-Expression"] == "Apache-2.0"
    assert "LICENSE" in (distribution.read_text("RECORD") or "")


def test_every_machine_file_is_in_the_package():
    names = {path.name for path in (ROOT / "machines").glob("*.toml")}
    assert names and {path.name for path in (PACKAGE / "machines").glob("*.toml")} == names


def test_type_checkers_are_told_that_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_the_command_says_its_version():
    result = subprocess.run(
        [sys.executable, "-m", "trainyard", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"trainyard {trainyard.__version__}\n"


def test_importing_the_package_is_quick_and_pulls_in_nothing_heavy():
    heavy = "print(sorted({'scipy', 'pytest', 'hypothesis', 'jax', 'torch'} & set(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", f"import sys, trainyard; {heavy}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "[]\n"


def test_a_machine_is_loaded_with_changes():
    plain = trainyard.load_machine("trn3")
    changes = {"hbm.bandwidth": "6TB/s", "array.matmul_overhead": "8cycles"}
    changed = trainyard.load_machine("trn3", changes=changes | {"throttle.enabled": False})
    same = plain.with_overrides(
        ["hbm.bandwidth=6TB/s", "array.matmul_overhead=8cycles", "throttle.enabled=false"]
    )
    assert changed.provenance() == same.provenance() != plain.provenance()
    with pytest.raises(trainyard.InputError, match=r"did you mean hbm\.bandwidth"):
        trainyard.load_machine("trn3", changes={"hbm.bandwith": "6TB/s"})
