"""Can another CMake project use an installed Trainyard through find_package?"""

import subprocess
from pathlib import Path

import pytest
from sources import ROOT


def build_directory() -> Path:
    for preset in ("release", "dev"):
        if (ROOT / "build" / preset / "build.ninja").exists():
            return ROOT / "build" / preset
    pytest.skip("nothing is built yet")


def run(*command: object) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_consumer_finds_links_and_runs(tmp_path: Path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", build_directory(), "--prefix", prefix)
    source, build = ROOT / "tests/structure/consumer", tmp_path / "build"
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    lines = run(build / "consumer").splitlines()
    assert lines[0] == "consumer.c1: links"
    assert Path(lines[1]) == prefix / "share/trainyard/machines"
    assert Path(lines[1]).is_dir() == (ROOT / "machines").is_dir()
    assert not list(prefix.rglob("_core*")), "the Python extension belongs to the wheel only"
