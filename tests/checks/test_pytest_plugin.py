"""Does the pytest plug-in check the kernels of a test, fail it when asked, and say why?"""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TEST = """
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

X = np.ones((128, 512), np.float32)


@nki.jit
def wasteful(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.iota(tile, pattern=[[1, x.shape[1]]], offset=0)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def wrong(x):
    tile = nl.ndarray(x.shape, x.dtype)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


"""


@pytest.fixture
def run(pytester: pytest.Pytester):
    """Runs one test file with the plug-in; tests that pass print nothing."""

    def run(text: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(TEST + text)
        plugin = [] if _is_installed() else ["-p", "trainyard.pytest_plugin"]
        return pytester.runpytest_subprocess(*plugin, "--strict-markers", *options)

    return run


def _is_installed() -> bool:
    from importlib.metadata import entry_points

    return any(one.name == "trainyard" for one in entry_points(group="pytest11"))


WASTEFUL = "def test_it():\n    assert (wasteful(X) == 1).all()\n"


def test_the_package_names_the_plug_in():
    root = Path(__file__).resolve().parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert import_module(project["entry-points"]["pytest11"]["trainyard"]).pytest_runtest_call


def test_warnings_do_not_fail_a_test_unless_asked(run):
    done = run(WASTEFUL)
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["trainyard: 1 kernel call checked, 1 warning (*"])


@pytest.mark.parametrize("how", ["option", "marker", "ini"])
def test_warnings_fail_a_test_when_asked(run, pytester, how):
    text = WASTEFUL
    if how == "marker":
        text = '@pytest.mark.trainyard(fail_on="warning")\n' + text
    if how == "ini":
        pytester.makeini("[pytest]\ntrainyard_fail_on = warning\n")
    done = run(text, *(["--trainyard-fail-on", "warning"] if how == "option" else []))
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["trainyard found 1 warning", "warning: memory.dead_store: *", "  fix: *"]
    )


def test_suppressed_findings_fail_nothing(run):
    done = run(
        '@pytest.mark.trainyard(suppress=("memory.dead_store",))\n' + WASTEFUL,
        "--trainyard-fail-on=warning",
    )
    done.assert_outcomes(passed=1)
    run(WASTEFUL, "--trainyard-fail-on=warning", "--trainyard-suppress=memory").assert_outcomes(
        passed=1
    )


def test_the_marker_weakens_the_option_for_one_test(run):
    text = '@pytest.mark.trainyard(fail_on="error")\n' + WASTEFUL
    run(text, "--trainyard-fail-on=warning").assert_outcomes(passed=1)


def test_findings_stand_in_the_report_of_a_test_that_fails_otherwise(run):
    done = run("def test_it():\n    assert (wasteful(X) == 2).all()\n")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*Captured trainyard call*", "wasteful: warning: memory.dead_store: *"]
    )


def test_an_error_is_an_exception_in_the_test(run):
    done = run("def test_it():\n    wrong(X)\n")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E *memory.unwritten: *"])
    run("def test_it():\n    wrong(X)\n", "--trainyard-no-checks").assert_outcomes(passed=1)
    marked = "@pytest.mark.trainyard(checks=False)\ndef test_it():\n    wrong(X)\n"
    run(marked).assert_outcomes(passed=1)


def test_an_unknown_check_is_refused(run):
    done = run(WASTEFUL, "--trainyard-suppress=memory.nothing")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*there is no check memory.nothing*"])


FIXTURE = """
@pytest.fixture
def made():
    {before}
    yield
    {after}


"""


@pytest.mark.parametrize("where", ["before", "after"])
def test_the_policy_holds_in_fixtures_too(run, where):
    def text(marker, kernel):
        fixture = FIXTURE.format(**{"before": "pass", "after": "pass"} | {where: kernel})
        return f"{fixture}@pytest.mark.trainyard({marker})\ndef test_it(made):\n    pass\n"

    run(text("suppress='memory'", "wrong(X)")).assert_outcomes(passed=1)
    run(text("checks=False", "wrong(X)")).assert_outcomes(passed=1)
    done = run(text("fail_on='warning'", "wasteful(X)"))
    done.assert_outcomes(errors=1, passed=0 if where == "before" else 1)
    done.stdout.fnmatch_lines(["trainyard found 1 warning", "warning: memory.dead_store: *"])


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ("'note'", "it has no 'note'"),
        ("nope=1", "it has no nope"),
        ("fail_on='bogus'", "fail_on is one of note, warning, error, not 'bogus'"),
        ("suppress=('bogus',)", "there is no check bogus"),
        ("suppress=1", "suppress is ids of checks, not 1"),
        ("checks='no'", "checks is True or False, not 'no'"),
    ],
)
def test_a_wrong_marker_is_refused(run, marker, words):
    done = run(f"@pytest.mark.trainyard({marker})\n" + WASTEFUL)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: *::test_it: *{words}*"])


def test_a_marker_suppresses_one_check_by_its_name(run):
    text = '@pytest.mark.trainyard(suppress="memory.dead_store")\n' + WASTEFUL
    run(text, "--trainyard-fail-on=warning").assert_outcomes(passed=1)


MISTAKE = """
@nki.jit
def multiplied(x):
    return nl.load(x) * 2

def test_it():
    multiplied(X)
"""


def test_a_failure_shows_the_lines_of_the_user(run, monkeypatch):
    failed = run(MISTAKE)
    failed.assert_outcomes(failed=1)
    shown = failed.stdout.str()
    assert "return nl.load(x) * 2" in shown and "use nl.multiply" in shown
    assert "kernel.py" not in shown and "_tensor.py" not in shown
    monkeypatch.setenv("TRAINYARD_TRACEBACK", "full")
    assert "kernel.py" in run(MISTAKE).stdout.str()


SMALL = "def test_it():\n    wasteful(X)\n"


def test_a_condition_on_the_time_fails_a_test(run):
    slow = run('@pytest.mark.trainyard(fail_if="time>1ns")\n' + SMALL)
    slow.assert_outcomes(failed=1)
    slow.stdout.fnmatch_lines(["trainyard: conditions hold", "wasteful: time>1ns: *, limit 1.0 ns"])
    run('@pytest.mark.trainyard(fail_if=["time>1s", "hbm>1GiB"])\n' + SMALL).assert_outcomes(
        passed=1
    )
    run(SMALL, "--trainyard-fail-if", "time>1ns").assert_outcomes(failed=1)
    run("def test_none():\n    pass\n", "--trainyard-fail-if", "time>1ns").assert_outcomes(passed=1)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_baseline_is_written_and_compared_with(run, pytester, workers):
    two = SMALL + "def test_two():\n    wasteful(X)\n    wasteful(X[:, :64])\n"
    run(two, "--trainyard-write-baseline", "times.json", *workers).assert_outcomes(passed=2)
    gate = ("--trainyard-baseline", "times.json", "--trainyard-fail-if", "time>+2%")
    run(two, *gate, *workers).assert_outcomes(passed=2)
    slower = two.replace("X[:, :64]", "X[:, :256]")
    done = run(slower, *gate, *workers)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["wasteful.1: time>+2%: *the baseline's is*"])
    more = run(SMALL + "def test_new():\n    wasteful(X)\n", *gate)
    more.assert_outcomes(passed=1, failed=1)
    more.stdout.fnmatch_lines(["*the baseline has no such call*"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--trainyard-fail-if", "tim>1us"), "*did you mean time?*"),
        (("--trainyard-baseline", "none.json"), "*cannot read none.json*"),
    ],
)
def test_wrong_conditions_are_refused(run, options, said):
    done = run(SMALL, *options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([said])


def test_every_option_of_the_plug_in_has_a_row_in_its_page(run):
    page = (Path(__file__).parents[2] / "docs/pytest.md").read_text()
    options = set(re.findall(r"^ *(--trainyard-[a-z-]+)", run("", "--help").stdout.str(), re.M))
    assert len(options) == 6
    assert options == set(re.findall(r"^\| `(--trainyard-[a-z-]+)", page, re.M))
