"""Are `nki` and `neuronxcc` importable, and is an installed original never hidden unasked?

Each question is asked in a fresh interpreter, because the answer is decided when Python starts.
"""

import os
import subprocess
import sys
from pathlib import Path

import _trainyard_nki
import pytest

ORIGINAL = "ORIGIN = 'original'\n"
COMPAT = Path(_trainyard_nki.DIRECTORY)
pytestmark = pytest.mark.skipif(
    COMPAT.name != "compat", reason="runs from the sources, where no .pth file starts the finder"
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory on the path that holds another package named nki, as AWS's wheel would."""
    package = tmp_path / "nki"
    package.mkdir()
    (package / "__init__.py").write_text(ORIGINAL)
    return tmp_path


def run(code: str, path: Path | None = None, wish: str | None = None):
    environment = dict(os.environ)
    environment.pop("TRAINYARD_NKI", None)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    if wish is not None:
        environment["TRAINYARD_NKI"] = wish
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


IS_OURS = "import nki, _trainyard_nki; print(_trainyard_nki.is_ours(nki.__file__))"


def test_nki_is_trainyards_where_no_original_is_installed():
    result = run(IS_OURS)
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_an_installed_original_wins(site: Path):
    result = run("import trainyard, nki; print(nki.ORIGIN)", site)
    assert (result.stdout, result.stderr) == ("original\n", "")


def test_the_environment_puts_ours_first_and_says_so(site: Path):
    result = run(IS_OURS, site, wish="1")
    assert result.stdout == "True\n"
    assert str(site) in result.stderr and "TRAINYARD_NKI=1" in result.stderr


def test_the_same_holds_for_neuronxcc(tmp_path: Path):
    ours = IS_OURS.replace("nki", "neuronxcc", 1).replace("nki.__file__", "neuronxcc.__file__")
    assert run(ours).stdout == "True\n"
    (tmp_path / "neuronxcc").mkdir()
    (tmp_path / "neuronxcc" / "__init__.py").write_text(ORIGINAL)
    assert run("import trainyard, neuronxcc; print(neuronxcc.ORIGIN)", tmp_path).stdout == (
        "original\n"
    )
    asked = run(ours, tmp_path, wish="1")
    assert asked.stdout == "True\n" and "neuronxcc is Trainyard's" in asked.stderr


def test_nothing_is_said_when_nothing_is_hidden():
    assert run("import nki", wish="1").stderr == ""


def test_install_nki_puts_ours_first_and_says_so(site: Path):
    result = run(f"import trainyard; trainyard.install_nki(); {IS_OURS}", site)
    assert result.stdout == "True\n"
    assert str(site) in result.stderr


def test_install_nki_refuses_to_mix_two_of_them(site: Path):
    result = run("import nki, trainyard; trainyard.install_nki()", site)
    assert "another nki is already imported, from " + str(site) in result.stderr


def test_install_nki_may_be_called_after_ours_is_imported():
    assert run("import nki, trainyard; trainyard.install_nki()").returncode == 0


def test_zero_leaves_ours_out():
    assert "No module named 'nki'" in run("import nki", wish="0").stderr


def test_a_wrong_wish_is_refused():
    assert "TRAINYARD_NKI is 'yes'; use 1" in run("import nki", wish="yes").stderr


def test_ours_has_the_same_name_and_submodules():
    assert run("import nki; print(nki.__name__, nki.__spec__.name)").stdout == "nki nki\n"


def test_the_installed_package_is_not_at_the_top_of_site_packages():
    assert (COMPAT / "nki").is_dir()
    assert not (COMPAT.parents[1] / "nki").exists()


def test_a_script_run_by_the_command_gets_ours(site: Path):
    script = site / "script.py"
    script.write_text(IS_OURS)
    result = run(f"from trainyard.__main__ import main; main(['run', {str(script)!r}])", site)
    assert "True\n" in result.stdout
    assert str(site / "nki") in result.stderr
