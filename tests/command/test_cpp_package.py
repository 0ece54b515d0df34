"""Does a C++ program of a user's own find, link and run the installed libraries?"""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def time_of(printed: str) -> str:
    (line,) = (line for line in printed.splitlines() if line.startswith("half_exp on trn3: "))
    return line.split(",")[0]


def test_the_example_runs_on_an_installed_package(tmp_path, trainyard):
    installed, built = tmp_path / "installed", tmp_path / "built"
    run("cmake", "--install", ROOT / "build/release", "--prefix", installed)
    run("cmake", "-S", ROOT / "examples/cpp", "-B", built, f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", built)
    printed = run(built / "half_exp")
    first = printed.splitlines()[0]
    assert first.startswith("largest error: ")
    assert float(first.split(": ")[1]) < 1e-5
    assert time_of(printed) == time_of(trainyard("time", ROOT / "examples/first.py").out)
    assert "half_exp.cpp:" in printed  # the source line of each instruction
