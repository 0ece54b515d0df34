"""Does tools/build_cost count the processor time of all processes of a build, and fail beyond its
goal?"""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "tools/build_cost"
LOADER = importlib.machinery.SourceFileLoader("build_cost", str(PATH))
SPEC = importlib.util.spec_from_loader("build_cost", LOADER)
assert SPEC is not None
build_cost = importlib.util.module_from_spec(SPEC)
sys.modules["build_cost"] = build_cost  # dataclasses look their module up
LOADER.exec_module(build_cost)

BURN = "import time\nwhile time.process_time() < 0.3: pass"


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run([PATH, "--", *command], capture_output=True, text=True, check=False)


def test_processes_of_processes_are_counted_beside_lines_and_the_clock():
    done = run("sh", "-c", f"{sys.executable} -c '{BURN}' & {sys.executable} -c '{BURN}'; wait")
    assert done.returncode == 0, done.stderr
    seconds, lines, of_a_thousand = (
        float(re.search(rf"{name} +([0-9.,]+)", done.stdout)[1].replace(",", ""))
        for name in ("processor time", "lines", "per 1,000 lines")
    )
    assert 0.6 <= seconds < 5
    assert lines == build_cost.lines_of_source() > 100_000
    assert abs(of_a_thousand - 1000 * seconds / lines) < 0.01
    assert "wall time" in done.stdout


def test_the_build_is_fresh_and_without_ccache():
    done = run("sh", "-c", "ls -A; pwd; echo ccache off: $CCACHE_DISABLE; env | grep PARALLEL")
    folder, ccache, jobs = done.stderr.splitlines()
    assert ccache == "ccache off: 1" and jobs.endswith(tuple("123456789"))
    assert not Path(folder).exists()


def test_a_build_that_fails_or_takes_too_long_fails(monkeypatch, capsys):
    assert run("false").returncode == 1
    slow = build_cost.Cost(processor=6.0, clock=1.0, lines=1000)
    assert slow.of_a_thousand == 6
    monkeypatch.setattr(build_cost, "measured", lambda *_: slow)
    monkeypatch.setattr(sys, "argv", ["build_cost", "--", "true"])
    assert build_cost.main() == 1
    assert "6.00 s, goal: at most 5" in capsys.readouterr().out
